"""Write the page that asks whether the critical density converges."""

from pathlib import Path

from job import job
from msdensity.files.tables import read_table
from msdensity.studies.asymptotics.columns import (
    GAMES_COLUMNS,
    PLAN_COLUMNS,
    RESULT_COLUMNS,
    SAFETY_COLUMNS,
)
from msdensity.studies.asymptotics.page import asymptotics_page
from msdensity.studies.asymptotics.settings import load_settings

with job(snakemake):
    read = snakemake.input
    tables = {name: read_table(read[name], columns) for name, columns in RESULT_COLUMNS.items()}
    tables["safeties"] = read_table(read.safeties, SAFETY_COLUMNS)
    tables["low_density"] = read_table(read.low_density, GAMES_COLUMNS)
    tables["plan"] = read_table(read.plan, PLAN_COLUMNS)
    figures = {Path(path).stem: path for path in read.figures}
    study = load_settings(snakemake.params.study)
    page = asymptotics_page(tables, figures, study, snakemake.params.study)
    page.write(snakemake.output[0])
