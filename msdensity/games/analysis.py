"""What one position says about every unknown cell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from html import escape

import numpy as np

from msdensity.errors import integer, require_kind
from msdensity.games.html import grid
from msdensity.games.text import NUMBERS, read_rows
from msdensity.kernel import position
from msdensity.kernel.batch import thread_workspace
from msdensity.kernel.compiler.jit import compiling
from msdensity.kernel.position import reduce_position
from msdensity.kernel.state import MARKED, OPEN, UNKNOWN, Memory
from msdensity.kernel.topology import Topology, add_lone_cells, board_table

Polynomial = list[int]
"""Coefficients from the lowest power on."""


@dataclass(frozen=True)
class Analysis:
    """The answers for one position; cells are (row, column), from 0 at the top left.

    consistent: whether any arrangement of exactly that many mines meets all clues.
    reason: why not, in words ("" if consistent).
    mines_range: fewest and most mines that the clues allow without the total (marked ones
        included); None if the clues contradict each other.
    configurations: number of arrangements, an exact integer (None if `exact` is False or the total
        is not given).
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
    flag = MARKED if trust_flags else UNKNOWN
    states = np.array([{".": UNKNOWN, "F": flag}.get(c, OPEN) for c in text], np.uint8)
    numbers = np.array([max(0, NUMBERS.find(c)) for c in text], np.int64)
    return analyse_states(sides, topology, states, numbers, mines)


def analyse_states(
    shape: Sequence[int],
    topology: Topology,
    states: np.ndarray,
    numbers: np.ndarray,
    mines: int | None,
    *,
    count: bool = True,
) -> Analysis:
    """Return the analysis of a position in arrays over the cells (see `analyse`).

    `states` holds UNKNOWN, OPEN or MARKED (`kernel.state`) for each cell, `numbers` the clue of
    each opened one. Without `count`, `configurations` is None: on large boards it has many thousand
    digits.
    """
    return analyse_table(board_table(shape, topology), shape, states, numbers, mines, count=count)


