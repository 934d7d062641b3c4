"""Draw one figure of the published players."""

from job import job
from msdensity.files.tables import read_table
from msdensity.stats.columns import CORRECTED_COLUMNS
from msdensity.studies.plot import save_figure
from msdensity.studies.published_players.figures import (
    cost_figure,
    density_figure,
    single_point_figure,
)
from msdensity.studies.published_players.files import read_csv
from msdensity.studies.published_players.measures import COST_BOARD

with job(snakemake):
    names = ("points", "fits", "published", "density", "cost")
    points, fits, published, density, cost = (read_csv(snakemake.input[name]) for name in names)
    match snakemake.wildcards.drawing:
        case "single_point":
            figure = single_point_figure(points, fits, published)
        case "density":
            figure = density_figure(read_table(snakemake.input.curves, CORRECTED_COLUMNS), density)
        case "cost":
            figure = cost_figure(density, cost, *COST_BOARD)
    save_figure(figure, *snakemake.output)
