"""From the games of the study to the densities of each board."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from msdensity.files.tables import check_table
from msdensity.kernel.measures import MEASURES
from msdensity.stats.correction import correct
from msdensity.stats.logistic import curves, fit_critical_density
from msdensity.stats.rho50.fit_object import Rho50Fit
from msdensity.stats.rho50.measurement import NO_GUESS_WINS, WINS, fit_counts
from msdensity.studies.densities.columns import DENSITY_COLUMNS
from msdensity.studies.densities.settings import CRITICAL, NO_GUESS, RHO50, SEEDS

OUTCOMES = {RHO50: WINS, NO_GUESS: NO_GUESS_WINS}
"""What half the games end with, by density."""

NONE = "no two numbers of mines lie on both sides of 1/2"

HEAD = ("player", "first_click", "start", "kernel_version")


def density_table(games: pd.DataFrame, replicates: int = 200) -> pd.DataFrame:
    """Return the densities of each board (DENSITY_COLUMNS), by p and q.

    games: GAMES_COLUMNS; replicates: of the bootstrap of each P.
    """
    rows = [density_row(own, replicates) for _, own in games.groupby("board", sort=False)]
    table = pd.DataFrame(rows, columns=list(DENSITY_COLUMNS))
    table = table.sort_values(["p", "q"], ignore_index=True)
    return check_table(table, DENSITY_COLUMNS, "densities")


def density_row(games: pd.DataFrame, replicates: int = 200) -> dict[str, Any]:
    """Return the densities of one board: a row of DENSITY_COLUMNS. games: its GAMES_COLUMNS."""
    first: Any = games.iloc[0]
    row = {name: first[name] for name in ("board", "p", "q", *HEAD)}
    row |= {"seed": first["seed"] - SEEDS[first["density_of"]]}
    notes = []
    halves = {
        density: half(games[games["density_of"] == density], outcome)
        for density, outcome in OUTCOMES.items()
    }
    for density, fit in halves.items():
        value, error = (fit.rho50, fit.error) if fit else (np.nan, np.nan)
        row |= {density: value, f"{density}_se": error}
        texts = [*fit.notes, *[fit.no_fit] * bool(fit.no_fit)] if fit else [NONE]
        notes += [f"{density}: {text}" for text in texts]
    curve = corrected(games[games["density_of"] == CRITICAL])
    ((_, curve, rng),) = curves(curve)
    critical = fit_critical_density(curve, replicates=replicates, rng=rng)
    notes += [f"P: {text}" for text in critical.warnings()]
    P, P_se = (critical.results()[name] for name in ("P", "Q_sd"))
    row |= {"P": P, "P_se": P_se}
    fall = halves[RHO50]
    if fall and not fall.no_fit and P > 0:
        slope = (fall.predict(P * 1.001) - fall.predict(P * 0.999)) / 0.002
        row |= {"k": fall.k, "k_se": fall.errors["k"], "P_win_rate": float(fall.predict(P))}
        row["P_win_rate_se"] = float(np.hypot(fall.predict_error(P), slope * P_se / P))
    return row | {"games": int(games["games"].sum()), "note": "; ".join(notes)}


def squares_of(table: pd.DataFrame) -> pd.DataFrame:
    """Return the q x q boards of a table of densities, by q; none with another topology."""
    plain = table["board"].str.fullmatch(r"\d+x\d+")
    return table[plain & (table["p"] == table["q"])].sort_values("q")


def corrected(curve: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a curve, by mines, with the W-correction; m may have gaps."""
    ordered = curve.sort_values("mines")
    rates, rule = correct(ordered["density"], ordered["win_rate"])
    return ordered.assign(win_rate_corrected=rates, correction_rule=rule)


def half(games: pd.DataFrame, outcome: str) -> Rho50Fit | None:
    """Return the fit of the density at which half the games end with an outcome.

    games: GAMES_COLUMNS of one board; without rows, where a pilot found no such density, None.
    """
    if not len(games):
        return None
    ordered = games.sort_values("mines")
    first: Any = ordered.iloc[0]
    counts = {
        int(row["mines"]): {name: int(row[name]) for name in ("games", *MEASURES)}
        for row in ordered.to_dict("records")
    }
    window = first["window_low"], first["window_high"]
    return fit_counts(counts, int(first["p"] * first["q"]), window, outcome).best
