"""Boards of one, two and three rows: what was played beside what is exact."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from msdensity.files.tables import check_table
from msdensity.stats.correction import correct
from msdensity.stats.intervals import wilson
from msdensity.stats.logistic import fit_critical_density
from msdensity.studies.asymptotics.columns import (
    STRIP_COLUMNS,
    STRIP_EXACT_COLUMNS,
    STRIP_PUBLISHED_COLUMNS,
)
from msdensity.studies.asymptotics.line import line_rho50, line_win_rate
from msdensity.studies.asymptotics.two_rows import most_mines, two_row_rho50, two_row_win_rates

SHOWN_MINES = 3
"""So many mines are counted on 2 x q, besides those that were played; on 1 x q twice as many."""


def exact_win_rates(p: int, q: int, mines: Iterable[int]) -> dict[int, Fraction]:
    """Return the exact W of p x q, p = 1 or 2, by number of mines, where it can be counted.

    From a corner that is safe, with any mines that the board has room for.
    """
    full = p * q - 1
    wanted = sorted({m for m in mines if 1 <= m <= full})
    if p == 1:
        return {m: line_win_rate(q, m) for m in wanted}
    rates = two_row_win_rates(q, [m for m in wanted if m <= most_mines(q)])
    return rates | {m: Fraction(1) for m in wanted if m == full}  # the first click wins


def strips_table(rho50: pd.DataFrame) -> pd.DataFrame:
    """Return rho50 of strips beside the exact one (STRIP_COLUMNS). rho50: RHO50_COLUMNS."""
    rows = []
    row: Any
    for row in rho50[rho50["family"] == "strips"].itertuples():
        theory = row.law if row.p < 3 else np.nan
        rows.append(
            {
                "p": row.p,
                "q": row.q,
                "measured": row.rho50,
                "error": row.error,
                "theory": theory,
                "z": (row.rho50 - theory) / row.error if row.error > 0 else np.nan,
            }
        )
    return _table(rows, STRIP_COLUMNS, "strips")


def exact_table(win_rates: pd.DataFrame) -> pd.DataFrame:
    """Return the exact W of 1 x q and 2 x q beside the played one (STRIP_EXACT_COLUMNS).

    win_rates: GAMES_COLUMNS of the sweep. The played W is the plain one, and its interval Wilson's;
    z is the difference in standard errors of the exact rate, that of at least half a game.
    """
    strips = win_rates[(win_rates["family"] == "strips") & (win_rates["p"] < 3)]
    rows = []
    played: Any
    for (p, q), played in strips.groupby(["p", "q"]):
        side, length = int(str(p)), int(str(q))
        if side == 2 and not most_mines(length):
            continue
        counts = {row.mines: (row.wins, row.games) for row in played.itertuples()}
        shown = range(1, 1 + SHOWN_MINES * (3 - side))
        for m, W in exact_win_rates(side, length, [*counts, *shown]).items():
            row: dict[str, Any] = {"p": side, "q": length, "mines": m, "exact": float(W)}
            row |= {"won": str(W.numerator), "of": str(W.denominator)}
            row |= {"games": 0, "measured": np.nan, "low": np.nan, "high": np.nan, "z": np.nan}
            if m in counts:
                wins, games = map(int, counts[m])
                low, high = wilson(wins, games)
                share = min(max(float(W), 0.5 / games), 1 - 0.5 / games)
                error = math.sqrt(share * (1 - share) / games)
                row |= {
                    "games": games,
                    "measured": wins / games,
                    "z": (wins / games - float(W)) / error,
                }
                row |= {"low": float(low), "high": float(high)}
            rows.append(row)
    return _table(rows, STRIP_EXACT_COLUMNS, "exact strips")


def published_strips_table(printed: pd.DataFrame) -> pd.DataFrame:
    """Return P and rho50 from exact win rates beside the P of Table B.2 (STRIP_PUBLISHED_COLUMNS).

    printed: p, q, P. P is that of the published fit and its W-correction, to all numbers of mines.
    """
    rows = []
    row: Any
    for row in printed[printed["p"] < 3].itertuples():
        p, q = int(row.p), int(row.q)
        if q < 2:
            continue
        mines = range(1, p * q)
        rates = exact_win_rates(p, q, mines)
        density = np.array(mines) / (p * q)
        corrected, _ = correct(density, np.array([float(rates[m]) for m in mines]))
        fit = fit_critical_density(density, corrected, replicates=0)
        results = fit.results()
        rows.append(
            {
                "p": p,
                "q": q,
                "published": row.P,
                "P": results["P"],
                "Q": results["Q"],
                "L": results["L"],
                "rho50": line_rho50(q) if p == 1 else two_row_rho50(q),
            }
        )
    return _table(rows, STRIP_PUBLISHED_COLUMNS, "published strips")


def _table(rows: list[dict[str, Any]], columns: dict[str, Any], name: str) -> pd.DataFrame:
    return check_table(pd.DataFrame(rows, columns=list(columns)), columns, name)
