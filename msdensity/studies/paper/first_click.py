"""The first click (paper 001, section 5): where is the first number 0, and does it win games?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import comb
from typing import Any

import numpy as np
import pandas as pd

from msdensity.errors import InputError, integer
from msdensity.files.tables import check_table
from msdensity.games.boards import Board, Rules
from msdensity.games.play import NO_CHECKPOINT, Keep, kernel_task
from msdensity.games.tasks import Task
from msdensity.stats.intervals import wilson
from msdensity.studies.paper.columns import FIRST_CLICK_COLUMNS

PLACES = ("corner", "random_edge", "random_interior", "centre")
"""First cells compared: corner, any cell of an edge but its corners, any inner cell, the middle."""

PART = 1000
"""Dealt games of one batch of a checkpoint."""

_OF_GAMES = (
    *("board", "mines", "density", "first_click"),
    *("games", "wins", "win_rate", "win_rate_low", "win_rate_high"),
)


def probability_of_zero(cells: int, neighbours: int, mines: int, start: str = "safe") -> float:
    """Return the probability that the first cell shows 0.

    cells: pq; neighbours: |K(a)| of the first cell, 0..pq - 1; mines: 0..pq - 1. By Lemma 3 all
    mines stand outside the cell and its neighbours: C(pq - |K| - 1, m) of C(pq, m) layouts
    (start "unprotected"), or of C(pq - 1, m) where the first click is promised to be safe. Raises
    InputError out of these ranges.
    """
    integer("cells", cells, 1)
    integer("neighbours", neighbours, 0, cells - 1)
    integer("mines", mines, 0, cells - 1)
    if start not in ("safe", "unprotected"):
        raise InputError(f"start={start!r} must be safe or unprotected")
    return comb(cells - neighbours - 1, mines) / comb(cells - (start == "safe"), mines)


def count_zeros(task: Task, games: int, keep: Keep = NO_CHECKPOINT) -> int:
    """Return in how many of games 0 .. games - 1 of a task the first cell shows 0.

    keep: a checkpoint.
    """
    from msdensity.kernel.deal import deal
    from msdensity.kernel.topology import board_table

    played = kernel_task(task)
    table = board_table(task.board.shape, task.board.topology)
    start, neighbours = table.start.tolist(), table.neighbours

    def shows_zero(g: int) -> bool:
        mined, first = deal(played, g)
        around = mined[neighbours[start[first] : start[first + 1]]]
        return not mined[first] and not around.any()

    def zeros(first: int, size: int) -> list[int]:
        return [sum(map(shows_zero, range(first, first + size)))]

    return sum(
        keep(f"zeros {task.task_id} {first} {size}", partial(zeros, first, size))[0]
        for first in range(0, games, PART)
        for size in [min(PART, games - first)]
    )


def first_click_tasks(board: Board, mines: Sequence[int], place: str, seed: int) -> list[Task]:
    """Return the tasks of one first cell on one board: the safe start, the player `weighted`."""
    return [Task(board, m, "weighted", {}, Rules(place, "safe"), seed) for m in mines]


def first_click_table(
    win_rates: pd.DataFrame, zero_games: int, keep: Keep = NO_CHECKPOINT
) -> pd.DataFrame:
    """Return what the first cell is worth (FIRST_CLICK_COLUMNS).

    win_rates: WIN_RATE_COLUMNS, games of `first_click_tasks`; zero_games: games dealt to count
    first cells that show 0; keep: a checkpoint. `difference` is the win rate less that of
    the corner, `difference_se` its standard error as if both had played other boards.
    """
    rows = []
    row: Any
    for row in win_rates.itertuples(index=False):
        board = Board.parse(row.board)
        task = Task(board, row.mines, "weighted", {}, Rules(row.first_click, row.start), row.seed)
        neighbours = _neighbours(task)
        zeros = count_zeros(task, zero_games, keep)
        low, high = wilson(zeros, zero_games)
        corner = win_rates[
            (win_rates["board"] == row.board)
            & (win_rates["mines"] == row.mines)
            & (win_rates["first_click"] == "corner")
        ].iloc[0]
        itself = row.first_click == "corner"
        variance = row.win_rate * (1 - row.win_rate) / row.games
        variance += corner["win_rate"] * (1 - corner["win_rate"]) / corner["games"]
        rows.append(
            {name: getattr(row, name) for name in _OF_GAMES}
            | {
                "neighbours": neighbours,
                "zero_formula": probability_of_zero(board.cells, neighbours, row.mines),
                "zero_games": zero_games,
                "zeros": zeros,
                "zero_low": float(low),
                "zero_high": float(high),
                "difference": np.nan if itself else row.win_rate - corner["win_rate"],
                "difference_se": np.nan if itself else float(np.sqrt(variance)),
            }
        )
    table = pd.DataFrame(rows, columns=list(FIRST_CLICK_COLUMNS))
    order = {place: i for i, place in enumerate(PLACES)}
    table = table.sort_values(
        ["board", "mines", "first_click"],
        key=lambda column: column.map(order) if column.name == "first_click" else column,
        ignore_index=True,
    )
    return check_table(table, FIRST_CLICK_COLUMNS, "first-click table")


def _neighbours(task: Task) -> int:
    """Return |K(a)|, the same for all first cells that the rule of `task` allows."""
    from msdensity.kernel.topology import first_cells, neighbour_table

    start = neighbour_table(task.board.shape, task.board.topology).start
    degrees = np.diff(start)[first_cells(task.board.shape, task.rules.first_click)]
    return int(degrees[0])
