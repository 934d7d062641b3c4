"""Play single games of one variant of the listing, up to the first m that it wins none of."""

import pandas as pd

from job import job
from msdensity.files.tables import write_table
from msdensity.games.boards import Board
from msdensity.games.tasks import Task
from msdensity.stats.paired import WON
from msdensity.studies.reproduction.ablation import variants
from msdensity.studies.reproduction.play import OUTCOME_COLUMNS, outcome_row, play_ends
from msdensity.studies.reproduction.settings import load_settings

with job(snakemake) as work:
    study = load_settings(snakemake.params.config)
    options = variants()[snakemake.wildcards.variant]
    spot = (Board.parse(snakemake.params.spot[0]), int(snakemake.params.spot[1]))
    rows = []
    for board in dict.fromkeys([*study.ablation.boards, spot[0]]):
        swept = board in study.ablation.boards
        for mines in range(1, board.cells):
            at_spot = (board, mines) == spot
            if not swept and not at_spot:
                continue
            games = max(study.ablation.games * swept, study.ablation.spot_games * at_spot)
            task = Task(board, mines, "listing", options, study.sweep.rules, study.sweep.seed)
            ends = play_ends(task, games, snakemake.threads, work.keep)
            rows.append(outcome_row(task, ends))
            if swept and not (ends[: study.ablation.games] == WON).any():
                swept = False
    write_table(snakemake.output[0], pd.DataFrame(rows), OUTCOME_COLUMNS)
