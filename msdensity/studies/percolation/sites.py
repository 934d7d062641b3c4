"""Ordinary site percolation on a board of the shape of the fronts, for comparison."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage, sparse
from scipy.sparse import csgraph

SITE_DENSITY = 0.592746
"""Critical density of site percolation on the square lattice (Newman and Ziff, Phys. Rev. Lett. 85,
4104 (2000): .59274621(13))."""

KNOWN = 2
"""Columns that are occupied from the start."""


def reached_cells(occupied: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which occupied cells are reached from the first two columns, shape (L, 3 L).

    occupied: shape (L, 3 L); rows and columns are rings, and a step leads to one of four
    neighbours. The first two columns count as occupied.
    """
    cells = occupied.copy()
    cells[:, :KNOWN] = True
    names, count = ndimage.label(cells)
    ring = [(names[0], names[-1]), (names[:, 0], names[:, -1])]
    a, b = (np.concatenate(own) for own in zip(*ring, strict=True))
    joined = (a > 0) & (b > 0)
    pairs = sparse.coo_array(
        (np.ones(joined.sum(), np.int8), (a[joined], b[joined])), (count + 1, count + 1)
    )
    _, component = csgraph.connected_components(pairs, directed=False)
    return (component[names] == component[names[0, 0]]) & cells


def is_crossed(reached: NDArray[np.bool_]) -> bool:
    """Return whether a cell of the middle column is reached."""
    return bool(reached[:, reached.shape[1] // 2].any())
