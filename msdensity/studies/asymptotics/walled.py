"""Starts in the interior whose first 0 is walled in: none of the 8 cells around it shows a 0."""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.stats import hypergeom

from msdensity.errors import InputError

RING = tuple((r, c) for r in range(5) for c in range(5) if r in (0, 4) or c in (0, 4))
"""The 16 cells around the 3 x 3 that a first 0 opens, by row and column."""

OPENED = tuple((r, c) for r in (1, 2, 3) for c in (1, 2, 3) if (r, c) != (2, 2))
"""The 8 cells around the first 0."""


WALLS = {1: 45, 2: 48, 3: 6}
"""The 0s of a start in the interior -> ways in which 4 mines wall them in with no cell certain."""

FIRST_GUESS = 55
"""What the safest guess then costs over all ways, in rho^5; `law.SERIES` has all guesses."""


@cache
def walls() -> NDArray[np.int64]:
    """Return the ways in which k mines on the 16 cells of RING wall in the 0, shape (17,)."""
    sets = np.arange(2 ** len(RING))
    each_borders_one = np.ones(len(sets), bool)
    for a, b in OPENED:
        near = [i for i, (r, c) in enumerate(RING) if max(abs(r - a), abs(c - b)) == 1]
        each_borders_one &= (sets & sum(1 << i for i in near)) > 0
    return np.bincount(np.bitwise_count(sets[each_borders_one]), minlength=len(RING) + 1)


def walled_in(cells: int, mines: int) -> float:
    """Return the chance that the first click, a 0 in the interior, is walled in.

    cells: of the board, at least 25, whose mines, 1..cells - 9, spare the 9 cells that the start
    protects. Raises InputError out of range.
    """
    protected = len(OPENED) + 1
    if not cells >= len(RING) + protected:
        raise InputError(f"cells={cells} must be at least 25")
    if not 1 <= mines <= cells - protected:
        raise InputError(f"mines={mines} must be in 1..{cells - protected}")
    k = np.arange(len(RING) + 1)
    ways = np.array([comb(len(RING), int(i)) for i in k])
    chances = hypergeom.pmf(k, cells - protected, len(RING), mines)
    return float(np.sum(walls() / ways * chances))
