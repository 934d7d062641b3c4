"""Fit the series in 1/q: to the published P of 1 x q boards, and to each player's."""

import pandas as pd

from job import job
from msdensity.files.tables import read_table, write_table
from msdensity.stats.columns import FIT_COLUMNS, SERIES_COLUMNS
from msdensity.stats.series import published_strips, series_table
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS

with job(snakemake):
    fits = read_table(snakemake.input.fits, FIT_COLUMNS)
    printed = published_strips(read_table(snakemake.input.published, PUBLISHED_COLUMNS))
    columns = ["player", "board", "p", "q", "P", "Q_sd"]
    table = series_table(pd.concat([printed[columns], fits[columns]], ignore_index=True))
    write_table(snakemake.output[0], table, SERIES_COLUMNS)
