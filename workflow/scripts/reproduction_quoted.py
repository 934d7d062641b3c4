"""Play the boards whose win rates the text quotes."""

from job import job
from msdensity.files.tables import read_table, write_table
from msdensity.studies.reproduction.quoted import (
    QUOTED_COLUMNS,
    QUOTES_COLUMNS,
    SPEED_COLUMNS,
    quoted_tables,
)
from msdensity.studies.reproduction.settings import load_settings

with job(snakemake) as work:
    study = load_settings(snakemake.params.config)
    quotes = read_table(snakemake.input.quotes, QUOTES_COLUMNS)
    sweep = study.sweep
    how = (sweep.rules, sweep.seed, study.quoted.games, snakemake.threads, work.keep)
    found, speed = quoted_tables(quotes, sweep.players, *how)
    write_table(snakemake.output.quoted, found, QUOTED_COLUMNS)
    write_table(snakemake.output.speed, speed, SPEED_COLUMNS)
