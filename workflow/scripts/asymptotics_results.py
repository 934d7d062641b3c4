"""Fit rho50, the terms of the law, and its rivals."""

from job import job
from msdensity.asymptotics.columns import GAMES_COLUMNS, POINT_COLUMNS, RESULT_COLUMNS
from msdensity.asymptotics.results import results
from msdensity.asymptotics.study import load_study
from msdensity.tables import PUBLISHED_COLUMNS, read_table, read_tables, write_table

with job(snakemake):
    read = snakemake.input
    tables = results(
        load_study(snakemake.params.study),
        read_tables(read.points, POINT_COLUMNS),
        read_table(read.games, GAMES_COLUMNS),
        read_table(read.low_density, GAMES_COLUMNS),
        read_table(read.curves, GAMES_COLUMNS),
        read_table(read.published, PUBLISHED_COLUMNS),
    )
    for name, table in tables.items():
        write_table(snakemake.output[name], table, RESULT_COLUMNS[name])
