"""Top up the ledgers of one player on the boards of one part, then tabulate their games."""

import pandas as pd

from job import job
from msdensity.files.tables import write_table
from msdensity.runs.ledger import ledger_table
from msdensity.runs.sweep import top_up
from msdensity.runs.win_rates import win_rate_table
from msdensity.stats.columns import WIN_RATE_COLUMNS
from msdensity.studies.reproduction.settings import load_settings

with job(snakemake):
    part, label = snakemake.wildcards.part, snakemake.wildcards.label
    study = load_settings(snakemake.params.config)
    config = study.config(part)
    tables = []
    for board in study.parts()[part]:
        tasks = config.tasks(board, label)
        ledger = f"{snakemake.params.ledgers}/{board}.{label}.csv"
        top_up(tasks, config.games, ledger, batch=config.batch, threads=snakemake.threads)
        ids = [task.task_id for task in tasks]
        tables.append(win_rate_table(ledger_table(ledger), config.games, ids))
    write_table(snakemake.output[0], pd.concat(tables, ignore_index=True), WIN_RATE_COLUMNS)
