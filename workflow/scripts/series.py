"""Fit the series in 1/q to the critical density of 1 x q boards."""

import os

from msdensity.series import series_table
from msdensity.tables import FIT_COLUMNS, SERIES_COLUMNS, read_table, write_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

fits = read_table(snakemake.input.fits, FIT_COLUMNS)
write_table(snakemake.output[0], series_table(fits), SERIES_COLUMNS)
