"""Write Table B.1: the win rate of every board and number of mines."""

import os

from msdensity.published import table_b1
from msdensity.tables import B1_COLUMNS, CORRECTED_COLUMNS, read_table, write_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

win_rates = read_table(snakemake.input.table, CORRECTED_COLUMNS)
write_table(snakemake.output[0], table_b1(win_rates), B1_COLUMNS)
