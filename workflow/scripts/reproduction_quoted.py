"""Play the boards whose win rates the text quotes."""

import os

from msdensity.reproduction import load_study
from msdensity.reproduction.quoted import (
    QUOTED_COLUMNS,
    QUOTES_COLUMNS,
    SPEED_COLUMNS,
    quoted_tables,
)
from msdensity.tables import read_table, write_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

study = load_study(snakemake.params.config)
quotes = read_table(snakemake.input.quotes, QUOTES_COLUMNS)
sweep = study.sweep
found, speed = quoted_tables(
    quotes, sweep.players, sweep.rules, sweep.seed, study.quoted_games, snakemake.threads
)
write_table(snakemake.output.quoted, found, QUOTED_COLUMNS)
write_table(snakemake.output.speed, speed, SPEED_COLUMNS)
