"""Forced guesses: the search misses none, the sums are exact, and the law's coefficients follow."""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from msdensity.games.boards import Board
from msdensity.games.layouts import count_wins, play_clusters, play_layouts
from msdensity.studies.patterns.differences import differences
from msdensity.studies.patterns.losses import LINK, grown, moebius, reach
from msdensity.studies.patterns.orders import (
    bulk_differences,
    corner_orders,
    loss_series,
    minus_log,
    neighbours,
    square_orders,
    torus_orders,
)
from sizes import sizes


def numbers(near: list[list[int]], layout: frozenset[int]) -> list[int]:
    return [sum(d in layout for d in own) for own in near]


@pytest.mark.parametrize("shape, topology", [((4, 4), "square8"), ((4, 5), "square4")])
def test_the_search_finds_all_pairs_of_layouts_with_equal_numbers(
    shape: tuple[int, int], topology: str
) -> None:
    """By comparing every two layouts of up to three mines, in integers."""
    near = neighbours(Board(shape, topology))
    cells = range(len(near))
    layouts = [frozenset(own) for k in range(4) for own in combinations(cells, k)]
    shown = {layout: numbers(near, layout) for layout in layouts}
    pairs = set()
    for a, b in combinations(layouts, 2):
        if all(shown[a][c] == shown[b][c] for c in cells if c not in a | b):
            pairs |= {(a - b, b - a, a & b), (b - a, a - b, a & b)}
    found = {(d.first, d.second, d.flags) for d in differences(near, 3)}
    found |= {(second, first, flags) for first, second, flags in found}
    assert found <= pairs
    # A pair may have needless flags, or be two differences that know nothing of each other.
    for first, second, both in pairs:
        parts = [f for f in found if f[0] <= first and f[1] <= second and f[2] <= both]
        assert frozenset().union(*(f[0] | f[1] for f in parts)) == first | second


def test_every_set_that_forces_a_guess_has_a_difference() -> None:
    """All sets of four mines that hang together and begin at the upper side are played."""
    board = Board((13, 13))
    near = neighbours(board)
    links = reach(near, LINK)
    sets = grown(near, [each for d in differences(near, 4) for each in d.layouts], 4)
    known = {tuple(own) for own in sets[4].tolist()}
    forced = []
    for root in (0, 1, 6, 13, 19):
        rows = play_clusters(board, links, root, 4)[1][:, :4]
        forced += [tuple(own) for own in np.sort(rows, axis=1).tolist()]
    assert len(forced) > 50 and set(forced) <= known


def test_the_sums_over_all_sets_count_the_lost_layouts() -> None:
    """Of 5x5 from a corner: lost layouts of m mines = sum over T of mu(T) C(24 - |T|, m - |T|)."""
    board, most = Board((5, 5)), 4
    free = range(1, 25)
    sets = [np.zeros((0, 0), np.int64)]
    sets += [np.array(list(combinations(free, k))) for k in range(1, most + 1)]
    lost = [np.zeros(0, np.int64)]
    lost += [(play_layouts(board, own, 0)[:, 0] == 0).astype(np.int64) for own in sets[1:]]
    mu = [own.sum() for own in moebius(sets, lost)]
    for m in range(1, most + 1):
        expected = sum(mu[k] * comb(24 - k, m - k) for k in range(1, m + 1))
        counts = count_wins(board, free, m, 0)
        assert counts.layouts - counts.won == lost[m].sum() == expected


def test_the_bulk_has_one_difference_of_six_mines_and_two_of_seven() -> None:
    """A 2 x 2 block with its diagonal corners; two cells side by side with three flags an end."""
    assert sorted(d.mines for d in bulk_differences(7)) == [6, 7, 7]


@pytest.mark.parametrize("sides", sizes([13], [15, 16]))
def test_coefficients_of_corner_and_edge(sides) -> None:
    """q x q: 12 rho^3 and (8 q - 8) rho^4, where no four mines go across."""
    for q in sides:
        assert square_orders(q, 4)["loss"].tolist() == ["0", "0", "12", f"{8 * q - 8}"]


def test_coefficients_of_the_bulk() -> None:
    """One game of every cell's six mines is lost, and none is added by a seventh."""
    orders = torus_orders(11, 7)
    assert orders["loss"].tolist() == [*"00000", "121", "0"]
    assert orders["guesses"].tolist() == [*"00000", "242", "0"]


def test_a_wider_link_changes_no_sum_and_none_does() -> None:
    board = Board((13, 13))
    near = neighbours(board)
    layouts = [each for d in differences(near, 4) for each in d.layouts]
    alone = sorted(sorted(each) for each in layouts if len(each) == 4)
    sums = []
    for sets in (grown(near, layouts, 4), grown(near, layouts, 4, LINK + 1)):
        lost = [np.zeros(0, np.int64)]
        lost += [(play_layouts(board, own)[:, 0] == 0).astype(np.int64) for own in sets[1:]]
        sums.append([int(own.sum()) for own in moebius(sets, lost)])
    assert sums[0] == sums[1] == [0, 0, 0, 12, 96]
    assert (play_layouts(board, alone)[:, 0] == 0).sum() != 96


def test_the_series_of_a_corner() -> None:
    """3 rho^2 + 19 rho^3, of which 9 rho^3 are the other corners."""
    assert corner_orders(7, 3)["loss"].tolist() == ["0", "3", "19"]


def test_a_series_by_hand() -> None:
    """One of two cells is always lost if mined alone: 1 - W = 2 rho (1 - rho)."""
    assert loss_series([0, 2, 0], 2) == [0, 2, -2]
    assert minus_log([Fraction(0), Fraction(2), Fraction(-2)]) == [0, 2, 0]
