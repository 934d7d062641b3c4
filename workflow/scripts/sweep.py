"""Top up the ledgers of one player on some boards, then tabulate their games."""

import os

from msdensity.config import load_config
from msdensity.ledger import ledger_table
from msdensity.sweep import top_up
from msdensity.tables import WIN_RATE_COLUMNS, win_rate_table, write_table

with open(snakemake.log[0], "w", encoding="utf-8") as log:
    os.dup2(log.fileno(), 2)  # progress, warnings and tracebacks

config = load_config(snakemake.config)
label = snakemake.wildcards.label
for board, output in zip(snakemake.params.boards, snakemake.output, strict=True):
    tasks = config.tasks(board, label)
    ledger = f"{snakemake.params.ledgers}/{board}.{label}.csv"
    top_up(tasks, config.games, ledger, batch=config.batch, threads=snakemake.threads)
    table = win_rate_table(ledger_table(ledger), config.games, [task.task_id for task in tasks])
    write_table(output, table, WIN_RATE_COLUMNS)
