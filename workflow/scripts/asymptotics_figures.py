"""Draw the figures of large boards."""

import os

from job import job
from msdensity.files.tables import read_table
from msdensity.studies.asymptotics.columns import GAMES_COLUMNS, RESULT_COLUMNS
from msdensity.studies.asymptotics.figures import asymptotics_figures
from msdensity.studies.plot import save_figure

with job(snakemake):
    read = snakemake.input
    games = {
        name: read_table(read[name], GAMES_COLUMNS)
        for name in ("win_rates", "low_density", "curves")
    }
    results = {
        name: read_table(read[name], RESULT_COLUMNS[name])
        for name in ("rho50", "fixed", "glm", "strips")
    }
    figures = asymptotics_figures(**games, **results)
    for path in snakemake.output:
        save_figure(figures[os.path.splitext(os.path.basename(path))[0]], path)
