"""Play the square boards by one player, and find P and rho50 of each."""

from job import job
from msdensity.files.tables import write_table
from msdensity.stats.columns import CORRECTED_COLUMNS
from msdensity.studies.published_players.density import density_table, play_curves
from msdensity.studies.published_players.files import write_csv
from msdensity.studies.published_players.settings import load_settings

with job(snakemake):
    study = load_settings(snakemake.params.study)
    curves = play_curves(snakemake.wildcards.way, study, snakemake.params.ledgers)
    write_table(snakemake.output.curves, curves, CORRECTED_COLUMNS)
    write_csv(snakemake.output.density, density_table(curves, study.replicates))
