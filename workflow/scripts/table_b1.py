"""Write Table B.1: the win rate of every board and number of mines."""

from job import job
from msdensity.published import table_b1
from msdensity.tables import B1_COLUMNS, CORRECTED_COLUMNS, read_table, write_table

with job(snakemake):
    win_rates = read_table(snakemake.input.table, CORRECTED_COLUMNS)
    write_table(snakemake.output[0], table_b1(win_rates), B1_COLUMNS)
