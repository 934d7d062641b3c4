"""Draw a position like that of Figure 4.1 with its safeties (Figure 4.2)."""

from job import job
from msdensity.games.analysis import analyse
from msdensity.studies.paper.figures.board import safety_figure
from msdensity.studies.paper.tables import FIGURE_4_1
from msdensity.studies.plot import save_figure

with job(snakemake):
    figure = safety_figure(*FIGURE_4_1, analyse(*FIGURE_4_1).safety)
    save_figure(figure, *snakemake.output)
