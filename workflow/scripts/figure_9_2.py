"""Draw the critical density against the aspect ratio (Figure 9.2)."""

import os

from msdensity.figures import aspect_figure, save_figure
from msdensity.tables import FIT_COLUMNS, read_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

fits = read_table(snakemake.input.fits, FIT_COLUMNS)
save_figure(aspect_figure(fits), *snakemake.output)
