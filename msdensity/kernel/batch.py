"""Games [first, first + count) of one task -> counts: the only entry that Python calls to play."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import numpy as np

from msdensity.errors import InputError
from msdensity.kernel.compiler.jit import compiling
from msdensity.kernel.measures import MEASURES
from msdensity.kernel.names import STARTS
from msdensity.kernel.state import CONTRADICTION, GIVEN_UP, LOST, NUMERIC, Memory, make_workspace
from msdensity.kernel.topology import cached_table, first_cells

FAULTS = {
    CONTRADICTION: "a contradiction",
    NUMERIC: "vanishing weights",
    GIVEN_UP: "too many boards in a row given up",
}

_local = threading.local()


def thread_workspace(table: Memory) -> Memory:
    """Return this thread's workspace for a board; the last one is kept."""
    if getattr(_local, "table", None) is not table:
        _local.workspace = None
        _local.workspace = make_workspace(table)
        _local.table = table
    return _local.workspace


def check_mines(table: Memory, first: np.ndarray, mines: int, start: str) -> None:
    """Raise InputError unless `mines` mines fit outside the protected cells of every start."""
    cells = len(table.start) - 1
    degree = np.diff(table.start)[first].max(initial=0)
    most = cells - {"unprotected": 0, "safe": 1, "zero": 1 + int(degree)}[start]
    if not 0 <= mines <= most:
        raise InputError(f"mines={mines} must be in 0..{most} for {cells} cells, start {start!r}")


def play(
    compiled: Callable[..., int],
    shape: Sequence[int],
    topology: str,
    mines: int,
    first_click: str,
    start: str,
    keys: tuple[int, int],
    options: Sequence[int],
    first_game: int,
    games: int,
    workspace: Memory | None = None,
) -> dict[str, int]:
    """Return the measures of games first_game .. first_game + games - 1, summed.

    `compiled` is the entry of a player; `keys` are the 64-bit keys of the board stream and the
    player stream; `workspace` is made for this board (None: the thread's own). The result does not
    depend on how games are cut into batches. Releases the GIL. Raises InputError for values that do
    not fit the board, RuntimeError where a game shows a fault of the program (a mine opened as
    certain, or sums that vanish) or its player gives up board after board.
    """
    table = cached_table(tuple(shape), topology)
    first = first_cells(shape, first_click)
    check_mines(table, first, mines, start)
    workspace = workspace or thread_workspace(table)
    sums = np.zeros(len(MEASURES), np.int64)
    task = (
        table.words,
        workspace.words,
        first,
        mines,
        STARTS.index(start),
        np.array(keys, np.uint64),
        np.array(options, np.int64),
    )
    with compiling(compiled):  # no games: only so that it is compiled
        compiled(*task, 0, 0, sums)
    status = compiled(*task, first_game, games, sums)
    if status > LOST:
        where = f"shape {tuple(shape)}, {mines} mines, keys {keys}"
        raise RuntimeError(f"{FAULTS[int(status)]} on {where}")
    return dict(zip(MEASURES, map(int, sums), strict=True))
