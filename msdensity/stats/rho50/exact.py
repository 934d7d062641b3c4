"""rho50 of exact win rates: where they first fall below 1/2."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from msdensity.errors import InputError, integer, real_array
from msdensity.stats.intervals import Estimate
from msdensity.stats.rho50.fit_object import SMALL_BOARD, Rho50Fit


class Fall(NamedTuple):
    """Where win rates first fall below 1/2, in mines.

    below: the mines before; line, logit: between them and one more, by a straight line in W, and by
    one in ln(W / (1 - W)), NaN where W is 0 or 1 on one side. Without a fall: None and NaN.
    """

    below: int | None
    line: float
    logit: float


def first_fall(mines: NDArray[np.int_], rate: NDArray[np.float64]) -> Fall:
    """Return where win rates first fall below 1/2.

    mines: rising, shape (n,); rate: the win rates. A board without a mine is won. Later rises, as
    of W = 1 with one safe cell, do not count. A gap in the numbers of mines there is no fall.
    """
    m, w = np.r_[0, mines], np.r_[1.0, rate]
    low = np.flatnonzero(w < 0.5)
    if not len(low) or m[low[0]] - m[low[0] - 1] != 1:
        return Fall(None, np.nan, np.nan)
    before, after = w[low[0] - 1], w[low[0]]
    first = int(m[low[0] - 1])
    line = float(first + (before - 0.5) / (before - after))
    if not (before < 1 and after > 0):
        return Fall(first, line, np.nan)
    high, down = (np.log(x / (1 - x)) for x in (before, after))
    return Fall(first, line, float(first + high / (high - down)))


def fit_exact_rho50(
    density: ArrayLike, win_rate: ArrayLike, cells: int, confidence: float = 0.95
) -> Rho50Fit:
    """Return rho50 and k of exact win rates on a board of fewer than 36 cells: they have no error.

    density: mines over cells; win_rate: in 0..1; both of shape (n,). rho50 is the `line` of
    `first_fall`. k is the exponent of W = 2^-((rho / rho50)^k) that is as steep there: 2 / ln 2
    times rho50 times the fall of W per unit of density. Raises InputError for a density that is no
    number of mines, a win rate outside 0..1, or 36 cells or more.
    """
    if integer("cells", cells, 1) >= SMALL_BOARD:
        raise InputError(f"cells={cells} must be below {SMALL_BOARD}")
    rho, rate = real_array("density", density), real_array("win_rate", win_rate)
    mines = np.rint(rho * cells).astype(int)
    if rho.shape != rate.shape or not np.allclose(mines, rho * cells, rtol=0, atol=1e-6):
        raise InputError(f"density must be numbers of mines over {cells} cells, one a win rate")
    if not ((rate >= 0) & (rate <= 1)).all():
        raise InputError("win_rate must be in 0..1")
    below, line, _ = first_fall(mines, rate)
    m, w = np.r_[0, mines], np.r_[1.0, rate]
    used = np.zeros(len(m), bool) if below is None else (m == below) | (m == below + 1)
    rho50, ends = line / cells, m[used] / cells
    fit = Rho50Fit(
        window=(float(ends[0]), float(ends[1])) if used.any() else (0.0, 1.0),
        density=ends,
        wins=w[used],
        games=np.ones(len(ends)),
        outside=int((~used[1:]).sum()),
        confidence=confidence,
        effective=False,
        cells=cells,
        crossing=Estimate(np.nan, rho50, np.nan),
        rho50=rho50,
        k=float(2 / np.log(2) * line * -np.diff(w[used]).sum()),
        bend=0.0,
        degree=1,
        covariance=np.zeros((3, 3)),
        deviance=0.0,
        interval=Estimate(rho50, rho50, rho50),
        exact=True,
    )
    if below is None:
        return fit.without_fit("no two numbers of mines in a row lie on both sides of 1/2")
    return fit
