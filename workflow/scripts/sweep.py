"""Top up the ledgers of one player on some boards, then tabulate their games."""

from job import job
from msdensity.files.tables import write_table
from msdensity.runs.config import load_config
from msdensity.runs.jobs import ledger_path
from msdensity.runs.sweep import play_table
from msdensity.stats.columns import WIN_RATE_COLUMNS

with job(snakemake) as work:
    config, label = load_config(snakemake.config), snakemake.wildcards.label
    for board, output in zip(snakemake.params.boards, snakemake.output, strict=True):
        ledger = ledger_path(snakemake.params.ledgers, board, label)
        sweep = {ledger: config.tasks_to_play(board, label)}
        played = play_table(sweep, config.games, batch=config.batch, threads=snakemake.threads)
        work.used(played)
        write_table(output, played.table, WIN_RATE_COLUMNS)
