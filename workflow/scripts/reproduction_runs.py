"""Set the published critical densities beside runs of the same size by our players."""

from job import job
from msdensity.files import atomic_write
from msdensity.reproduction import RUN_COLUMNS, agreement, runs_table
from msdensity.tables import CORRECTED_COLUMNS, PUBLISHED_COLUMNS, read_table, write_table

with job(snakemake):
    win_rates = read_table(snakemake.input.table, CORRECTED_COLUMNS)
    published = read_table(snakemake.input.published, PUBLISHED_COLUMNS)
    runs = runs_table(win_rates, published, snakemake.params.replicates)
    write_table(snakemake.output.runs, runs, RUN_COLUMNS)
    with atomic_write(snakemake.output.agreement) as file:
        agreement(runs).to_csv(file, index=False, lineterminator="\n")
