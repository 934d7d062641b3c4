"""Draw what the first cell is worth (section 5)."""

import os

from msdensity.figures import first_click_figure, save_figure
from msdensity.tables import FIRST_CLICK_COLUMNS, read_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

table = read_table(snakemake.input.table, FIRST_CLICK_COLUMNS)
save_figure(first_click_figure(table), *snakemake.output)
