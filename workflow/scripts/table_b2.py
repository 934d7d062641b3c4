"""Write Table B.2: critical densities, ours beside the published ones."""

from job import job
from msdensity.files.tables import read_table, write_table
from msdensity.stats.columns import FIT_COLUMNS
from msdensity.studies.paper.columns import B2_COLUMNS, PUBLISHED_COLUMNS
from msdensity.studies.paper.tables import table_b2

with job(snakemake):
    fits = read_table(snakemake.input.fits, FIT_COLUMNS)
    published = read_table(snakemake.input.published, PUBLISHED_COLUMNS)
    write_table(snakemake.output[0], table_b2(fits, published), B2_COLUMNS)
