"""From the games of the study to the densities of each board."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from msdensity.files.tables import check_table
from msdensity.kernel.measures import MEASURES
from msdensity.stats.correction import correct
from msdensity.stats.logistic import curves, fit_critical_density
from msdensity.stats.rho50.fit_object import SMALL_BOARD
from msdensity.stats.rho50.measurement import NO_GUESS_WINS, WINS, fit_counts
from msdensity.studies.densities.columns import DENSITY_COLUMNS
from msdensity.studies.densities.settings import CRITICAL, NO_GUESS, RHO50, SEEDS

OUTCOMES = {RHO50: WINS, NO_GUESS: NO_GUESS_WINS}
"""What half the games end with, by density."""

FEW = "a line between two numbers of mines"

HEAD = ("player", "first_click", "start", "kernel_version")


def by_line(p: int, q: int) -> bool:
    """Whether a line between two numbers of mines gives a density of 1/2, for want of a curve.

    A small board has few numbers of mines near 1/2, and on 2 x q the win rate jumps.
    """
    return p * q < SMALL_BOARD or min(p, q) <= 2


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
    for density, outcome in OUTCOMES.items():
        value, error, note = half(games[games["density_of"] == density], outcome)
        row |= {density: value, f"{density}_se": error}
        notes += [f"{density}: {note}"] * bool(note)
    curve = corrected(games[games["density_of"] == CRITICAL])
    ((_, curve, rng),) = curves(curve)
    fit = fit_critical_density(curve, replicates=replicates, rng=rng)
    notes += [f"P: {text}" for text in fit.warnings()]
    row |= {"P": fit.results()["P"], "P_se": fit.results()["Q_sd"]}
    return row | {"games": int(games["games"].sum()), "note": "; ".join(notes)}


def corrected(curve: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a curve, by mines, with the W-correction; m may have gaps."""
    ordered = curve.sort_values("mines")
    rates, rule = correct(ordered["density"], ordered["win_rate"])
    return ordered.assign(win_rate_corrected=rates, correction_rule=rule)


def half(games: pd.DataFrame, outcome: str) -> tuple[float, float, str]:
    """Return the density at which half the games end with an outcome, its error, and a note.

    games: GAMES_COLUMNS of one board; no rows where a pilot found no such density. Where
    `by_line` is false a local logit crosses 1/2, of the reduced rates where there are any, because
    a Weibull curve does not fit them.
    """
    if not len(games):
        return np.nan, np.nan, "no two numbers of mines lie on both sides of 1/2"
    ordered = games.sort_values("mines")
    first: Any = ordered.iloc[0]
    p, q = int(first["p"]), int(first["q"])
    if by_line(p, q):
        return (*between(ordered["density"], ordered[outcome], ordered["games"]), FEW)
    counts = {
        int(row["mines"]): {name: int(row[name]) for name in ("games", *MEASURES)}
        for row in ordered.to_dict("records")
    }
    fit = fit_counts(counts, p * q, (first["window_low"], first["window_high"]), outcome).best
    return fit.logit.rho50, fit.logit.error, "; ".join(fit.notes)


def between(density: pd.Series, wins: pd.Series, games: pd.Series) -> tuple[float, float]:
    """Return where the first line between neighbours that falls through 1/2 crosses it.

    density: rising. Also returns the standard error; NaN if no line does.
    """
    rho, n = density.to_numpy(float), games.to_numpy(float)
    rate = wins.to_numpy(float) / n
    falls = np.flatnonzero((rate[:-1] >= 0.5) & (rate[1:] < 0.5))
    if not len(falls):
        return np.nan, np.nan
    i = falls[0]
    step, fall = rho[i + 1] - rho[i], rate[i] - rate[i + 1]
    crossing = rho[i] + step * (rate[i] - 0.5) / fall
    variance = (rate * (1 - rate) / n)[i : i + 2]
    slopes = np.array([0.5 - rate[i + 1], rate[i] - 0.5]) * step / fall**2
    return float(crossing), float(np.sqrt(slopes**2 @ variance))
