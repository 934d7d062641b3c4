"""From the games of the study to its numbers: rho50, P, and tests of how they change with q."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pandas as pd

from msdensity.files.tables import Column, check_table
from msdensity.stats.correction import correct
from msdensity.stats.law import law_rho50
from msdensity.stats.logistic import fit_critical_density
from msdensity.stats.rho50.fit import fit_rho50, fit_rho50_rates
from msdensity.stats.rho50.reduced import mean_of_z0, require_right_safeties
from msdensity.studies.asymptotics.columns import (
    ASPECT_COLUMNS,
    CRITICAL_COLUMNS,
    RHO50_COLUMNS,
    SAFETY_COLUMNS,
)
from msdensity.studies.asymptotics.line import line_rho50
from msdensity.studies.asymptotics.settings import FAMILIES, RULES, Settings
from msdensity.studies.asymptotics.two_rows import two_row_rho50

MANY_GUESSES = 1000
"""With fewer guesses the mean of Z_0 is not normal enough for its z to be called large."""

MIN_BOARDS = 5
"""AICc of three parameters needs at least so many boards."""

SERIES = {
    ("corner", "square8"): "corner start",
    ("zero", "square8"): "zero start in the middle",
    ("zero", "torus8"): "zero start on a torus",
}
"""Start rule and topology of the squares that are followed to large q."""

SMALL_SIDES = 10
"""The published extrapolation rests on squares up to this side."""

LARGE_SIDES = 64
"""The extrapolation is tested on squares from this side on."""

RIVAL_SIDES = 32
"""The models of rho50 are compared on squares from this side on, and on others beside it."""

EXPONENT_SIDES = 8
"""On smaller sides, odd and even ones differ by more than the fall."""

EXPONENT_STEP = 1.4
"""The smallest ratio of two sides; closer sides give too large an error of the exponent."""

BOARD = ("family", "rule", "board", "p", "q", "topology")

_HEAD = ("rule", "family", "p", "q")

_TESTED = ("error", "deviance", "p_value")
"""Columns of the fit, and of the fit to plain counts."""


def checked(rows: list[dict[str, Any]], columns: dict[str, Column], name: str) -> pd.DataFrame:
    """Return the rows, possibly none, as a table through `check_table`."""
    return check_table(pd.DataFrame(rows, columns=list(columns)), columns, name)


def joined_tables(
    win_rates: pd.DataFrame, low_density: pd.DataFrame, curves: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """Return the games in order, by the names of the arguments, and the test of `safeties`.

    GAMES_COLUMNS each. Prints the test to stderr. Raises InputError for a safety that is wrong.
    """
    parts = {"rho50": win_rates, "low_density": low_density, "curves": curves}
    parts = {name: sort_games(table) for name, table in parts.items()}
    safeties = safety_table(parts)
    print(safeties.to_string(index=False), file=sys.stderr)
    require_right_safeties(safeties)
    return parts | {"win_rates": parts["rho50"], "safeties": safeties}


def sort_games(table: pd.DataFrame) -> pd.DataFrame:
    """Return GAMES_COLUMNS in the order of start rule, family, p, q and mines."""
    keys = {
        "rule": {name: i for i, name in enumerate(RULES)},
        "family": {name: i for i, name in enumerate(FAMILIES)},
    }

    def key(column: pd.Series) -> pd.Series:
        return column.map(keys[str(column.name)]) if column.name in keys else column

    return table.sort_values(["rule", "family", "p", "q", "mines"], key=key, ignore_index=True)


def safety_table(parts: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the test of the stated safeties (SAFETY_COLUMNS). parts: GAMES_COLUMNS by name."""
    rows = []
    for name, table in (*parts.items(), ("all", pd.concat(list(parts.values())))):
        mean, z = mean_of_z0(table)
        single = table.loc[table["guesses"] >= MANY_GUESSES, "z"].abs().dropna()
        rows.append(
            {
                "games_of": name,
                "rows": len(table),
                "games": int(table["games"].sum()),
                "guesses": int(table["guesses"].sum()),
                "mean_z0": mean,
                "z": z,
                "largest_z": single.max() if len(single) else np.nan,
            }
        )
    return check_table(pd.DataFrame(rows), SAFETY_COLUMNS, "safety table")


def rho50_and_law_table(win_rates: pd.DataFrame, points: pd.DataFrame) -> pd.DataFrame:
    """Return rho50 of every board and start rule, beside the law (RHO50_COLUMNS).

    win_rates: GAMES_COLUMNS of the sweep; points: POINT_COLUMNS, whose windows the fits keep to.
    """
    with np.errstate(divide="ignore", invalid="ignore"):  # of two points, without residuals
        rows = _rho50_rows(win_rates, points)
    return checked(rows, RHO50_COLUMNS, "rho50 table")


