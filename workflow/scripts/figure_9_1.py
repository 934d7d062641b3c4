"""Draw the critical density of every board (Figure 9.1)."""

import os

from msdensity.figures import map_figure, save_figure
from msdensity.tables import FIT_COLUMNS, read_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

fits = read_table(snakemake.input.fits, FIT_COLUMNS)
save_figure(map_figure(fits), *snakemake.output)
