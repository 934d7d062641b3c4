"""Top up the ledgers of one job of the study of large boards, then tabulate their games."""

from pathlib import Path

import pandas as pd

from job import job
from msdensity.files.tables import read_table, write_table
from msdensity.studies.asymptotics.columns import GAMES_COLUMNS, POINT_COLUMNS
from msdensity.studies.asymptotics.play import play_part
from msdensity.studies.asymptotics.settings import load_settings

with job(snakemake) as work:
    study = load_settings(snakemake.params.study)
    kind, part = snakemake.params.kind, snakemake.wildcards.part
    folder = Path(snakemake.params.data) / "ledger" / kind
    points = read_table(snakemake.input.points, POINT_COLUMNS) if kind == "rho50" else None
    played = play_part(study, kind, part, points, folder, snakemake.threads)
    work.used(*played)
    tables = [each.table for each in played]
    write_table(snakemake.output[0], pd.concat(tables, ignore_index=True), GAMES_COLUMNS)
