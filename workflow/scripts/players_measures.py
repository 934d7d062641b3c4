"""Measure what one player wins, guesses, loses, misses and costs."""

from job import job
from msdensity.players_study import cost_table, load_study, measures_table, write_csv

with job(snakemake) as keep:
    study = load_study(snakemake.params.study)
    write_csv(snakemake.output.cost, cost_table(snakemake.wildcards.way, study.seed))
    write_csv(snakemake.output.measures, measures_table(snakemake.wildcards.way, study, keep))
