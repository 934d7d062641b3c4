"""The curve W = 2^-(r^(k + bend ln r)), r = rho / rho50, and how games tell of its parameters.

-ln W is a sum of powers of the density rho. So eta = ln(-ln W) is nearly a line in ln rho near
W = 1/2, and a parabola follows it closely: eta = ln ln 2 + k t + bend t^2 with t = ln r.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from msdensity.errors import InputError, number

HALF = float(np.log(np.log(2)))
"""eta where W = 1/2."""

ETA = (-35.0, 5.0)
"""exp(-exp(eta)) is 1 or 0 to rounding beyond these."""

MAX_K = 1e3
"""Steeper than any board: only a fit to separable points goes further."""

HALF_RATE = 0.5

RATES = (0.05, 0.95)
"""Lowest and highest win rate whose density can be measured."""

STEEPNESS = 4.0
"""k of win rates lies between 3.6 (8 x 8) and 4.4 (256 x 256)."""


def win_rate_curve(
    density: ArrayLike, rho50: float, k: float, bend: float = 0.0
) -> NDArray[np.float64]:
    """Return W of the curve, of the shape of density (at least 0); rho50, k above 0."""
    ratio = np.asarray(density, float) / rho50
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        eta = np.where(ratio > 0, (k + bend * np.log(ratio)) * np.log(ratio), -np.inf)
        return np.exp2(-np.exp(eta))


def information(
    density: NDArray[np.float64],
    games: NDArray[np.float64],
    rho50: float,
    k: float,
    bend: float = 0.0,
) -> NDArray[np.float64]:
    """Return the Fisher information on (rho50, k, bend) of games at densities, shape (3, 3)."""
    t = np.log(density / rho50)
    slope = k + 2 * bend * t
    mu = np.exp(np.clip(HALF + (k + bend * t) * t, *ETA))
    weight = games * mu**2 / np.expm1(mu)
    gradient = np.stack([-slope / rho50, t, t**2], 1)
    return np.asarray(gradient.T @ (weight[:, None] * gradient))


def density_window(
    rho50: float, k: float, rates: tuple[float, float] = (0.2, 0.8)
) -> tuple[float, float]:
    """Return the densities between which W lies within `rates`, on the curve of a pilot.

    rho50 in (0, 1) and k > 0 of the pilot, without a bend; rates: low < high in (0, 1). Take the
    pilot from games other than the fitted ones: a window from the fitted win rates keeps the points
    that chance has moved in and drops those that it has moved out. Raises InputError out of range.
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


def check_rate(rate: object) -> float:
    """Return a wanted win rate; InputError unless it is in RATES."""
    value = number("win_rate", rate)
    if not RATES[0] <= value <= RATES[1]:
        raise InputError(f"win_rate={value:g} must be in {RATES[0]}..{RATES[1]}")
    return value
