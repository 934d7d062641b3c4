"""Draw what the first cell is worth (section 5)."""

from job import job
from msdensity.figures import first_click_figure, save_figure
from msdensity.tables import FIRST_CLICK_COLUMNS, read_table

with job(snakemake):
    table = read_table(snakemake.input.table, FIRST_CLICK_COLUMNS)
    save_figure(first_click_figure(table), *snakemake.output)
