"""Play the points of Figures 5.3 and 5.4 of 000 and fit their curves."""

import os

from msdensity.players_study import curves_table, load_study, points_table, write_csv

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # warnings and tracebacks

points = points_table(load_study(snakemake.params.study))
write_csv(snakemake.output.points, points)
write_csv(snakemake.output.fits, curves_table(points))
