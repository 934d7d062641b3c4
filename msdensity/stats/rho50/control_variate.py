"""Variance-reduced win rates from guesses whose safety is known exactly.

A guess of a cell with safety s adds (1{safe} - s) (u / U)^k to Z_k of its game, k = 0, 1, 2 (u:
safe cells still closed, U: all safe cells). If every safety is right, the mean of Z_k is 0. So a
regression of 1{win} on Z reduces the variance of the win rate W at no cost, and the measured mean
of Z_0 tests every safety that the player has stated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import norm

from msdensity.errors import InputError
from msdensity.kernel.measures import PRODUCT_SCALE, Z_SCALE
from msdensity.stats.intervals import Estimate

MIN_OUTCOMES = 30
"""With fewer wins or losses a regression on three variables fits their noise."""

ALARM = 4.0
"""A mean of Z_0 this many standard errors from 0 means a wrong safety: about 1e-4 by chance."""

MIN_LOSSES = 300
"""Least number of lost guesses, and of survived ones, expected by the stated safeties. With fewer
the sum of Z_0 is too skewed for ALARM; that of a Poisson variable of mean 300 hardly is."""


@dataclass(frozen=True, eq=False)
class ReducedRate:
    """A win rate with the control variate and without.

    rate: reduced estimate with a normal interval, its ends cut off at 0 and 1; error: its standard
    error; plain, plain_error: wins over games and its standard error; gain: variance ratio plain
    over reduced: the plain rate needs this many times the games. coefficients: of Z_0, Z_1, Z_2,
    shape (3,), 0 for one that never varies; mean_z: mean of Z_0; z: mean_z in standard errors, NaN
    without a guess. own: whether the coefficients come from these games; tested: whether there are
    enough guesses for a normal z (MIN_LOSSES); note: what is unusual about the estimate, else
    empty.
    """

    games: int
    wins: int
    rate: Estimate
    error: float
    plain: float
    plain_error: float
    gain: float
    coefficients: NDArray[np.float64] = field(repr=False)
    mean_z: float
    z: float
    own: bool
    tested: bool
    note: str

    @property
    def safeties_wrong(self) -> bool:
        """Whether the mean of Z_0 is too far from 0 for chance; False if not `tested`."""
        return self.tested and abs(self.z) > ALARM

    def report(self) -> str:
        """Return the estimate in words, with the test of the safeties."""
        lines = [
            f"W = {self.rate.best:.5f} +- {self.error:.2g} ({self.plain:.5f} +- "
            f"{self.plain_error:.2g} from {self.wins:,} wins in {self.games:,} games alone), "
            f"variance / {self.gain:.2f}",
            f"mean of Z_0 {self.mean_z:.2g}, z = {self.z:.2f}",
        ]
        if self.safeties_wrong:
            lines.append(f"warning: |z| is above {ALARM:g}: a safety is wrong")
        if self.note:
            lines.append(f"warning: {self.note}")
        return "\n".join(lines)


def reduce_variance(
    games: int,
    wins: int,
    z: ArrayLike,
    products: ArrayLike,
    win_z: ArrayLike,
    *,
    coefficients: ArrayLike | None = None,
    confidence: float = 0.95,
    guesses: int | None = None,
) -> ReducedRate:
    """Return the reduced win rate from sums over games.

    games (at least 2), wins (0..games); z: sums of Z_k, shape (3,); products: sums of Z_j Z_k,
    shape (3, 3), symmetric; win_z: sums of Z_k over games won, shape (3,). All are additive, so add
    up batches first. coefficients: of a neighbouring number of mines, shape (3,), used if there are
    fewer than 30 wins or losses; without them the plain rate is returned with a note. guesses: in
    the games, which decides whether z is `tested` (None: one in each game). Raises InputError out
    of these ranges. The estimate itself may lie outside 0..1 by chance.
    """
    if games < 2:
        raise InputError(f"games={games} must be at least 2")
    if not 0 <= wins <= games:
        raise InputError(f"wins={wins} must be in 0..games={games}")
    if not 0 < confidence < 1:
        raise InputError(f"confidence={confidence} must be between 0 and 1")
    mean = _array("z", z, (3,)) / games
    square: NDArray[np.float64] = _array("products", products, (3, 3)) / games
    if not np.allclose(square, square.T, rtol=1e-9, atol=1e-12):
        raise InputError(f"products={square.tolist()} must be symmetric")
    if (np.diag(square) < 0).any():
        raise InputError(f"products={square.tolist()} must have sums of squares of at least 0")
    both = _array("win_z", win_z, (3,)) / games

    plain = wins / games
    variance = plain * (1 - plain)
    spread = square - np.outer(mean, mean)
    shared = both - plain * mean
    few = min(wins, games - wins) < MIN_OUTCOMES
    note = ""
    slopes, rank, leverage = np.zeros(3), 0, 0.0
    if not few:
        slopes, rank, leverage = _regress(spread, shared, mean)
    elif coefficients is not None:
        slopes = _array("coefficients", coefficients, (3,))
        note = f"coefficients of a neighbour: fewer than {MIN_OUTCOMES} wins or losses"
    else:
        note = f"plain rate: fewer than {MIN_OUTCOMES} wins or losses and no coefficients given"
    left = float(variance - 2 * slopes @ shared + slopes @ spread @ slopes)
    # Each fitted coefficient costs a degree of freedom, and its error is multiplied by the mean.
    error = float(np.sqrt(max(left, 0.0) / max(games - 1 - rank, 1) * (1 + leverage)))
    plain_error = float(np.sqrt(variance / (games - 1)))
    best = float(plain - slopes @ mean)
    reach = float(norm.ppf((1 + confidence) / 2)) * error
    z_error = float(np.sqrt(max(spread[0, 0], 0.0) / (games - 1)))
    return ReducedRate(
        int(games),
        int(wins),
        Estimate(float(np.clip(best - reach, 0, 1)), best, float(np.clip(best + reach, 0, 1))),
        error,
        plain,
        plain_error,
        (plain_error / error) ** 2 if error > 0 else 1.0,
        slopes,
        float(mean[0]),
        float(mean[0]) / z_error if z_error > 0 else float("nan"),
        not few,
        enough_to_test(games, wins, games if guesses is None else guesses, float(mean[0]) * games),
        note,
    )


def enough_to_test(games: int, wins: int, guesses: int, z0: float) -> bool:
    """Return whether there are enough guesses to test their safeties; z0: the sum of Z_0.

    By the stated safeties, games - wins + z0 lost guesses are expected; this number does not depend
    on chance in the outcomes.
    """
    lost = games - wins + z0
    return min(lost, guesses - lost) >= MIN_LOSSES


def reduced_win_rate(
    row: Mapping[str, int],
    *,
    coefficients: ArrayLike | None = None,
    confidence: float = 0.95,
) -> ReducedRate:
    """Return the reduced win rate of a row of counts: `games` and the measures with their names.

    row: also has `wins`, `z*`, `z*_z*` and `win_z*`, in the units of `msdensity.kernel.measures`;
    InputError if one is missing, and as by `reduce_variance`. `guesses` may be missing.
    """
    pairs = [[f"z{min(i, j)}_z{max(i, j)}" for j in range(3)] for i in range(3)]
    needed = ["games", "wins", *(f"z{i}" for i in range(3)), *(f"win_z{i}" for i in range(3))]
    needed += [name for names in pairs for name in names]
    for name in needed:
        if name not in row:
            raise InputError(f"row lacks the measure {name!r}; must have {', '.join(needed)}")
    return reduce_variance(
        int(row["games"]),
        int(row["wins"]),
        np.array([row[f"z{i}"] for i in range(3)], float) / Z_SCALE,
        np.array([[row[name] for name in names] for names in pairs], float) / PRODUCT_SCALE,
        np.array([row[f"win_z{i}"] for i in range(3)], float) / PRODUCT_SCALE,
        coefficients=coefficients,
        confidence=confidence,
        guesses=int(row["guesses"]) if "guesses" in row else None,
    )


def effective_counts(
    win_rate: ArrayLike, error: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the (wins, games), as fractions, whose win rates have these standard errors.

    win_rate in (0, 1) and error above 0 have one shape, and so has the result: W (1 - W) / error^2
    games. A fit that takes counts takes these. Raises InputError out of range.
    """
    rate, spread = np.asarray(win_rate, float), np.asarray(error, float)
    if rate.shape != spread.shape:
        raise InputError(f"win_rate has shape {rate.shape} and error {spread.shape}, must be one")
    wrong = ~((rate > 0) & (rate < 1))
    if wrong.any():
        raise InputError(f"win_rate={rate[wrong][0]:g} must be in (0, 1)")
    wrong = ~(np.isfinite(spread) & (spread > 0))
    if wrong.any():
        raise InputError(f"error={spread[wrong][0]:g} must be above 0")
    games = rate * (1 - rate) / spread**2
    return rate * games, games


