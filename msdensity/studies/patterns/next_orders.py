"""The orders after the lowest: what sets with one mine more add to T and U of a place.

More pairs of layouts turn up with one mine more, but some sets of the lowest order are spoilt by
it, such as a pair whose other cells are mined too. Both are in the Moebius sums of `losses`, here
of the exact losses T and U (`ambiguous`) in fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import lcm

import numpy as np

from msdensity.stats.lattice_terms import Term
from msdensity.studies.patterns.ambiguous import Layout, layouts_alike, losses
from msdensity.studies.patterns.differences import Near, differences
from msdensity.studies.patterns.losses import grown, moebius
from msdensity.studies.patterns.places import PERIOD, ringed

SUMMED = ("square4", "hexagonal", "triangle3")
"""Topologies whose sets of one mine more are few enough."""

SIDES = (10, 12)
"""Rows and columns of the board: no difference of so few mines goes around it or across."""


def place_orders(topology: str, term: Term) -> list[tuple[Fraction, Fraction]]:
    """Return (T, U) of each order from 0 to the term's power, for each cell of the place.

    The place: in the open, or a side where the power is below that of the open, so that all that is
    lost on a board without corners belongs to its two sides.
    """
    near = ringed(topology, SIDES, term.sides)
    free = [axis for axis in range(2) if axis not in term.sides]
    layouts: set[Layout] = set()
    moves = list(_moves(topology, free))
    grid = np.arange(len(near)).reshape(SIDES)
    middle = [
        [size // 2, size // 2 + 1] if axis in free else range(size)
        for axis, size in enumerate(SIDES)
    ]
    for each in differences(near, term.power, grid[np.ix_(*middle)].ravel().tolist()):
        for layout in each.layouts:
            layouts |= {move(layout) for move in moves}
    sets = grown(near, layouts, term.power)
    known: dict[Layout, tuple[Fraction, Fraction]] = {}
    values: list[list[tuple[Fraction, Fraction]]] = []
    for own in sets:
        values.append([])
        for cells in own.tolist():
            layout = frozenset(cells)
            if layout not in known:
                loss = losses(near, layouts_alike(near, layout, _far(near, layout)))
                known |= {move(layout): loss for move in moves}
            values[-1].append(known[layout])
    count = len(near) if not term.sides else 2 * SIDES[free[0]]
    found = []
    for kind in range(2):
        # Whole numbers: the sums are those of integers.
        scale = lcm(*(loss[kind].denominator for own in values for loss in own))
        whole = [np.array([int(loss[kind] * scale) for loss in own], np.int64) for own in values]
        found.append([Fraction(int(mu.sum()), scale * count) for mu in moebius(sets, whole)])
    return list(zip(*found, strict=True))


def _moves(topology: str, free: list[int]) -> Iterator[Callable[[Layout], Layout]]:
    """Yield the translations of the board along its rings that leave the lattice as it is."""
    period = PERIOD.get(topology, ())
    for down in range(SIDES[0] if 0 in free else 1):
        for right in range(SIDES[1] if 1 in free else 1):
            if not sum((down, right)[axis] for axis in period) % 2:

                def move(cells: Layout, down: int = down, right: int = right) -> Layout:
                    rows, columns = np.divmod(sorted(cells), SIDES[1])
                    moved = (rows + down) % SIDES[0] * SIDES[1] + (columns + right) % SIDES[1]
                    return frozenset(moved.tolist())

                yield move


def _far(near: Near, layout: Layout) -> int:
    """Return the cell that is most steps away from all mines."""
    seen, last = set(layout), sorted(layout)
    while last:
        cell = last[-1]
        last = sorted({d for c in last for d in near[c]} - seen)
        seen.update(last)
    return cell
