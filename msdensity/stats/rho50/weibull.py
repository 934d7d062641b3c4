"""The curve W = 2^-((rho / rho50)^k) and its binomial likelihood.

-ln W is a sum of powers of the density rho, so that near W = 1/2 it is close to a single power.
With eta = ln(-ln W) = alpha + k ln rho the curve is linear: a binomial regression of losses with
the complementary log-log link, in which rho50 = (ln 2 / e^alpha)^(1/k). The logarithm of its
likelihood is concave in (alpha, k), so that a maximum is the only one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from msdensity.errors import InputError

HALF = float(np.log(np.log(2)))
"""eta where W = 1/2."""

MAX_K = 1e3
"""Steeper than any board: only a fit to separable points goes further."""

STEEPNESS = 4.0
"""k of Weibull curves of win rates lies between 3.6 (8 x 8) and 4.4 (256 x 256)."""

_STEPS = 60

_ETA = (-35.0, 5.0)
"""exp(-exp(eta)) is 1 or 0 to rounding beyond these."""


def win_rate_curve(density: ArrayLike, rho50: float, k: float) -> NDArray[np.float64]:
    """Return 2^-((density / rho50)^k), of the shape of density (at least 0); rho50, k above 0."""
    return np.exp2(-((np.asarray(density, float) / rho50) ** k))


def density_window(
    rho50: float, k: float, rates: tuple[float, float] = (0.2, 0.8)
) -> tuple[float, float]:
    """Return the densities between which W lies within `rates`, on the curve of a pilot.

    rho50 in (0, 1) and k > 0 of the pilot; rates: low < high in (0, 1). Take the pilot from games
    other than the fitted ones: a window from the fitted win rates keeps the points that chance has
    moved in and drops those that it has moved out. Raises InputError out of range.
    """
    check_curve(rho50, k)
    low, high = rates
    if not 0 < low < high < 1:
        raise InputError(f"rates={rates} must be two rising values in (0, 1)")
    return (
        float(rho50 * (-np.log2(high)) ** (1 / k)),
        float(min(rho50 * (-np.log2(low)) ** (1 / k), 1)),
    )


def check_curve(rho50: float, k: float) -> None:
    """Raise InputError unless rho50 is in (0, 1) and k in (0, MAX_K)."""
    if not 0 < rho50 < 1:
        raise InputError(f"rho50={rho50} must be in (0, 1)")
    if not 0 < k < MAX_K:
        raise InputError(f"k={k} must be in (0, {MAX_K:g})")


def maximise(
    x: NDArray[np.float64],
    wins: NDArray[np.float64],
    games: NDArray[np.float64],
    start: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return (alpha, k) of many samples at once, shape (n, 2), and which have converged, (n,).

    x: ln density, (points,); wins, games: (n, points); start: (alpha, k) near every answer. It is
    the iteration of GLM in statsmodels (Fisher scoring), which takes 2 ms for each sample.
    """
    values = np.tile(start, (len(wins), 1))
    converged = np.zeros(len(wins), bool)
    for _ in range(_STEPS):
        slope, weight = _score(values[:, :1] + values[:, 1:] * x, wins, games)
        a, b, c = weight.sum(1), weight @ x, weight @ x**2
        u, v = slope.sum(1), slope @ x
        with np.errstate(divide="ignore", invalid="ignore"):
            step = np.stack([c * u - b * v, a * v - b * u], 1) / (a * c - b * b)[:, None]
        step = np.clip(np.nan_to_num(step), -5, 5)
        values += step
        converged = (np.abs(step) < 1e-9 * (1 + np.abs(values))).all(1)
        if converged.all():
            break
    return values, converged & (values[:, 1] > 0) & (values[:, 1] < MAX_K)


def profile(
    x: NDArray[np.float64], wins: NDArray[np.float64], games: NDArray[np.float64], centre: float
) -> float:
    """Return the maximum log likelihood over k with ln rho50 fixed at `centre`.

    x: ln density, wins, games: shape (points,). The slope in k falls, so its root can be bracketed.
    """
    low, high, k = 0.0, MAX_K, 4.0
    distance = x - centre
    for _ in range(_STEPS):
        slope, weight = _score(HALF + k * distance, wins, games)
        total, curvature = float(slope @ distance), float(weight @ distance**2)
        low, high = (k, high) if total > 0 else (low, k)
        after = k + total / curvature if curvature > 0 else np.inf
        if not low < after < high:
            after = (low + high) / 2
        if abs(after - k) <= 1e-8 * (1 + k):
            break
        k = after
    return log_likelihood(HALF + k * distance, wins, games)


def log_likelihood(
    eta: NDArray[np.float64], wins: NDArray[np.float64], games: NDArray[np.float64]
) -> float:
    """Return the log likelihood of counts at eta = ln(-ln W), without binomial coefficients."""
    mu = np.exp(np.clip(eta, *_ETA))
    return float(-wins @ mu + (games - wins) @ np.log(-np.expm1(-mu)))


def _score(
    eta: NDArray[np.float64], wins: NDArray[np.float64], games: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return slope and expected curvature of the log likelihood in eta, point by point."""
    mu = np.exp(np.clip(eta, *_ETA))
    odds = mu / np.expm1(mu)  # mu W / (1 - W)
    return (games - wins) * odds - wins * mu, games * mu * odds
