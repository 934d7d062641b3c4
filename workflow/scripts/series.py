"""Fit the series in 1/q to the critical density of 1 x q boards."""

from job import job
from msdensity.files.tables import read_table, write_table
from msdensity.stats.columns import FIT_COLUMNS, SERIES_COLUMNS
from msdensity.stats.series import series_table

with job(snakemake):
    fits = read_table(snakemake.input.fits, FIT_COLUMNS)
    write_table(snakemake.output[0], series_table(fits), SERIES_COLUMNS)
