"""Join the win rates of all boards and players and add the W-correction."""

from job import job
from msdensity.correction import w_correction
from msdensity.tables import CORRECTED_COLUMNS, WIN_RATE_COLUMNS, read_tables, write_table

with job(snakemake):
    table = w_correction(read_tables(snakemake.input.tables, WIN_RATE_COLUMNS))
    write_table(snakemake.output[0], table, CORRECTED_COLUMNS)