def analyse_table(
    table: Memory,
    shape: Sequence[int],
    states: np.ndarray,
    numbers: np.ndarray,
    mines: int | None,
    *,
    count: bool = True,
) -> Analysis:
    """Return the analysis of a position on the board with this neighbour table."""
    cells = math.prod(shape)
    if mines is not None:
        mines = integer("mines", plain(mines), 0, cells)
        sides = tuple(shape)
        return _analyse(_Query(table, sides, states, numbers, mines, sides), count)
    # Add as many cells without neighbours as the board has, and as many mines. Whatever the clues
    # allow, the other mines fit into the added cells, so that the total says nothing.
    query = _Query(
        add_lone_cells(table, cells),
        (2 * cells,),
        np.concatenate([states, np.full(cells, UNKNOWN, np.uint8)]),
        np.concatenate([numbers, np.zeros(cells, np.int64)]),
        cells + int((states == MARKED).sum()),
        tuple(shape),
    )
    result = _analyse(query, count=False)
    bounds = result.mines_range and (result.mines_range[0], result.mines_range[1] - cells)

    def on_board(cells_found: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        mask = np.zeros(cells, bool)
        mask[[c for (c,) in cells_found if c < cells]] = True
        return _places(mask.reshape(tuple(shape)))

    return Analysis(
        result.consistent,
        result.reason,
        bounds,
        None if result.consistent else 0,
        np.full(tuple(shape), np.nan),
        on_board(result.safe),
        on_board(result.mined),
        result.exact,
    )


def plain(value: object) -> object:
    """Return a numpy integer as Python's own, anything else as it is."""
    return int(value) if isinstance(value, np.integer) else value


@dataclass(frozen=True)
class _Query:
    """A position with its total.

    named_shape: the shape by which messages name cells; it differs from `shape` if cells were added
    to the board.
    """

    table: Memory
    shape: tuple[int, ...]
    states: np.ndarray
    numbers: np.ndarray
    mines: int
    named_shape: tuple[int, ...]


def _analyse(query: _Query, count: bool) -> Analysis:
    result = _analyse_once(query, count)
    if result.exact:
        return result
    shape, unknown = query.shape, query.states == UNKNOWN
    # Decide cells by simple rules: this cuts large components into parts that can be counted.
    reduced = query.states.astype(np.uint8)
    with compiling(reduce_position):
        where = reduce_position(query.table.words, reduced, query.numbers)
    if where >= 0:
        reason = _contradiction(query, position.BAD_COMPONENT, where)
        return Analysis(False, reason, None, 0, np.full(shape, np.nan), [], [])
    result = _analyse_once(replace(query, states=reduced), count)
    if not result.consistent:
        return result
    safe, mined = np.zeros(shape, bool), np.zeros(shape, bool)
    safe[_index(result.safe)] = True
    mined[_index(result.mined)] = True
    safe |= (unknown & (reduced == position.CLEAR)).reshape(shape)
    mined |= (unknown & (reduced == MARKED)).reshape(shape)
    safety = np.where(safe, 1.0, np.where(mined, 0.0, result.safety))
    return replace(result, safety=safety, safe=_places(safe), mined=_places(mined))


def _analyse_once(query: _Query, count: bool) -> Analysis:
    table, shape, states, mines = query.table, query.shape, query.states, query.mines
    workspace = thread_workspace(table)
    cells = len(states)
    safety = np.full(cells, np.nan)
    certain = np.zeros((cells, 2), np.int64)
    ranges = np.zeros(4, np.int64)
    with compiling(position.analyse_position):
        result, where = position.analyse_position(
            table.words, workspace.words, states, query.numbers, mines, safety, certain, ranges
        )
    marked = int((states == MARKED).sum())
    game = workspace.game[0]
    free = int(game["unknown"] - game["exposed"])
    bounds = (marked + int(ranges[0]), marked + int(ranges[1]) + free)
    no_safety = np.full(shape, np.nan)
    if result in (position.BAD_CLUE, position.BAD_COMPONENT):
        reason = _contradiction(query, result, where)
        return Analysis(False, reason, None, 0, no_safety, [], [])
    if result == position.BAD_TOTAL:
        reason = f"mines={mines}: the clues and flags allow {bounds[0]}..{bounds[1]}"
        if bounds[0] <= mines <= bounds[1]:
            reason += ", but not this number"
        return Analysis(False, reason, bounds, 0, no_safety, [], [])
    safety = safety.reshape(shape)
    if result == position.APPROXIMATE:
        return Analysis(True, "", None, None, safety, [], [], exact=False)
    unknown = (states == UNKNOWN).reshape(shape)
    return Analysis(
        True,
        "",
        bounds,
        count_configurations(workspace) if count else None,
        safety,
        _places(unknown & (certain[:, 1] == 0).reshape(shape)),
        _places(unknown & (certain[:, 0] == 1).reshape(shape)),
    )


def _contradiction(query: _Query, kind: int, where: int) -> str:
    """Return the reason, in words, why the clues contradict each other at cell `where`."""
    table, number = query.table, query.numbers[where]
    place = tuple(map(int, np.unravel_index(where, query.named_shape)))
    if kind == position.BAD_COMPONENT:
        return f"the clues connected with the {number} at {place} cannot all be met"
    near = query.states[table.neighbours[table.start[where] : table.start[where + 1]]]
    flags, unknown = int((near == MARKED).sum()), int((near == UNKNOWN).sum())
    return (
        f"the {number} at {place} cannot be met: "
        f"it has {flags} flagged and {unknown} unknown neighbours"
    )


def _places(mask: np.ndarray) -> list[tuple[int, ...]]:
    """Return the cells of a mask, in row-major order."""
    return list(map(tuple, np.argwhere(mask).tolist()))


def _index(cells: list[tuple[int, ...]]) -> tuple[list[int], ...]:
    """Return the index that selects these cells in an array."""
    return tuple(map(list, zip(*cells, strict=True))) if cells else ([],)


def count_configurations(workspace: Memory) -> int:
    """Return the number of arrangements of the position just analysed, as an exact integer.

    It uses the states of the kernel with Python's integers as weights (formula 4.8).
    """
    game = workspace.game[0]
    free, mines = int(game["unknown"] - game["exposed"]), int(game["mines_left"])
    factors: list[Polynomial] = []
    least = 0
    for k in workspace.live[: game["live"]]:
        low, ways = _component_ways(workspace, int(k))
        least += low
        factors.append(ways)
    while len(factors) > 1:  # in pairs of similar size: large factors meet only at the end
        odd = factors[-1:] if len(factors) % 2 else []
        pairs = zip(factors[0::2], factors[1::2], strict=False)
        factors = [_multiply(a, b) for a, b in pairs] + odd
    ways = factors[0] if factors else [1]
    total = 0
    first = max(0, mines - free - least)  # the first j that leaves at most `free` mines to float
    floating = mines - least - first
    choose = math.comb(free, floating) if floating >= 0 else 0
    for weight in ways[first : first + floating + 1]:
        total += weight * choose
        choose = choose * floating // (free - floating + 1)
        floating -= 1
    return total


def _component_ways(workspace: Memory, k: int) -> tuple[int, Polynomial]:
    """Return (low, ways): how many configurations component k has with low, low + 1, ... mines."""
    component = workspace.component[k]
    ways: dict[int, dict[int, int]] = {}
    for t in range(component["box"], component["box_end"]):
        box = workspace.box[t]
        size = int(box["size"])
        if t == component["box"]:
            ways = {int(box["node"]): {0: 1}}
        onward: dict[int, dict[int, int]] = {}
        for u, polynomial in ways.items():
            node = workspace.node[u]
            edge, edges = int(node["edge"]), int(node["edges"])
            for i, reached in enumerate(workspace.edge[edge : edge + edges].tolist()):
                if not workspace.node[reached]["live"]:
                    continue
                v = int(node["least"]) + i
                choices = math.comb(size, v)
                target = onward.setdefault(reached, {})
                for j, weight in polynomial.items():
                    target[j + v] = target.get(j + v, 0) + choices * weight
        ways = onward
    total = ways[int(component["end"])]
    low, high = min(total), max(total)
    return low, [total.get(j, 0) for j in range(low, high + 1)]


def _multiply(a: Polynomial, b: Polynomial) -> Polynomial:
    """Return the product of two polynomials with coefficients >= 0.

    Kronecker's substitution: each is written as one integer, with its coefficients so far apart
    that those of the product do not overlap; Python multiplies the integers.
    """
    width = (sum(a) * sum(b)).bit_length() // 8 + 1
    packed = [
        int.from_bytes(b"".join(weight.to_bytes(width, "little") for weight in factor), "little")
        for factor in (a, b)
    ]
    terms = len(a) + len(b) - 1
    product = (packed[0] * packed[1]).to_bytes(terms * width, "little")
    return [
        int.from_bytes(product[begin : begin + width], "little")
        for begin in range(0, terms * width, width)
    ]
