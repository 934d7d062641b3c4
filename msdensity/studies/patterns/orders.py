"""The law's coefficients counted on boards: numbers for each board, start and order.

On a square board whose corners are far apart, the sum of mu (`losses`) over sets of k mines that
hang together is

    n B_k + L E_k + 4 C_k,   n = q^2 cells, L = 4 q cells along its sides,

so three boards give the coefficients of bulk, edge and corner, and a fourth one tests them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import comb

import numpy as np
import pandas as pd

from msdensity.games.boards import Board
from msdensity.games.layouts import FAR, count_wins, play_layouts, walls
from msdensity.studies.patterns.differences import Difference, Near, differences
from msdensity.studies.patterns.losses import LINK, Sets, grown, moebius, reach

BULK_SIDE = 25
"""Differences around the middle of such a board meet no side."""

PLACE_SIDE = 13
"""Side of the board on which differences at a side and in a corner are looked for."""


def neighbours(board: Board) -> list[list[int]]:
    """Return the neighbours of each cell."""
    from msdensity.kernel.topology import cached_table, neighbour_lists

    return neighbour_lists(cached_table(board.shape, board.topology))


def square_orders(side: int, most: int) -> pd.DataFrame:
    """Return the orders of a square board without a start 1 to `most` mines, a row each."""
    board = Board((side, side))
    near = neighbours(board)
    return _orders(board, "none", near, differences(near, most), most)


def torus_orders(side: int, most: int) -> pd.DataFrame:
    """Return the orders of a torus without a start 1 to `most` mines, a row each.

    side: no multiple of 3, else lines have further differences, which are not looked for.
    """
    board = Board((side, side), "torus8")
    return _orders(board, "none", neighbours(board), _of_torus(side, most), most)


def bulk_differences(most: int) -> list[Difference]:
    """Return the differences in the open, each once, on a board of side BULK_SIDE."""
    middle = BULK_SIDE * (BULK_SIDE // 2) + BULK_SIDE // 2
    return differences(neighbours(Board((BULK_SIDE, BULK_SIDE))), most, [middle])


def _of_torus(side: int, most: int) -> list[Difference]:
    found = []
    for each in bulk_differences(most):
        for down in range(side):
            for right in range(side):

                def moved(
                    cells: Iterable[int], down: int = down, right: int = right
                ) -> frozenset[int]:
                    places = (divmod(c, BULK_SIDE) for c in cells)
                    return frozenset(
                        (r + down) % side * side + (c + right) % side for r, c in places
                    )

                found.append(Difference(moved(each.first), moved(each.second), moved(each.flags)))
    return found


def zero_orders(side: int, most: int) -> pd.DataFrame:
    """Return the orders of a torus with a start on a 0 1 to `most` mines, a row each.

    Besides the differences that the start leaves: sets of mines that wall in the 0s that it opens,
    alone or with a mine anywhere.
    """
    board = Board((side, side), "torus8")
    near = neighbours(board)
    first = side * (side // 2) + side // 2
    spared = {first, *near[first]}
    free = np.setdiff1d(np.arange(board.cells), [*spared])
    layouts = [each for d in _of_torus(side, most) for each in d.layouts if not each & spared]
    links = reach(near, LINK)
    for k in range(1, most + 1):
        for wall in walls(board, links, first, k).tolist():
            layouts.append(frozenset(wall))
            layouts += [frozenset(wall) | {c} for c in free.tolist()]
    return _orders(board, "zero", near, layouts=layouts, most=most, free=free, first=first)


def _orders(
    board: Board,
    start: str,
    near: Near,
    found: Iterable[Difference] = (),
    most: int = 0,
    *,
    layouts: Iterable[frozenset[int]] | None = None,
    free: Sets | None = None,
    first: int = FAR,
) -> pd.DataFrame:
    given = layouts if layouts is not None else [each for d in found for each in d.layouts]
    sets = grown(near, given, most)
    if free is not None:
        sets = [own[np.isin(own, free).all(axis=1)] for own in sets]
    ends = [np.zeros((0, 2), np.int32)] + [play_layouts(board, own, first) for own in sets[1:]]
    lost = [(end[:, 0] == 0).astype(np.int64) for end in ends]
    loss = moebius(sets, lost)
    guesses = moebius(sets, [end[:, 1].astype(np.int64) for end in ends])
    sums = [[int(each[k].sum()) for each in (lost, loss, guesses)] for k in range(most + 1)]
    return _table(board, start, [len(own) for own in sets], *zip(*sums, strict=True))


def _table(
    board: Board,
    start: str,
    sets: Sequence[int],
    lost: Sequence[int],
    loss: Sequence[Fraction | int],
    guesses: Sequence[int | str],
) -> pd.DataFrame:
    """Return the table of orders 1 and more; each sequence begins with order 0."""
    return pd.DataFrame(
        {
            "board": board.name,
            "start": start,
            "mines": range(1, len(sets)),
            "sets": sets[1:],
            "lost": lost[1:],
            "loss": [str(value) for value in loss[1:]],
            "guesses": [str(value) for value in guesses[1:]],
        }
    )


def corner_orders(side: int, most: int) -> pd.DataFrame:
    """Return the orders of a square board with a safe start in a corner, 1 to `most` mines.

    Every layout of up to `most` mines is played; the coefficients are those of -ln W where each
    cell but the first is a mine with probability rho.
    """
    board = Board((side, side))
    free = np.arange(1, board.cells)
    counts = [count_wins(board, free, k, 0) for k in range(1, most + 1)]
    lost = [0, *(each.layouts - each.won for each in counts)]
    series = minus_log(loss_series(lost, len(free)))
    sets = [1, *(each.layouts for each in counts)]
    return _table(board, "corner", sets, lost, series, [""] * len(sets))


def place_differences(place: str, most: int) -> list[tuple[Difference, int]]:
    """Return the differences of at most `most` mines at a place, each with the side of its board.

    place: bulk, edge (the upper side) or corner (the upper left one); those that are moved along
    the side are one.
    """
    if place == "bulk":
        return [(each, BULK_SIDE) for each in bulk_differences(most)]
    middle = PLACE_SIDE // 2
    columns = [middle] if place == "edge" else [0, 1]
    roots = [row * PLACE_SIDE + column for row in (0, 1) for column in columns]
    near = neighbours(Board((PLACE_SIDE, PLACE_SIDE)))
    return [(each, PLACE_SIDE) for each in differences(near, most, roots)]


def loss_series(lost: list[int], cells: int) -> list[Fraction]:
    """Return the coefficients of rho^k in 1 - W = sum of lost[k] rho^k (1 - rho)^(cells - k)."""
    return [
        Fraction(sum((-1) ** (k - j) * lost[j] * comb(cells - j, k - j) for j in range(k + 1)))
        for k in range(len(lost))
    ]


def minus_log(loss: list[Fraction]) -> list[Fraction]:
    """Return the coefficients of -ln(1 - x), x given by its coefficients, the first of them 0."""
    order = len(loss)
    total = [Fraction(0)] * order
    power = [Fraction(1)] + [Fraction(0)] * (order - 1)
    for j in range(1, order):
        power = [
            sum((power[i] * loss[k - i] for i in range(k + 1)), Fraction(0)) for k in range(order)
        ]
        total = [t + p / j for t, p in zip(total, power, strict=True)]
    return total
