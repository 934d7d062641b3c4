"""A win rate with its Wilson interval."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from msdensity.errors import InputError, fraction, real_array


class Estimate(NamedTuple):
    """A value and the ends of its interval."""

    low: float
    best: float
    high: float


def wilson(
    wins: ArrayLike, games: ArrayLike, confidence: float = 0.95
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the ends (low, high) of Wilson's interval of a win rate.

    wins and games: whole numbers of shapes that broadcast together, 0 <= wins <= games; the ends
    lie in [0, 1] and have that shape, NaN where no game was played. Raises InputError for counts
    out of range or a confidence outside (0, 1).
    """
    # Imported here: it takes half a second, and most users of this module only add counts.
    from statsmodels.stats.proportion import proportion_confint

    fraction("confidence", confidence)
    try:
        arrays = real_array("wins", wins), real_array("games", games)
        won, played = map(np.array, np.broadcast_arrays(*arrays))
    except InputError:
        raise
    except ValueError:
        raise InputError("wins and games must be numbers whose shapes broadcast") from None
    bad = ~((won >= 0) & (won <= played))
    if bad.any():
        raise InputError(f"wins={won[bad][0]:g} must be in 0..games={played[bad][0]:g}")
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = proportion_confint(won, played, alpha=1 - confidence, method="wilson")
    # Exactly 0 and 1 at the ends: the formula may be off by one rounding error.
    low = np.where((won == 0) & (played > 0), 0.0, np.clip(low, 0, 1))
    high = np.where((won == played) & (played > 0), 1.0, np.clip(high, 0, 1))
    return low, high


def score_error(wins: float, games: int, other_wins: float, other_games: int) -> float:
    """Return the standard error of the difference of two win rates if there is none.

    It is that of the pooled games (the score test), as Wilson's interval is for one win rate: not 0
    where one player wins no game or all games. Counts may be fractions of a printed rate.
    """
    rate = (wins + other_wins) / (games + other_games)
    return math.sqrt(rate * (1 - rate) * (1 / games + 1 / other_games))


def win_rate(wins: int, games: int, confidence: float = 0.95) -> Estimate:
    """Return the win rate wins / games with its Wilson interval; InputError as `wilson`."""
    low, high = wilson(wins, games, confidence)
    return Estimate(float(low), wins / games if games else float("nan"), float(high))
