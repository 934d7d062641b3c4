"""The density of W = 1/2 without a curve, and the counts that every estimate takes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import isotonic_regression

from msdensity.errors import InputError, real_array
from msdensity.stats.intervals import Estimate


def isotonic_crossing(
    density: ArrayLike,
    wins: ArrayLike,
    games: ArrayLike,
    *,
    replicates: int = 0,
    rng: np.random.Generator | None = None,
    confidence: float = 0.95,
) -> Estimate:
    """Return where the nearest falling sequence of win rates crosses 1/2, and its interval.

    density (in (0, 1), rising), wins, games: shape (n,), at all densities played. Straight lines
    join the points of the sequence. The interval holds the middle share `confidence` of bootstrap
    replicates (at least 2, with a generator), drawn from binomial distributions at the sequence; it
    is NaN without them, and everything is NaN if the rates do not cross 1/2. Raises InputError for
    counts out of range.
    """
    rho, won, played = check_counts(density, wins, games)
    sequence = _falling(won / played, played)
    best = _half(rho, sequence)
    if replicates < 2 or not np.isfinite(best):
        return Estimate(np.nan, best, np.nan)
    if rng is None:
        raise InputError("rng must be a numpy Generator if replicates is above 0")
    drawn = np.array(
        [
            _half(rho, _falling(sample, played), beyond=True)
            for sample in draw(rng, np.clip(sequence, 0, 1), played, replicates) / played
        ]
    )
    tail = (1 - confidence) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return Estimate(float(low), best, float(high))


def draw(
    rng: np.random.Generator,
    rate: NDArray[np.float64],
    games: NDArray[np.float64],
    replicates: int,
) -> NDArray[np.float64]:
    """Return wins, shape (replicates, n), of games (n,) won at rate (n,).

    The wins of a whole number of games are binomial; those of effective games, which are not whole,
    are normal with the same mean and variance, cut off at 0 and at all games.
    """
    shape = (replicates, len(games))
    if np.equal(games, np.round(games)).all():
        return rng.binomial(games.astype(np.int64), rate, shape).astype(float)
    spread = np.sqrt(games * rate * (1 - rate))
    return np.clip(games * rate + spread * rng.standard_normal(shape), 0, games)


class Points(NamedTuple):
    """Counts of games by density, arrays (n,); counts may be fractions (`effective_counts`)."""

    density: NDArray[np.float64]
    wins: NDArray[np.float64]
    games: NDArray[np.float64]


def check_counts(density: ArrayLike, wins: ArrayLike, games: ArrayLike) -> Points:
    """Return the three as arrays (n,); InputError unless rising in (0, 1) and counts in range."""
    given = ("density", density), ("wins", wins), ("games", games)
    rho, won, played = (real_array(name, values) for name, values in given)
    if rho.ndim != 1 or rho.shape != won.shape or rho.shape != played.shape or not len(rho):
        raise InputError(
            f"density has shape {rho.shape}, wins {won.shape} and games {played.shape}, "
            "must be one (n,)"
        )
    outside = ~((rho > 0) & (rho < 1))
    if outside.any():
        raise InputError(
            f"density={rho[outside][0]:g} must be in (0, 1): the number of mines over that of cells"
        )
    if (np.diff(rho) <= 0).any():
        at = int(np.argmax(np.diff(rho) <= 0))
        raise InputError(f"density={rho[at + 1]:g} must be above the one before it, {rho[at]:g}")
    if not (played > 0).all():
        raise InputError(f"games={played[~(played > 0)][:1]} must be above 0")
    wrong = ~((won >= 0) & (won <= played))
    if wrong.any():
        raise InputError(f"wins={won[wrong][0]:g} must be in 0..games={played[wrong][0]:g}")
    return Points(rho, won, played)


def _falling(rate: NDArray[np.float64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the falling sequence nearest to `rate` by weighted least squares."""
    return np.asarray(isotonic_regression(rate, weights=weight, increasing=False).x, float)


def _half(rho: NDArray[np.float64], rate: NDArray[np.float64], *, beyond: bool = False) -> float:
    """Return where a falling sequence crosses 1/2: the middle of a stretch at exactly 1/2.

    If it does not cross: NaN, or with `beyond` the end of the densities on that side.
    """
    above, below = np.flatnonzero(rate > 0.5), np.flatnonzero(rate < 0.5)
    level = rho[rate == 0.5]
    if len(level):
        return float((level[0] + level[-1]) / 2)
    if not len(above) or not len(below):
        if not beyond:
            return float("nan")
        return float(rho[0] if not len(above) else rho[-1])
    i, j = above[-1], below[0]
    share = (rate[i] - 0.5) / (rate[i] - rate[j])
    return float(rho[i] + share * (rho[j] - rho[i]))
