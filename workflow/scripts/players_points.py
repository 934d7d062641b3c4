"""Play the points of Figures 5.3 and 5.4 of 000 and fit their curves."""

from job import job
from msdensity.players_study import curves_table, load_study, points_table, write_csv

with job(snakemake) as keep:
    points = points_table(load_study(snakemake.params.study), keep)
    write_csv(snakemake.output.points, points)
    write_csv(snakemake.output.fits, curves_table(points))
