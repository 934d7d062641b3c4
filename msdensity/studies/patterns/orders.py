"""The law's coefficients counted on boards: whole numbers for each board, start and order.

On a square board whose corners are far apart, the sum of mu over sets of k mines (`losses`) is

    n B_k + L E_k + 4 C_k,   n = q^2 cells, L = 4 q cells along its sides,

so three boards give the coefficients of bulk, edge and corner, and a fourth one tests them.
"""

from __future__ import annotations

from collections.abc import Iterable
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

ORDER_COLUMNS = ("board", "start", "mines", "sets", "lost", "loss", "guesses")


def neighbours(board: Board) -> list[list[int]]:
    """Return the neighbours of each cell."""
    from msdensity.kernel.topology import cached_table

    table = cached_table(board.shape, board.topology)
    return [near.tolist() for near in np.split(table.neighbours, table.start[1:-1])]


def square_orders(side: int, most: int) -> pd.DataFrame:
    """Return the orders of a square board without a start (ORDER_COLUMNS), 1 to `most` mines."""
    board = Board((side, side))
    near = neighbours(board)
    return _orders(board, "none", near, differences(near, most), most)


def torus_orders(side: int, most: int) -> pd.DataFrame:
    """Return the orders of a torus without a start (ORDER_COLUMNS), 1 to `most` mines.

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
    """Return the orders of a torus with a start on a 0 (ORDER_COLUMNS), 1 to `most` mines.

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
    rows = [
        (
            board.name,
            start,
            k,
            len(sets[k]),
            *(int(each[k].sum()) for each in (lost, loss, guesses)),
        )
        for k in range(1, most + 1)
    ]
    return pd.DataFrame(rows, columns=list(ORDER_COLUMNS))


def corner_series(side: int, most: int) -> list[Fraction]:
    """Return the coefficients of rho^0 to rho^most in -ln W of a safe start in a corner.

    Every layout of up to `most` mines on a square board is played; each cell but the first is a
    mine with probability rho.
    """
    board = Board((side, side))
    free = np.arange(1, board.cells)
    lost = [0]
    for k in range(1, most + 1):
        played = count_wins(board, free, k, 0)
        lost.append(played.layouts - played.won)
    return minus_log(loss_series(lost, len(free)))


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
