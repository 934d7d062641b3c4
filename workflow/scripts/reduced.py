"""Take variance off the win rates, and test every safety that the players stated."""

import sys

from job import job
from msdensity.files.tables import read_table, write_table
from msdensity.stats.columns import CORRECTED_COLUMNS
from msdensity.stats.rho50.reduced import (
    REDUCED_COLUMNS,
    SAFETY_COLUMNS,
    reduced_table,
    require_right_safeties,
    safety_table,
)

with job(snakemake):
    win_rates = read_table(snakemake.input.table, CORRECTED_COLUMNS)
    safeties = safety_table(win_rates)
    print(safeties.to_string(index=False), file=sys.stderr)
    require_right_safeties(safeties)
    write_table(snakemake.output.reduced, reduced_table(win_rates), REDUCED_COLUMNS)
    write_table(snakemake.output.safeties, safeties, SAFETY_COLUMNS)
