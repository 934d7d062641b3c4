"""Draw the position of Figure 3.1 and what the text's inference finds (Figure 3.2)."""

from job import job
from msdensity.studies.paper.figures.board import board_figure
from msdensity.studies.paper.tables import FIGURE_3_1
from msdensity.studies.plot import save_figure

with job(snakemake):
    save_figure(board_figure(*FIGURE_3_1), *snakemake.output)
