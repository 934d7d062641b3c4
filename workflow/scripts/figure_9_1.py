"""Draw the critical density of every board (Figure 9.1)."""

from job import job
from msdensity.files.tables import read_table
from msdensity.stats.columns import FIT_COLUMNS
from msdensity.studies.paper.figures.map import map_figure
from msdensity.studies.plot import save_figure

with job(snakemake):
    fits = read_table(snakemake.input.fits, FIT_COLUMNS)
    save_figure(map_figure(fits), *snakemake.output)
