"""Join the games of large boards, and test every safety that was stated in them."""

import sys

from job import job
from msdensity.files.tables import read_tables, write_table
from msdensity.stats.rho50.reduced import require_right_safeties
from msdensity.studies.asymptotics.columns import GAMES_COLUMNS, SAFETY_COLUMNS
from msdensity.studies.asymptotics.play import safety_table, sort_games

with job(snakemake):
    parts = {
        kind: sort_games(read_tables(snakemake.input[kind], GAMES_COLUMNS))
        for kind in ("rho50", "low_density", "curves")
    }
    safeties = safety_table(parts)
    print(safeties.to_string(index=False), file=sys.stderr)
    require_right_safeties(safeties)
    for kind, table in parts.items():
        write_table(snakemake.output[kind], table, GAMES_COLUMNS)
    write_table(snakemake.output.safeties, safeties, SAFETY_COLUMNS)
