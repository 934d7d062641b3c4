"""Top up the ledgers of one player on some boards, then tabulate their games."""

from job import job
from msdensity.files.tables import write_table
from msdensity.runs.config import load_config
from msdensity.runs.jobs import ledger_path, ledgers
from msdensity.runs.ledger import ledger_table
from msdensity.runs.sweep import top_up
from msdensity.runs.win_rates import win_rate_table
from msdensity.stats.columns import WIN_RATE_COLUMNS

config, label = load_config(snakemake.config), snakemake.wildcards.label
folder = snakemake.params.ledgers
how = {"batch": config.batch, "threads": snakemake.threads, "backend": config.backend}
with job(snakemake):
    for board, output in zip(snakemake.params.boards, snakemake.output, strict=True):
        tasks = config.tasks(board, label)
        top_up(tasks, config.games, ledger_path(folder, board, label), **how)
        games = ledger_table(*ledgers(folder, board, label))
        table = win_rate_table(games, config.games, [task.task_id for task in tasks])
        write_table(output, table, WIN_RATE_COLUMNS)
