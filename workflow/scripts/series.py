"""Fit the series in 1/q to the critical density of 1 x q boards."""

from job import job
from msdensity.series import series_table
from msdensity.tables import FIT_COLUMNS, SERIES_COLUMNS, read_table, write_table

with job(snakemake):
    fits = read_table(snakemake.input.fits, FIT_COLUMNS)
    write_table(snakemake.output[0], series_table(fits), SERIES_COLUMNS)
