"""Play the square boards by one player, and find P and rho50 of each."""

from job import job
from msdensity.players_study import density_table, load_study, play_curves, write_csv
from msdensity.tables import CORRECTED_COLUMNS, write_table

with job(snakemake):
    study = load_study(snakemake.params.study)
    curves = play_curves(snakemake.wildcards.way, study, snakemake.params.ledgers)
    write_table(snakemake.output.curves, curves, CORRECTED_COLUMNS)
    write_csv(snakemake.output.density, density_table(curves, study.replicates))
