"""Win rates and guesses at low density beside the law of unavoidable guesses."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from msdensity.errors import InputError
from msdensity.files.tables import check_table
from msdensity.stats.law import (
    LARGEST_SIDE,
    SMALLEST_SIDE,
    expected_guesses,
    minus_log_win_rate,
)
from msdensity.stats.rho50.control_variate import effective_counts
from msdensity.studies.asymptotics.columns import (
    FIXED_COLUMNS,
    GLM_COLUMNS,
    GUESS_COLUMNS,
    RISE_COLUMNS,
)
from msdensity.studies.asymptotics.fixed_density import fit_fixed_density
from msdensity.studies.asymptotics.results import BOARD, SERIES, checked
from msdensity.studies.asymptotics.settings import Settings
from msdensity.studies.asymptotics.terms import LAW_COLUMNS, law_rows, scan_law
from msdensity.studies.asymptotics.walled import walled_in


def law_counts(games: pd.DataFrame, counts: str) -> pd.DataFrame:
    """Return what `fit_law` takes, from GAMES_COLUMNS; counts: `plain` or `reduced`.

    Reduced win rates count as the games that would give them their errors; those that rest on too
    few losses stay plain.
    """
    if counts not in ("plain", "reduced"):
        raise InputError(f"counts={counts!r} must be plain or reduced")
    table = games.assign(start=games["rule"])[list(LAW_COLUMNS)].copy()
    if counts == "plain":
        return table
    usable = ((games["gain"] > 1) & games["reduced"].between(0, 1, inclusive="neither")).to_numpy()
    wins, played = effective_counts(
        games.loc[usable, "reduced"].to_numpy(), games.loc[usable, "reduced_se"].to_numpy()
    )
    table[["wins", "games"]] = table[["wins", "games"]].astype(float)
    table.loc[usable, "wins"] = wins
    table.loc[usable, "games"] = played
    return table


def glm_table(low_density: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return the coefficients of the law for every limit of density and side (GLM_COLUMNS).

    low_density: GAMES_COLUMNS.
    """
    plan = settings.low_density
    densities = sorted({*plan.densities, plan.highest})
    sides = sorted({*low_density[["p", "q"]].min(axis=1).unique().tolist(), plan.smallest})
    # At least three sizes, because the terms differ in how they grow.
    sides = [side for side in sides if side == plan.smallest or plan.smallest < side <= sides[-3]]
    parts = []
    for counts in ("plain", "reduced"):
        table = law_counts(low_density, counts)
        for orders in ("next", "leading"):
            few = [rho for rho in densities if len(law_rows(table, rho, plan.smallest)) > 8]
            scan = scan_law(
                table, few, sides, next_orders=orders == "next", fixed_mines=True
            ).assign(counts=counts, orders=orders)
            parts.append(scan[scan["value"].notna()])
    table = pd.concat(parts, ignore_index=True)
    main = (table["highest_density"] == plan.highest) & (table["smallest_side"] == plan.smallest)
    table["main"] = main.astype(int)
    return check_table(table[list(GLM_COLUMNS)], GLM_COLUMNS, "regressions")


FIXED_MODELS = {
    "square8": (("A + B q + C q²", False),),
    "torus8": (("A + C q²", True), ("C q²", False)),
}
"""Topology -> the models of -ln W at one density: a name, and whether a torus has an A."""


