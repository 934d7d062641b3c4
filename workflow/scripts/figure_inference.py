"""Draw the certain cells that the text's inference misses."""

from job import job
from msdensity.figures import inference_figure, save_figure
from msdensity.tables import INFERENCE_COLUMNS, read_table

with job(snakemake):
    table = read_table(snakemake.input.table, INFERENCE_COLUMNS)
    save_figure(inference_figure(table), *snakemake.output)
