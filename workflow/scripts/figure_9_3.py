"""Draw the critical density of 1 x q boards and its series (Figure 9.3)."""

import os

from msdensity.figures import save_figure, strips_figure
from msdensity.tables import FIT_COLUMNS, PUBLISHED_COLUMNS, read_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

fits = read_table(snakemake.input.fits, FIT_COLUMNS)
published = read_table(snakemake.input.published, PUBLISHED_COLUMNS)
save_figure(strips_figure(fits, published), *snakemake.output)
