"""Fit rho50, the terms of the law, and its rivals."""

from job import job
from msdensity.files.tables import read_table, read_tables, write_table
from msdensity.studies.asymptotics.columns import GAMES_COLUMNS, POINT_COLUMNS, RESULT_COLUMNS
from msdensity.studies.asymptotics.settings import load_settings
from msdensity.studies.asymptotics.tables import results
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS

with job(snakemake):
    read = snakemake.input
    tables = results(
        load_settings(snakemake.params.study),
        read_tables(read.points, POINT_COLUMNS),
        read_table(read.games, GAMES_COLUMNS),
        read_table(read.low_density, GAMES_COLUMNS),
        read_table(read.curves, GAMES_COLUMNS),
        read_table(read.published, PUBLISHED_COLUMNS),
    )
    for name, table in tables.items():
        write_table(snakemake.output[name], table, RESULT_COLUMNS[name])
