"""Set formulas 4.2 to 4.4 of 000 beside dealt games."""

from job import job
from msdensity.studies.published_players.files import write_csv
from msdensity.studies.published_players.formulas import formulas_table
from msdensity.studies.published_players.settings import load_settings

with job(snakemake) as work:
    formulas = formulas_table(load_settings(snakemake.params.study), work.keep)
    write_csv(snakemake.output[0], formulas)
