"""Play the points of Figures 5.3 and 5.4 of 000 and fit their curves."""

from job import job
from msdensity.studies.published_players.figure_5 import curves_table, points_table
from msdensity.studies.published_players.files import write_csv
from msdensity.studies.published_players.settings import load_settings

with job(snakemake) as work:
    points = points_table(load_settings(snakemake.params.study), work.keep)
    write_csv(snakemake.output.points, points)
    write_csv(snakemake.output.fits, curves_table(points))
