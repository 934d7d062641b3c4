"""Join the win rates of all boards and players and add the W-correction."""

import os

from msdensity.correction import w_correction
from msdensity.tables import CORRECTED_COLUMNS, WIN_RATE_COLUMNS, read_tables, write_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

table = w_correction(read_tables(snakemake.input.tables, WIN_RATE_COLUMNS))
write_table(snakemake.output[0], table, CORRECTED_COLUMNS)
