"""Extrapolate the critical density of square boards."""

import os

from msdensity.scaling import extrapolation_table
from msdensity.tables import EXTRAPOLATION_COLUMNS, FIT_COLUMNS, read_table, write_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

fits = read_table(snakemake.input.fits, FIT_COLUMNS)
write_table(snakemake.output[0], extrapolation_table(fits), EXTRAPOLATION_COLUMNS)
