"""Pairs of layouts with equal and unequal numbers of mines, and walled-in cells."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import poisson

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.layouts import play_layouts_by
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.stats.law import walled_in_cells, walled_in_share
from msdensity.studies.patterns.differences import differences, kinds
from msdensity.studies.patterns.losses import LINK, reach
from msdensity.studies.patterns.orders import neighbours

SIDE = 25
MIDDLE = SIDE * (SIDE // 2) + SIDE // 2


@pytest.mark.parametrize(
    ("topology", "most", "found"),
    [
        ("square4", 6, {5: (2, 1), 6: (3, 2)}),
        ("square8", 7, {6: (1, 0), 7: (2, 0)}),
    ],
)
def test_the_kinds_in_the_open(topology: str, most: int, found: dict) -> None:
    """square4: (2 + u) rho^5 + (3 + 2 u) rho^6; square8: no unequal pair of so few mines."""
    near = neighbours(Board((SIDE, SIDE), topology))
    assert kinds(differences(near, most, [MIDDLE])) == found


def clusters(links: list[frozenset[int]], root: int, mines: int) -> list[tuple[int, ...]]:
    """Return all sets that hang together and whose lowest cell is `root` (Redelmeier)."""
    found: list[tuple[int, ...]] = []

    def grow(chosen: tuple[int, ...], untried: list[int], seen: frozenset[int]) -> None:
        while untried:
            cell = untried.pop()
            own = (*chosen, cell)
            if len(own) == mines:
                found.append(own)
                continue
            more = [d for d in links[cell] if d > root and d not in seen]
            grow(own, untried + more, seen | set(more))

    grow((), [root], frozenset({root}))
    return found


def rivals(near: list[list[int]], mines: frozenset[int]) -> list[frozenset[int]]:
    """Return the layouts of at most as many mines that no cell tells apart that can be opened.

    All cells are opened that are free in every such layout, again and again, without the mine
    count; the mined layout is among those returned.
    """
    number = [sum(d in mines for d in own) for own in near]
    opened, stack = {0}, [0]

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


@pytest.mark.campaign
def test_all_sets_of_five_mines_on_square4() -> None:
    """55,584 sets hang together; 5 are ambiguous: T loses 2, and without the mine count U 3."""
    board = Board((SIDE, SIDE), "square4")
    near = neighbours(board)
    sets = np.array(clusters(reach(near, LINK), MIDDLE, 5))
    assert len(sets) == len({frozenset(own) for own in sets.tolist()}) == 55_584
    # If single numbers find all free cells, only a mine that no free cell sees can be missed.
    stuck = play_layouts_by(board, sets, 0, "single_point")[:, 1] > 0
    unseen = [any(set(near[c]) <= set(own) for c in own) for own in sets.tolist()]
    equal, unequal, ambiguous = Fraction(0), Fraction(0), 0
    for own in sets[stuck | unseen].tolist():
        found = rivals(near, frozenset(own))
        assert frozenset(own) in found
        same = sum(len(each) == 5 for each in found)
        equal += 1 - Fraction(1, same)
        # A layout with fewer mines is likelier by 1 / rho, so that this one is lost.
        unequal += 1 if same < len(found) else 1 - Fraction(1, same)
        ambiguous += len(found) > 1
    assert (ambiguous, equal, unequal) == (5, 2, 3)


def test_the_share_of_unequal_pairs_is_that_of_a_walled_in_mine_among_free_ones() -> None:
    """The mean of K / (K + 1) of a Poisson K, and its limits."""
    free = np.arange(200)
    for mean in (1e-6, 0.05, 0.8, 7.0, 60.0):
        expected = (poisson.pmf(free, mean) * free / (free + 1)).sum()
        assert walled_in_share(mean) == pytest.approx(expected, rel=1e-9)
    assert walled_in_share([0.0, 9e-5, 1.1e-4, 1e9]) == pytest.approx(
        [0, 4.49987e-5, 5.4998e-5, 1], rel=1e-5
    )
    assert walled_in_cells([4, 4, 3, 2], 0.1) == pytest.approx(0.0112)
    assert walled_in_cells(np.full(10_000, 4), 0.1) == pytest.approx(1)
    for wrong in (lambda: walled_in_share(-1.0), lambda: walled_in_cells([-1], 0.1)):
        with pytest.raises(InputError, match="must be at least 0"):
            wrong()


@pytest.mark.campaign
def test_the_law_of_torus4_needs_the_share() -> None:
    """-ln W of 64 x 64 at .1, with u between 0 and 1; without u, and with u = 1, it is rejected.

    4 standard errors: a false alarm once in 16,000.
    """
    side, mines, games = 64, 410, 100_000
    cells, rho = side**2, mines / side**2
    task = Task(Board((side, side), "torus4"), mines, "weighted", {}, Rules("centre", "zero"), 3)
    wins = play_batch(task, 0, games)["wins"]
    x, error = -np.log(wins / games), np.sqrt(1 / wins - 1 / games)

    def law(u: float) -> float:
        chance = [np.prod((mines - np.arange(k)) / (cells - 5 - np.arange(k))) for k in (5, 6)]
        return cells * ((2 + u) * chance[0] + (3 + 2 * u) * chance[1])

    u = float(walled_in_share(walled_in_cells(np.full(cells, 4), rho)))
    assert 0.15 < u < 0.2 and x - law(0) > 4 * error and law(1) - x > 4 * error
