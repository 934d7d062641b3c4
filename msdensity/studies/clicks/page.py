"""The page of first clicks: the numbers that page.md.j2 puts into words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from msdensity.games.boards import Board
from msdensity.studies.clicks.settings import STARTS, Settings
from msdensity.studies.page import Page, Tables, rows
from msdensity.studies.paper.first_zero import probability_of_zero

ALARM = 0.001
"""A test of symmetry with a smaller p-value is called a contradiction."""

LISTED = 8
"""Best places of each map that the page lists."""


def facts(tables: Tables, settings: Settings) -> dict[str, Any]:
    """Return what the template names."""
    maps, luck = tables["maps"], tables["luck"]
    maps = maps.assign(
        board=maps["board"] + ", " + maps["mines"].astype(str),
        corner_best=(maps["best_row"] == 1) & (maps["best_column"] == 1),
    )
    orbits = tables["orbits"]
    orbits = orbits.assign(
        board=orbits["board"] + ", " + orbits["mines"].astype(str),
        place=orbits["row"].astype(str) + ", " + orbits["column"].astype(str),
    )
    groups = orbits.groupby(["board", "start"], sort=False)
    ranked = orbits.assign(order=groups.ngroup())
    ranked = ranked.sort_values(["order", "win_rate"], ascending=[True, False], kind="stable")
    best = ranked.groupby("order").head(LISTED)
    W, replays = luck["win_rate"], luck["replays"]
    return {
        "study": settings,
        "starts": {start: _start(maps[maps["start"] == start]) for start in STARTS},
        "maps": maps,
        "best": {start: best[best["start"] == start] for start in STARTS},
        "listed": LISTED,
        "linked": linked(tables["orbits"]),
        "alarm": ALARM,
        "contradicted": list(rows(maps[maps["symmetry_p"] < ALARM])),
        "tested": int(maps["symmetry_p"].notna().sum()),
        "luck": luck.assign(
            board=luck["board"] + ", " + luck["mines"].astype(str),
            same=luck["always"] + luck["never"],
            coins=W**replays + (1 - W) ** replays,
        ),
    }


def linked(orbits: pd.DataFrame) -> pd.DataFrame:
    """Return the corner and the best place of the zero start, by whether the first cell shows 0.

    orbits: ORBIT_COLUMNS. `zero` is the chance of a 0 with the safe start, `after_zero` the win
    rate of the zero start, and `after_number` the rest of that of the safe start. All layouts are
    equally likely, so the zero start is the safe one given a 0. `after_number_se` takes the games
    of the two starts for independent.
    """
    keys = ["board", "mines", "orbit"]
    safe, zero = (orbits[orbits["start"] == start] for start in STARTS)
    table = safe.merge(zero[[*keys, "win_rate", "win_rate_se", "below_best"]], "left", on=keys)
    table = table.rename(columns={"win_rate_y": "after_zero", "win_rate_se_y": "after_zero_se"})
    table = table[(table["orbit"] == 0) | (table["below_best_y"] == 0)]
    boards = [Board.parse(board) for board in table["board"]]
    places = zip(boards, table["row"], table["column"], table["mines"], strict=True)
    chance = pd.Series(
        [
            probability_of_zero(board.cells, neighbours(board, row, column), mines)
            for board, row, column, mines in places
        ],
        table.index,
    )
    after = (table["win_rate_x"] - chance * table["after_zero"]) / (1 - chance)
    error = np.hypot(table["win_rate_se_x"], chance * table["after_zero_se"]) / (1 - chance)
    place = table["row"].astype(str) + ", " + table["column"].astype(str)
    return table.assign(zero=chance, after_number=after, after_number_se=error, place=place)


def neighbours(board: Board, row: int, column: int) -> int:
    """Return how many neighbours the cell in this row and column, from 1, has."""
    p, q = board.shape
    return (3 - (row in (1, p))) * (3 - (column in (1, q))) - 1


def _start(maps: pd.DataFrame) -> dict[str, Any]:
    """Return what the page says of one start."""
    return {
        "maps": list(rows(maps)),
        "above": int((maps["above_corner"] > 0).sum()),
        "alone": int((maps["below_corner"] == maps["places"] - 1).sum()),
        "corner_best": int(maps["corner_best"].sum()),
    }


page = Page("clicks", "clicks/page.md.j2", "clicks/finding.md.j2", facts)
"""The page: see `Page`."""
