"""Fit the series in 1/q: to the published P of 1 x q boards, and to each player's."""

import numpy as np
import pandas as pd

from job import job
from msdensity.files.tables import read_table, write_table
from msdensity.stats.columns import FIT_COLUMNS, SERIES_COLUMNS
from msdensity.stats.series import series_table
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS

with job(snakemake):
    fits = read_table(snakemake.input.fits, FIT_COLUMNS)
    published = read_table(snakemake.input.published, PUBLISHED_COLUMNS)
    printed = published[(published["p"] == 1) & published["P"].notna()]
    printed = printed.assign(
        player="published", board=[f"1x{q}" for q in printed["q"]], Q_sd=np.nan
    )
    columns = ["player", "board", "p", "q", "P", "Q_sd"]
    table = series_table(pd.concat([printed[columns], fits[columns]], ignore_index=True))
    write_table(snakemake.output[0], table, SERIES_COLUMNS)
