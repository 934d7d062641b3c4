"""Places of a lattice where sets of mines are looked for: in the open, at a side, in a corner.

A board is cut out around the place and its cells are numbered anew, so that the ends at which the
place lies come first. Sets that are moved along the place are then one, and each is found from its
lowest cell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from msdensity.games.boards import Board
from msdensity.kernel.names import WRAPPED
from msdensity.stats.lattice_terms import Term
from msdensity.studies.patterns.differences import Near

STEP = {"knight": (2, 2), "triangle12": (1, 2)}
"""Rows and columns from a cell to its farthest neighbour, where one is more than 1."""

PERIOD = {"hexagonal": (0,), "triangle3": (1, 0), "triangle12": (1, 0)}
"""Axes along which a lattice repeats itself at every second cell; the first that is free counts."""


@dataclass(frozen=True)
class Place:
    """A board with a place at its first cells.

    board: as the project numbers it; cells: its cells in the new order; grid: the board's sides in
    that order; near: the neighbours, in new numbers; roots: the lowest cells of sets that belong to
    the place; alike: how many cells of the place they stand for.
    """

    board: Board
    cells: NDArray[np.int64]
    grid: tuple[int, ...]
    near: Near
    roots: tuple[int, ...]
    alike: int

    def moved(self, cells: frozenset[int]) -> list[tuple[int, ...]]:
        """Return the coordinates on the board of cells in new numbers."""
        own = sorted(self.cells[sorted(cells)].tolist())
        return [tuple(map(int, np.unravel_index(c, self.board.shape))) for c in own]


def place_of(topology: str, term: Term, reach: int) -> Place:
    """Return the place of a term of the law, with room for sets that reach so many steps.

    reach: the most steps between two cells of a set. Where only corners of one degree count, the
    place is the first such corner.
    """
    from msdensity.kernel.topology import cached_table

    axes = 3 if topology.startswith("cubic") else 2
    step = STEP.get(topology, (1,) * axes)
    room = [each * (reach + 3) for each in step]
    free = [axis for axis in range(axes) if axis not in term.sides]
    leading, *others = (*term.sides, *free)
    shape = [2 * each + 2 for each in room]
    # The sides are even, so that opposite ends are alike.
    shape[leading] = 2 * ((room[leading] + 7 * step[leading] + 1) // 2) + 2
    for axis in others:
        if axis in term.sides:
            shape[axis] = 2 * room[axis]
    table = cached_table(tuple(shape), topology)
    grid = np.arange(len(table.start) - 1).reshape(shape)
    if term.degree is not None:
        degrees = np.diff(table.start)
        ends = np.argwhere(degrees[grid[np.ix_(*[[0, -1]] * axes)]] == term.degree)[0]
        grid = np.flip(grid, tuple(axis for axis in range(axes) if ends[axis]))
    grid = grid.transpose([leading, *others])
    cells = grid.ravel()
    number = np.argsort(cells)
    near = [
        sorted(number[own].tolist())
        for own in (table.neighbours[table.start[c] : table.start[c + 1]] for c in cells)
    ]
    # A set whose lowest cell lies deeper does not know of the side.
    deep = 4 * step[leading]
    ranges = [range(deep) if leading in term.sides else range(deep, deep + 1)]
    ranges += [range(room[a]) if a in term.sides else range(room[a], room[a] + 1) for a in others]
    repeated = next((axis for axis in PERIOD.get(topology, ()) if axis in free), None)
    if repeated is not None:
        at = [leading, *others].index(repeated)
        ranges[at] = range(ranges[at].start, ranges[at].start + 2)
    roots = np.arange(len(cells)).reshape(grid.shape)[np.ix_(*ranges)]
    alike = 2 if repeated is not None else 1
    board = Board(tuple(shape), topology)
    return Place(board, cells, grid.shape, near, tuple(roots.ravel().tolist()), alike)


def ringed(topology: str, shape: tuple[int, int], sides: tuple[int, ...] = ()) -> list[list[int]]:
    """Return the neighbours on a board whose rows and columns are rings, but for the axes `sides`.

    topology: one of `names.WRAPPED`; shape: its sides, even ones except on square lattices.
    """
    from msdensity.kernel.topology import neighbour_lists, neighbour_table

    near = neighbour_lists(neighbour_table(shape, WRAPPED[topology]))
    place = np.stack(np.unravel_index(np.arange(len(near)), shape))
    half = np.array(shape)[list(sides)] // 2
    return [
        [d for d in own if (abs(place[:, c] - place[:, d])[list(sides)] < half).all()]
        for c, own in enumerate(near)
    ]
