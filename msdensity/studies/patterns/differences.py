"""Two layouts that no opened cell tells apart: all of their differences with few mines.

Let all cells be opened that can be known to be safe. D is the difference of two layouts that still
agree with every number: 1 where only the first has a mine, -1 where only the second has. Around
every opened cell the sum of D is 0. So a cell with D = 0 and another sum around it is not opened:
here it is a mine of both layouts, a flag. The pair needs max(cells with 1, cells with -1) + flags
mines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

Near = Sequence[Sequence[int]]
"""The neighbours of each cell."""


@dataclass(frozen=True)
class Difference:
    """A difference of two layouts.

    first, second: the cells that only one of them mines; flags: those that both have to mine.
    """

    first: frozenset[int]
    second: frozenset[int]
    flags: frozenset[int]

    @property
    def mines(self) -> int:
        """Mines of the layout that has more."""
        return max(len(self.first), len(self.second)) + len(self.flags)

    @property
    def layouts(self) -> list[frozenset[int]]:
        """The layouts with as many mines: both, if they have equally many."""
        pair = (self.first | self.flags, self.second | self.flags)
        return [layout for layout in pair if len(layout) == self.mines]


def differences(near: Near, most: int, roots: Sequence[int] | None = None) -> list[Difference]:
    """Return every difference of at most `most` mines whose parts hang together, each once.

    near: neighbours of each cell; roots: the lowest cells of D to look at (None: all). Of D and -D
    one is returned. A difference that falls into two, of which no number sees both, is left out.
    """
    found: list[Difference] = []
    for root in range(len(near)) if roots is None else roots:
        found += _Search(near, most, root).found()
    return found


def kinds(found: Iterable[Difference]) -> dict[int, tuple[int, int]]:
    """Return for each number of mines how many differences are equal, and how many unequal.

    Equal (T): two layouts of so many mines, of which each loses half of the games. Unequal (U): the
    layout with more mines loses unless the mine count tells (`stats.law.walled_in_share`). So each
    counts 1 in the coefficient of rho^mines, U times u.
    """
    counts: dict[int, tuple[int, int]] = {}
    for each in found:
        T, U = counts.get(each.mines, (0, 0))
        equal = len(each.first) == len(each.second)
        counts[each.mines] = (T + equal, U + (not equal))
    return counts


class _Search:
    """All differences with lowest cell `root`, by taking one violated number after the other.

    A number is violated if the sum around it is not 0 and it is neither in D nor a flag. It becomes
    a flag, or a cell around it joins D, or it joins D itself. The one with fewest ways comes first.
    """

    def __init__(self, near: Near, most: int, root: int) -> None:
        cells = len(near)
        self.near = near
        self.most = most
        self.root = root
        self.value = [0] * cells
        self.total = [0] * cells
        self.decided = [c <= root for c in range(cells)]
        self.flags: list[int] = []
        self.is_flag = [False] * cells
        self.is_no_flag = [False] * cells
        self.violated: set[int] = set()
        self.count = {1: 0, -1: 0}

    def found(self) -> Iterator[Difference]:
        self.add(self.root, 1)
        yield from self.go_on()
        self.add(self.root, 0)

    def add(self, c: int, value: int) -> None:
        """Write D of cell c, which was 0, or set it back to 0."""
        change = value - self.value[c]
        if value:
            self.count[value] += 1
        else:
            self.count[self.value[c]] -= 1
        self.value[c] = value
        for d in self.near[c]:
            self.total[d] += change
            self.judge(d)
        self.judge(c)

    def judge(self, c: int) -> None:
        """Write whether the number of cell c is violated."""
        if self.total[c] and not self.value[c] and not self.is_flag[c]:
            self.violated.add(c)
        else:
            self.violated.discard(c)

    def room(self) -> int:
        """Return how many mines are left."""
        return self.most - len(self.flags) - max(self.count.values())

    def ways(self, c: int) -> list[int]:
        """Return the cells that may join D to mend the number of cell c."""
        around = [d for d in self.near[c] if not self.decided[d]]
        return around if self.decided[c] else [c, *around]

    def go_on(self) -> Iterator[Difference]:
        room = self.room()
        if not self.violated:
            if all(self.total[c] for c in self.flags):  # else a flag is needless
                yield self.difference()
            return
        free = 2 * (room + max(self.count.values())) - sum(self.count.values())
        if free == 0 and len(self.violated) > room:
            return
        each = {c: self.ways(c) for c in sorted(self.violated)}
        c = min(each, key=lambda c: len(each[c]) - self.is_no_flag[c])
        if not self.is_no_flag[c] and room > 0:
            yield from self.with_flag(c)
        was = self.is_no_flag[c]
        self.is_no_flag[c] = True
        for d in each[c]:
            for value in (1, -1):
                self.decided[d] = True
                self.add(d, value)
                if self.room() >= 0:
                    yield from self.go_on()
                self.add(d, 0)
        for d in each[c]:
            self.decided[d] = False
        self.is_no_flag[c] = was

    def with_flag(self, c: int) -> Iterator[Difference]:
        was = self.decided[c]
        self.decided[c] = True
        self.flags.append(c)
        self.is_flag[c] = True
        self.judge(c)
        yield from self.go_on()
        self.is_flag[c] = False
        self.flags.pop()
        self.decided[c] = was
        self.judge(c)

    def difference(self) -> Difference:
        cells = range(self.root, len(self.value))
        first, second = (frozenset(c for c in cells if self.value[c] == v) for v in (1, -1))
        return Difference(first, second, frozenset(self.flags))
