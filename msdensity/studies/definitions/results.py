"""Tables from tables: critical densities, their limits, peaks, and relations on the same games."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize, stats

from msdensity.files.tables import check_table
from msdensity.studies.definitions.columns import (
    CRITICAL_COLUMNS,
    FIRST_COLUMNS,
    LIMIT_COLUMNS,
    PEAK_COLUMNS,
    RELATION_COLUMNS,
    STEP_COLUMNS,
)
from msdensity.studies.definitions.estimates import crossing, fit_sides, gain_p, peak
from msdensity.studies.definitions.means import DEFINITIONS, PEAKED, means_table
from msdensity.studies.definitions.settings import GUESSER

NONE, LIMIT = "none", "limit"
"""Models of a density over sides: a q^-b, and c + a q^-b."""

PLACES = {"corner": 3, "edge": 5, "inside": 8}
"""Neighbours of a first cell."""

FEW = 50
"""Fewest games of each kind (won or lost, and with or without a guess) that a relation needs."""

KEYS = ["definition", "start"]


def measured(games: pd.DataFrame, layouts: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the counts of all sides, and what follows from them without a fit over sides."""
    means = means_table(games, layouts)
    critical = critical_table(means)
    return {
        "games": games,
        "means": means,
        "critical": critical,
        "steps": steps_table(critical),
        "limits": limits_table(critical),
        "peaks": peaks_table(means),
        "relations": relations_table(games),
        "first_cells": first_cells_table(sorted(games["side"].unique())),
    }


def _each(means: pd.DataFrame, measure: str) -> Any:
    """Yield start, side, pilot and means of a measure."""
    own = means[means["measure"] == measure]
    for (start, side), table in own.groupby(["start", "side"], sort=True):
        pilot = table["part"] == "pilot"
        yield start, side, table[pilot], table[~pilot]


def critical_table(means: pd.DataFrame) -> pd.DataFrame:
    """Return the density at which each definition is met on each board; CRITICAL_COLUMNS.

    means: MEAN_COLUMNS. A board on which no played density meets it has no row.
    """
    rows = []
    for name, definition in DEFINITIONS.items():
        for start, side, pilot, own in _each(means, definition.measure):
            fit = crossing(pilot, own, definition)
            if fit is None or fit.no_fit:
                continue
            rows.append(
                {
                    "definition": name,
                    "start": start,
                    "side": side,
                    "density": fit.rho50,
                    "density_se": fit.error,
                    "low": fit.interval.low,
                    "high": fit.interval.high,
                    "points": fit.points,
                    "games": int(own["games"].iloc[0]) * fit.points,
                    "deviance": fit.deviance,
                    "df": fit.df,
                    "p_value": fit.p_value if fit.df else np.nan,
                    "note": "; ".join(fit.notes),
                }
            )
    table = pd.DataFrame(rows, columns=[*CRITICAL_COLUMNS])
    return check_table(table, CRITICAL_COLUMNS, "critical densities")


def steps_table(critical: pd.DataFrame) -> pd.DataFrame:
    """Return -d ln density / d ln n between neighbouring sides; STEP_COLUMNS."""
    rows = []
    a: Any
    b: Any
    for key, own in critical.groupby(KEYS, sort=False):
        for a, b in pairwise(own.sort_values("side").itertuples()):
            log_n = 2 * np.log(b.side / a.side)
            exponent = np.log(a.density / b.density) / log_n
            error = np.hypot(a.density_se / a.density, b.density_se / b.density) / log_n
            rows.append((*key, a.side, b.side, exponent, error))
    return check_table(pd.DataFrame(rows, columns=[*STEP_COLUMNS]), STEP_COLUMNS, "steps")


def limits_table(critical: pd.DataFrame) -> pd.DataFrame:
    """Fit each definition over the sides with a limit and without; LIMIT_COLUMNS."""
    rows = []
    for key, own in critical.groupby(KEYS, sort=False):
        known = own[own["density_se"] > 0].sort_values("side")
        for smallest in known["side"]:
            used = known[known["side"] >= smallest]
            data = [used[name].to_numpy(float) for name in ("side", "density", "density_se")]
            plain = fit_sides(*data, limit=False)
            more = fit_sides(*data, limit=True)
            for model, fit in ((NONE, plain), (LIMIT, more)):
                if fit is None:
                    continue
                chance = gain_p(plain, fit) if model == LIMIT and plain else np.nan
                p_value = float(stats.chi2.sf(fit.deviance, fit.df))
                values = fit.limit, fit.limit_se, fit.power, fit.power_se, fit.deviance, fit.df
                rows.append((*key, model, smallest, len(used), *values, p_value, chance))
    return check_table(pd.DataFrame(rows, columns=[*LIMIT_COLUMNS]), LIMIT_COLUMNS, "limits")


