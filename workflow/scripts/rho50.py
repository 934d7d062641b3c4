"""Find the density at which half the games are won, on every board and for every player."""

from job import job
from msdensity.files.tables import read_table, write_table
from msdensity.games.tasks import Setup
from msdensity.runs.config import load_config
from msdensity.stats.columns import CORRECTED_COLUMNS
from msdensity.stats.rho50.reduced import REDUCED_COLUMNS
from msdensity.studies.paper.rho50 import RHO50_COLUMNS, rho50_table

with job(snakemake) as work:
    config = load_config(snakemake.config)
    setups = {
        (board.name, label): Setup(board, name, options, config.rules, config.seed)
        for board in config.boards
        for label, (name, options) in zip(config.labels, config.players, strict=True)
    }
    win_rates = read_table(snakemake.input.table, CORRECTED_COLUMNS)
    reduced = read_table(snakemake.input.reduced, REDUCED_COLUMNS)
    table = rho50_table(win_rates, reduced, setups, work.keep)
    write_table(snakemake.output[0], table, RHO50_COLUMNS)
