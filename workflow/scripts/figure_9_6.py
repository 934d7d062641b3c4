"""Draw the critical density of square boards and its extrapolation (Figure 9.6)."""

from job import job
from msdensity.figures import save_figure, squares_figure
from msdensity.tables import EXTRAPOLATION_COLUMNS, FIT_COLUMNS, PUBLISHED_COLUMNS, read_table

with job(snakemake):
    fits = read_table(snakemake.input.fits, FIT_COLUMNS)
    extrapolation = read_table(snakemake.input.extrapolation, EXTRAPOLATION_COLUMNS)
    published = read_table(snakemake.input.published, PUBLISHED_COLUMNS)
    save_figure(squares_figure(fits, extrapolation, published), *snakemake.output)
