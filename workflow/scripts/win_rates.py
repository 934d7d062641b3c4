"""Join the win rates of all boards and players and add the W-correction."""

import os

import pandas as pd

from msdensity.correction import w_correction
from msdensity.tables import CORRECTED_COLUMNS, WIN_RATE_COLUMNS, read_table, write_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

tables = [read_table(path, WIN_RATE_COLUMNS) for path in snakemake.input.tables]
table = w_correction(pd.concat(tables, ignore_index=True))
write_table(snakemake.output[0], table, CORRECTED_COLUMNS)
