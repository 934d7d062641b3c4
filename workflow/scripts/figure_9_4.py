"""Draw the limit of 1 x q boards by the number of terms (Figure 9.4)."""

from job import job
from msdensity.files.tables import read_table
from msdensity.stats.columns import SERIES_COLUMNS
from msdensity.studies.paper.figures.strips import limits_figure
from msdensity.studies.plot import save_figure

with job(snakemake):
    series = read_table(snakemake.input.series, SERIES_COLUMNS)
    save_figure(limits_figure(series), *snakemake.output)
