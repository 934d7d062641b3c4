"""Draw the win rate against the mine density, one panel a board."""

from job import job
from msdensity.files.tables import read_table
from msdensity.stats.columns import CORRECTED_COLUMNS, FIT_COLUMNS
from msdensity.studies.paper.figures.win_rates import win_rates_figure
from msdensity.studies.plot import save_figure

with job(snakemake):
    win_rates = read_table(snakemake.input.table, CORRECTED_COLUMNS)
    fits = read_table(snakemake.input.fits, FIT_COLUMNS)
    save_figure(win_rates_figure(win_rates, fits), *snakemake.output)
