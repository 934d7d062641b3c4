"""Draw the critical density of square boards and its extrapolation (Figure 9.6)."""

import os

from msdensity.figures import save_figure, squares_figure
from msdensity.tables import EXTRAPOLATION_COLUMNS, FIT_COLUMNS, PUBLISHED_COLUMNS, read_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

fits = read_table(snakemake.input.fits, FIT_COLUMNS)
extrapolation = read_table(snakemake.input.extrapolation, EXTRAPOLATION_COLUMNS)
published = read_table(snakemake.input.published, PUBLISHED_COLUMNS)
save_figure(squares_figure(fits, extrapolation, published), *snakemake.output)
