"""Fit the critical density of every board and player."""

from job import job
from msdensity.files.tables import read_table, write_table
from msdensity.stats.columns import CORRECTED_COLUMNS, FIT_COLUMNS
from msdensity.stats.logistic import fits_table

with job(snakemake):
    win_rates = read_table(snakemake.input.table, CORRECTED_COLUMNS)
    write_table(snakemake.output[0], fits_table(win_rates, snakemake.params.bootstrap), FIT_COLUMNS)
