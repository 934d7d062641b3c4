"""The tables of the study: what sets of mines cost, and the coefficients that follow."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

import pandas as pd

from msdensity.errors import InputError, shown
from msdensity.files.tables import check_table
from msdensity.games.boards import Board
from msdensity.stats.law import SERIES
from msdensity.studies.page import rows
from msdensity.studies.patterns.columns import (
    COEFFICIENT_COLUMNS,
    ORDER_COLUMNS,
    PATTERN_COLUMNS,
)
from msdensity.studies.patterns.differences import Difference
from msdensity.studies.patterns.orders import (
    corner_orders,
    place_differences,
    square_orders,
    torus_orders,
    zero_orders,
)
from msdensity.studies.patterns.settings import Settings

COUNTED = {
    "square": square_orders,
    "torus": torus_orders,
    "zero": zero_orders,
    "corner": corner_orders,
}
"""The kinds of a part (`Settings.parts`) and the functions that count its sets."""

SQUARED = 6
"""The order of the square of the first term, that of a corner."""

DRAWN = {"bulk": 7, "edge": 4, "corner": 3}
"""Place -> the most mines of the patterns that are drawn."""


def orders_table(part: str, settings: Settings) -> pd.DataFrame:
    """Return the orders of one part of the study (ORDER_COLUMNS); InputError for another part."""
    parts = settings.parts()
    if part not in parts:
        raise InputError(f"part={shown(part)} must be one of {', '.join(parts)}")
    kind, side, most = parts[part]
    table = COUNTED[kind](side, most)
    table.insert(0, "part", part)
    return check_table(table, ORDER_COLUMNS, "orders table")


def joined_orders(orders: pd.DataFrame) -> pd.DataFrame:
    """Return the orders of all parts: each already holds the rows of its jobs."""
    return orders


def patterns_table() -> pd.DataFrame:
    """Return the differences of fewest mines by place, and the next ones in the bulk."""
    found = [
        (place, each.mines, *_cells(each, side, place))
        for place, most in DRAWN.items()
        for each, side in place_differences(place, most)
    ]
    return pd.DataFrame(found, columns=list(PATTERN_COLUMNS))


def _cells(each: Difference, side: int, place: str) -> list[str]:
    """Return the three sets of cells as text, moved to a frame of one cell around them."""
    everything = [divmod(c, side) for c in each.first | each.second | each.flags]
    up = 0 if place != "bulk" else min(r for r, _ in everything) - 1
    left = 0 if place == "corner" else min(c for _, c in everything) - 1
    return [
        " ".join(f"{c // side - up},{c % side - left}" for c in sorted(cells))
        for cells in (each.first, each.second, each.flags)
    ]


def coefficients_table(orders: pd.DataFrame) -> pd.DataFrame:
    """Return the coefficients of corner, edge, bulk and start (COEFFICIENT_COLUMNS).

    orders: ORDER_COLUMNS of all parts. On q x q boards the sum is q^2 bulk + 4 q edge + 4 corner:
    three boards say them, and the others must agree. The bulk is counted on a torus too.
    """
    found: list[tuple[object, ...]] = []
    known: dict[tuple[str, int], Fraction] = {}
    alone = orders["start"] == "none"
    wrapped = orders["board"].str.contains("-")
    for order, own in orders[alone & ~wrapped].groupby("mines"):
        boards = own["board"].tolist()
        sides = [Board.parse(board).p for board in boards]
        sums = dict(zip(sides, map(Fraction, own["loss"]), strict=True))
        solved = _solved(dict(list(sums.items())[:3]))
        if order == SQUARED:
            # Two sets at one corner exclude each other, which -ln W counts and the sums do not.
            solved["corner"] += known["corner", SQUARED // 2] ** 2 / 2
        for term, value in solved.items():
            known[term, int(str(order))] = value
            found.append(_row(term, order, value, " ".join(boards[:3]), _tested(sums)))
    for row in rows(orders[wrapped | ~alone]):
        value, (p, *_) = Fraction(row.loss), Board.parse(row.board).shape
        term = f"{row.start} start"
        if row.start == "none":
            term, value = "bulk", value / p**2
            if known.get((term, row.mines)) == value:
                continue  # the squares say the same
        elif row.start == "corner":
            counts = {"corner": 3, "edge": 4 * p, "bulk": p**2}
            value -= sum(n * known.get((name, row.mines), 0) for name, n in counts.items())
        found.append(_row(term, row.mines, value, row.board, ""))
    table = pd.DataFrame(found, columns=list(COEFFICIENT_COLUMNS))
    return check_table(table[table["value"] != 0], COEFFICIENT_COLUMNS, "coefficients table")


def _solved(sums: Mapping[int, Fraction]) -> dict[str, Fraction]:
    """Return bulk, edge and corner from the sums of three sides, by Lagrange's formula."""
    total = [Fraction(0)] * 3  # of 1, q and q^2
    for q, value in sums.items():
        a, b = (other for other in sums if other != q)
        share = value / ((q - a) * (q - b))
        for i, factor in enumerate((a * b, -(a + b), 1)):
            total[i] += share * factor
    return {"corner": total[0] / 4, "edge": total[1] / 4, "bulk": total[2]}


def _tested(sums: Mapping[int, Fraction]) -> str:
    """Return the boards besides the first three, and whether every three give the same."""
    others = [f"{q}x{q}" for q in list(sums)[3:]]
    solved = [_solved({q: sums[q] for q in chosen}) for chosen in combinations(sums, 3)]
    agree = all(each == solved[0] for each in solved)
    return " ".join(others if agree else ["differs on", *others])


def _row(term: str, order: Any, value: Fraction, boards: str, tested: str) -> tuple[object, ...]:
    law = SERIES.get(term, {}).get(order, Fraction(0))
    return term, order, str(value), float(value), float(law), boards, tested
