"""Draw what the first cell is worth (section 5)."""

from job import job
from msdensity.files.tables import read_table
from msdensity.studies.paper.columns import FIRST_CLICK_COLUMNS
from msdensity.studies.paper.figures.first_click import first_click_figure
from msdensity.studies.plot import save_figure

with job(snakemake):
    table = read_table(snakemake.input.table, FIRST_CLICK_COLUMNS)
    save_figure(first_click_figure(table), *snakemake.output)
