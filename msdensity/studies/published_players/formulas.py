"""Formulas 4.2 to 4.4 of 000, the chance that the first cell shows 0, against dealt games."""

from __future__ import annotations

from math import comb, prod
from typing import Any

import numpy as np
import pandas as pd

from msdensity.errors import integer
from msdensity.games.boards import Board, Rules
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Task
from msdensity.stats.intervals import win_rate
from msdensity.stats.testing import detectable
from msdensity.studies.paper.first_click import count_zeros
from msdensity.studies.paper.first_zero import probability_of_zero
from msdensity.studies.published_players.columns import FORMULA_COLUMNS
from msdensity.studies.published_players.results import verdict
from msdensity.studies.published_players.settings import BOARDS, Settings

PLACES = {"random_corner": 3, "random_edge": 5, "random_interior": 8}
"""First clicks of 000, section 5.3.3, with the neighbours of the cell."""


def formula_4_2(cells: int, neighbours: int, mines: int) -> float:
    """Return prod over i = 0 .. k of 1 - m / (s - i) (000, formula 4.2).

    cells: s; neighbours: k, 0 .. s - 1; mines: m, 0 .. s; else InputError.
    """
    _check(cells, neighbours, mines)
    return prod(max(0.0, 1 - mines / (cells - i)) for i in range(neighbours + 1))


def formula_4_3(cells: int, neighbours: int, mines: int) -> float:
    """Return (1 - d)^(k + 1) with d = m / s (000, formula 4.3); ranges as formula_4_2."""
    _check(cells, neighbours, mines)
    return (1 - mines / cells) ** (neighbours + 1)


def formula_4_4(cells: int, free: int, mines: int) -> float:
    """Return C(n - k, m) / C(n, m) (000, formula 4.4) with k = `free` cells without a mine.

    cells: n; free: 0 .. n - 1; mines: 0 .. n; else InputError. The text first says "k specific
    squares", then that the cell has k neighbours, which makes k + 1 squares.
    """
    _check(cells, free, mines)
    return comb(cells - free, mines) / comb(cells, mines)


def _check(cells: int, neighbours: int, mines: int) -> None:
    integer("cells", cells, 1)
    integer("neighbours", neighbours, 0, cells - 1)
    integer("mines", mines, 0, cells)


def formulas_table(settings: Settings, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Return every formula beside settings.zero_games dealt games (FORMULA_COLUMNS).

    On BOARDS, from PLACES. The formulas assume an unprotected start. 000 plays with a safe start
    ("soft rules"), which is compared with formula 4.2 and with Lemma 3 of 001, which allows for it.
    keep: a checkpoint.
    """
    rows: list[tuple[Any, ...]] = []
    for name, mines in BOARDS:
        board = Board.parse(name)
        for place, k in PLACES.items():
            at = (board.cells, k, mines)
            values = {
                "unprotected": {
                    "4.2": formula_4_2(*at),
                    "4.3": formula_4_3(*at),
                    "4.4, k squares": formula_4_4(*at),
                    "4.4, k + 1 squares": formula_4_4(board.cells, k + 1, mines),
                },
                "safe": {
                    "4.2": formula_4_2(*at),
                    "001, Lemma 3": probability_of_zero(*at, "safe"),
                },
            }
            for start, formulas in values.items():
                task = Task(board, mines, "weighted", {}, Rules(place, start), settings.seed)
                games = settings.zero_games
                share = win_rate(count_zeros(task, games, keep), games)
                for formula, value in formulas.items():
                    error = np.sqrt(value * (1 - value) / games)
                    z = (share.best - value) / error if error else np.nan
                    at_all = (formula, name, mines, place, k, start, value, games, share.best)
                    found = detectable() * error
                    rows.append((*at_all, share.low, share.high, z, found, verdict(z)))
    return pd.DataFrame(rows, columns=list(FORMULA_COLUMNS))
