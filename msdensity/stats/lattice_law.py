"""The law of unavoidable guesses on every topology: -ln W of a large board, with no free parameter.

The smallest sets of mines that leave two layouts which no opened cell tells apart depend on the
lattice, and so does what they cost. Each place of a board (a cell in the open, a cell of a side, a
corner) adds (T + u U) rho^k:

- k: the fewest mines;
- T: what is lost to layouts of equally many mines, half a game each;
- U: to layouts of fewer mines. The likeliest has the fewest, and the mine count settles it where
  nothing else is open, so that u(lambda) of `law.walled_in_share` is lost, lambda the expected
  number of cells with mines all around (`law.walled_in_cells`).

The study `patterns` finds k, T and U of each place by a search of all sets of few mines, from the
neighbour table alone. The start is a 0 far from all sides, and it costs nothing at these orders.
Lines across a board with every diagonal neighbour are those of `law.lines_across`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from msdensity.errors import InputError, shown
from msdensity.stats.lattice_terms import MOORE, WRAPPED, Term, lattice_terms
from msdensity.stats.law import (
    CROSSED,
    LARGEST_SIDE,
    _density,
    lines_across,
    walled_in_cells,
    walled_in_share,
)

SMALLEST_SIDE = 6
"""On narrower boards opposite sides share patterns."""

_BORDER = 3
"""A cell so far from a side has all of its neighbours."""


def place_count(term: Term, shape: Sequence[float], topology: str) -> float:
    """Return how many places of a term's kind a board has: n, 2 q, 2 p, 4 corners, or fewer.

    shape, topology: as in `lattice_law`. On a triangular board the number of sharp corners depends
    on whether its sides are even.
    """
    if term.degree is not None:
        degrees, shares = _cells(tuple(float(side) for side in shape), topology)
        corners = degrees.reshape(shares.shape)[
            tuple(slice(None, None, s - 1) for s in shares.shape)
        ]
        return float((corners == term.degree).sum())
    free = [side for axis, side in enumerate(shape) if axis not in term.sides]
    return 2.0 ** len(term.sides) * math.prod(free)


def expected_walled_in(shape: Sequence[float], density: float, topology: str) -> float:
    """Return lambda, the expected number of cells with mines all around, of a board of any size.

    As `law.walled_in_cells` of the degrees of all cells; arguments and errors as `lattice_law`.
    """
    degrees, shares = _cells(_sides(shape, topology), topology)
    return sum(
        float(shares.ravel()[degrees == d].sum()) * walled_in_cells([d], density)
        for d in np.unique(degrees).tolist()
    )


def lattice_law(
    shape: Sequence[float],
    density: ArrayLike,
    topology: str,
    *,
    next_orders: bool = False,
    lines: bool = True,
) -> NDArray[np.float64]:
    """Return -ln W of `weighted` from a 0 far from all sides, of the shape of density.

    shape: (p, q), or three sides of the cubic topologies, each 6..10^12; density: mines a cell, in
    [0, 1); topology: a name of TERMS or WRAPPED; next_orders: with the terms after the leading ones
    that are known; lines: with lines across, where every diagonal cell is a neighbour. Raises
    InputError out of range.
    """
    terms, sides = lattice_terms(topology), _sides(shape, topology)
    r = _density(density)
    expected = [expected_walled_in(sides, float(each), topology) for each in r.ravel()]
    u = walled_in_share(expected).reshape(r.shape)
    total = np.zeros_like(r)
    for term in terms:
        if next_orders or not term.is_next:
            share = float(term.T) + u * float(term.U)
            total = total + place_count(term, sides, topology) * share * r**term.power
    if lines and WRAPPED.get(topology, topology) in MOORE:
        crossed = CROSSED["zero"] ** (len(sides) - 1)
        total = total + lines_across(
            sides, lambda k, free: r**k * (1 - r) ** free, crossed, wraps=topology in WRAPPED
        )
    return np.asarray(total)


def lattice_rho50(
    shape: Sequence[float],
    topology: str,
    *,
    next_orders: bool = False,
    lines: bool = True,
    win_rate: float = 0.5,
) -> float:
    """Return the density in (0, 1) at which the law gives a win rate, 1/2 if not said.

    win_rate: in (0, 1); other arguments and errors as `lattice_law`.
    """
    if not 0 < win_rate < 1:
        raise InputError(f"win_rate={shown(win_rate)} must be in (0, 1)")

    def excess(density: float) -> float:
        law = lattice_law(shape, density, topology, next_orders=next_orders, lines=lines)
        return float(law) + math.log(win_rate)

    return float(brentq(excess, 1e-9, 0.99, xtol=1e-14))


def lattice_exponent(
    shape: Sequence[float], topology: str, *, next_orders: bool = False, factor: float = 1.001
) -> float:
    """Return -d ln rho50 / d ln n of the law without lines, 1/k of the bulk for large boards.

    Between a board of this shape, of even sides, and one whose sides are `factor` (above 1) times
    as long; other arguments and errors as `lattice_law`.
    """
    if not factor > 1:
        raise InputError(f"factor={shown(factor)} must be above 1")
    wider = [side * factor for side in shape]
    low, high = (
        lattice_rho50(sides, topology, next_orders=next_orders, lines=False)
        for sides in (shape, wider)
    )
    return math.log(low / high) / (len(wider) * math.log(factor))


def _sides(shape: Sequence[float], topology: str) -> tuple[float, ...]:
    axes = 3 if topology.startswith("cubic") else 2
    sides = tuple(float(side) for side in shape)
    if len(sides) != axes:
        raise InputError(f"shape={shown(shape)} must have {axes} sides for topology {topology}")
    for side in sides:
        if not SMALLEST_SIDE <= side <= LARGEST_SIDE:
            raise InputError(
                f"shape={shown(shape)} must have sides in {SMALLEST_SIDE}..{LARGEST_SIDE} for the "
                "law"
            )
    return sides


def _cells(
    sides: tuple[float, ...], topology: str
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the degree of each cell of a small board, and for how many of the board it stands.

    The small board has sides of the same parity, and even ones for sides that are no whole
    numbers. A row or column in its middle stands for all those
    of the same parity in the middle of the board.
    """
    from msdensity.kernel.topology import cached_table

    small = tuple(2 * _BORDER + 2 + int(side % 2 == 1) for side in sides)
    table = cached_table(small, WRAPPED.get(topology, topology))
    degrees = np.diff(table.start)
    if topology in WRAPPED:
        return np.array([degrees.max()]), np.array([math.prod(sides)])
    shares = np.ones(small)
    for axis, (side, length) in enumerate(zip(sides, small, strict=True)):
        share = np.ones(length)
        middle = np.arange(_BORDER, length - _BORDER)
        for parity in (0, 1):
            alike = middle[middle % 2 == parity]
            # From 3 to side - 4: odd ones come first, and last if the side is odd.
            count = side / 2 - _BORDER + (parity - 0.5) * (side % 2 == 1)
            share[alike] = count / len(alike)
        shares *= np.expand_dims(share, [a for a in range(len(sides)) if a != axis])
    return degrees, shares
