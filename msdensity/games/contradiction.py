"""Which numbers of an impossible position contradict each other: a set without a spare one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from msdensity.errors import InputError
from msdensity.games.analysis import analyse, analyse_table
from msdensity.games.explanation import and_list
from msdensity.games.text import NUMBERS, read_rows
from msdensity.kernel.position import CLEAR
from msdensity.kernel.state import MARKED, OPEN, UNKNOWN, Memory
from msdensity.kernel.topology import Topology, board_table

Cell = tuple[int, ...]


@dataclass(frozen=True)
class Contradiction:
    """Numbers that cannot all be met, together with the flags that are known mines.

    numbers: the places of opened cells; total: whether the number of mines is needed too. None of
    them can be left out, but there may be other such sets.
    """

    numbers: list[Cell]
    total: bool
    reason: str

    def __str__(self) -> str:
        """Return the contradiction in words."""
        return self.reason


def explain_impossible(
    grid: Sequence[str],
    mines: int | None,
    topology: Topology = "square8",
    trust_flags: bool = True,
    *,
    shape: Sequence[int] | None = None,
) -> Contradiction:
    """Return numbers of a position that contradict each other, from which none can be left out.

    The arguments are those of `analyse`; a number that is left out is that of a cell known only to
    be safe. Deletion-based: each number is left out if the others still contradict each other, so
    that n numbers need n analyses, and fewer since halves are tried first. Raises InputError as
    `analyse`, and for a position that is possible, or too large to be shown impossible.
    """
    answer = analyse(grid, mines, topology, trust_flags, shape=shape)
    if answer.consistent:
        raise InputError("grid must be impossible, but some arrangement of mines meets its numbers")
    text, sides = read_rows("grid", grid, ".F" + NUMBERS, shape)
    flag = MARKED if trust_flags else UNKNOWN
    states = np.array([{".": UNKNOWN, "F": flag}.get(x, OPEN) for x in text], np.uint8)
    numbers = np.array([NUMBERS.find(x) if x not in ".F" else 0 for x in text], np.int64)
    table = board_table(sides, topology)

    def contradict(kept: Sequence[int], total: int | None) -> bool:
        shown = np.where(states == OPEN, CLEAR, states).astype(np.uint8)
        shown[list(kept)] = OPEN
        return not analyse_table(table, sides, shown, numbers, total).consistent

    opened = np.flatnonzero(states == OPEN).tolist()
    total = mines if mines is not None and not contradict(opened, None) else None
    kept = _shrink(opened, lambda some: contradict(some, total))
    places = [tuple(map(int, np.unravel_index(c, sides))) for c in kept]
    return Contradiction(
        places, total is not None, _reason(table, states, numbers, kept, places, total)
    )


def _shrink(numbers: list[int], contradict: Callable[[list[int]], bool]) -> list[int]:
    """Return a contradicting part of the numbers from which none can be left out.

    Any set that holds a contradicting one contradicts, so that one pass over pieces of halving
    sizes and one over single numbers are enough.
    """
    kept, size = numbers, max(len(numbers) // 2, 1)
    while True:
        begin = 0
        while begin < len(kept):
            fewer = kept[:begin] + kept[begin + size :]
            if contradict(fewer):
                kept = fewer
            else:
                begin += size
        if size == 1:
            return kept
        size = max(size // 2, 1)


def _reason(
    table: Memory,
    states: np.ndarray,
    numbers: np.ndarray,
    kept: list[int],
    places: list[Cell],
    total: int | None,
) -> str:
    """Return in words what contradicts what."""
    names = [f"the {numbers[c]} at {place}" for c, place in zip(kept, places, strict=True)]
    if total is not None:
        names.append(f"the number of mines, {total}")
    if len(kept) == 1 and total is None:
        near = states[table.neighbours[table.start[kept[0]] : table.start[kept[0] + 1]]].tolist()
        flags, unknown = near.count(MARKED), near.count(UNKNOWN)
        end = f" cannot be met: it has {flags} flagged and {unknown} unknown neighbours."
    elif len(names) == 1:
        end = ", does not fit the cells and the flags."
    elif len(names) == 2:
        end = " contradict each other, and neither can be left out."
    else:
        end = " contradict each other, and none of them can be left out."
    text = and_list(names) + end
    return text[0].upper() + text[1:]
