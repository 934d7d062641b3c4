"""Play the games that start at each first cell, then compare what it is worth (section 5)."""

from job import job
from msdensity.files.tables import write_table
from msdensity.runs.config import load_config
from msdensity.runs.sweep import play_table
from msdensity.studies.paper.columns import FIRST_CLICK_COLUMNS
from msdensity.studies.paper.first_click import PLACES, first_click_table, first_click_tasks

with job(snakemake) as work:
    config = load_config(snakemake.config)
    study = config.first_click_study
    tasks = {
        f"{snakemake.params.ledgers}/{board.name}.{place}.csv": first_click_tasks(
            board, mines, place, config.seed
        )
        for board, mines in study.mines
        for place in PLACES
    }
    played = play_table(tasks, study.games, batch=config.batch, threads=snakemake.threads)
    work.used(played)
    table = first_click_table(played.table, snakemake.params.dealt, work.keep)
    write_table(snakemake.output[0], table, FIRST_CLICK_COLUMNS)
