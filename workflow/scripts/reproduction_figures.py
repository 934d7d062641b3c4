"""Draw the figures of the reproduction."""

import os

from job import job
from msdensity.files.tables import read_table
from msdensity.stats.columns import (
    CORRECTED_COLUMNS,
    EXTRAPOLATION_COLUMNS,
    FIT_COLUMNS,
    SERIES_COLUMNS,
)
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS
from msdensity.studies.paper.figures.squares import squares_figure
from msdensity.studies.paper.figures.strips import limits_figure, strips_figure
from msdensity.studies.plot import save_figure
from msdensity.studies.reproduction.ablation import ABLATION_COLUMNS
from msdensity.studies.reproduction.figures import ablation_figure, degenerate_figure, runs_figure
from msdensity.studies.reproduction.results import RUN_COLUMNS

with job(snakemake):
    read = snakemake.input
    fits = read_table(read.fits, FIT_COLUMNS)
    win_rates = read_table(read.win_rates, CORRECTED_COLUMNS)
    published = read_table(read.published, PUBLISHED_COLUMNS)
    extrapolation = read_table(read.extrapolation, EXTRAPOLATION_COLUMNS)
    ours = extrapolation[extrapolation["player"] != "published"]
    series = read_table(read.series, SERIES_COLUMNS)
    # The nine published boards alone swing far out of the picture; the table of the page has them.
    series = series[series["player"] != "published"]
    figures = {
        "table_b2": runs_figure(read_table(read.runs, RUN_COLUMNS)),
        "ablation": ablation_figure(read_table(read.ablation, ABLATION_COLUMNS)),
        "degenerate": degenerate_figure(win_rates, fits, "listing"),
        "squares": squares_figure(fits, ours, published),
        "strips": strips_figure(fits, published),
        "limits": limits_figure(series[series["q_min"] == series["q_min"].min()]),
    }
    for path in snakemake.output:
        save_figure(figures[os.path.splitext(os.path.basename(path))[0]], path)
