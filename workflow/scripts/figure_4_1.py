"""Draw a position like that of Figure 4.1 with its safeties (Figure 4.2)."""

from job import job
from msdensity.analysis import analyse
from msdensity.figures import safety_figure, save_figure
from msdensity.published import FIGURE_4_1

with job(snakemake):
    figure = safety_figure(*FIGURE_4_1, analyse(*FIGURE_4_1).safety)
    save_figure(figure, *snakemake.output)
