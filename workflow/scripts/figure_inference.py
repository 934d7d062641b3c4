"""Draw the certain cells that the text's inference misses."""

import os

from msdensity.figures import inference_figure, save_figure
from msdensity.tables import INFERENCE_COLUMNS, read_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

table = read_table(snakemake.input.table, INFERENCE_COLUMNS)
save_figure(inference_figure(table), *snakemake.output)
