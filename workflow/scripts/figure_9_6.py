"""Draw the critical density of square boards and its extrapolation (Figure 9.6)."""

from job import job
from msdensity.files.tables import read_table
from msdensity.stats.columns import EXTRAPOLATION_COLUMNS, FIT_COLUMNS
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS
from msdensity.studies.paper.figures.squares import squares_figure
from msdensity.studies.plot import save_figure

with job(snakemake):
    fits = read_table(snakemake.input.fits, FIT_COLUMNS)
    extrapolation = read_table(snakemake.input.extrapolation, EXTRAPOLATION_COLUMNS)
    published = read_table(snakemake.input.published, PUBLISHED_COLUMNS)
    save_figure(squares_figure(fits, extrapolation, published), *snakemake.output)
