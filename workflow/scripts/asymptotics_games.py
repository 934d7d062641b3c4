"""Top up the ledgers of one job of the study of large boards, then tabulate their games."""

from pathlib import Path

import pandas as pd

from job import job
from msdensity.asymptotics.columns import GAMES_COLUMNS, POINT_COLUMNS
from msdensity.asymptotics.games import play_part
from msdensity.asymptotics.study import load_study
from msdensity.tables import read_table, write_table

with job(snakemake):
    study = load_study(snakemake.params.study)
    kind, part = snakemake.params.kind, snakemake.wildcards.part
    folder = Path(snakemake.params.data) / "ledger" / kind
    points = read_table(snakemake.input.points, POINT_COLUMNS) if kind == "rho50" else None
    tables = play_part(study, kind, part, points, folder, snakemake.threads)
    write_table(snakemake.output[0], pd.concat(tables, ignore_index=True), GAMES_COLUMNS)
