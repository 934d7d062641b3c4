"""Games [first, first + count) of one task -> counts: the only entry that Python calls to play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from msdensity.errors import InputError
from msdensity.kernel.compiler.jit import compiling
from msdensity.kernel.compiler.threads import per_thread
from msdensity.kernel.measures import MEASURES
from msdensity.kernel.names import FIRST_ZEROS, STARTS
from msdensity.kernel.state import CONTRADICTION, GIVEN_UP, LOST, NUMERIC, Memory, make_workspace
from msdensity.kernel.topology import cached_table, first_cells

FAULTS = {
    CONTRADICTION: "a contradiction",
    NUMERIC: "vanishing weights",
    GIVEN_UP: "too many boards in a row given up",
}

NO_MEMORY = np.zeros(0, np.int64)

thread_workspace = per_thread(make_workspace)
"""Return this thread's workspace for a table; the last one is kept."""


@dataclass(frozen=True)
class KernelTask:
    """A task as the kernel takes it.

    keys: 64-bit keys of the board stream and the player stream; options: of the player, each as the
    index of the value among its choices.
    """

    shape: tuple[int, ...]
    topology: str
    mines: int
    first_click: str
    start: str
    keys: tuple[int, int]
    options: tuple[int, ...] = ()


class Player(NamedTuple):
    """A player as the kernel takes it.

    entry: compiled, see `play.game_loop`; memory: returns this thread's working memory for a table
    (None: the player needs none); in_planes: the same games on a board in planes (None: always
    `entry`).
    """

    entry: Callable[..., int]
    memory: Callable[[Memory], Memory] | None = None
    in_planes: Callable[..., int] | None = None


def prepare(task: KernelTask, workspace: Memory | None = None) -> tuple[Memory, Memory]:
    """Return the table of a task's board, and the workspace with the task written into it.

    workspace: made for this board (None: this thread's). Raises InputError for values that do not
    fit the board.
    """
    table = cached_table(task.shape, task.topology)
    cells = len(table.start) - 1
    if task.start in FIRST_ZEROS:  # the order of the scan; cell 0 comes first in both
        board = np.arange(cells).reshape(task.shape)
        first = (board if task.start == FIRST_ZEROS[0] else board.T).ravel()
    else:
        first = first_cells(task.shape, task.first_click)
    max_mines = cells - (task.start in ("safe", "zero"))
    if task.start == "zero":
        max_mines -= int((table.start[first + 1] - table.start[first]).max())
    if not 0 <= task.mines <= max_mines:
        raise InputError(
            f"mines={task.mines} must be in 0..{max_mines} for {cells} cells, start {task.start!r}"
        )
    workspace = workspace or thread_workspace(table)
    workspace.task[0] = (task.mines, STARTS.index(task.start), len(first), *task.keys)
    workspace.first_cell[: len(first)] = first
    workspace.option[: len(task.options)] = task.options
    return table, workspace


def play(
    player: Player, task: KernelTask, first_game: int, games: int, workspace: Memory | None = None
) -> dict[str, int]:
    """Return the measures of games first_game .. first_game + games - 1, summed.

    workspace: see `prepare`. The result does not depend on how games are cut into batches.
    Releases the GIL. Raises InputError for values that do not fit the board. Raises RuntimeError if
    a game shows a fault of the program (a mine opened as certain, or sums that vanish), or if its
    player gives up too many boards in a row.
    """
    table, workspace = prepare(task, workspace)
    workspace.sums[:] = 0
    memory = player.memory(table).words if player.memory else NO_MEMORY
    entry = player.in_planes if player.in_planes and len(table.tiles) else player.entry
    with compiling(entry):  # plays no games: this call only compiles
        entry(table.words, workspace.words, memory, 0, 0)
    status = entry(table.words, workspace.words, memory, first_game, games)
    if status > LOST:
        where = f"shape {task.shape}, {task.mines} mines, keys {task.keys}"
        raise RuntimeError(f"{FAULTS[int(status)]} on {where}")
    return dict(zip(MEASURES, workspace.sums.tolist(), strict=True))
