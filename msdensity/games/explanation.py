"""Why a cell of a position is certain: the numbers that it follows from, and how."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from msdensity.errors import InputError, integer, require_kind, shown
from msdensity.games.analysis import analyse, analyse_table
from msdensity.games.text import NUMBERS, read_rows
from msdensity.kernel.position import CLEAR
from msdensity.kernel.state import MARKED, OPEN, UNKNOWN, Memory
from msdensity.kernel.topology import Topology, board_table

Cell = tuple[int, ...]


@dataclass(frozen=True)
class Explanation:
    """Why a cell is certain.

    cell: its place; mined: whether it is mined, otherwise it is safe.
    numbers: the places of opened cells whose numbers, with the known flags, make it certain. None
        of them can be left out, but there may be other such sets.
    total: whether the number of mines on the board is needed too.
    steps: what follows one number at a time if the cell is supposed to be the opposite, up to the
        number that cannot be met; empty if no contradiction is met this way.
    """

    cell: Cell
    mined: bool
    numbers: list[Cell]
    total: bool
    steps: list[str]
    reason: str

    def __str__(self) -> str:
        """Return the explanation in words."""
        return "\n".join([self.reason, *self.steps])


@dataclass(frozen=True)
class _Position:
    table: Memory
    shape: tuple[int, ...]
    states: np.ndarray
    numbers: np.ndarray
    mines: int | None

    def near(self, c: int) -> np.ndarray:
        return self.table.neighbours[self.table.start[c] : self.table.start[c + 1]]

    def place(self, c: int) -> Cell:
        return tuple(map(int, np.unravel_index(c, self.shape)))

    def name(self, w: int) -> str:
        return f"the {self.numbers[w]} at {self.place(w)}"

    def follows(self, c: int, mined: bool, witnesses: Sequence[int], mines: int | None) -> bool:
        """Return whether cell c is certain if only these opened cells show their numbers."""
        states = np.where(self.states == OPEN, CLEAR, self.states).astype(np.uint8)
        states[list(witnesses)] = OPEN
        answer = analyse_table(self.table, self.shape, states, self.numbers, mines)
        return self.place(c) in (answer.mined if mined else answer.safe)


def explain(
    grid: Sequence[str],
    cell: Sequence[int],
    mines: int | None,
    topology: Topology = "square8",
    trust_flags: bool = True,
    *,
    shape: Sequence[int] | None = None,
) -> Explanation:
    """Return why a cell that `analyse` calls certain is safe or mined.

    cell: its coordinates, from 0; the other arguments are those of `analyse`.

    Raises InputError as `analyse`, for a cell outside the board, and for one that is not certain.
    """
    answer = analyse(grid, mines, topology, trust_flags, shape=shape)
    text, sides = read_rows("grid", grid, ".F" + NUMBERS, shape)
    place = _place(cell, sides)
    if not answer.consistent or place not in answer.safe + answer.mined:
        why = f"impossible: {answer.reason}" if answer.reason else "it is opened, or may be either"
        raise InputError(f"cell={place} must be one that is certain in this position ({why})")
    flag = MARKED if trust_flags else UNKNOWN
    states = np.array([{".": UNKNOWN, "F": flag}.get(x, OPEN) for x in text], np.uint8)
    numbers = np.array([NUMBERS.find(x) if x not in ".F" else 0 for x in text], np.int64)
    position = _Position(board_table(sides, topology), sides, states, numbers, mines)
    c = int(np.ravel_multi_index(place, sides))
    mined = place in answer.mined
    order = _by_distance(position, c)
    total = mines if not position.follows(c, mined, order, None) else None
    witnesses = sorted(_shrink(position, c, mined, order, total))
    steps = _contradiction(position, c, mined, witnesses)
    return Explanation(
        place,
        mined,
        [position.place(w) for w in witnesses],
        total is not None,
        steps,
        _reason(position, c, mined, witnesses, total),
    )


def _place(cell: Sequence[int], sides: tuple[int, ...]) -> Cell:
    require_kind("cell", cell, (tuple, list, np.ndarray), f"{len(sides)} coordinates")
    if len(cell) != len(sides):
        raise InputError(f"cell={shown(cell)} must have {len(sides)} coordinates")
    pairs = zip(cell, sides, strict=True)
    return tuple(integer("cell", place, 0, side - 1) for place, side in pairs)


def _by_distance(position: _Position, c: int) -> list[int]:
    """Return the opened cells with unknown neighbours, by their distance from cell c."""
    queue = [c]
    reached = set(queue)
    for x in queue:
        fresh = [y for y in position.near(x).tolist() if y not in reached]
        reached.update(fresh)
        queue += fresh
    queue += [x for x in range(math.prod(position.shape)) if x not in reached]
    unknown = position.states == UNKNOWN
    return [x for x in queue if position.states[x] == OPEN and unknown[position.near(x)].any()]


def _shrink(
    position: _Position, c: int, mined: bool, order: list[int], mines: int | None
) -> list[int]:
    """Return a set of opened cells that makes c certain, none of which can be left out.

    A cell that follows from some numbers follows from more, so that one pass is enough.
    """
    low, high = 0, len(order)  # how many of the nearest are needed
    while low < high:
        middle = (low + high) // 2
        if position.follows(c, mined, order[:middle], mines):
            high = middle
        else:
            low = middle + 1
    kept = order[:low]
    for w in reversed(order[: max(low - 1, 0)]):  # the last one is needed
        fewer = [x for x in kept if x != w]
        if position.follows(c, mined, fewer, mines):
            kept = fewer
    return kept


def _contradiction(position: _Position, c: int, mined: bool, witnesses: list[int]) -> list[str]:
    """Suppose the opposite of cell c and use one number at a time; return the steps in words."""
    states = position.states.copy()
    states[c] = CLEAR if mined else MARKED
    done: list[tuple[int, list[int], str]] = []
    end = -1
    changed = True
    while changed and end < 0:
        changed = False
        for w in witnesses:
            near = position.near(w)
            unknown = near[states[near] == UNKNOWN].tolist()
            missing = int(position.numbers[w] - (states[near] == MARKED).sum())
            if not 0 <= missing <= len(unknown):
                end = w
                break
            if unknown and missing in (0, len(unknown)):
                states[unknown] = MARKED if missing else CLEAR
                cells = and_list([str(position.place(x)) for x in sorted(unknown)])
                what = f"{'is' if len(unknown) == 1 else 'are'} {'mined' if missing else 'safe'}"
                done.append((w, unknown, f"By {position.name(w)}, {cells} {what}."))
                changed = True
    if end < 0:
        return []
    needed = set(position.near(end).tolist())
    steps = []
    for w, decided, words in reversed(done):
        if needed.intersection(decided):
            needed.update(position.near(w).tolist())
            steps.append(words)
    around = states[position.near(end)].tolist()
    count = f"{around.count(MARKED)} mined and {around.count(UNKNOWN)} unknown neighbours"
    return [
        f"Suppose that {position.place(c)} is {'safe' if mined else 'mined'}.",
        *reversed(steps),
        f"Then {position.name(end)} cannot be met: it has {count}.",
    ]


def _reason(
    position: _Position, c: int, mined: bool, witnesses: list[int], mines: int | None
) -> str:
    """Return in words what cell c follows from."""
    sources = [position.name(w) for w in witnesses]
    if mines is not None:
        sources.append(f"the number of mines, {mines}")
    only = ", none of which can be left out" if len(sources) > 1 else ""
    state = "mined" if mined else "safe"
    return f"{position.place(c)} is {state}: this follows from {and_list(sources)}{only}."


def and_list(parts: list[str]) -> str:
    """Return a list in words: "a, b and c"."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
