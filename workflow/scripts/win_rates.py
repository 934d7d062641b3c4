"""Join the win rates of all boards and players and add the W-correction."""

from job import job
from msdensity.files.tables import read_tables, write_table
from msdensity.stats.columns import CORRECTED_COLUMNS, WIN_RATE_COLUMNS
from msdensity.stats.correction import w_correction

with job(snakemake):
    table = w_correction(read_tables(snakemake.input.tables, WIN_RATE_COLUMNS))
    write_table(snakemake.output[0], table, CORRECTED_COLUMNS)
