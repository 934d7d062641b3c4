"""Draw the position of Figure 3.1 and what the text's inference finds (Figure 3.2)."""

import os

from msdensity.figures import board_figure, save_figure
from msdensity.published import FIGURE_3_1

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

save_figure(board_figure(*FIGURE_3_1), *snakemake.output)
