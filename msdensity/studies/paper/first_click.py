"""The first click (paper 001, section 5): where is the first number 0, and does it win games?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from msdensity.files.tables import check_table
from msdensity.games.boards import Board, Rules
from msdensity.games.play import NO_CHECKPOINT, Keep, kernel_task
from msdensity.games.tasks import Task
from msdensity.runs.compare import wins
from msdensity.runs.parallel import all_in_threads
from msdensity.stats.intervals import win_rate
from msdensity.stats.paired import Paired, pair
from msdensity.studies.paper.columns import FIRST_CLICK_COLUMNS
from msdensity.studies.paper.first_zero import probability_of_zero

PLACES = ("corner", "random_edge", "random_interior", "centre")
"""First cells compared: corner, any cell of an edge but its corners, any inner cell, the middle."""

PART = 1000
"""Dealt games of one batch of a checkpoint."""


def count_zeros(task: Task, games: int, keep: Keep = NO_CHECKPOINT) -> int:
    """Return in how many of games 0 .. games - 1 of a task the first cell shows 0.

    keep: a checkpoint.
    """
    from msdensity.kernel import deal

    def zeros(first: int, size: int) -> list[int]:
        return [deal.count_zeros(kernel_task(task), first, size)]

    return sum(
        keep(f"zeros {task.task_id} {first} {size}", partial(zeros, first, size))[0]
        for first in range(0, games, PART)
        for size in [min(PART, games - first)]
    )


def first_click_tasks(board: Board, mines: Sequence[int], place: str, seed: int) -> list[Task]:
    """Return the tasks of one first cell on one board: the safe start, the player `weighted`."""
    return [Task(board, m, "weighted", {}, Rules(place, "safe"), seed) for m in mines]


def first_click_table(
    boards: Sequence[tuple[Board, Sequence[int]]],
    games: int,
    dealt: int,
    seed: int,
    threads: int = 1,
    keep: Keep = NO_CHECKPOINT,
) -> pd.DataFrame:
    """Play from every kind of first cell and return what it is worth (FIRST_CLICK_COLUMNS).

    boards: each with its numbers of mines; games: played for each of these and each of PLACES;
    dealt: games dealt to count first cells that show 0; keep: a checkpoint. Game g is the same
    board from every place but for the mines that a safe first click moves, so the errors of the
    differences are from pairs.
    """
    rows = []
    for board, mines in boards:
        tasks = [task for place in PLACES for task in first_click_tasks(board, mines, place, seed)]
        won = all_in_threads(lambda task: wins(task, games, keep), tasks, threads)
        ends = {(t.mines, t.rules.first_click): own for t, own in zip(tasks, won, strict=True)}
        for task in sorted(tasks, key=lambda task: task.mines):  # stable: PLACES stay in order
            corner, place = (ends[task.mines, at] for at in (PLACES[0], task.rules.first_click))
            rows.append(_row(task, pair(corner, place), dealt, keep))
    table = pd.DataFrame(rows, columns=list(FIRST_CLICK_COLUMNS))
    return check_table(table, FIRST_CLICK_COLUMNS, "first-click table")


def _row(task: Task, pairs: Paired, dealt: int, keep: Keep) -> dict[str, object]:
    """Return the row of a task; pairs: its games beside those from the corner."""
    neighbours = _neighbours(task)
    zeros = count_zeros(task, dealt, keep)
    zero, won = win_rate(zeros, dealt), win_rate(pairs.both + pairs.second_only, pairs.games)
    row: dict[str, object] = {
        "board": task.board.name,
        "mines": task.mines,
        "density": task.density,
        "first_click": task.rules.first_click,
        "neighbours": neighbours,
        "zero_formula": probability_of_zero(task.board.cells, neighbours, task.mines),
        "zero_games": dealt,
        "zeros": zeros,
        "zero_low": zero.low,
        "zero_high": zero.high,
        "games": pairs.games,
        "wins": pairs.both + pairs.second_only,
        "win_rate": won.best,
        "win_rate_low": won.low,
        "win_rate_high": won.high,
    }
    if task.rules.first_click == PLACES[0]:
        return row
    return row | {
        "difference": pairs.difference,
        "difference_se": pairs.difference_se,
        "corner_only": pairs.first_only,
        "place_only": pairs.second_only,
        "error_ratio": pairs.error_ratio,
        "p_value": pairs.p_value,
    }


def _neighbours(task: Task) -> int:
    """Return |K(a)|, the same for all first cells that the rule of `task` allows."""
    from msdensity.kernel.topology import first_cells, neighbour_table

    start = neighbour_table(task.board.shape, task.board.topology).start
    degrees = np.diff(start)[first_cells(task.board.shape, task.rules.first_click)]
    return int(degrees[0])
