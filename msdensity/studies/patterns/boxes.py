"""Differences of two layouts inside a small box, by trying them all.

Where a cell has 26 neighbours, the search of `differences` takes too long beyond a few mines. The
smallest differences are products of one for each axis (1, or 1 and -1 side by side), so that they
fit into 2 x 2 x 2 cells; a box of 2 x 2 x 3 has room for others to beat them.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from msdensity.studies.patterns.differences import Difference
from msdensity.studies.patterns.places import Place

BOX = (2, 2, 3)
"""The sides of the box, in every order."""


def box_differences(place: Place, sides: int) -> list[Difference]:
    """Return the differences of fewest mines inside a box at a place, each once.

    place: of a lattice with three axes; sides: how many of its axes, the first ones in the place's
    order, end there: the box begins at these ends. In the others it is D that begins with the box.
    Of D and -D one is returned.
    """
    grid = np.arange(len(place.near)).reshape(place.grid)
    start = np.unravel_index(place.roots[0], place.grid)
    found: dict[tuple[frozenset[int], frozenset[int]], Difference] = {}
    for box in sorted(set(permutations(BOX))):
        corner = [0 if a < sides else int(start[a]) for a in range(3)]
        slices = tuple(slice(low, low + size) for low, size in zip(corner, box, strict=True))
        cells = grid[slices].ravel()
        around = np.array(sorted({d for c in cells.tolist() for d in place.near[c]}))
        sums = np.array([[int(d in place.near[c]) for d in around] for c in cells.tolist()])
        inside = np.searchsorted(around, cells)  # every cell of the box is a neighbour of another
        D = np.array(np.unravel_index(np.arange(3 ** len(cells)), (3,) * len(cells)), np.int8).T - 1
        first = (D != 0).argmax(axis=1)
        D = D[np.take_along_axis(D, first[:, None], 1)[:, 0] == 1]
        layers = D.reshape(-1, *box) != 0
        for a in range(sides, 3):  # D moved along the place is one
            begins = layers.take(0, axis=1 + a).any(axis=(1, 2))
            D, layers = D[begins], layers[begins]
        violated = (D.astype(np.float32) @ sums.astype(np.float32)) != 0
        violated[:, inside] &= D == 0
        mines = np.maximum((D == 1).sum(axis=1), (D == -1).sum(axis=1)) + violated.sum(axis=1)
        for i in np.flatnonzero(mines == mines.min()):
            one, other = (frozenset(cells[D[i] == v].tolist()) for v in (1, -1))
            found[one, other] = Difference(one, other, frozenset(around[violated[i]].tolist()))
    fewest = min(each.mines for each in found.values())
    return [each for each in found.values() if each.mines == fewest]
