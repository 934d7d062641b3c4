"""Extrapolate the critical density of square boards."""

from job import job
from msdensity.files.tables import read_table, write_table
from msdensity.stats.columns import EXTRAPOLATION_COLUMNS, FIT_COLUMNS
from msdensity.stats.hyperbola import extrapolation_table

with job(snakemake):
    fits = read_table(snakemake.input.fits, FIT_COLUMNS)
    write_table(snakemake.output[0], extrapolation_table(fits), EXTRAPOLATION_COLUMNS)
