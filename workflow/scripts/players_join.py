"""Join the tables of the published players."""

from job import job
from msdensity.files.tables import read_tables, write_table
from msdensity.stats.columns import CORRECTED_COLUMNS
from msdensity.studies.published_players.files import read_csv, write_csv

with job(snakemake):
    for name in ("tables", "pairs", "measures", "cost", "density"):
        write_csv(snakemake.output[name], read_csv(*snakemake.input[name]))
    curves = read_tables(snakemake.input.curves, CORRECTED_COLUMNS)
    write_table(snakemake.output.curves, curves, CORRECTED_COLUMNS)
