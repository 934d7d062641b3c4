"""Set the published critical densities beside runs of the same size by our players."""

from job import job
from msdensity.files.atomic import atomic_write
from msdensity.files.tables import read_table, write_table
from msdensity.stats.columns import CORRECTED_COLUMNS
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS
from msdensity.studies.reproduction.results import RUN_COLUMNS, agreement, runs_table

with job(snakemake):
    win_rates = read_table(snakemake.input.table, CORRECTED_COLUMNS)
    published = read_table(snakemake.input.published, PUBLISHED_COLUMNS)
    runs = runs_table(win_rates, published, snakemake.params.replicates)
    write_table(snakemake.output.runs, runs, RUN_COLUMNS)
    with atomic_write(snakemake.output.agreement) as file:
        agreement(runs).to_csv(file, index=False, lineterminator="\n")
