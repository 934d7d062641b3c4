"""Draw the limit of 1 x q boards by the number of terms (Figure 9.4)."""

import os

from msdensity.figures import limits_figure, save_figure
from msdensity.tables import SERIES_COLUMNS, read_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

series = read_table(snakemake.input.series, SERIES_COLUMNS)
save_figure(limits_figure(series), *snakemake.output)
