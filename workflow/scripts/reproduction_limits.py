"""Extrapolate square boards over every range of q: the published diagonal, and each player's."""

import pandas as pd

from job import job
from msdensity.files.tables import read_table, write_table
from msdensity.stats.columns import EXTRAPOLATION_COLUMNS, FIT_COLUMNS
from msdensity.stats.hyperbola import SMALLEST_SQUARE, extrapolation_table, range_rows
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS

with job(snakemake):
    published = read_table(snakemake.input.published, PUBLISHED_COLUMNS)
    square = (published["p"] == published["q"]) & (published["q"] >= SMALLEST_SQUARE)
    printed = published[square].sort_values("q")
    rows = pd.DataFrame(range_rows(printed["q"], printed["P"]))
    rows = rows.assign(player="published", topology="square8")
    ours = extrapolation_table(read_table(snakemake.input.fits, FIT_COLUMNS))
    table = pd.concat([rows, ours], ignore_index=True)
    write_table(snakemake.output[0], table, EXTRAPOLATION_COLUMNS)
