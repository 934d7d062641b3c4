"""Fit the critical density of every board and player."""

import os

from msdensity.fits import fits_table
from msdensity.tables import CORRECTED_COLUMNS, FIT_COLUMNS, read_table, write_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

win_rates = read_table(snakemake.input.table, CORRECTED_COLUMNS)
write_table(snakemake.output[0], fits_table(win_rates, snakemake.params.bootstrap), FIT_COLUMNS)
