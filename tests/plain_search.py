"""Best play by an unpruned search, in plain Python: every cell is tried in every set of layouts."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np


def shown(neighbours: Sequence[Sequence[int]], layouts: np.ndarray) -> list[tuple[int, ...]]:
    """Return what each cell shows in each layout: -1 if it is mined, else its number.

    layouts: (count, cells) of 0 and 1.
    """
    numbers = np.stack([layouts[:, list(near)].sum(axis=1) for near in neighbours], axis=1)
    return [tuple(row) for row in np.where(layouts == 1, -1, numbers).tolist()]


class Search:
    """The values of sets of layouts and of moves, in layouts that are won."""

    def __init__(self, layouts: Sequence[tuple[int, ...]], cells: Sequence[int]) -> None:
        """layouts: what each cell shows; cells: those that may be opened."""
        self.layouts = layouts
        self.cells = cells
        self.values: dict[frozenset[int], int] = {}

    def parts(self, remaining: frozenset[int], cell: int) -> list[frozenset[int]]:
        """Return the sets that may remain after a cell is opened and is safe."""
        by_number: dict[int, set[int]] = {}
        for i in remaining:
            by_number.setdefault(self.layouts[i][cell], set()).add(i)
        return [frozenset(part) for number, part in by_number.items() if number >= 0]

    def value(self, remaining: frozenset[int]) -> int:
        """Return how many of the remaining layouts are won by a player who always knows best."""
        if len(remaining) == 1:
            return 1
        if remaining not in self.values:
            parts = [self.parts(remaining, cell) for cell in self.cells]
            # a cell that leaves the set as it is has told nothing
            tried = [p for p in parts if p and p != [remaining]]
            self.values[remaining] = max(sum(map(self.value, p)) for p in tried)
        return self.values[remaining]

    def of_moves(self) -> dict[int, Fraction]:
        """Return the chance to win after each cell is opened first."""
        everything = frozenset(range(len(self.layouts)))
        return {
            cell: Fraction(sum(map(self.value, self.parts(everything, cell))), len(everything))
            for cell in self.cells
        }

    def all_dead(self) -> bool:
        """Return whether no cell that may be opened shows more than one number."""
        return all(len({layout[cell] for layout in self.layouts} - {-1}) < 2 for cell in self.cells)
