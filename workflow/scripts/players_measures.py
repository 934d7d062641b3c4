"""Measure what one player wins, guesses, loses, misses and costs."""

from job import job
from msdensity.studies.published_players.files import write_csv
from msdensity.studies.published_players.measures import cost_table, measures_table
from msdensity.studies.published_players.settings import load_settings

with job(snakemake) as work:
    study = load_settings(snakemake.params.study)
    write_csv(snakemake.output.cost, cost_table(snakemake.wildcards.way, study))
    write_csv(snakemake.output.measures, measures_table(snakemake.wildcards.way, study, work.keep))
