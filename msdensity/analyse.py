"""What a position says of every unknown cell: the door for one position at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from msdensity.errors import InputError
from msdensity.kernel import position
from msdensity.kernel.batch import cached_table, thread_workspace
from msdensity.kernel.state import MARKED, OPEN, UNKNOWN, Memory


@dataclass(frozen=True)
class Analysis:
    """The answers for one position; cells are (row, column), from 0 at the top left.

    consistent: whether any arrangement of exactly that many mines meets all clues.
    reason: why not, in words ("" if consistent).
    mines_range: fewest and most mines that the clues allow if the total is disregarded (marked
        ones included); None where the clues contradict each other.
    configurations: number of arrangements, an exact integer (None if `exact` is False).
    safety: array (rows, columns), P_S of each unknown cell (formulas 4.10, 4.22), NaN elsewhere.
    safe, mined: unknown cells with no mine, or a mine, in every arrangement; exact.
    exact: False where the position exceeded the budget of exact counting.
    """

    consistent: bool
    reason: str
    mines_range: tuple[int, int] | None
    configurations: int | None
    safety: np.ndarray
    safe: list[tuple[int, ...]]
    mined: list[tuple[int, ...]]
    exact: bool = True


def analyse(
    grid: Sequence[str], mines: int, topology: str = "square8", trust_flags: bool = True
) -> Analysis:
    """Return what the clues and the number of mines say of every unknown cell.

    `grid` is one string a row: `.` unknown, a digit for an opened cell, `F` a flag. `mines` is the
    total, flagged ones included. With `trust_flags` a flagged cell is known to be mined; without,
    it is an unknown cell like any other. Raises InputError for a malformed grid.
    """
    rows = list(grid)
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise InputError("grid must be rows of one length, at least one cell")
    text = "".join(rows)
    strange = sorted(set(text) - set(".F0123456789"))
    if strange:
        raise InputError(f"grid holds {strange[0]!r}; allowed are '.', 'F' and digits")
    shape = (len(rows), len(rows[0]))
    flag = MARKED if trust_flags else UNKNOWN
    states = np.array([{".": UNKNOWN, "F": flag}.get(c, OPEN) for c in text], np.uint8)
    numbers = np.array([int(c) if c.isdigit() else 0 for c in text], np.int64)
    if not 0 <= mines <= len(text):
        raise InputError(f"mines={mines} must be in 0..{len(text)}")
    return analyse_states(shape, topology, states, numbers, mines)


def analyse_states(
    shape: tuple[int, ...], topology: str, states: np.ndarray, numbers: np.ndarray, mines: int
) -> Analysis:
    """Return the analysis of a position given as arrays over the cells (see `analyse`)."""
    table = cached_table(shape, topology)
    workspace = thread_workspace(table)
    cells = len(states)
    safety = np.full(cells, np.nan)
    certain = np.zeros((cells, 2), np.int64)
    ranges = np.zeros(4, np.int64)
    found, where = position.analyse_position(
        table.words, workspace.words, states, numbers, mines, safety, certain, ranges
    )
    name = tuple(map(int, np.unravel_index(where, shape))) if where >= 0 else ()
    marked = int((states == MARKED).sum())
    game = workspace.game[0]
    free = int(game["unknown"] - game["exposed"])
    bounds = (marked + int(ranges[0]), marked + int(ranges[1]) + free)
    if found in (position.BAD_CLUE, position.BAD_COMPONENT):
        reason = f"the clue {numbers[where]} at {name} cannot be met"
        if found == position.BAD_COMPONENT:
            reason = f"the clues connected with the one at {name} cannot all be met"
        return Analysis(False, reason, None, 0, safety.reshape(shape), [], [])
    if found == position.BAD_TOTAL:
        reason = f"mines={mines}: the clues allow {bounds[0]}..{bounds[1]}"
        if bounds[0] <= mines <= bounds[1]:
            reason += ", but not this number"
        return Analysis(False, reason, bounds, 0, safety.reshape(shape), [], [])
    if found == position.APPROXIMATE:
        return Analysis(True, "", None, None, safety.reshape(shape), [], [], exact=False)
    unknown = states == UNKNOWN
    places = [tuple(map(int, place)) for place in np.ndindex(*shape)]
    safe = [places[c] for c in np.flatnonzero(unknown & (certain[:, 1] == 0))]
    mined = [places[c] for c in np.flatnonzero(unknown & (certain[:, 0] == 1))]
    count = count_configurations(workspace)
    return Analysis(True, "", bounds, count, safety.reshape(shape), safe, mined)


def count_configurations(workspace: Memory) -> int:
    """Return the number of arrangements of the position just analysed, with exact integers.

    The same states as the kernel's, with Python's integers as weights: formula 4.8.
    """
    game = workspace.game[0]
    free, mines = int(game["unknown"] - game["exposed"]), int(game["mines_left"])
    product = {0: 1}
    for k in workspace.live[: game["live"]]:
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
                for i, reached in enumerate(workspace.edge[edge : edge + edges]):
                    if not workspace.node[reached]["live"]:
                        continue
                    v = int(node["least"]) + i
                    target = onward.setdefault(int(reached), {})
                    for j, weight in polynomial.items():
                        target[j + v] = target.get(j + v, 0) + math.comb(size, v) * weight
            ways = onward
        total = ways[int(component["end"])]
        merged: dict[int, int] = {}
        for j, weight in product.items():
            for i, other in total.items():
                merged[i + j] = merged.get(i + j, 0) + weight * other
        product = merged
    return sum(w * math.comb(free, mines - j) for j, w in product.items() if 0 <= mines - j <= free)
