"""Draw the position of Figure 3.1 and what the text's inference finds (Figure 3.2)."""

from job import job
from msdensity.figures import board_figure, save_figure
from msdensity.published import FIGURE_3_1

with job(snakemake):
    save_figure(board_figure(*FIGURE_3_1), *snakemake.output)
