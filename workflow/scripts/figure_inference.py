"""Draw the certain cells that the text's inference misses."""

from job import job
from msdensity.files.tables import read_table
from msdensity.studies.paper.columns import INFERENCE_COLUMNS
from msdensity.studies.paper.figures.inference import inference_figure
from msdensity.studies.plot import save_figure

with job(snakemake):
    table = read_table(snakemake.input.table, INFERENCE_COLUMNS)
    save_figure(inference_figure(table), *snakemake.output)
