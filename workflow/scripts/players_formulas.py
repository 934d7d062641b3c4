"""Set formulas 4.2 to 4.4 of 000 beside dealt games."""

from job import job
from msdensity.players_study import formulas_table, load_study, write_csv

with job(snakemake) as keep:
    formulas = formulas_table(load_study(snakemake.params.study), keep)
    write_csv(snakemake.output[0], formulas)
