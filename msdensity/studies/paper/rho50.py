"""rho50 of every board of a sweep: window from a pilot of other games, fit to those swept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from msdensity.files.tables import Column, check_table
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Setup
from msdensity.runs.measure import pilot
from msdensity.stats.rho50.fit import fit_rho50, fit_rho50_rates
from msdensity.stats.rho50.fit_object import Rho50Fit
from msdensity.stats.rho50.weibull import density_window

_VALUE = Column("float64", missing=True, low=0, high=1)

_FREE = Column("float64", missing=True)

RHO50_COLUMNS: dict[str, Column] = {
    "board": Column("str"),
    "p": Column("Int64", missing=True, low=1),
    "q": Column("Int64", missing=True, low=1),
    "player": Column("str"),
    "rho50": _VALUE,
    "rho50_low": _VALUE,
    "rho50_high": _VALUE,
    "rho50_se": _FREE,
    "k": _FREE,
    "plain": _VALUE,
    "plain_low": _VALUE,
    "plain_high": _VALUE,
    "plain_se": _FREE,
    "points": Column("int64", low=0),
    "window_low": _VALUE,
    "window_high": _VALUE,
    "deviance": _FREE,
    "df": Column("int64", low=0),
    "crossing": _FREE,
    "note": Column("str", missing=True),
}
"""rho50 a board and player: with reduced win rates where there are any, and from wins alone
(`plain`), each with a profile-likelihood interval of 95 %; deviance of the plain fit; crossing of
the falling sequence; note: what to distrust."""


def rho50_row(
    curve: pd.DataFrame, reduced: pd.DataFrame, setup: Setup, keep: Keep = NO_CHECKPOINT
) -> dict[str, Any]:
    """Return the columns from `rho50` on of one board and player.

    curve: WIN_RATE_COLUMNS of it, every number of mines; reduced: its REDUCED_COLUMNS, empty for a
    player that states no exact safeties; setup: who played where, for the pilot;
    keep: what of it was played earlier.
    """
    found = pilot(setup, keep=keep)
    window = density_window(found.rho50, found.k)
    ordered = curve.sort_values("mines")
    cells = setup.board.cells
    plain = fit_rho50(ordered["density"], ordered["wins"], ordered["games"], window, cells=cells)
    best = plain
    own = reduced[reduced["density"].between(*window)].sort_values("mines")
    inside = (own["reduced"] > 0) & (own["reduced"] < 1) & (own["reduced_se"] > 0)
    if len(own) and inside.all() and not plain.no_fit:
        rates = (own["density"], own["reduced"], own["reduced_se"])
        best = fit_rho50_rates(*rates, window, cells=cells)
    return {
        **_values("rho50", best),
        "k": best.k,
        **_values("plain", plain),
        "points": plain.points,
        "window_low": window[0],
        "window_high": window[1],
        "deviance": plain.deviance,
        "df": max(plain.df, 0),
        "crossing": plain.crossing.best,
        "note": "; ".join(dict.fromkeys([*best.warnings(), *plain.warnings()])),
    }


def _values(name: str, fit: Rho50Fit) -> dict[str, float]:
    low, high = (float(np.clip(end, 0, 1)) for end in (fit.interval.low, fit.interval.high))
    return {name: fit.rho50, f"{name}_low": low, f"{name}_high": high, f"{name}_se": fit.error}


def rho50_table(
    win_rates: pd.DataFrame,
    reduced: pd.DataFrame,
    setups: Mapping[tuple[str, str], Setup],
    keep: Keep = NO_CHECKPOINT,
) -> pd.DataFrame:
    """Return rho50 (RHO50_COLUMNS) of every board and player that has room for 2 mines.

    win_rates: WIN_RATE_COLUMNS; reduced: REDUCED_COLUMNS; setups: by (board, player) as in these
    tables; keep: what was played earlier. The window of each fit is set by a pilot of about 1,500
    other games.
    """
    rows = []
    for (board, player), curve in win_rates.groupby(["board", "player"], sort=False):
        setup = setups[str(board), str(player)]
        if setup.board.cells < 3:
            continue
        own = reduced[(reduced["board"] == board) & (reduced["player"] == player)]
        head = {"board": board, "player": player, "p": curve["p"].iloc[0], "q": curve["q"].iloc[0]}
        rows.append(head | rho50_row(curve, own, setup, keep))
    table = pd.DataFrame(rows, columns=list(RHO50_COLUMNS))
    return check_table(table, RHO50_COLUMNS, "rho50 table")
