"""Draw the critical density against the aspect ratio (Figure 9.2)."""

from job import job
from msdensity.figures import aspect_figure, save_figure
from msdensity.tables import FIT_COLUMNS, read_table

with job(snakemake):
    fits = read_table(snakemake.input.fits, FIT_COLUMNS)
    save_figure(aspect_figure(fits), *snakemake.output)
