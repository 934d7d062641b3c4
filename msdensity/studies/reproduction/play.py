"""What the reproduction plays: sweeps, and single games whose ends are compared in pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from msdensity.games.boards import Board
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Task
from msdensity.runs.parallel import all_in_threads
from msdensity.runs.sweep import Played, play_table
from msdensity.stats.paired import REDRAWN, WON
from msdensity.studies.reproduction.ablation import variants
from msdensity.studies.reproduction.settings import SPOTS, Settings

PART = 250


def play_ends(
    task: Task, games: int, threads: int = 1, keep: Keep = NO_CHECKPOINT
) -> NDArray[np.uint8]:
    """Return the ends of games 0 .. games - 1 of a task, an array (games,).

    keep: a checkpoint.
    """
    from msdensity.games.play import play_batch

    def ends(first: int, size: int) -> list[int]:
        played = (play_batch(task, g, 1) for g in range(first, first + size))
        return [REDRAWN if sums["redrawn"] else sums["wins"] for sums in played]

    def part(first: int) -> list[int]:
        size = min(PART, games - first)
        return keep(f"ends {task.task_id} {first} {size}", lambda: ends(first, size))

    parts = all_in_threads(part, range(0, games, PART), threads)
    return np.array([end for part in parts for end in part], np.uint8)


def outcome_row(task: Task, ends: NDArray[np.uint8]) -> dict[str, object]:
    """Return a row of OUTCOME_COLUMNS."""
    text = "".join(map(str, ends.tolist()))
    return {"board": task.board.name, "mines": task.mines, "player": task.label, "ends": text}


def play_variant(
    settings: Settings, variant: str, threads: int = 1, keep: Keep = NO_CHECKPOINT
) -> pd.DataFrame:
    """Return OUTCOME_COLUMNS of one variant of the listing: one row per task.

    Every board of the ablation up to the first number of mines without a win, and SPOTS.
    keep: a checkpoint.
    """
    options = variants()[variant]
    rows = []
    for board in dict.fromkeys(
        [*settings.ablation.boards, *(Board.parse(name) for name, _ in SPOTS)]
    ):
        swept = board in settings.ablation.boards
        for mines in range(1, board.cells):
            at_spot = (board.name, mines) in SPOTS
            if not swept and not at_spot:
                continue
            games = max(settings.ablation.games * swept, settings.ablation.spot_games * at_spot)
            sweep = settings.sweep
            task = Task(board, mines, "listing", options, sweep.rules, sweep.seed)
            ends = play_ends(task, games, threads, keep)
            rows.append(outcome_row(task, ends))
            if swept and not (ends[: settings.ablation.games] == WON).any():
                swept = False
    return pd.DataFrame(rows)


def play_sweep(settings: Settings, part: str, label: str, ledgers: str, threads: int = 1) -> Played:
    """Top up the ledgers of one player on the boards of a part; the table has WIN_RATE_COLUMNS.

    part: of `settings.parts`; label: the player's; ledgers: their folder.
    """
    config = settings.config(part)
    tasks = {
        Path(ledgers) / f"{board}.{label}.csv": config.tasks(board, label)
        for board in settings.parts()[part]
    }
    return play_table(tasks, config.games, batch=config.batch, threads=threads)
