"""Write the page that says what holds of the published numbers."""

from pathlib import Path

import pandas as pd

from job import job
from msdensity.files.tables import read_table
from msdensity.stats.columns import EXTRAPOLATION_COLUMNS, FIT_COLUMNS, SERIES_COLUMNS
from msdensity.studies.reproduction.ablation import ABLATION_COLUMNS
from msdensity.studies.reproduction.page import Tables, reproduction_page
from msdensity.studies.reproduction.quoted import QUOTED_COLUMNS, SPEED_COLUMNS
from msdensity.studies.reproduction.results import RUN_COLUMNS
from msdensity.studies.reproduction.settings import load_settings

with job(snakemake):
    read = snakemake.input
    tables = Tables(
        read_table(read.runs, RUN_COLUMNS),
        pd.read_csv(read.agreement),
        read_table(read.fits, FIT_COLUMNS),
        read_table(read.extrapolation, EXTRAPOLATION_COLUMNS),
        read_table(read.series, SERIES_COLUMNS),
        read_table(read.quoted, QUOTED_COLUMNS),
        read_table(read.speed, SPEED_COLUMNS),
        read_table(read.ablation, ABLATION_COLUMNS),
    )
    figures = {Path(path).stem: path for path in read.figures}
    study = load_settings(snakemake.params.config)
    reproduction_page(tables, figures, study, snakemake.params.config).write(snakemake.output[0])
