"""rho50 of every board of a sweep: the window is from a pilot of other games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from msdensity.files.tables import check_table
from msdensity.stats.curve import exact_rates
from msdensity.stats.rho50.curve import density_window
from msdensity.stats.rho50.exact import fit_exact_rho50
from msdensity.stats.rho50.fit import fit_rho50, fit_rho50_rates
from msdensity.stats.rho50.fit_object import SMALL_BOARD, Rho50Fit
from msdensity.studies.paper.columns import RHO50_COLUMNS


def rho50_row(curve: pd.DataFrame, reduced: pd.DataFrame, pilot: pd.Series) -> dict[str, Any]:
    """Return the columns from `rho50` on for one board and player.

    curve: its WIN_RATE_COLUMNS, every number of mines; if all of a small board are exact, rho50 is
    too, and `plain` is of the games all the same; reduced: its REDUCED_COLUMNS, empty for a player
    that states no exact safeties; pilot: its row of PILOT_COLUMNS.
    """
    window = density_window(pilot["rho50"], pilot["k"])
    cells = int(pilot["cells"])
    ordered = curve.sort_values("mines")
    plain = fit_rho50(ordered["density"], ordered["wins"], ordered["games"], window, cells=cells)
    best = plain
    own = reduced[reduced["density"].between(*window)].sort_values("mines")
    inside = (own["reduced"] > 0) & (own["reduced"] < 1) & (own["reduced_se"] > 0)
    exact = exact_rates(ordered)
    kind = "reduced"
    if exact is not None and cells < SMALL_BOARD:
        best = fit_exact_rho50(ordered["density"], exact, cells)
        kind = "exact"
    elif len(own) and inside.all() and not plain.no_fit:
        rates = (own["density"], own["reduced"], own["reduced_se"])
        best = fit_rho50_rates(*rates, window, cells=cells)
    # The columns from points to crossing are of the plain fit, and so are notes that do not say.
    notes = plain.warnings()
    if best is not plain:
        of_best = (text for text in best.warnings() if text not in notes)
        notes = [*(f"of the {kind} rates: {text}" for text in of_best), *notes]
    return {
        **_values("rho50", best),
        "k": best.k,
        "bend": best.bend,
        **_values("plain", plain),
        "points": plain.points,
        "window_low": window[0],
        "window_high": window[1],
        "deviance": plain.deviance,
        "df": plain.df,
        "crossing": plain.crossing.best,
        "note": "; ".join(notes),
    }


def _values(name: str, fit: Rho50Fit) -> dict[str, float]:
    low, high = (float(np.clip(end, 0, 1)) for end in (fit.interval.low, fit.interval.high))
    return {name: fit.rho50, f"{name}_low": low, f"{name}_high": high, f"{name}_se": fit.error}


def rho50_table(
    win_rates: pd.DataFrame, reduced: pd.DataFrame, pilots: pd.DataFrame
) -> pd.DataFrame:
    """Return rho50 (RHO50_COLUMNS) of every board and player that has room for 2 mines.

    win_rates: WIN_RATE_COLUMNS; reduced: REDUCED_COLUMNS; pilots: PILOT_COLUMNS, which set the
    window of each fit.
    """
    rows = []
    by_curve: Any = pilots.set_index(["board", "player"])
    for (board, player), curve in win_rates.groupby(["board", "player"], sort=False):
        if (board, player) not in by_curve.index:
            continue
        own = reduced[(reduced["board"] == board) & (reduced["player"] == player)]
        head = {"board": board, "player": player, "p": curve["p"].iloc[0], "q": curve["q"].iloc[0]}
        rows.append(head | rho50_row(curve, own, by_curve.loc[(board, player)]))
    table = pd.DataFrame(rows, columns=list(RHO50_COLUMNS))
    return check_table(table, RHO50_COLUMNS, "rho50 table")
