"""Join the tables of the published players."""

import os

from msdensity.players_study import read_csv, write_csv
from msdensity.tables import CORRECTED_COLUMNS, read_tables, write_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

for name in ("tables", "pairs", "measures", "cost", "density"):
    write_csv(snakemake.output[name], read_csv(*snakemake.input[name]))
curves = read_tables(snakemake.input.curves, CORRECTED_COLUMNS)
write_table(snakemake.output.curves, curves, CORRECTED_COLUMNS)
