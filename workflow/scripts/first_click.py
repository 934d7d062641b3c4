"""Play the games that start at each first cell, then compare what it is worth (section 5)."""

from job import job
from msdensity.files.tables import write_table
from msdensity.runs.config import load_config
from msdensity.runs.ledger import ledger_table
from msdensity.runs.sweep import top_up
from msdensity.runs.win_rates import win_rate_table
from msdensity.studies.paper.columns import FIRST_CLICK_COLUMNS
from msdensity.studies.paper.first_click import PLACES, first_click_table, first_click_tasks

with job(snakemake) as keep:
    config = load_config(snakemake.config)
    how = {"batch": config.batch, "threads": snakemake.threads, "backend": config.backend}
    study = config.first_click_study
    tables, ids = [], []
    for board, mines in study.mines:
        for place in PLACES:
            tasks = first_click_tasks(board, mines, place, config.seed)
            ledger = f"{snakemake.params.ledgers}/{board.name}.{place}.csv"
            top_up(tasks, study.games, ledger, **how)
            tables.append(ledger_table(ledger))
            # A ledger may hold numbers of mines that are not asked for any more.
            ids += [task.task_id for task in tasks]
    played = win_rate_table(tables, study.games, ids)
    table = first_click_table(played, snakemake.params.dealt, keep)
    write_table(snakemake.output[0], table, FIRST_CLICK_COLUMNS)
