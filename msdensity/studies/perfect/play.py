"""Count the wins of perfect play and of players, and play those that cannot be counted."""

from __future__ import annotations

import time
from fractions import Fraction
from functools import partial
from math import comb
from typing import Any

import pandas as pd

from msdensity.files.tables import check_table
from msdensity.games.boards import Board, Rules, most_mines
from msdensity.games.exact import exact_wins, why_not_exact
from msdensity.games.optimal import BUDGET, optimal_win_probability
from msdensity.games.play import NO_CHECKPOINT, Keep, play_batch
from msdensity.games.symmetries import symmetries
from msdensity.games.tasks import Task
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.studies.perfect.columns import (
    CLICK_COLUMNS,
    GAME_COLUMNS,
    KNOWN_COLUMNS,
    VALUE_COLUMNS,
)
from msdensity.studies.perfect.known import known_values
from msdensity.studies.perfect.settings import RULES, Settings

PERFECT = "perfect"
"""Stands for a player's label where the value is that of the best of all players."""

STARTS = ("safe", "zero")
"""The starts whose first clicks are searched. Without protection the first click c is free with
probability 1 - m / cells, and then the game is that of a safe start at c, so that this start needs
no search."""

NO_LIMIT = 2**62
"""Budget of a search that may take long."""

BATCH = 5000
"""Games of a batch: what a kill costs is less than a second."""


