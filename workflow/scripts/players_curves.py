"""Play the square boards by one player, and find P and rho50 of each."""

import os

from msdensity.players_study import density_table, load_study, play_curves, write_csv
from msdensity.tables import CORRECTED_COLUMNS, write_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # progress, warnings and tracebacks

study = load_study(snakemake.params.study)
curves = play_curves(snakemake.wildcards.way, study, snakemake.params.ledgers)
write_table(snakemake.output.curves, curves, CORRECTED_COLUMNS)
write_csv(snakemake.output.density, density_table(curves, study.replicates))
