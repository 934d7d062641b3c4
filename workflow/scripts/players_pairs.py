"""Compare the players of one question game by game."""

from job import job
from msdensity.players_study import load_study, pairs_table, write_csv

with job(snakemake) as keep:
    study = load_study(snakemake.params.study)
    pairs = pairs_table(snakemake.wildcards.question, study.games, study.seed, keep)
    write_csv(snakemake.output[0], pairs)
