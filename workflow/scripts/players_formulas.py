"""Set formulas 4.2 to 4.4 of 000 beside dealt games."""

import os

from msdensity.players_study import formulas_table, load_study, write_csv

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

write_csv(snakemake.output[0], formulas_table(load_study(snakemake.params.study)))
