"""All layouts played by a player that never draws at random: one game for all that look alike."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from msdensity.games.tasks import Task
from msdensity.kernel.compiler.threads import per_thread

if TYPE_CHECKING:
    from msdensity.kernel.state import Memory

GAMES = 1 << 12
"""Games that are played before their classes are split."""


def _make_workspace(table: Memory) -> Memory:
    from msdensity.kernel.state import make_workspace

    return make_workspace(table, recording=True)


_thread_workspace = per_thread(_make_workspace)


@dataclass(frozen=True)
class GameCounts:
    """Layouts of one first click: those won and those given up."""

    won: int
    given_up: int


def play_tree(task: Task, first: int, words: NDArray[np.int64]) -> GameCounts:
    """Play different layouts of a task from the first click `first`, which none of them mines.

    words: of at most 64 cells, see `list_layouts`; they are put into another order. The player must
    never draw at random. One game is played of all layouts that show the same numbers, see
    `players.exact.classes`.
    """
    from msdensity.games.play import kernel_player, kernel_task
    from msdensity.kernel.batch import NO_MEMORY, prepare
    from msdensity.kernel.compiler.jit import compiling
    from msdensity.kernel.field import GIVEN_START
    from msdensity.kernel.topology import cached_table, neighbour_lists
    from msdensity.players.exact.classes import CONFUSED, split_classes

    kernel = kernel_player(task)
    table = cached_table(task.board.shape, task.board.topology)
    workspace = _thread_workspace(table)
    prepare(kernel_task(task), workspace)
    workspace.task[0]["start_rule"], workspace.task[0]["first_cells"] = GIVEN_START, 1
    workspace.first_cell[0] = first
    memory = kernel.memory(table).words if kernel.memory else NO_MEMORY
    near = near_bits(neighbour_lists(table))
    spare = np.empty_like(words)
    classes = np.empty((len(words), 3), np.int32)
    classes[:1] = 0, len(words), 0
    counts = np.zeros(2, np.int64)
    left = min(len(words), 1)
    moves = np.zeros((GAMES, len(workspace.trace)), workspace.trace.dtype)
    ends = np.zeros((GAMES, 2), np.int64)
    game, entry = workspace.game[["status", "trace"]], kernel.entry
    with compiling(entry):
        entry(table.words, workspace.words, memory, 0, 0)
    while left > 0:
        games = min(left, GAMES)
        played = words[classes[left - games : left, 0]]
        safe = (~(played[:, None] >> np.arange(len(near))) & 1).astype(np.uint8)
        for i in range(games):
            # A deal puts mines on cells that are not protected, of which there are just enough.
            workspace.protected[:] = safe[i]
            entry(table.words, workspace.words, memory, 0, 1)
            moves[i] = workspace.trace
            ends[i] = game[0].item()
        statuses = ends[:games, 0].copy()
        opened = _opened(moves[:games], ends[:games])
        with compiling(split_classes):
            left = split_classes(words, spare, near, classes, left, games, opened, statuses, counts)
        if left == CONFUSED:
            raise RuntimeError(f"{task.title}: one game won two layouts")
    return GameCounts(*counts.tolist())


def list_layouts(free: NDArray[np.int64], mines: int) -> NDArray[np.int64]:
    """Return all layouts with so many mines on the cells `free`: one word each, one bit a cell."""
    from msdensity.kernel.compiler.jit import compiling
    from msdensity.players.exact.classes import list_words

    words = np.empty(comb(len(free), mines), np.int64)
    with compiling(list_words):
        list_words(free.astype(np.int64), mines, words)
    return words


def near_bits(near: list[list[int]]) -> NDArray[np.int64]:
    """Return the neighbours of each cell of a board of at most 64 cells, as bits."""
    return np.array([sum(1 << c for c in cells) for cells in near], np.uint64).view(np.int64)


def _opened(moves: NDArray[np.void], ends: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return the cells that each game opened, in order, then -1: (games, moves).

    moves: the record of each game; ends: (games, 2), its status and its number of moves.
    """
    from msdensity.kernel.batch import FAULTS
    from msdensity.kernel.state import FIRST, FLOATING_GUESS, GIVEN_UP, GUESS, LOST

    status, made = ends.T
    for fault in status[(status > LOST) & (status != GIVEN_UP)]:
        raise RuntimeError(FAULTS[int(fault)])
    # A mine is marked with safety 0; only a guess may state such a safety for a cell it opens.
    guess = np.isin(moves["reason"], (FIRST, GUESS, FLOATING_GUESS))
    opens = (guess | (moves["safety"] > 0.0)) & (np.arange(moves.shape[1]) < made[:, None])
    order = np.argsort(~opens, axis=1, kind="stable")
    cells = np.where(opens, moves["cell"], -1)
    return np.take_along_axis(cells, order, axis=1).astype(np.int32)
