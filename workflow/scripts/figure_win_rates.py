"""Draw the win rate against the mine density, one panel a board."""

from job import job
from msdensity.figures import save_figure, win_rates_figure
from msdensity.tables import CORRECTED_COLUMNS, FIT_COLUMNS, read_table

with job(snakemake):
    win_rates = read_table(snakemake.input.table, CORRECTED_COLUMNS)
    fits = read_table(snakemake.input.fits, FIT_COLUMNS)
    save_figure(win_rates_figure(win_rates, fits), *snakemake.output)