def _rho50_rows(games: pd.DataFrame, points: pd.DataFrame) -> list[dict[str, Any]]:
    windows = points.drop_duplicates(["board", "rule"]).set_index(["board", "rule"])
    rows: list[dict[str, Any]] = []
    for _, own in games.groupby(list(_HEAD), sort=False):
        curve = own.sort_values("mines")
        first: Any = curve.iloc[0]
        window: Any = windows.loc[(first["board"], first["rule"])]
        limits = (float(window["window_low"]), float(window["window_high"]))
        cells = int(first["p"]) * int(first["q"])
        plain = fit_rho50(curve["density"], curve["wins"], curve["games"], limits, cells=cells)
        inside = curve["density"].between(*limits)
        possible = curve.loc[inside, "reduced"].between(0, 1, inclusive="neither").all()
        best = plain
        if possible:
            best = fit_rho50_rates(
                curve["density"], curve["reduced"], curve["reduced_se"], limits, cells=cells
            )
        # Of the games: without the factor of a rejected curve.
        longer, shorter = (fit.error / fit.scale for fit in (plain, best))
        gain = (longer / shorter) ** 2 if shorter > 0 else np.nan
        rows.append(
            {name: first[name] for name in BOARD}
            | {
                name: getattr(best, name)
                for name in ("points", "rho50", "k", "bend", "df", *_TESTED)
            }
            | {f"plain_{name}": getattr(plain, name) for name in _TESTED}
            | {
                "k_error": best.errors["k"],
                "bend_error": best.errors["bend"],
                "games": int(curve["games"].sum()),
                "low": best.interval.low,
                "high": best.interval.high,
                "plain": plain.rho50,
                "plain_low": plain.interval.low,
                "plain_high": plain.interval.high,
                "gain": gain,
                "crossing": best.crossing.best,
                "law": _law(first),
                "note": "; ".join(best.warnings()),
            }
        )
    return rows


def _law(row: Any) -> float:
    p, q = sorted((int(row["p"]), int(row["q"])))
    if p < 3:
        return line_rho50(q) if p == 1 else two_row_rho50(q)
    if p == 3:  # narrower than the law's boards
        return math.nan
    return law_rho50(p, str(row["rule"]), str(row["topology"]), aspect=q / p)


def critical_table(curves: pd.DataFrame, listing: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return the published critical density P of every square and player (CRITICAL_COLUMNS).

    curves, listing: WIN_RATE_COLUMNS and more, of the whole curves of `weighted` and of the paper's
    program; the points after the last m played are 0, as the W-correction makes them. The bootstrap
    depends on q alone.
    """
    rows = []
    for table, plan in ((curves, settings.curves), (listing, settings.listing)):
        for (player, q), own in table.groupby(["player", "q"]):
            side = int(str(q))
            curve = own.sort_values("mines")
            cells = side**2
            mines = np.array(plan.mines(side), np.int64)
            density = mines / cells
            won = np.zeros(len(mines), np.int64)
            played = np.zeros(len(mines), np.int64)
            place = np.searchsorted(mines, curve["mines"].to_numpy())
            won[place], played[place] = curve["wins"], curve["games"]
            rate = np.where(played > 0, won / np.maximum(played, 1), 0.0)
            fit = fit_critical_density(
                density,
                correct(density, rate)[0],
                wins=won,
                games=played,
                replicates=settings.replicates,
                rng=np.random.default_rng([side, plan.steps]),
            )
            results = fit.results()
            rows.append(
                {
                    "player": player,
                    "q": side,
                    "points": len(mines),
                    "games": int(curve["games"].min()),
                    "P": results["P"],
                    "P_sd": results["Q_sd"],
                    "k": results["k"],
                    "note": "; ".join([*_dealt_again(curve), *fit.warnings()]),
                }
            )
    return checked(rows, CRITICAL_COLUMNS, "critical densities")


def _dealt_again(curve: pd.DataFrame) -> list[str]:
    """Return a warning if games were dealt again, because the player could not count a position."""
    again = int(curve["redrawn"].sum())
    return [f"{again:,} games were dealt again, so the win rates are too high"] if again else []


def joined_listing(listing: pd.DataFrame) -> pd.DataFrame:
    """Return the games of the paper's program by side and mines (WIN_RATE_COLUMNS)."""
    return listing.sort_values(["q", "mines"], ignore_index=True)


def squares_of(rho50: pd.DataFrame, rule: str, topology: str) -> pd.DataFrame:
    """Return the squares of a series with a fit, by side."""
    chosen = rho50[
        (rho50["rule"] == rule)
        & (rho50["topology"] == topology)
        & (rho50["p"] == rho50["q"])
        & (rho50["p"] > 3)
        & rho50["rho50"].notna()
        & (rho50["error"] > 0)
    ]
    return chosen.sort_values("q")


def aspect_table(rho50: pd.DataFrame) -> pd.DataFrame:
    """Return rho50 of q x 2q boards over that of q x q (ASPECT_COLUMNS)."""
    rows: list[dict[str, Any]] = []
    row: Any
    for row in rho50[rho50["family"] == "doubles"].itertuples():
        own = squares_of(rho50, row.rule, "square8")
        own = own[own["q"] == row.p]
        if not len(own) or not row.error > 0:
            continue
        square, error = float(own["rho50"].iloc[0]), float(own["error"].iloc[0])
        ratio = row.rho50 / square
        spread = ratio * math.hypot(row.error / row.rho50, error / square)
        law = law_rho50(row.p, row.rule, aspect=2) / law_rho50(row.p, row.rule)
        rows.append(
            {
                "rule": row.rule,
                "q": row.p,
                "square": square,
                "square_error": error,
                "double": row.rho50,
                "double_error": row.error,
                "ratio": ratio,
                "ratio_error": spread,
                "law_ratio": law,
                "z_equal": (ratio - 1) / spread,
                "z_law": (ratio - law) / spread,
            }
        )
    return checked(rows, ASPECT_COLUMNS, "aspect ratios")
