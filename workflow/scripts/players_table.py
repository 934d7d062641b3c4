"""Play one published table and set every number of it beside ours."""

import os

from msdensity.players_study import load_study, read_csv, study_table, write_csv

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

study = load_study(snakemake.params.study).only(snakemake.params.table)
published = read_csv(snakemake.input.published)
write_csv(snakemake.output[0], study_table(published, study))
