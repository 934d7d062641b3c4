"""Which orders of the law other players change: the fewest mines at which each guesses and loses.

All sets of few mines in a window are played: in a corner, along a side, and in the open, by every
player from the same click far away. A set lost while no part of it is lost counts in -ln W of a
large board with its chance to be lost, so that at the lowest order the sum of these chances is the
coefficient (`losses`).
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from msdensity.errors import InputError, shown
from msdensity.files.tables import check_table
from msdensity.games.boards import Board
from msdensity.games.layouts import play_layouts_by
from msdensity.stats.law import minus_log_win_rate
from msdensity.studies.page import rows
from msdensity.studies.patterns.columns import PLAYER_ORDER_COLUMNS, PLAYER_SLOPE_COLUMNS
from msdensity.studies.patterns.settings import PLACES, Settings

SIDE = 15
"""Of the board; the first click is its last cell, far from every window."""

WINDOWS = {
    "corner": (range(6), range(6)),
    "edge": (range(5), range(4, 11)),
    "bulk": (range(4, 9), range(4, 9)),
}
"""Place -> rows and columns of the mines. All sets that are the same but for a move along a side,
or in the open, are there once: one mine lies in the first column, and in the open one in the first
row."""


def placed_sets(place: str, mines: int) -> NDArray[np.int64]:
    """Return all sets of so many mines at a place, shape (sets, mines); place: of PLACES."""
    down, across = WINDOWS[place]
    cells = [r * SIDE + c for r in down for c in across]
    sets = np.array(list(combinations(cells, mines)), np.int64).reshape(-1, mines)
    if place != "corner":
        sets = sets[(sets % SIDE == across[0]).any(axis=1)]
    if place == "bulk":
        sets = sets[(sets // SIDE == down[0]).any(axis=1)]
    return sets


def player_orders_table(player: str, settings: Settings) -> pd.DataFrame:
    """Return what a player guesses and loses at each place by mines (PLAYER_ORDER_COLUMNS).

    player: one of the settings. Raises InputError for another.
    """
    if player not in settings.players:
        raise InputError(f"player={shown(player)} must be one of {', '.join(settings.players)}")
    found = []
    for place, most in zip(PLACES, settings.players_most, strict=True):
        for mines in range(1, most + 1):
            sets = placed_sets(place, mines)
            row = {"player": player, "place": place, "mines": mines, "sets": len(sets)}
            found.append(row | _losses(player, sets, settings.repeats))
    return check_table(pd.DataFrame(found), PLAYER_ORDER_COLUMNS, "player orders")


def _losses(player: str, sets: NDArray[np.int64], repeats: int) -> dict[str, Any]:
    """Return how many sets are guessed at, and the sum of the chances that one is lost.

    Deductions are the same in every game, so that a set without a guess needs one game only.
    """
    board, first = Board((SIDE, SIDE)), SIDE**2 - 1
    once = play_layouts_by(board, sets, first, player)
    guessed = sets[once[:, 1] > 0]
    surely_lost = int(((once[:, 0] == 0) & (once[:, 1] == 0)).sum())  # by a player that stops
    chance = np.zeros(0)
    if len(guessed):
        chance = 1 - play_layouts_by(board, guessed, first, player, repeats)[:, 0] / repeats
    whole = set(chance.tolist()) <= {0.0, 1.0}
    loss = surely_lost + float(chance.sum())
    return {
        "guessed": len(guessed) + surely_lost,
        "loss": loss,
        "error": 0.0 if whole else float(np.sqrt((chance * (1 - chance)).sum() / repeats)),
        "exact": str(Fraction(round(loss))) if whole else "",
    }


def joined_player_orders(player_orders: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of all players: each already holds those of its job."""
    return player_orders


def player_slopes_table(games: pd.DataFrame) -> pd.DataFrame:
    """Return d ln(-ln W) / d ln rho between densities (PLAYER_SLOPE_COLUMNS).

    games: WIN_RATE_COLUMNS of the settings' slopes. Left out where a density has no lost game.
    law: the same of the law of `weighted` with a zero start, which has no orders of other players.
    """
    found: list[dict[str, Any]] = []
    slopes = games[games["start"] == "zero"]
    several = slopes.groupby(["player", "board"], sort=False)
    for (player, board), own in several:
        curve = own.sort_values("mines")
        curve = curve[(curve["wins"] > 0) & (curve["wins"] < curve["games"])]
        points = list(rows(curve))
        for a, b in pairwise(points):
            x, y = (-math.log(each.wins / each.games) for each in (a, b))
            spread = [math.sqrt(1 / each.wins - 1 / each.games) for each in (a, b)]
            width = math.log(b.density / a.density)
            shape, topology = (a.p, a.q), str(a.topology)
            law = [
                float(
                    minus_log_win_rate(
                        shape, each.density, "zero", topology, next_orders=True, fixed_mines=True
                    )
                )
                for each in (a, b)
            ]
            found.append(
                {
                    "player": player,
                    "board": board,
                    "low": a.density,
                    "high": b.density,
                    "x_low": x,
                    "x_low_error": spread[0],
                    "x_high": y,
                    "x_high_error": spread[1],
                    "slope": math.log(y / x) / width,
                    "error": math.hypot(spread[0] / x, spread[1] / y) / width,
                    "law": math.log(law[1] / law[0]) / width,
                }
            )
    table = pd.DataFrame(found, columns=list(PLAYER_SLOPE_COLUMNS))
    return check_table(table, PLAYER_SLOPE_COLUMNS, "player slopes")
