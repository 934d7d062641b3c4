"""A board by name or by a neighbour table of the user's own."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from operator import index

import numpy as np

from msdensity.errors import InputError, shown
from msdensity.kernel.batch import cached_table
from msdensity.kernel.state import Memory, make_table

Topology = str | Sequence[Iterable[int]]
"""A name of `names.TOPOLOGIES`, or for each cell, in row-major order, the cells beside it."""

SYNONYMS = {"hex-odd-r": "hexagonal"}
"""Other names in use for a topology."""


def board_table(shape: Sequence[int], topology: Topology) -> Memory:
    """Return the neighbour table of a board.

    Raises InputError for an unknown name, a shape that it cannot have, or neighbour lists that are
    not one a cell, name a cell outside the board or the cell itself, or are not mutual.
    """
    try:
        sides = tuple(index(side) for side in shape)
    except TypeError:
        raise InputError(f"shape={shown(shape)} must be sides, whole numbers") from None
    if isinstance(topology, str):
        return cached_table(sides, SYNONYMS.get(topology, topology))
    cells = math.prod(sides)
    try:
        lists = [sorted({index(d) for d in near}) for near in topology]
    except TypeError as error:
        raise InputError(f"topology must be a name or lists of cell numbers: {error}") from None
    if len(lists) != cells:
        raise InputError(f"topology has {len(lists)} neighbour lists, must have {cells}")
    for c, near in enumerate(lists):
        for d in near:
            if not 0 <= d < cells or d == c:
                raise InputError(
                    f"topology: neighbour {shown(d)} of cell {c} must be another cell in"
                    f" 0..{cells - 1}"
                )
    pairs = {(c, d) for c, near in enumerate(lists) for d in near}
    for c, d in sorted(pairs):
        if (d, c) not in pairs:
            raise InputError(f"topology: cell {d} must be mutual: cell {c} lists it, not it {c}")
    start = np.concatenate([[0], np.cumsum([len(near) for near in lists])])
    return make_table(start, np.array([d for near in lists for d in near], np.int32))


def add_lone_cells(table: Memory, count: int) -> Memory:
    """Return the table of the same board with `count` more cells that have no neighbours."""
    end = table.start[-1]
    start = np.concatenate([table.start, np.full(count, end, table.start.dtype)])
    return make_table(start, table.neighbours)
