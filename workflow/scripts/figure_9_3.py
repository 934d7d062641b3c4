"""Draw the critical density of 1 x q boards and its series (Figure 9.3)."""

from job import job
from msdensity.figures import save_figure, strips_figure
from msdensity.tables import FIT_COLUMNS, PUBLISHED_COLUMNS, read_table

with job(snakemake):
    fits = read_table(snakemake.input.fits, FIT_COLUMNS)
    published = read_table(snakemake.input.published, PUBLISHED_COLUMNS)
    save_figure(strips_figure(fits, published), *snakemake.output)
