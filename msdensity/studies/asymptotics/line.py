"""1 x q boards exactly: how the player `weighted` wins them, first click at an end."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.optimize import brentq

from msdensity.errors import InputError

LONGEST = 10_000
"""The whole numbers in the win rates of longer boards have too many digits."""


def line_win_rate(q: int, mines: int) -> Fraction:
    """Return W of 1 x q with that many mines: the player `weighted`, first click at an end, safe.

    An opened cell tells whether the next one is a mine, so the player reads the line from its end
    up to a mine. Then all cells left are equally safe. Of these the player opens the other end,
    which has one neighbour only, and later the cell behind the mine. So it loses where this cell is
    a mine too, unless all cells left are mines, which their number tells. With R = q - 1 cells,
    C(R - m + 1, m) layouts have no two mines in a row, and C(R - m, m - k) others only the k of
    the end, in the order in which the player meets them. q: 2..10,000; mines: 1..q - 1. Raises
    InputError out of range.
    """
    if not 2 <= q <= LONGEST:
        raise InputError(f"q={q} must be in 2..{LONGEST}")
    if not 1 <= mines < q:
        raise InputError(f"mines={mines} must be in 1..{q - 1} on 1x{q}")
    free = q - 1
    apart = comb(max(free - mines + 1, 0), mines)
    at_the_end = sum(comb(free - mines, mines - k) for k in range(2, mines + 1))
    return Fraction(apart + at_the_end, comb(free, mines))


def line_rho50(q: int) -> float:
    """Return rho50 of 1 x q from the exact win rates; NaN if none is below 1/2 (q < 6).

    Between whole numbers of mines by `crossing`. q: 2..10,000. Raises InputError out of range.
    """
    mines: list[int] = []
    rate: list[float] = []
    for m in range(2, q):  # a single mine is always found
        W = float(line_win_rate(q, m))
        if W >= (rate[-1] if rate else 1):
            break
        mines.append(m)
        rate.append(W)
        if W < 0.1:
            break
    if not rate or rate[-1] >= 0.5:
        return float("nan")
    return crossing(mines, rate) / q


def crossing(mines: Sequence[int], win_rate: Sequence[float]) -> float:
    """Return the mines at which W, between whole numbers of them, falls through 1/2.

    ln(-ln W) is a monotone cubic in ln m. Both of one length, at least 2, the mines rising and W
    falling within (0, 1), with 1/2 between the ends.
    """
    half = np.log(np.log(2))
    exponent = PchipInterpolator(np.log(mines), np.log(-np.log(win_rate)))
    return float(np.exp(brentq(lambda x: exponent(x) - half, *np.log([mines[0], mines[-1]]))))
