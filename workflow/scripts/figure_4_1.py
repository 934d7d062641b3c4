"""Draw a position like that of Figure 4.1 with its safeties (Figure 4.2)."""

import os

from msdensity.analysis import analyse
from msdensity.figures import safety_figure, save_figure
from msdensity.published import FIGURE_4_1

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

figure = safety_figure(*FIGURE_4_1, analyse(*FIGURE_4_1).safety)
save_figure(figure, *snakemake.output)
