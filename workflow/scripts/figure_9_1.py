"""Draw the critical density of every board (Figure 9.1)."""

from job import job
from msdensity.figures import map_figure, save_figure
from msdensity.tables import FIT_COLUMNS, read_table

with job(snakemake):
    fits = read_table(snakemake.input.fits, FIT_COLUMNS)
    save_figure(map_figure(fits), *snakemake.output)
