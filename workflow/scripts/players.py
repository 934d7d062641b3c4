"""Play the players of papers 000, 003 and 004 and set them beside their published tables."""

import os

import pandas as pd

from msdensity.files import atomic_write
from msdensity.players_study import load_study, page, pairs_table, study_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

study = load_study(snakemake.input.config)
published = pd.read_csv(snakemake.input.published)
tables = study_table(published, study, snakemake.threads)
pairs = pairs_table(study.games, study.seed)
for table, path in ((tables, snakemake.output.tables), (pairs, snakemake.output.pairs)):
    with atomic_write(path) as file:
        table.to_csv(file, index=False, lineterminator="\n")
with atomic_write(snakemake.output.page) as file:
    file.write(page(tables, pairs))
