"""Draw one figure of the published players."""

from job import job
from msdensity.figures import cost_figure, density_figure, save_figure, single_point_figure
from msdensity.players_study import COST_BOARD, read_csv
from msdensity.tables import CORRECTED_COLUMNS, read_table

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
