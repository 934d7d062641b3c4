"""All sets of few mines at a place, and what those cost that leave more than one layout.

First all cells are opened that can be known to be safe. The mine count does not help: somewhere
else on a large board there are other closed cells. What stays closed has layouts; here all those of
at most as many mines count. Layouts of more are less likely by a factor of the mine density.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from msdensity.games.boards import Board
from msdensity.games.layouts import play_clusters
from msdensity.studies.patterns.differences import Near
from msdensity.studies.patterns.losses import LINK, reach
from msdensity.studies.patterns.places import Place

Layout = frozenset[int]


@dataclass(frozen=True)
class Ambiguous:
    """The sets of so many mines at a place.

    sets: how many hang together; found: those that leave more than one layout; T, U: what they lose
    for each cell of the place, see `stats.lattice_law`.
    """

    sets: int
    found: tuple[Layout, ...]
    T: Fraction
    U: Fraction


def ambiguous_sets(place: Place, mines: int, link: int = LINK) -> Ambiguous:
    """Return what all sets of so many mines cost that hang together with `link` steps.

    place: with room for sets that reach link (mines - 1) steps.
    """
    cells = len(place.near)
    # Closed cells without neighbours, as many as there are mines: the mine count tells nothing.
    apart: list[list[int]] = [[] for _ in range(mines)]
    board = Board.from_neighbours([*place.near, *apart])
    links = [*reach(place.near, link), *(frozenset({cells + i}) for i in range(mines))]
    sets, found, T, U = 0, [], Fraction(0), Fraction(0)
    for root in place.roots:
        count, rows = play_clusters(board, links, root, mines, first=cells - 1)
        sets += count
        for row in rows[:, :mines].tolist():
            layout = frozenset(row)
            alike = layouts_alike(place.near, layout, cells - 1)
            equal, unequal = losses(place.near, alike)
            if equal or unequal:
                found.append(layout)
            T += equal
            U += unequal
    return Ambiguous(sets, tuple(found), T / place.alike, U / place.alike)


def layouts_alike(near: Near, mines: Layout, first: int) -> list[Layout]:
    """Return the layouts of at most as many mines that no cell tells apart that can be opened.

    All cells are opened that are free in every such layout, again and again, without the mine
    count; first: a cell that shows 0. The mined layout is among those returned.
    """
    number = [sum(d in mines for d in own) for own in near]
    opened, stack = {first}, [first]

    def flood() -> None:
        while stack:
            c = stack.pop()
            if number[c] == 0:
                fresh = [d for d in near[c] if d not in opened]
                opened.update(fresh)
                stack.extend(fresh)

    flood()
    while True:
        closed = sorted(c for c in range(len(near)) if c not in opened)
        numbers = {w: [c for c in near[w] if c not in opened] for w in opened}
        told = [(number[w], frozenset(own)) for w, own in numbers.items() if own]
        layouts = [frozenset[int]()]
        for i, c in enumerate(closed):  # cell by cell, as long as no number contradicts
            later = set(closed[i + 1 :])
            layouts = [
                each
                for one in layouts
                for each in (one, one | {c})
                if len(each) <= len(mines)
                and all(
                    len(own & each) <= n <= len(own & each) + len(own & later)
                    for n, own in told
                    if c in own
                )
            ]
        free = [c for c in closed if not any(c in each for each in layouts)]
        if not free:
            return layouts
        opened.update(free)
        stack.extend(free)
        flood()


def losses(near: Near, layouts: Iterable[Layout]) -> tuple[Fraction, Fraction]:
    """Return what a layout with the most mines loses: T, and U more where fewer mines are likelier.

    layouts: all those that no opened cell tells apart. Play is best: for T the layouts with the
    most mines are equally likely and there are no others; with U those of fewer mines come first.
    """
    whole = frozenset(layouts)
    most = max(map(len, whole))
    equal = frozenset(each for each in whole if len(each) == most)
    alone = _won(near, equal, {})[-1]
    beside = _won(near, whole, {})[-1]
    return 1 - Fraction(alone, len(equal)), Fraction(alone - beside, len(equal))


Won = tuple[int, ...]
"""Won layouts by number of mines, the fewest first: of two ways to play the larger is better."""


def _won(near: Near, layouts: frozenset[Layout], known: dict[frozenset[Layout], Won]) -> Won:
    """Return how many layouts of each size the best play wins, sizes from 0 to the most mines."""
    most = max(map(len, layouts))
    if len(layouts) == 1:
        return tuple(int(size == most) for size in range(most + 1))
    if layouts not in known:
        mined = frozenset().union(*layouts)
        best: Won = (0,) * (most + 1)
        around = mined.union(*(near[c] for c in mined))
        for c in sorted(around):
            groups: dict[int, set[Layout]] = defaultdict(set)
            for each in layouts:
                if c not in each:
                    groups[sum(d in each for d in near[c])].add(each)
            if len(groups) > 1 or sum(map(len, groups.values())) < len(layouts):
                parts = [_won(near, frozenset(own), known) for own in groups.values()]
                total = [0] * (most + 1)
                for part in parts:
                    for size, count in enumerate(part):
                        total[size] += count
                best = max(best, tuple(total))
        known[layouts] = best
    return known[layouts]
