"""Top up the ledgers of one player on the boards of one part, then tabulate their games."""

import pandas as pd

from job import job
from msdensity.files.tables import write_table
from msdensity.runs.sweep import play_table
from msdensity.stats.columns import WIN_RATE_COLUMNS
from msdensity.studies.reproduction.settings import load_settings

with job(snakemake) as work:
    part, label = snakemake.wildcards.part, snakemake.wildcards.label
    study = load_settings(snakemake.params.config)
    config = study.config(part)
    tables = []
    for board in study.parts()[part]:
        sweep = {f"{snakemake.params.ledgers}/{board}.{label}.csv": config.tasks(board, label)}
        played = play_table(sweep, config.games, batch=config.batch, threads=snakemake.threads)
        work.used(played)
        tables.append(played.table)
    write_table(snakemake.output[0], pd.concat(tables, ignore_index=True), WIN_RATE_COLUMNS)
