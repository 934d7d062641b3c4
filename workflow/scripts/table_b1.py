"""Write Table B.1: the win rate of every board and number of mines."""

from job import job
from msdensity.files.tables import read_table, write_table
from msdensity.stats.columns import CORRECTED_COLUMNS
from msdensity.studies.paper.columns import B1_COLUMNS
from msdensity.studies.paper.tables import table_b1

with job(snakemake):
    win_rates = read_table(snakemake.input.table, CORRECTED_COLUMNS)
    write_table(snakemake.output[0], table_b1(win_rates), B1_COLUMNS)
