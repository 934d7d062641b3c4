"""What sets of mines cost the player `weighted`, order by order in the mine density.

A game depends on where its mines are. Let l(M) be 1 if the game with mines M alone on the board is
lost. With the Moebius sums

    mu(T) = sum over S in T of (-1)^(|T| - |S|) l(S)

the chance to lose with m mines is the sum over all T of mu(T) times the chance that T is mined. It
is 0 where no part of T leaves a difference. Two parts far from each other multiply their chances to
be won, so that -ln W of a large board is the sum of mu(T) rho^|T| over sets that hang together.
From 6 mines on, half of mu(S) mu(T) is added for two sets that cannot both stand alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from msdensity.studies.patterns.differences import Near

Sets = NDArray[np.int64]
"""Sets of cells of one size, shape (sets, size), each row ascending, all different, in order."""

LINK = 3
"""Cells farther apart share no number and no neighbour of one."""


def reach(near: Near, steps: int) -> list[frozenset[int]]:
    """Return the cells within so many steps of each cell, itself among them."""
    around = [frozenset(cells) | {c} for c, cells in enumerate(near)]
    found = around
    for _ in range(steps - 1):
        found = [frozenset().union(*(around[d] for d in cells)) for cells in found]
    return found


def grown(
    near: Near, smallest: Iterable[frozenset[int]], most: int, link: int = LINK
) -> list[Sets]:
    """Return all sets with a mine more, again and again, that hang together with one of `smallest`.

    smallest: sets of mines; link: the most steps between a set and the next mine. Item k of the
    result holds the sets of k mines, k = 0 to `most`.
    """
    close = [np.array(sorted(cells), np.int64) for cells in reach(near, link)]
    given: dict[int, set[tuple[int, ...]]] = {k: set() for k in range(most + 1)}
    for layout in smallest:
        if len(layout) <= most:
            given[len(layout)].add(tuple(sorted(layout)))
    found = [np.zeros((0, 0), np.int64)]
    for k in range(1, most + 1):
        parts = [np.array(sorted(given[k]), np.int64).reshape(-1, k)]
        for base in found[-1]:
            more = np.setdiff1d(np.concatenate([close[c] for c in base]), base)
            parts.append(np.column_stack([np.tile(base, (len(more), 1)), more]))
        sets = np.sort(np.concatenate(parts), axis=1)
        found.append(np.unique(sets, axis=0))
    return found


def moebius(sets: Sequence[Sets], values: Sequence[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
    """Return mu of each set, for a value that is 0 for all sets that are not there.

    sets: as from `grown`; values: of the sets of each size.
    """
    found: list[NDArray[np.int64]] = []
    bits = int(max((own.max() for own in sets if own.size), default=0)).bit_length()
    names = [_names(own, bits) for own in sets]
    for k, own in enumerate(sets):
        mu = values[k].astype(np.int64)
        for j in range(1, k):
            if not len(sets[j]):
                continue
            for chosen in combinations(range(k), j):
                part = _names(own[:, chosen], bits)
                at = np.minimum(np.searchsorted(names[j], part), len(names[j]) - 1)
                mu = mu - np.where(names[j][at] == part, found[j][at], 0)
        found.append(mu)
    return found


def _names(sets: Sets, bits: int) -> NDArray[np.int64]:
    """Return a number for each set; the order of the numbers is that of the sets.

    bits: of a cell's number; those of a set fit into 63.
    """
    name = np.zeros(len(sets), np.int64)
    for column in sets.T:
        name = (name << bits) | column
    return name
