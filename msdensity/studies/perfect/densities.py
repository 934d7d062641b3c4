"""Critical densities of exact win rates, and how much of each is the player's fault."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from msdensity.files.tables import check_table
from msdensity.games.boards import Board
from msdensity.players.registry import player_info
from msdensity.stats.correction import correct
from msdensity.stats.logistic import LogisticFit, fit_critical_density
from msdensity.stats.rho50.exact import first_fall
from msdensity.studies.perfect.columns import AGAINST_COLUMNS, CURVE_COLUMNS, SHARE_COLUMNS

PERFECT = "perfect"

WIDE = 3
"""Fewest rows of the boards on which cells have eight neighbours."""

MEASURES = ("P", "rho50")

PAPER_GAMES = 1000
"""Games for each number of mines behind a published P."""

REPLICATES = 1000


def wide_boards(table: pd.DataFrame) -> list[str]:
    """Return the boards p x q of at least WIDE rows, those with few cells first.

    table: with the columns board and cells.
    """
    own = table[["board", "cells"]].drop_duplicates().sort_values(["cells", "board"])
    shapes = {str(board): sides(str(board)) for board in own["board"]}
    return [name for name, at in shapes.items() if at["p"] and min(at["p"], at["q"]) >= WIDE]


def may_guess(player: str) -> bool:
    """Return whether a player, by its label, or perfect play, guesses where nothing is certain."""
    return player == PERFECT or player_info(player.partition("-")[0]).guesses


def curves_table(values: pd.DataFrame) -> pd.DataFrame:
    """Return P and rho50 of every board and player (CURVE_COLUMNS). values: VALUE_COLUMNS."""
    rows = [
        {"board": board, "player": player} | sides(str(board)) | _curve(own.sort_values("mines"))
        for (board, player), own in values.groupby(["board", "player"], sort=False)
    ]
    return check_table(pd.DataFrame(rows, columns=[*CURVE_COLUMNS]), CURVE_COLUMNS, "densities")


def sides(board: str) -> dict[str, Any]:
    """Return p, q and cells of a board; p and q are missing where it has no two sides."""
    name, _, topology = board.partition("-")
    shape = [int(side) for side in name.split("x")]
    two = len(shape) == 2 and not topology
    p, q = shape if two else (None, None)
    return {"p": p, "q": q, "cells": int(np.prod(shape))}


def _curve(own: pd.DataFrame) -> dict[str, Any]:
    rate = own["win_rate"].to_numpy(float)
    cells, mines = int(own["cells"].iloc[0]), own["mines"].to_numpy(int)
    below, line, logit = first_fall(mines, rate)
    found = {"rho50": line / cells, "rho50_logit": logit / cells, "below": below}
    if len(own) < cells - 1:
        missing = f"{cells - 1 - len(own)} numbers of mines are missing"
        return found | {"P": np.nan, "P_note": missing, "mean": np.nan}
    fit = fit_of(own)
    inside = 0 < fit.P < 1 and fit.determined
    note = "" if inside else fit.degenerate or "; ".join(fit.warnings())
    return found | {"P": fit.P if inside else np.nan, "P_note": note, "mean": rate.mean()}


def fit_of(own: pd.DataFrame) -> LogisticFit:
    """Return the fit of paper 001 to a curve of exact win rates, which has no error of games.

    own: the rows of one board and player, for each number of mines.
    """
    density, rate = (own[name].to_numpy(float) for name in ("density", "win_rate"))
    corrected, _ = correct(density, rate)
    return fit_critical_density(density, corrected)


def shares_table(densities: pd.DataFrame) -> pd.DataFrame:
    """Return how much of each density is the player's fault (SHARE_COLUMNS).

    densities: CURVE_COLUMNS. Boards on which one of the two has no such density have no row.
    """
    rows = []
    row: Any
    best = densities[densities["player"] == PERFECT].set_index("board")
    for row in densities[densities["player"] != PERFECT].itertuples():
        if row.board not in best.index:
            continue
        for measure in MEASURES:
            perfect, own = float(best.loc[row.board, measure]), float(getattr(row, measure))
            gap = perfect - own
            if np.isnan(gap):
                continue
            place = {"board": row.board, "p": row.p, "q": row.q, "cells": row.cells}
            head = place | {"player": row.player, "measure": measure}
            ends = {"perfect": perfect, "own": own, "gap": gap}
            rows.append(head | ends | {"mines": gap * row.cells, "share": gap / perfect})
    return check_table(pd.DataFrame(rows, columns=[*SHARE_COLUMNS]), SHARE_COLUMNS, "shares")


AGAINST = (PERFECT, "weighted", "listing")
"""Whose exact P stands beside the published one."""


def against_table(
    values: pd.DataFrame, densities: pd.DataFrame, printed: pd.DataFrame
) -> pd.DataFrame:
    """Return the published P of each board beside those of exact win rates (AGAINST_COLUMNS).

    values: VALUE_COLUMNS; densities: CURVE_COLUMNS; printed: Table B.2 of paper 001. Boards without
    an inflection inside (0, 1) have no row.
    """
    rows = []
    row: Any
    exact = densities.pivot_table(index="board", columns="player", values="P")
    for row in printed.itertuples():
        board = Board((row.p, row.q)).name
        if board not in exact.index or not 0 < row.P < 1:
            continue
        own: Any = exact.reindex(columns=[*AGAINST]).loc[board]
        error = _error(values[(values["board"] == board) & (values["player"] == "listing")])
        known = {name: float(own[name]) for name in AGAINST}
        z = (row.P - known["listing"]) / error
        place = {"board": board} | sides(board)
        rows.append(place | {"published": row.P} | known | {"listing_se": error, "z": z})
    return check_table(pd.DataFrame(rows, columns=[*AGAINST_COLUMNS]), AGAINST_COLUMNS, "against")


def _error(own: pd.DataFrame) -> float:
    """Return the standard error of P from PAPER_GAMES games for each number of mines."""
    if not len(own):
        return np.nan
    own = own.sort_values("mines")
    density, rate = (own[name].to_numpy(float) for name in ("density", "win_rate"))
    wins = np.round(PAPER_GAMES * rate).astype(int)
    corrected, _ = correct(density, wins / PAPER_GAMES)
    games = np.full(len(wins), PAPER_GAMES)
    fit = fit_critical_density(density, corrected, wins=wins, games=games, replicates=REPLICATES)
    return float(fit.Q_sd)
