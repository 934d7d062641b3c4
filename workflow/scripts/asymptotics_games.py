"""Top up the ledgers of one job of the study of large boards, then tabulate their games."""

import os
from pathlib import Path

import pandas as pd

from msdensity.asymptotics.columns import GAMES_COLUMNS, POINT_COLUMNS
from msdensity.asymptotics.games import play_part
from msdensity.asymptotics.study import load_study
from msdensity.tables import read_table, write_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # progress, warnings and tracebacks

study = load_study(snakemake.params.study)
kind, part = snakemake.params.kind, snakemake.wildcards.part
folder = Path(snakemake.params.data) / "ledger" / kind
points = read_table(snakemake.input.points, POINT_COLUMNS) if kind == "rho50" else None
tables = play_part(study, kind, part, points, folder, snakemake.threads)
write_table(snakemake.output[0], pd.concat(tables, ignore_index=True), GAMES_COLUMNS)
