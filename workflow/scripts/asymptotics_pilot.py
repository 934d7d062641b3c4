"""Look for the numbers of mines with W near 1/2 on the boards of one job."""

from pathlib import Path

import pandas as pd

from job import job
from msdensity.files.tables import write_table
from msdensity.studies.asymptotics.columns import POINT_COLUMNS
from msdensity.studies.asymptotics.play import pilot
from msdensity.studies.asymptotics.settings import PILOT_SEED, load_settings

with job(snakemake) as work:
    study = load_settings(snakemake.params.study)
    folder = Path(snakemake.params.data) / "ledger/pilot"
    played = [
        pilot(entry, study.seed + PILOT_SEED, study.pilot_games, folder, snakemake.threads)
        for entry in study.parts()[snakemake.wildcards.part]
    ]
    work.used(*played)
    points = [each.table for each in played]
    write_table(snakemake.output[0], pd.concat(points, ignore_index=True), POINT_COLUMNS)
