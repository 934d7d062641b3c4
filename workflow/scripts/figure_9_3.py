"""Draw the critical density of 1 x q boards and its series (Figure 9.3)."""

from job import job
from msdensity.files.tables import read_table
from msdensity.stats.columns import FIT_COLUMNS
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS
from msdensity.studies.paper.figures.strips import strips_figure
from msdensity.studies.plot import save_figure

with job(snakemake):
    fits = read_table(snakemake.input.fits, FIT_COLUMNS)
    published = read_table(snakemake.input.published, PUBLISHED_COLUMNS)
    save_figure(strips_figure(fits, published), *snakemake.output)
