"""Write Table B.2: critical densities, ours beside the published ones."""

from job import job
from msdensity.published import table_b2
from msdensity.tables import B2_COLUMNS, FIT_COLUMNS, PUBLISHED_COLUMNS, read_table, write_table

with job(snakemake):
    fits = read_table(snakemake.input.fits, FIT_COLUMNS)
    published = read_table(snakemake.input.published, PUBLISHED_COLUMNS)
    write_table(snakemake.output[0], table_b2(fits, published), B2_COLUMNS)
