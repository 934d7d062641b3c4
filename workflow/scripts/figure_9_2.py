"""Draw the critical density against the aspect ratio (Figure 9.2)."""

from job import job
from msdensity.files.tables import read_table
from msdensity.stats.columns import FIT_COLUMNS
from msdensity.studies.paper.figures.aspect import aspect_figure
from msdensity.studies.plot import save_figure

with job(snakemake):
    fits = read_table(snakemake.input.fits, FIT_COLUMNS)
    save_figure(aspect_figure(fits), *snakemake.output)
