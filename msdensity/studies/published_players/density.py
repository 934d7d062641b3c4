"""How much critical density each player reaches: P and rho50 of square boards."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from msdensity.errors import InputError
from msdensity.stats.logistic import fits_table
from msdensity.studies.published_players.columns import CROSSING_COLUMNS


def density_table(curves: pd.DataFrame, replicates: int) -> pd.DataFrame:
    """Return P and rho50 of every curve: FIT_COLUMNS and CROSSING_COLUMNS.

    curves: CORRECTED_COLUMNS. P is from the fit of 001 (`fit_critical_density`), rho50 from
    `crossing`. Both errors are from `replicates` binomial bootstraps, seeded by board and player.
    """
    fits = fits_table(curves, replicates)
    rows: list[list[float]] = []
    row: Any
    for row in fits.itertuples():
        own = curves[(curves["board"] == row.board) & (curves["player"] == row.player)]
        own = own.sort_values("mines")
        key = hashlib.blake2b(f"{row.board} {row.player} rho50".encode(), digest_size=8).digest()
        rng = np.random.default_rng(int.from_bytes(key))
        rows.append(list(rho50(own["density"], own["wins"], own["games"], replicates, rng)))
    return fits.join(pd.DataFrame(rows, columns=list(CROSSING_COLUMNS)))


def crossing(density: ArrayLike, win_rate: ArrayLike) -> NDArray[np.float64]:
    """Return the density at which the win rate first falls below 1/2, by linear interpolation.

    density: shape (n,), increasing in (0, 1); win_rate: shape (..., n), in 0 .. 1, raw. The point
    (0, 1), no mines, is added. Only the first crossing counts: at the other end the first click is
    the only safe cell, and every game is won again. NaN where there is none; the shape is (...).
    """
    rho = np.r_[0.0, np.asarray(density, float)]
    rate = np.asarray(win_rate, float)
    if rate.shape[-1] != len(rho) - 1 or (np.diff(rho) <= 0).any():
        raise InputError(
            f"density of shape {(len(rho) - 1,)} must increase and fit win_rate {rate.shape}"
        )
    if not ((rate >= 0) & (rate <= 1)).all():
        raise InputError("win_rate must be in 0..1")
    rate = np.concatenate([np.ones((*rate.shape[:-1], 1)), rate], axis=-1)
    below = rate < 0.5
    at = below.argmax(axis=-1)
    last = np.maximum(at, 1)
    high = np.take_along_axis(rate, last[..., None] - 1, -1)[..., 0]
    low = np.take_along_axis(rate, last[..., None], -1)[..., 0]
    with np.errstate(invalid="ignore", divide="ignore"):  # where there is none: NaN below
        found = rho[last - 1] + (rho[last] - rho[last - 1]) * (high - 0.5) / (high - low)
    return np.where(below.any(axis=-1), found, np.nan)


def rho50(
    density: ArrayLike,
    wins: ArrayLike,
    games: ArrayLike,
    replicates: int,
    rng: np.random.Generator,
) -> tuple[float, float, float, float]:
    """Return `crossing`, its bootstrap standard deviation and 95 % interval (CROSSING_COLUMNS).

    density, wins, games: shape (n,). The bootstrap draws wins binomially at the raw win rate; the
    three errors are NaN if fewer than two replicates cross.
    """
    won, played = np.asarray(wins, np.int64), np.asarray(games, np.int64)
    value = float(crossing(density, won / played))
    drawn = crossing(density, rng.binomial(played, won / played, (replicates, len(won))) / played)
    drawn = drawn[np.isfinite(drawn)]
    if len(drawn) < 2 or not np.isfinite(value):
        return value, np.nan, np.nan, np.nan
    low, high = np.quantile(drawn, [0.025, 0.975])
    return value, float(drawn.std(ddof=1)), float(low), float(high)