def count_optima(settings: Settings, part: str, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Search perfect play on the boards of a part (`settings.parts`); return VALUE_COLUMNS.

    The values of `settings.known` are those of the shipped table; what it lacks has no row. keep: a
    checkpoint.
    """
    rows = []
    shipped: dict[Any, Any] = {(row.board, row.mines): row for row in known_values().itertuples()}
    for board in settings.parts()[part]:
        known = settings.known.get(board, ())
        for mines in range(1, board.cells):
            if mines in known:
                if row := shipped.get((board.name, mines)):
                    rows.append(_value(board, mines, PERFECT, row.layouts, Fraction(row.won)))
                continue
            what = f"optimum {board.name} {mines}"
            won, layouts = keep(what, partial(optimum, board, mines, RULES))
            rows.append(_value(board, mines, PERFECT, layouts, Fraction(won)))
    return _values(rows)


def search_known(settings: Settings, part: str) -> pd.DataFrame:
    """Search perfect play on a board of `settings.known_parts`; return KNOWN_COLUMNS."""
    board, mines = settings.known_parts()[part]
    begin = time.thread_time()
    won, layouts = optimum(board, mines, RULES, NO_LIMIT)
    row = [board.name, mines, layouts, won, time.thread_time() - begin]
    return check_table(pd.DataFrame([row], columns=[*KNOWN_COLUMNS]), KNOWN_COLUMNS, "known values")


def optimum(board: Board, mines: int, rules: Rules, budget: int = BUDGET) -> list[int]:
    """Return the layouts that perfect play wins, and how many there are after the first click.

    budget: as of `optimal_win_probability`.
    """
    rate = optimal_win_probability(board, mines, rules.first_click, rules.start, budget=budget)
    layouts = comb(most_mines(board, rules), mines)
    won = rate * layouts
    assert won.denominator == 1
    return [won.numerator, layouts]


def count_exact(settings: Settings, part: str, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Count the wins of the players on the boards of a part; return VALUE_COLUMNS.

    keep: a checkpoint. Raises InputError for a player whose wins cannot be counted.
    """
    rows = []
    for board in settings.parts()[part]:
        for player in settings.counted().values():
            rows += [_counted(task, keep) for task in settings.tasks(board, player)]
    return _values(rows)


def counted(task: Task) -> list[int]:
    """Return numerator and denominator of the expected layouts won, and the layouts."""
    exact = exact_wins(task)
    return [*exact.won.as_integer_ratio(), exact.layouts]


def _counted(task: Task, keep: Keep) -> list[Any]:
    above, below, layouts = keep(f"exact {task.task_id}", partial(counted, task))
    return _value(task.board, task.mines, task.label, layouts, Fraction(above, below))


def _value(board: Board, mines: int, player: str, layouts: int, won: Fraction) -> list[Any]:
    place = [board.name, board.cells, mines, mines / board.cells]
    return [*place, player, layouts, str(won), float(won / layouts)]


def _values(rows: list[list[Any]]) -> pd.DataFrame:
    return check_table(pd.DataFrame(rows, columns=[*VALUE_COLUMNS]), VALUE_COLUMNS, "values")


def is_counted(task: Task, exact_layouts: int) -> bool:
    """Return whether a task of the ladder is counted exactly. exact_layouts: of the settings."""
    return not why_not_exact(task) and comb(task.board.cells - 1, task.mines) <= exact_layouts


def play_ladder(
    settings: Settings, part: str, keep: Keep = NO_CHECKPOINT
) -> dict[str, pd.DataFrame]:
    """Count or play the further players of the ladder on a board (`settings.ladder`).

    Returns VALUE_COLUMNS of those that are counted (rest) and GAME_COLUMNS (games). keep: a
    checkpoint.
    """
    board = settings.ladder()[part]
    values, played = [], []
    for player in settings.others().values():
        for task in settings.tasks(board, player):
            if is_counted(task, settings.exact_layouts):
                values.append(_counted(task, keep))
                continue
            wins = sum(_wins(task, settings.games, keep))
            place = [board.name, board.cells, task.mines, task.density, task.label]
            played.append([*place, task.seed, KERNEL_VERSION, settings.games, wins])
    games = pd.DataFrame(played, columns=[*GAME_COLUMNS])
    return {"rest": _values(values), "games": check_table(games, GAME_COLUMNS, "games")}


def _wins(task: Task, games: int, keep: Keep) -> list[int]:
    wins = []
    for first in range(0, games, BATCH):
        size = min(BATCH, games - first)
        play = partial(_play, task, first, size)
        wins += keep(f"games {task.task_id} {first} {size}", play)
    return wins


def _play(task: Task, first: int, games: int) -> list[int]:
    return [play_batch(task, first, games)["wins"]]


def search_clicks(settings: Settings, part: str, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Search perfect play from every first click on the boards of a part; return CLICK_COLUMNS.

    part: of `settings.click_parts`; keep: a checkpoint. Cells that a symmetry of the board makes
    equal are searched once. A safe start with mines of `settings.known` takes long and has no row.
    """
    from msdensity.kernel.topology import cached_table, neighbour_lists

    rows = []
    for board in settings.click_parts()[part]:
        near = neighbour_lists(cached_table(board.shape, board.topology))
        known = settings.known.get(board, ())
        for cell, orbit in orbits(near).items():
            for start in STARTS:
                rules = Rules(f"cell:{cell}", start)
                most = board.cells - (1 if start == "safe" else 1 + len(near[cell]))
                for mines in range(1, most + 1):
                    if start == "safe" and mines in known:
                        continue
                    what = f"click {board.name} {mines} {cell} {start}"
                    won, layouts = keep(what, partial(optimum, board, mines, rules))
                    place = [board.name, board.cells, mines, mines / board.cells, start]
                    own = [cell, orbit, len(near[cell]), layouts, won, won / layouts]
                    rows.append([*place, *own])
    return check_table(pd.DataFrame(rows, columns=[*CLICK_COLUMNS]), CLICK_COLUMNS, "clicks")


def orbits(near: list[list[int]]) -> dict[int, int]:
    """Return the first cell of each orbit under the symmetries of a board, and its cells."""
    images = symmetries(near)
    sizes: dict[int, int] = {}
    for cell in range(len(near)):
        first = min(image[cell] for image in images)
        sizes[first] = sizes.get(first, 0) + 1
    return sizes
