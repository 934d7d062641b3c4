"""Any win rate by the estimator of 1/2: a power of W is 1/2 where W is the wanted rate.

With a = ln 2 / -ln w, W^a is 1/2 where W = w. ln(-ln W^a) is ln(-ln W) + ln a, so that W^a follows
the curve of rho50 (`curve`) if W does: at the density of win rate w instead of rho50, with k and
bend there. A rate W of n games, W^a and its error by the delta method are the same to that curve.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from msdensity.stats.rho50.design import NARROW, WIDE, Design

PLAYED_RATES = (0.02, 0.98)
"""Beyond these a few hundred games are nearly all lost, or nearly all won."""


NEAR = (0.01, 0.99)
"""A power beyond these is left out: the delta method does not hold there, and a rate that is small
by chance would get nearly all the weight. A design plans powers from .2 to .8."""


def exponent(rate: float) -> float:
    """Return a, with rate^a = 1/2."""
    return float(np.log(2) / -np.log(rate))


def powered(
    win_rate: ArrayLike, error: ArrayLike, rate: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return W^a and its standard error of win rates W in (0, 1), for a wanted rate."""
    a, W = exponent(rate), np.asarray(win_rate, float)
    return W**a, a * W ** (a - 1) * np.asarray(error, float)


def unpowered(
    power: ArrayLike, error: ArrayLike, rate: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return W and its standard error of powers W^a, for a wanted rate; the way back."""
    b, V = 1 / exponent(rate), np.asarray(power, float)
    return V**b, b * V ** (b - 1) * np.asarray(error, float)


def cost(rate: float) -> float:
    """Return how many games at this rate tell as much as one at 1/2 does, about: 1 at 1/2."""
    return exponent(rate) ** 2 * (1 - rate) / rate


def powered_window(rate: float, relative_error: float, fine: float) -> tuple[float, float]:
    """Return the powers W^a between which games are played: WIDE or NARROW within PLAYED_RATES.

    relative_error: wanted error over density; below `fine` the narrower window is taken.
    """
    low, high = NARROW if relative_error < fine else WIDE
    a = exponent(rate)
    return max(low, PLAYED_RATES[0] ** a), min(high, PLAYED_RATES[1] ** a)


def as_played(planned: Design, rate: float) -> Design:
    """Return a design of games that tell of W^a as one of games that tell of W, with its cost.

    A game tells less of W^a than a game won at the rate W^a would.
    """
    a, V = exponent(rate), planned.rates
    W = V ** (1 / a)
    factor = a**2 * V**2 * (1 - W) / (W * V * (1 - V))
    games = np.ceil(planned.games * factor).astype(np.int64)
    seconds = planned.cpu_seconds * float(games.sum() / planned.games.sum())
    return replace(planned, games=games, rates=W, cpu_seconds=seconds)
