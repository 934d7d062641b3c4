"""Play the square boards by one player, and find P and rho50 of each."""

from job import job
from msdensity.files.tables import write_table
from msdensity.stats.columns import CORRECTED_COLUMNS
from msdensity.studies.published_players.density import density_table, play_curves
from msdensity.studies.published_players.files import write_csv
from msdensity.studies.published_players.settings import load_settings

with job(snakemake) as work:
    study = load_settings(snakemake.params.study)
    played = play_curves(snakemake.wildcards.way, study, snakemake.params.ledgers)
    work.used(played)
    write_table(snakemake.output.curves, played.table, CORRECTED_COLUMNS)
    write_csv(snakemake.output.density, density_table(played.table, study.replicates))
