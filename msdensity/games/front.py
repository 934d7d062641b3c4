"""How far deduction gets from a known side of a board, without a guess and without a mine count.

The board is a ring of L rows and 3 L columns. Columns 0 and 1 are known: the safe cells are opened
and the mines are marked. One set of rules deduces to the end. The board is crossed if a cell in the
middle column, 3 L / 2, is opened: one of two fronts has then moved over 1.5 times its width.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from msdensity.errors import InputError, integer
from msdensity.games.boards import Board
from msdensity.games.play import kernel_player, kernel_task
from msdensity.games.tasks import MAX_SEED, Task
from msdensity.kernel.names import WRAPPED

RULES = ("zeros", "single", "pairs", "unit", "complete")
"""The sets of rules, the weakest first."""

WIDE = {"triangle12": 4, "knight": 4}
"""Known columns where neighbours are two columns apart, and two more on the other side."""

KNOWN = 2
"""Known columns of the other topologies."""

MIN_SIDE = 8
"""The fewest rows: a window of a board in planes needs seven cells."""

MAX_SIDE = 2048


@dataclass(frozen=True)
class Fronts:
    """Boards of one front task: how many, crossed, safe cells opened, the sum of their squares.

    opened: the known columns count too; over: boards that end with a component too large to count
    exactly, on which more may be certain.
    """

    boards: int
    crossed: int
    opened: int
    opened_squared: int
    over: int


@lru_cache(maxsize=2)
def front_board(topology: str, side: int) -> Board:
    """Return the wrapped board of `side` rows and three times as many columns.

    Raises InputError for a side that is odd or out of range, or for another topology.
    """
    if topology not in WRAPPED:
        raise InputError(f"topology={topology!r} must be one of {', '.join(WRAPPED)}")
    side = integer("side", side, MIN_SIDE, MAX_SIDE)
    if side % 2:
        raise InputError(f"side={side} must be even")
    return Board((side, 3 * side), WRAPPED[topology])


def front_task(topology: str, side: int, mines: int, rules: str, seed: int) -> Task:
    """Return the task of a front; the boards of a seed are the same for all rules."""
    return Task(front_board(topology, side), mines, "inference", {"rules": rules}, seed=seed)


def play_fronts(
    topology: str, side: int, mines: int, rules: str, seed: int, *, first: int, boards: int
) -> Fronts:
    """Play boards first .. first + boards - 1 of a front; releases the GIL.

    topology: one of WRAPPED; side: L, even; rules: one of RULES. Raises InputError out of range.
    """
    from msdensity.kernel.batch import FAULTS, prepare
    from msdensity.kernel.compiler.jit import compiling
    from msdensity.players.inference import front

    task = front_task(topology, side, mines, rules, seed)
    boards = integer("boards", boards, 0, MAX_SEED)
    first = integer("first", first, 0, MAX_SEED - boards)
    table, workspace = prepare(kernel_task(task))
    memory = kernel_player(task).memory
    planes = len(table.tiles) > 0 and rules in ("single", "pairs", "complete")
    entry = front.play_fronts_in_planes if planes else front.play_fronts
    words = table.words, workspace.words, memory(table).words  # type: ignore[misc]
    sums = np.zeros(4, np.int64)
    known, goal = sides(topology, side)
    with compiling(entry):
        entry(*words, 0, 0, known, goal, sums)
    if fault := entry(*words, first, boards, known, goal, sums):
        raise RuntimeError(f"{FAULTS[int(fault)]} on {task.title}")
    return Fronts(boards, *sums.tolist())


def sides(topology: str, side: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the cells that are known, and those in the middle column."""
    cells = np.arange(3 * side * side).reshape(side, 3 * side)
    known = cells[:, : WIDE.get(topology, KNOWN)]
    return known.ravel(), cells[:, 3 * side // 2].copy()


def zero_losses(side: int, seed: int, *, first: int, boards: int) -> NDArray[np.int64]:
    """Return with how many mines each of boards first .. first + boards - 1 loses its crossing.

    Mines come one by one in a random order to a square board of `side` rows. As long as 0s lead
    from its left side to its right side (diagonal steps allowed), the cells that hold a mine or
    touch one do not lead from the top to the bottom (without diagonal steps), and the other way
    round. Result: shape (boards,). Raises InputError out of range.
    """
    from msdensity.kernel.compiler.jit import compiling
    from msdensity.players.inference.zeros import lose_crossings

    side = integer("side", side, 1, MAX_SIDE)
    boards = integer("boards", boards, 0, MAX_SEED)
    first = integer("first", first, 0, MAX_SEED - boards)
    key = np.uint64(Task(Board((side, side + 1)), 1, "inference", seed=seed).player_key)
    lost = np.zeros(boards, np.int64)
    with compiling(lose_crossings):
        lose_crossings(side, side, key, first, lost)
    return lost
