"""What one position, or many, says about every unknown cell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from decimal import Decimal
from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from msdensity.errors import InputError, integer, require_kind, whole_array
from msdensity.games.configurations import count_configurations
from msdensity.games.html import grid
from msdensity.games.text import NUMBERS, read_rows
from msdensity.kernel.batch import thread_workspace
from msdensity.kernel.compiler.jit import compiling
from msdensity.kernel.limits import MAX_NEIGHBOURS
from msdensity.kernel.position import (
    APPROXIMATE,
    BAD_COMPONENT,
    BAD_TOTAL,
    CLEAR,
    EXACT,
    analyse_positions,
    reduce_position,
)
from msdensity.kernel.state import MARKED, OPEN, UNKNOWN, Memory
from msdensity.kernel.topology import Topology, add_lone_cells, board_table


class Asked(NamedTuple):
    """The position of an analysis, as `analyse_states` takes it."""

    topology: Topology
    states: np.ndarray
    numbers: np.ndarray
    mines: int | None


@dataclass(frozen=True)
class Analysis:
    """The answers for one position; cells are (row, column), from 0 at the top left.

    consistent: whether any arrangement of exactly that many mines meets all clues.
    reason: why not, in words ("" if consistent).
    mines_range: fewest and most mines that the clues allow without the total (marked ones
        included); None if the clues contradict each other.
    configurations: number of arrangements, an exact integer (None if `exact` is False or the total
        is not given). It is computed when it is first read, because it may have thousands of
        digits.
    safety: array (rows, columns), P_S of each unknown cell (formulas 4.10, 4.22), NaN elsewhere and
        if there is no arrangement or no total.
    safe, mined: unknown cells with no mine, or a mine, in every arrangement; exact.
    exact: False if the position exceeded the budget of exact counting. Then safe and mined are the
        cells that single numbers and pairs of numbers decide (sound, but perhaps not all), safety
        is an estimate, mines_range is None, and consistent says only that no contradiction was
        found.
    """

    consistent: bool
    reason: str
    mines_range: tuple[int, int] | None
    configurations: int | None
    safety: np.ndarray
    safe: list[tuple[int, ...]]
    mined: list[tuple[int, ...]]
    exact: bool = True

    @property
    def asked(self) -> Asked | None:
        """The position, if `analyse` made this object in this process."""
        return vars(self).get("_asked")

    def __getattr__(self, name: str) -> int | None:
        """Compute `configurations`, which is missing until it is first read."""
        position = vars(self).get("_position")
        if name != "configurations" or position is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        # Analyse again: the workspace of this thread may hold another position by now.
        _solve(position)
        number = count_configurations(thread_workspace(position.table))
        vars(self)[name] = number
        return number

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields: a copy in another process cannot use the tables of this one."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __str__(self) -> str:
        """Return the analysis in words, with the safeties in percent."""
        if not self.consistent:
            return f"impossible: {self.reason}"
        lines = ["too large for exact counting: there may be more certain cells than these"]
        if self.exact:
            low, high = self.mines_range or (0, 0)
            lines = [f"mines allowed by the clues: {low}..{high}"]
        number = self.configurations
        if number is not None:
            text = str(number) if number < 10**40 else f"{Decimal(number):.5e}".replace("+", "")
            lines.append(f"configurations: {text}")
        for name, cells in (("safe", self.safe), ("mined", self.mined)):
            lines.append(f"{name}: {' '.join(','.join(map(str, c)) for c in cells) or 'none'}")
        if number is not None:
            lines.append("safety in percent (- known):")
            for row in self.safety.reshape(-1, self.safety.shape[-1]):
                each = ("     -" if math.isnan(s) else f"{100 * s:6.2f}" for s in row)
                lines.append(" ".join(each))
        elif self.exact:
            lines.append("no probabilities without the number of mines: give mines (--mines)")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """Return the safeties in percent as HTML for a notebook."""
        if not self.consistent:
            return f"<div>{escape(f'impossible: {self.reason}')}</div>"
        rows = [" " * self.safety.shape[-1]] * (self.safety.size // self.safety.shape[-1])
        cells = f"{len(self.safe)} cells certainly safe, {len(self.mined)} certainly mined"
        number = self.configurations or 0
        count = f"{number:,}" if number < 10**12 else f"about 10^{math.log10(number):.1f}"
        counted = f", {count} configurations" if number else ""
        return grid(rows, f"P_S in percent: {cells}{counted}", self.safety)


@dataclass(frozen=True, eq=False)
class Analyses:
    """The answers for n positions on one board, in the same words as `Analysis`.

    consistent, exact: boolean arrays (n,). reason: n strings, "" for a consistent position.
    mines_range: array (n, 2); (-1, -1) where `Analysis` has None.
    safety: array (n, *shape of the board), NaN where `Analysis` has it. safe, mined: boolean arrays
        of the same shape.
    """

    consistent: np.ndarray
    reason: tuple[str, ...]
    mines_range: np.ndarray
    safety: np.ndarray
    safe: np.ndarray
    mined: np.ndarray
    exact: np.ndarray


_NUMBER = np.zeros(128, np.int64)
_NUMBER[list(NUMBERS.encode())] = range(len(NUMBERS))

_STATE = np.full((2, 128), OPEN, np.uint8)
_STATE[:, ord(".")] = UNKNOWN
_STATE[:, ord("F")] = UNKNOWN, MARKED
"""By ASCII code, in one row for flags that are not trusted, in the next for those that are."""


def analyse(
    grid: Sequence[str],
    mines: int | None,
    topology: Topology = "square8",
    trust_flags: bool = True,
    *,
    shape: Sequence[int] | None = None,
) -> Analysis:
    """Return what the clues and the number of mines say about every unknown cell.

    grid: one string a row: `.` unknown, a digit for an opened cell (a, b, ... for 10, 11, ...), `F`
        a flag.
    mines: the total, flagged ones included, 0..cells; None if it is not known: then safe, mined and
        mines_range follow from the clues alone.
    topology: a name, or the neighbours of each cell in row-major order.
    trust_flags: whether a flagged cell is known to be mined; otherwise it is an unknown cell.
    shape: sides of a board with more than two axes; the rows of its layers follow each other in
        `grid`.

    Raises InputError for a malformed grid, a total out of range or an impossible topology.
    """
    require_kind("trust_flags", trust_flags, (bool, np.bool_), "True or False")
    text, sides = read_rows("grid", grid, ".F" + NUMBERS, shape)
    codes = np.frombuffer(text.encode(), np.uint8)
    asked = Asked(topology, _STATE[int(trust_flags)][codes], _NUMBER[codes], mines)
    answer = analyse_states(sides, topology, asked.states, asked.numbers, mines)
    vars(answer)["_asked"] = asked
    return answer


def analyse_many(
    states: ArrayLike,
    numbers: ArrayLike,
    mines: ArrayLike | None,
    topology: Topology = "square8",
    *,
    shape: Sequence[int] | None = None,
) -> Analyses:
    """Return what `analyse` says about each of n positions on one board, in arrays.

    states: (n, *shape) or (n, cells), 0 unknown, 1 opened, 2 flagged (known to be mined).
    numbers: of the same shape, 0..1000; only those of opened cells are used.
    mines: the total of every position, flagged ones included, or n totals, 0..cells; None if they
        are not known.
    topology: a name, or the neighbours of each cell in row-major order.
    shape: sides of the board; None: those of `states`.

    Raises InputError for arrays of another shape, values out of range or an impossible topology.
    """
    state, number = whole_array("states", states), whole_array("numbers", numbers)
    if state.ndim < 2 or 0 in state.shape[1:]:
        raise InputError(
            f"states has shape {state.shape}, must be (n, rows, columns) or (n, cells), at least"
            " one cell each"
        )
    sides = state.shape[1:] if shape is None else shape
    table = board_table(sides, topology)
    sides, n, cells = tuple(map(int, sides)), len(state), len(table.start) - 1
    for name, array in (("states", state), ("numbers", number)):
        if array.shape not in ((n, *sides), (n, cells)):
            raise InputError(
                f"{name} has shape {array.shape}, must be {(n, *sides)} or {(n, cells)}"
            )
    _check_range("states", state, 0, 2)
    state, number = state.reshape(n, cells), number.reshape(n, cells)
    _check_range("numbers", number[state == OPEN], 0, MAX_NEIGHBOURS)
    totals = None
    if mines is not None:
        totals = whole_array("mines", mines)
        if totals.shape not in ((), (n,)):
            raise InputError(f"mines has shape {totals.shape}, must be one number or ({n},)")
        _check_range("mines", totals, 0, cells)
    return _analyse(_positions(table, state, number, totals), sides, totals is not None)


def _check_range(name: str, values: np.ndarray, low: int, high: int) -> None:
    wrong = (values < low) | (values > high)
    if wrong.any():
        raise InputError(f"{name}={values[wrong][0]} must be in {low}..{high}")


def analyse_states(
    shape: Sequence[int],
    topology: Topology,
    states: np.ndarray,
    numbers: np.ndarray,
    mines: int | None,
) -> Analysis:
    """Return the analysis of a position in arrays over the cells (see `analyse`).

    `states` holds UNKNOWN, OPEN or MARKED (`kernel.state`) for each cell, `numbers` the clue of
    each opened one.
    """
    return analyse_table(board_table(shape, topology), shape, states, numbers, mines)


def analyse_table(
    table: Memory,
    shape: Sequence[int],
    states: np.ndarray,
    numbers: np.ndarray,
    mines: int | None,
) -> Analysis:
    """Return the analysis of a position on the board with this neighbour table."""
    if mines is not None:
        mines = integer("mines", mines, 0, math.prod(shape))
    positions = _positions(table, states.reshape(1, -1), numbers.reshape(1, -1), mines)
    answer = _analyse(positions, tuple(shape), mines is not None)
    consistent, exact = bool(answer.consistent[0]), bool(answer.exact[0])
    low, high = answer.mines_range[0].tolist()
    result = Analysis(
        consistent,
        answer.reason[0],
        None if low < 0 else (low, high),
        None if consistent else 0,
        answer.safety[0],
        _places(answer.safe[0]),
        _places(answer.mined[0]),
        exact,
    )
    if mines is not None and consistent and exact:
        vars(result)["_position"] = positions
        del vars(result)["configurations"]
    return result


def solve_again(answer: Analysis) -> tuple[Memory, Memory] | None:
    """Write the position of an exact analysis with a total into this thread's workspace.

    Returns (table, workspace), None if `analyse` did not make the answer in this process.
    """
    position = vars(answer).get("_position")
    if position is None:
        return None
    _solve(position)
    return position.table, thread_workspace(position.table)


class _Positions(NamedTuple):
    """Positions on one board as the kernel takes them (see `kernel.position`)."""

    table: Memory
    states: np.ndarray
    numbers: np.ndarray
    mines: np.ndarray


def _positions(
    table: Memory, states: np.ndarray, numbers: np.ndarray, mines: np.ndarray | int | None
) -> _Positions:
    """Return copies of the arrays (n, cells); mines: one total or n (None: not known)."""
    n, cells = states.shape
    states = np.array(states, np.uint8, order="C")
    numbers = np.array(numbers, np.int64, order="C")
    if mines is None:
        # Add as many cells without neighbours as the board has, and as many mines. Whatever the
        # clues allow, the other mines fit into the added cells, so that the total says nothing.
        table = add_lone_cells(table, cells)
        mines = cells + (states == MARKED).sum(axis=1)
        states = np.hstack([states, np.full((n, cells), UNKNOWN, np.uint8)])
        numbers = np.hstack([numbers, np.zeros((n, cells), np.int64)])
    totals = np.empty(n, np.int64)
    totals[:] = mines
    return _Positions(table, states, numbers, totals)


def _analyse(positions: _Positions, shape: tuple[int, ...], total: bool) -> Analyses:
    """Return the answers for the board; without a `total`, `_positions` has added cells to it."""
    n, cells = len(positions.states), math.prod(shape)
    decided, safety, outcome = _solve(positions)
    kind, bounds = outcome[:, 0], outcome[:, 2:4]
    consistent, exact = (kind == EXACT) | (kind == APPROXIMATE), kind != APPROXIMATE
    reason = [""] * n
    for i in np.flatnonzero(~consistent).tolist():
        reason[i] = _contradiction(positions, decided, outcome, i, shape)
    if not total:
        safety = np.full((n, cells), np.nan)
        bounds[bounds[:, 1] >= 0, 1] -= cells
    unknown = (positions.states == UNKNOWN) & consistent[:, None]
    safe, mined = ((unknown & (decided == state))[:, :cells] for state in (CLEAR, MARKED))
    boards = (n, *shape)
    safety, safe, mined = safety.reshape(boards), safe.reshape(boards), mined.reshape(boards)
    return Analyses(consistent, tuple(reason), bounds, safety, safe, mined, exact)


def _solve(positions: _Positions) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (states in which certain cells are decided, safety, outcome) of `analyse_positions`.

    The workspace of this thread holds the last position.
    """
    table, states, numbers, mines = positions
    decided, safety = states.copy(), np.empty(states.shape)
    outcome = np.empty((len(states), 6), np.int64)
    words = thread_workspace(table).words
    with compiling(analyse_positions):
        analyse_positions(table.words, words, decided, numbers, mines, safety, outcome)
    for i in np.flatnonzero(outcome[:, 0] == APPROXIMATE).tolist():
        # Decide cells by simple rules: this cuts large components into parts that can be counted.
        with compiling(reduce_position):
            where = reduce_position(table.words, decided[i], numbers[i])
        if where >= 0:
            outcome[i] = BAD_COMPONENT, where, -1, -1, -1, -1
            safety[i] = np.nan
            continue
        one = slice(i, i + 1)
        analyse_positions(
            table.words, words, decided[one], numbers[one], mines[one], safety[one], outcome[one]
        )
        if outcome[i, 0] in (EXACT, APPROXIMATE):
            unknown = states[i] == UNKNOWN
            safety[i, unknown & (decided[i] == CLEAR)] = 1.0
            safety[i, unknown & (decided[i] == MARKED)] = 0.0
    return decided, safety, outcome


def _contradiction(
    positions: _Positions,
    decided: np.ndarray,
    outcome: np.ndarray,
    i: int,
    shape: tuple[int, ...],
) -> str:
    """Return the reason, in words, why position i has no arrangement."""
    kind, where, low, high = outcome[i, :4].tolist()
    if kind == BAD_TOTAL:
        mines = int(positions.mines[i])
        reason = f"mines={mines}: the clues and flags allow {low}..{high}"
        return reason + ", but not this number" * (low <= mines <= high)
    table, number = positions.table, positions.numbers[i, where]
    place = tuple(map(int, np.unravel_index(where, shape)))
    if kind == BAD_COMPONENT:
        return f"the clues connected with the {number} at {place} cannot all be met"
    near = decided[i, table.neighbours[table.start[where] : table.start[where + 1]]]
    flags, unknown = int((near == MARKED).sum()), int((near == UNKNOWN).sum())
    return (
        f"the {number} at {place} cannot be met: "
        f"it has {flags} flagged and {unknown} unknown neighbours"
    )


def _places(mask: np.ndarray) -> list[tuple[int, ...]]:
    """Return the cells of a mask, in row-major order."""
    return list(zip(*(axis.tolist() for axis in mask.nonzero()), strict=True))