_SINGULAR = 1e-9


def _regress(
    spread: NDArray[np.float64], shared: NDArray[np.float64], mean: NDArray[np.float64]
) -> tuple[NDArray[np.float64], int, float]:
    """Return least-squares coefficients, how many of them the games determine, and the leverage.

    The leverage is the variance that their error adds at this mean of the variables, as a share of
    the residual variance.

    With one guess a game, always at the same moment, the three variables are equal up to a factor:
    of many solutions the smallest is returned. Variables are scaled first, because Z_2 is far
    smaller than Z_0.
    """
    scale = np.sqrt(np.maximum(np.diag(spread), 0))
    if not (scale > 0).any():
        return np.zeros(3), 0, 0.0
    scale[scale == 0] = np.inf
    scaled = spread / np.outer(scale, scale)
    answer, _, rank, _ = np.linalg.lstsq(scaled, shared / scale, rcond=_SINGULAR)
    inverse = np.linalg.pinv(scaled, rcond=_SINGULAR)
    leverage = float((mean / scale) @ inverse @ (mean / scale))
    return np.asarray(answer / scale, float), int(rank), leverage


def _array(name: str, values: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
    array = np.asarray(values, float)
    if array.shape != shape:
        raise InputError(f"{name} has shape {array.shape}, must be {shape}")
    if not np.isfinite(array).all():
        raise InputError(f"{name}={array.tolist()} must be finite")
    return array