def fixed_table(low_density: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return -ln W = A + B q + C q^2 at every fixed density (FIXED_COLUMNS), on reduced counts."""
    counts = law_counts(low_density, "reduced").assign(mines=low_density["mines"])
    rows: list[dict[str, Any]] = []
    for (rule, topology), density, here in _at_fixed_densities(low_density, settings):
        for model, walled in FIXED_MODELS[topology]:
            own = counts[here]
            if len(own) <= model.count("+") + 1:
                continue
            fit = fit_fixed_density(
                density,
                own["q"],
                own["mines"],
                own["wins"],
                own["games"],
                rule,
                topology,
                fixed_mines=True,
                walled_in=walled,
            )
            for i, (term, value) in enumerate(fit.values.items()):
                error = fit.errors[term]
                rows.append(
                    {
                        "rule": rule,
                        "topology": topology,
                        "density": density,
                        "model": model,
                        "boards": len(own),
                        "q_max": int(own["q"].max()),
                        "term": term,
                        "value": value,
                        "error": error,
                        "law": float(fit.law[i]),
                        "above_0": value / error,
                        "z": float(fit.z[i]),
                        "deviance": fit.deviance,
                        "df": fit.df,
                        "p_value": fit.p_value,
                    }
                )
    return checked(rows, FIXED_COLUMNS, "fixed densities")


def rise_table(low_density: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return -ln W on the smallest and largest square of each fixed density (RISE_COLUMNS).

    From reduced win rates; boards that were always or never won are left out.
    """
    rows: list[dict[str, Any]] = []
    for (rule, topology), density, here in _at_fixed_densities(low_density, settings):
        own = low_density[here & low_density["reduced"].between(0, 1, inclusive="neither")]
        own = own[own["wins"].between(1, own["games"] - 1)].sort_values("q")
        if len(own) < 2:
            continue
        q, value = own["q"].to_numpy(), -np.log(own["reduced"].to_numpy())
        error = own["reduced_se"].to_numpy() / own["reduced"].to_numpy()
        law = [
            float(minus_log_win_rate((side, side), rho, rule, topology, fixed_mines=True))
            for side, rho in zip(q, own["density"], strict=True)
        ]
        rise, spread = value[-1] - value[0], math.hypot(error[-1], error[0])
        rows.append(
            {
                "rule": rule,
                "topology": topology,
                "density": density,
                "q_low": int(q[0]),
                "q_high": int(q[-1]),
                "low": value[0],
                "low_error": error[0],
                "high": value[-1],
                "high_error": error[-1],
                "rise": rise,
                "error": spread,
                "z": rise / spread,
                "law": law[-1] - law[0],
                "half": half_side(density, rule, topology),
            }
        )
    return checked(rows, RISE_COLUMNS, "rises")


def half_side(density: float, start: str, topology: str) -> float:
    """Return the side of the square on which W = 1/2 by the law at a density, without lines."""

    def excess(size: float) -> float:
        shape = (math.exp(size), math.exp(size))
        return float(minus_log_win_rate(shape, density, start, topology)) - math.log(2)

    ends = (math.log(SMALLEST_SIDE + 1e-6), math.log(LARGEST_SIDE - 1))
    return math.exp(ends[0] if excess(ends[0]) > 0 else brentq(excess, *ends))


def _at_fixed_densities(
    low_density: pd.DataFrame, settings: Settings
) -> Iterator[tuple[tuple[str, str], float, pd.Series]]:
    """Yield each series with each fixed density and which rows are its squares.

    Those with a side below `smallest` are left out: their lines across are no power of the side.
    """
    square = low_density["p"] == low_density["q"]
    square &= low_density["q"] >= settings.low_density.smallest
    for rule, topology in SERIES:
        here = (low_density["rule"] == rule) & (low_density["topology"] == topology) & square
        for density in settings.low_density.fixed:
            away = (low_density["mines"] - density * low_density["q"] ** 2).abs()
            # 1e-9: half a mine may be an ulp more.
            yield (rule, topology), density, here & (away <= 0.5 + 1e-9)


def guess_table(low_density: pd.DataFrame) -> pd.DataFrame:
    """Return games without a guess beside W^2, and guesses beside -2 ln W (GUESS_COLUMNS).

    low_density: GAMES_COLUMNS; those of the zero start are used, because at the corner the first
    guess is no 50:50.
    """
    rows: list[dict[str, Any]] = []
    row: Any
    for row in low_density[low_density["rule"] == "zero"].itertuples():
        n, W = row.games, row.wins / row.games
        if W == 0:
            continue
        free, guesses = row.no_guess_wins / n, row.guesses / n
        # A game without a guess is a game won: the two shares go together.
        both = free - free * W
        variance = free * (1 - free) + 4 * W**3 * (1 - W) - 4 * W * both
        error = math.sqrt(max(variance, 0) / n)
        shape = (row.p, row.q)
        law = expected_guesses(shape, row.density, row.rule, row.topology)
        rows.append(
            {name: getattr(row, name) for name in (*BOARD, "mines", "density", "games")}
            | {
                "no_guess": free,
                "win_squared": W**2,
                "difference_se": error,
                "no_guess_z": (free - W**2) / error if error > 0 else np.nan,
                "guesses": guesses,
                "guesses_se": math.sqrt(max(row.guesses_squared / n - guesses**2, 0) / n),
                "twice_log": -2 * math.log(W),
                "twice_log_se": 2 * math.sqrt((1 - W) / W / n),
                "law_guesses": float(law),
                "walled": walled_in(row.p * row.q, row.mines),
            }
        )
    return checked(rows, GUESS_COLUMNS, "guesses")
