"""Guesses of games, the positions before them, and the beliefs of a player in a position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from msdensity.games.tasks import Task
from msdensity.kernel.compiler.threads import per_thread
from msdensity.studies.published_players.beliefs.ways import CHUNK

if TYPE_CHECKING:
    from msdensity.kernel.state import Memory

GUESS_TYPE = np.dtype(
    [("game", "i8"), ("safety", "f8"), ("beside", "?"), ("survived", "?"), ("won", "?")]
)
"""A guess: its game, the stated safety, whether it was beside a number, whether it opened no mine,
and whether the game was won in the end."""


class Guesses(NamedTuple):
    """The guesses of some games, (n,) of GUESS_TYPE, and the positions before them.

    states, numbers: (n, cells), as `games.analysis.analyse_many` takes them.
    """

    each: NDArray[np.void]
    states: NDArray[np.uint8]
    numbers: NDArray[np.int64]


@per_thread
def _recording(table: Memory) -> Memory:
    """Return this thread's workspace for a table that keeps the moves of a game."""
    from msdensity.kernel.state import make_workspace

    return make_workspace(table, recording=True)


def trace_guesses(task: Task, games: int) -> Iterator[Guesses]:
    """Yield the guesses of games 0 .. games - 1 of a task, of CHUNK games at a time."""
    from msdensity.games.play import play_batch
    from msdensity.kernel.state import (
        FIRST,
        FLOATING_GUESS,
        GUESS,
        MARKED,
        MINED,
        OPEN,
        UNKNOWN,
    )
    from msdensity.kernel.topology import cached_table

    workspace = _recording(cached_table(task.board.shape, task.board.topology))
    for first in range(0, games, CHUNK):
        rows, states, numbers = [], [], []
        for g in range(first, min(first + CHUNK, games)):
            won = play_batch(task, g, 1, workspace)["wins"] > 0
            moves = workspace.trace[: workspace.game[0]["trace"]]
            cells, reasons = moves["cell"].astype(np.int64), moves["reason"]
            guessed = (reasons == GUESS) | (reasons == FLOATING_GUESS)
            if not guessed.any():
                continue
            mined = (workspace.cell["flags"] & MINED) > 0
            flagged = (moves["safety"] == 0) & ~guessed & (reasons != FIRST)
            after = np.where(flagged, MARKED, OPEN).astype(np.uint8)
            for i in np.flatnonzero(guessed):
                state = np.full(task.board.cells, UNKNOWN, np.uint8)
                state[cells[:i]] = after[:i]
                states.append(state)
                numbers.append(np.where(state == OPEN, workspace.cell["number"], 0))
                beside = reasons[i] == GUESS
                rows.append((g, moves["safety"][i], beside, not mined[cells[i]], won))
        size = (len(rows), task.board.cells)
        yield Guesses(
            np.array(rows, GUESS_TYPE),
            np.array(states, np.uint8).reshape(size),
            np.array(numbers, np.int64).reshape(size),
        )


def believe(
    task: Task, states: NDArray[np.uint8], numbers: NDArray[np.int64], iterations: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return what a player of 004 believes in n positions, after this many iterations.

    task: of `lbp` or `lbp_mc`; states, numbers: (n, cells) as from `trace_guesses`. Returns
    (converged, belief), (n,) and (n, cells), see `players.belief.position.believe_position`.
    """
    from msdensity.games.play import kernel_task
    from msdensity.kernel.batch import prepare
    from msdensity.kernel.compiler.jit import compiling
    from msdensity.players.belief.memory import thread_memory
    from msdensity.players.belief.position import believe_position

    table, workspace = prepare(kernel_task(task))
    words = (table.words, workspace.words, thread_memory(table).words)
    converged, belief = np.empty(len(states), np.int64), np.empty(states.shape)
    merges = task.player == "lbp_mc"
    for i in range(len(states)):
        given = (states[i], numbers[i], task.mines, merges, iterations, belief[i])
        with compiling(believe_position):
            converged[i], _ = believe_position(*words, *given)
    return converged, belief
