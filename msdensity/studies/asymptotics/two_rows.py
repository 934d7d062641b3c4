"""2 x q boards exactly: how the player `weighted` wins them, first click at a corner, safe.

The two cells of a column have the same neighbours in other columns, so that what is known is a row
of columns. A column is closed, half open, or done: both cells are opened or known to be mines. A
number, less the mines that are known, tells the mines x of the columns to its left and right, and
in a half-open column whether its other cell is a mine. Between done columns lie parts that know
nothing of each other but how many mines there are in all. Layouts are counted column by column, in
whole numbers, so that the player's choice is certain: it opens a safe cell, else a safest one, and
of equally safe ones that with fewest neighbours, then with most opened neighbours, then the lowest
index (001, Annex A.1), which is the order `ties=ordered` of the player.

A layout won counts once, and what the player does depends on what is known and on the mines left,
so the layouts won after each knowledge are the sum of those after each number that it may see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import NamedTuple

from msdensity.errors import integer
from msdensity.studies.asymptotics.line import crossing

CLOSED, HALF, DONE = range(3)

MOST_MINES = ((13, 25), (50, 6), (400, 4))
"""(q, m): the knowledge that can be met is at most some 400,000 states up to q columns and m mines.
It grows by 1.8 a column on short boards with any mines, and by 2.4 a mine on long ones."""


class Column(NamedTuple):
    """What is known of a column.

    opened: its opened cells; total: mines that its numbers tell of, beyond the known ones, None
    without a number.
    """

    kind: int
    opened: int
    total: int | None


Part = tuple[Column, ...]

Row = tuple[Column | int, ...]
"""Columns from left to right; an int stands for as many closed ones without an opened neighbour."""

Knowledge = tuple[Row, int]
"""A row and the mines left in it."""

Counts = dict[int, int]
"""Mines -> layouts with so many."""

UNKNOWN = Column(CLOSED, 0, None)

WALL = Column(DONE, 0, None)
"""A column of two known mines."""


def most_mines(q: int) -> int:
    """Return up to how many mines `two_row_win_rates` counts on 2 x q; 0 for q above 400."""
    return min(2 * q - 2, next((most for longest, most in MOST_MINES if q <= longest), 0))


def two_row_win_rates(q: int, mines: Iterable[int]) -> dict[int, Fraction]:
    """Return W of 2 x q by number of mines: the player `weighted`, first click at a corner, safe.

    q: 2..400; mines: 1..most_mines(q) each. Raises InputError out of range.
    """
    q = integer("q", q, 2, MOST_MINES[-1][0])
    first = [
        _row([Column(HALF, 1, total), UNKNOWN, *([q - 2] if q > 2 else [])]) for total in range(4)
    ]
    known: dict[Knowledge, int] = {((), 0): 1}
    rates = {}
    for given in mines:
        m = integer("mines", given, 1, most_mines(q))
        won = sum(_won((row, m), known) for row in first if row is not None)
        rates[m] = Fraction(won, comb(2 * q - 1, m))
    return rates


def two_row_rho50(q: int) -> float:
    """Return rho50 of 2 x q from the exact win rates, as `line_rho50`; NaN if q is not in 3..400.

    With one mine W = q / (2q - 1) is above 1/2, with two it is below, and a cubic through these
    depends on the third alone. On 2 x 2 even one mine is found in one layout of three only.
    """
    if most_mines(q) < 3:
        return float("nan")
    rates = two_row_win_rates(q, (1, 2, 3))
    return crossing(list(rates), [float(W) for W in rates.values()]) / (2 * q)


@lru_cache
def win_polynomial(mines: int) -> tuple[Fraction, ...]:
    """Return the coefficients of 1, q, ... q^mines in the number of layouts won on 2 x q.

    They go through the exact numbers of q = 3 m to 4 m. It is no proof that longer boards follow:
    tests compare more of them. mines: 1..4. Raises InputError out of range.
    """
    m = integer("mines", mines, 1, 4)
    sides = range(3 * m, 4 * m + 1)
    total = [Fraction(0)] * (m + 1)
    for q in sides:
        factors = [Fraction(1)]
        for other in sides:
            if other != q:  # times (x - other) / (q - other)
                shifted = [Fraction(0), *factors]
                factors = [
                    (a - other * b) / (q - other)
                    for a, b in zip(shifted, [*factors, Fraction(0)], strict=True)
                ]
        won = two_row_win_rates(q, [m])[m] * comb(2 * q - 1, m)
        total = [t + won * factor for t, factor in zip(total, factors, strict=True)]
    return tuple(total)


def _won(knowledge: Knowledge, known: dict[Knowledge, int]) -> int:
    """Return how many layouts are won after this knowledge; known: those found already."""
    stack = [(knowledge, list(_next(knowledge)))]
    while stack:
        own, following = stack[-1]
        open_ends = [each for each in following if each not in known]
        if open_ends:
            stack.append((open_ends[0], list(_next(open_ends[0]))))
        else:
            if own not in known:
                known[own] = sum(known[each] for each in following)
            stack.pop()
    return known[knowledge]


def _next(knowledge: Knowledge) -> Iterator[Knowledge]:
    """Yield what the player may know after its next step; nothing where no layout is left."""
    row, mines = knowledge
    view = _View(row, mines)
    if not view.layouts:
        return
    safest: tuple[int, ...] | None = None
    for mined, place, inside in view.cells():
        if mined == view.layouts:
            yield from _known_mines(row, mines, place)
            return
        if mined == 0:
            yield from _opened(row, mines, place, inside, safe=True)
            return
        here = (mined, *view.order(place, inside), place, inside)
        safest = min(safest or here, here)
    halves = view.even_part()
    if halves:
        start, end = halves
        closed = sum(isinstance(c, Column) and c.kind == CLOSED for c in row[start:end])
        columns = list(row)
        for i in range(start, end):
            columns[i] = Column(DONE, _opened_cells(row[i]), 0)
        yield from _as_knowledge(columns, mines - closed)
    elif safest is not None:
        *_, place, inside = safest
        yield from _opened(row, mines, place, inside, safe=False)


class _View:
    """A row with its mines as the player sees it: how many layouts there are, and of each cell."""

    def __init__(self, row: Row, mines: int) -> None:
        self.row = row
        self.mines = mines
        self.floating = 2 * sum(c for c in row if isinstance(c, int))
        self.parts = _parts(row)
        self.of_part = [_counted(part) for _, part in self.parts]
        # Layouts of all other parts by their mines, for each part, and at the end for the floating.
        self.rest = [self._others(a) for a in range(len(self.parts))] + [self._others(None)]
        every = _times(self._free(self.floating), self.rest[-1], mines)
        self.layouts = every.get(mines, 0)

    def _free(self, cells: int) -> Counts:
        return {k: comb(cells, k) for k in range(min(cells, self.mines) + 1)}

    def _others(self, part: int | None) -> Counts:
        found = {0: 1} if part is None else self._free(self.floating)
        for b, counts in enumerate(self.of_part):
            if b != part:
                found = _times(found, counts.layouts, self.mines)
        return found

    def _all(self, part: int, counts: Counts) -> int:
        """Return the layouts of the board, given those of a part."""
        rest = self.rest[part]
        return sum(count * rest.get(self.mines - k, 0) for k, count in counts.items())

    def cells(self) -> Iterator[tuple[int, int, int]]:
        """Yield (layouts in which it is a mine, column, place) of closed cells, one of each kind.

        Of a column both cells are equally safe, and the upper one has the lower index; place: among
        the closed columns that an int stands for, else 0.
        """
        for a, (start, part) in enumerate(self.parts):
            for i, column in enumerate(part):
                if column.kind != DONE:
                    yield self._all(a, self.of_part[a].mined[i]), start + i, 0
        if not self.floating:
            return
        one = {k + 1: comb(self.floating - 1, k) for k in range(min(self.floating, self.mines))}
        mined = _times(one, self.rest[-1], self.mines).get(self.mines, 0)
        for i, run in enumerate(self.row):
            if isinstance(run, int):
                for inside in {0, run - 1}:
                    yield mined, i, inside

    def order(self, place: int, inside: int) -> tuple[int, int, int]:
        """Return what decides between equally safe cells: the lowest goes first."""
        column = self.row[place]
        run = column if isinstance(column, int) else 1
        left = place > 0 or inside > 0
        right = place < len(self.row) - 1 or inside < run - 1
        near = 0
        if isinstance(column, Column):
            near = column.opened + sum(
                _opened_cells(c) for c in self.row[max(place - 1, 0) : place]
            )
            near += sum(_opened_cells(c) for c in self.row[place + 1 : place + 2])
        half = isinstance(column, Column) and column.kind == HALF  # its closed cell is the lower
        return 1 + 2 * left + 2 * right, -near, int(half)

    def even_part(self) -> tuple[int, int] | None:
        """Return the ends of a part whose closed columns surely hold one mine each.

        The player opens a cell of each, some time, and one of its two layouts is won. It learns
        nothing, if the part ends at done columns or the ends of the board.
        """
        for a, (start, part) in enumerate(self.parts):
            end = start + len(part)
            if any(isinstance(c, int) for c in self.row[max(start - 1, 0) : end + 1]):
                continue
            if all(
                column.kind == DONE
                or (
                    column.kind == CLOSED
                    and self._all(a, self.of_part[a].single[i]) == self.layouts
                )
                for i, column in enumerate(part)
            ):
                return start, end
        return None


class _Counted(NamedTuple):
    """Layouts of a part by mines: all, and by column those with the cell mined, and with x = 1."""

    layouts: Counts
    mined: list[Counts]
    single: list[Counts]


_WAYS = {CLOSED: ((0, 1), (1, 2), (2, 1)), HALF: ((0, 1), (1, 1)), DONE: ((0, 1),)}
"""Kind of a column -> (x, ways to place them)."""


@lru_cache(maxsize=50_000)
def _counted(part: Part) -> _Counted:
    """Return the layouts of a part, by sums over the columns from both ends."""
    last = len(part) - 1

    def agrees(i: int, left: int, x: int, right: int) -> bool:
        return part[i].total in (None, left + x + right)

    # The mines of columns i - 1 and i -> counts of the columns up to i, and beyond.
    to_left: list[dict[tuple[int, int], Counts]] = [{} for _ in part]
    to_right: list[dict[tuple[int, int], Counts]] = [{} for _ in part]
    to_left[0] = {(0, x): {x: ways} for x, ways in _WAYS[part[0].kind]}
    for i in range(last):
        for (left, x), counts in to_left[i].items():
            for right, ways in _WAYS[part[i + 1].kind]:
                if agrees(i, left, x, right):
                    _add(to_left[i + 1].setdefault((x, right), {}), counts, {right: ways})
    to_right[last] = {pair: {0: 1} for pair in to_left[last] if agrees(last, *pair, 0)}
    for i in reversed(range(last)):
        for left, x in to_left[i]:
            for right, ways in _WAYS[part[i + 1].kind]:
                counts = to_right[i + 1].get((x, right), {})
                if counts and agrees(i, left, x, right):
                    _add(to_right[i].setdefault((left, x), {}), counts, {right: ways})
    layouts: Counts = {}
    mined: list[Counts] = [{} for _ in part]
    single: list[Counts] = [{} for _ in part]
    for i, column in enumerate(part):
        for (left, x), counts in to_left[i].items():
            beyond = to_right[i].get((left, x), {})
            if i == 0:
                _add(layouts, counts, beyond)
            if x == 1:
                _add(single[i], counts, beyond)
            if x:
                _add(mined[i], counts, beyond)
        if column.kind == CLOSED:  # the cell is one of the two of x = 1
            mined[i] = {k: count - single[i].get(k, 0) // 2 for k, count in mined[i].items()}
    return _Counted(layouts, mined, single)


def _add(total: Counts, a: Counts, b: Counts) -> None:
    """Add the product of two counts to a total."""
    for i, v in a.items():
        for j, w in b.items():
            total[i + j] = total.get(i + j, 0) + v * w


def _times(a: Counts, b: Counts, most: int) -> Counts:
    """Return the product of two counts, up to so many mines."""
    found: Counts = {}
    _add(found, a, b)
    return {k: count for k, count in found.items() if k <= most}


def _parts(row: Row) -> list[tuple[int, Part]]:
    """Return (first column, part) of each part of which no number sees another one."""
    found: list[tuple[int, list[Column]]] = []
    before: Column | int = 0
    for i, column in enumerate(row):
        if isinstance(column, Column):
            apart = isinstance(before, int) or before.kind == column.kind == DONE
            if apart:
                found.append((i, []))
            found[-1][1].append(column)
        before = column
    return [(start, tuple(part)) for start, part in found]


def _opened_cells(column: Column | int) -> int:
    return 0 if isinstance(column, int) else column.opened


def _known_mines(row: Row, mines: int, place: int) -> Iterator[Knowledge]:
    """Yield the knowledge after the closed cells of a column, or all floating ones, are mines."""
    columns = list(row)
    places = [place]
    if isinstance(row[place], int):
        places = [i for i, column in enumerate(row) if isinstance(column, int)]
    for i in places:
        column = row[i]
        if isinstance(column, int):
            x, columns[i] = 2, WALL
            mines -= 2 * column
        elif column.kind == CLOSED:
            x, columns[i] = 2, WALL
            mines -= 2
        else:
            x, columns[i] = 1, Column(DONE, 1, (column.total or 0) - 1)
            mines -= 1
        for near in (i - 1, i + 1):
            other = columns[near] if 0 <= near < len(columns) else 0
            if isinstance(other, Column) and other.total is not None:
                columns[near] = other._replace(total=other.total - x)
    yield from _as_knowledge(columns, mines)


def _opened(row: Row, mines: int, place: int, inside: int, safe: bool) -> Iterator[Knowledge]:
    """Yield the knowledge after each number of an opened cell; safe: its whole column is safe."""
    column = row[place]
    columns = list(row)
    if isinstance(column, Column) and column.kind == HALF:
        columns[place] = Column(DONE, 2, column.total)
        yield from _as_knowledge(columns, mines)
        return
    if isinstance(column, int):
        columns[place : place + 1] = [*_run(inside), UNKNOWN, *_run(column - 1 - inside)]
        place += len(_run(inside))
    for near in (place + 1, place - 1):  # the right one first, which leaves the place where it is
        run = columns[near] if 0 <= near < len(columns) else UNKNOWN
        if isinstance(run, int):
            split = [UNKNOWN, *_run(run - 1)]
            columns[near : near + 1] = split if near > place else split[::-1]
            place += (len(split) - 1) * (near < place)
    for total in range(5 if safe else 6):
        columns[place] = Column(DONE, 2, total) if safe else Column(HALF, 1, total)
        yield from _as_knowledge(columns, mines)


def _run(columns: int) -> list[Column | int]:
    return [columns] if columns else []


def _as_knowledge(columns: list[Column | int], mines: int) -> Iterator[Knowledge]:
    row = _row(columns)
    if row is not None:
        yield row, mines


def _row(columns: list[Column | int]) -> Row | None:
    """Return columns without those that say nothing any more; None where a number is wrong."""
    merged: list[Column | int] = []
    for i, column in enumerate(columns):
        near = columns[max(i - 1, 0) : i + 2]
        floats = column == UNKNOWN and not any(map(_opened_cells, near))
        own = 1 if floats else column
        if isinstance(own, int) and merged and isinstance(merged[-1], int):
            merged[-1] += own
        else:
            merged.append(own)
    done = [isinstance(c, Column) and c.kind == DONE for c in merged]
    found: list[Column | int] = []
    for i, column in enumerate(merged):
        if all(done[max(i - 1, 0) : i + 2]):  # between done columns
            if isinstance(column, Column) and column.total:
                return None
        else:
            found.append(column)
    return tuple(found)