def peaks_table(means: pd.DataFrame) -> pd.DataFrame:
    """Return where the means that have a peak are largest; PEAK_COLUMNS. means: MEAN_COLUMNS."""
    rows = []
    for measure in PEAKED:
        rows += _peaks(means, measure)
    return check_table(pd.DataFrame(rows, columns=[*PEAK_COLUMNS]), PEAK_COLUMNS, "peaks")


def cost_peaks(cost: pd.DataFrame) -> pd.DataFrame:
    """Return where the CPU time of a game is largest; PEAK_COLUMNS. cost: MEAN_COLUMNS."""
    rows = _peaks(cost, "cpu")
    return check_table(pd.DataFrame(rows, columns=[*PEAK_COLUMNS]), PEAK_COLUMNS, "peaks of cost")


def _peaks(means: pd.DataFrame, measure: str) -> list[dict[str, Any]]:
    rows = []
    for start, side, pilot, own in _each(means, measure):
        top = peak(pilot, own)
        if top is not None:
            names = {"density_se": top.error, "p_value": top.p_value}
            same = {n: getattr(top, n) for n in ("density", "value", "points", "deviance", "df")}
            rows.append({"measure": measure, "start": start, "side": side} | same | names)
    return rows


def relations_table(games: pd.DataFrame) -> pd.DataFrame:
    """Return ln P / ln W and guesses / (2 (1 - W)) at each density; RELATION_COLUMNS.

    games: GAME_COLUMNS. Every game won without a guess is won, so that the covariance of the two
    shares is P (1 - W) / N.
    """
    rows = []
    row: Any
    own = games[(games["player"] == GUESSER) & (games["part"] == "games")]
    for row in own.itertuples():
        n, won, sure = row.games, row.wins, row.no_guess
        if min(won, sure, n - won, n - sure) < FEW:
            continue
        W, P, G = won / n, sure / n, row.guesses / n
        lost = 1 - W
        power = np.log(P) / np.log(W)
        var_w, var_p = lost / W / n, (1 - P) / P / n  # of the logarithms; their covariance is var_w
        power_se = np.sqrt(var_p + power**2 * var_w - 2 * power * var_w) / -np.log(W)
        ratio = G / (2 * lost)
        var_g = (row.guesses_squared / n - G**2) / n
        cov = (G * W - row.won_guesses / n) / n  # of guesses and losses
        spread = var_g / G**2 + W * lost / n / lost**2 - 2 * cov / (G * lost)
        head = {name: getattr(row, name) for name in ("start", "side", "mines", "density", "games")}
        rows.append(
            head
            | {"W": W, "P": P, "power": power, "power_se": power_se, "guesses": G}
            | {"ratio": ratio, "ratio_se": ratio * np.sqrt(max(spread, 0))}
        )
    table = pd.DataFrame(rows, columns=[*RELATION_COLUMNS])
    return check_table(table, RELATION_COLUMNS, "relations")


def zero_chance(cells: float, mines: float, neighbours: int) -> float:
    """Return the probability that a safe first cell shows 0; mines may be a fraction.

    All mines lie in the other cells; the neighbours are free of them one by one.
    """
    others = cells - 1
    free = others - mines - np.arange(neighbours)
    return float(np.prod(free / (others - np.arange(neighbours))))


def first_cells_table(sides: list[int]) -> pd.DataFrame:
    """Return where a safe first cell shows 0 in half of the games, exactly; FIRST_COLUMNS."""
    rows: list[tuple[str, int, int | None, float]] = []
    for place, near in PLACES.items():
        for side in sides:
            cells = int(side) ** 2

            def above(mines: float, cells: int = cells, near: int = near) -> float:
                return zero_chance(cells, mines, near) - 0.5

            half = optimize.brentq(above, 0, cells - 1 - near, xtol=1e-9)
            rows.append((place, near, int(side), half / cells))
        rows.append((place, near, None, 1 - 0.5 ** (1 / near)))
    table = pd.DataFrame(rows, columns=[*FIRST_COLUMNS]).astype({"side": "Int64"})
    return check_table(table, FIRST_COLUMNS, "first cells")
