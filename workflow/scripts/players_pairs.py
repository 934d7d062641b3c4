"""Compare the players of one question game by game."""

from job import job
from msdensity.studies.published_players.files import write_csv
from msdensity.studies.published_players.questions import pairs_table
from msdensity.studies.published_players.settings import load_settings

with job(snakemake) as work:
    study = load_settings(snakemake.params.study)
    pairs = pairs_table(snakemake.wildcards.question, study.games, study.seed, work.keep)
    write_csv(snakemake.output[0], pairs)
