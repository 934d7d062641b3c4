"""Compare the players of one question game by game."""

import os

from msdensity.players_study import load_study, pairs_table, write_csv

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

study = load_study(snakemake.params.study)
pairs = pairs_table(snakemake.wildcards.question, study.games, study.seed)
write_csv(snakemake.output[0], pairs)
