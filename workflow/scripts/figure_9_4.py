"""Draw the limit of 1 x q boards by the number of terms (Figure 9.4)."""

from job import job
from msdensity.figures import limits_figure, save_figure
from msdensity.tables import SERIES_COLUMNS, read_table

with job(snakemake):
    series = read_table(snakemake.input.series, SERIES_COLUMNS)
    save_figure(limits_figure(series), *snakemake.output)
