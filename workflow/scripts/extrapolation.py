"""Extrapolate the critical density of square boards."""

from job import job
from msdensity.scaling import extrapolation_table
from msdensity.tables import EXTRAPOLATION_COLUMNS, FIT_COLUMNS, read_table, write_table

with job(snakemake):
    fits = read_table(snakemake.input.fits, FIT_COLUMNS)
    write_table(snakemake.output[0], extrapolation_table(fits), EXTRAPOLATION_COLUMNS)
