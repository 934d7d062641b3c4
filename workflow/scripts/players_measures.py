"""Measure what one player wins, guesses, loses, misses and costs."""

import os

from msdensity.players_study import cost_table, load_study, measures_table, write_csv

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

study = load_study(snakemake.params.study)
write_csv(snakemake.output.cost, cost_table(snakemake.wildcards.way, study.seed))
write_csv(snakemake.output.measures, measures_table(snakemake.wildcards.way, study))
