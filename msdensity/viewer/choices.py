"""What each player would do in a position: it plays on from there, on mines that fit it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from msdensity.errors import InputError
from msdensity.games.analysis import analyse_states
from msdensity.games.boards import Board
from msdensity.games.game import REASONS
from msdensity.games.play import kernel_player, kernel_task
from msdensity.games.tasks import Task
from msdensity.kernel.deal import continue_position
from msdensity.kernel.position import CLEAR
from msdensity.kernel.state import FIRST, FLOATING_GUESS, GUESS, MARKED, OPEN, UNKNOWN
from msdensity.players.registry import PLAYERS
from msdensity.viewer.table import Position

MAX_CELLS = 2_500
"""Of a board on which the players are asked: each plays its game to the end."""

REMEMBER = ("naive_single_point", "double_set")
"""Players whose next look depends on which cells they opened before, and in which order."""


def choices(position: Position) -> Iterator[dict[str, Any]]:
    """Yield the next cell that each player of the registry opens, with its reason.

    A player cannot see where the mines are, so that any arrangement that fits will do. Random
    choices are drawn anew for each position and player. Raises InputError for a position that is
    impossible, without a number of mines, without an opened cell, or too large.
    """
    if not isinstance(position.topology, str) or position.mines is None:
        raise InputError("mines must be given: players count them")
    board = Board(position.shape, position.topology)
    if board.cells > MAX_CELLS:
        raise InputError(f"board={board.name} must have at most {MAX_CELLS} cells to ask players")
    opened = np.flatnonzero(position.states == OPEN)
    if not position.answer.consistent:
        raise InputError("position must be possible: no player has a choice in this one")
    if not len(opened):
        raise InputError("position must have an opened cell: the rules say where a game starts")
    mined = fitting_mines(position)
    safety = position.answer.safety.ravel()
    for name in PLAYERS:
        yield {"kind": "choice", "player": name, **_choice(name, board, mined, opened, safety)}


def _choice(
    name: str,
    board: Board,
    mined: NDArray[np.bool_],
    opened: NDArray[np.int64],
    safety: NDArray[np.float64],
) -> dict[str, Any]:
    task = Task(board, int(mined.sum()), name)
    workspace = continue_position(kernel_player(task), kernel_task(task), mined, opened)
    known = set(opened.tolist())
    for cell, reason, stated in workspace.trace[: workspace.game[0]["trace"]].tolist():
        marks = stated == 0.0 and reason not in (FIRST, GUESS, FLOATING_GUESS)
        if cell not in known and not marks:
            exact = None if np.isnan(safety[cell]) else float(safety[cell])
            note = " (without its memory of earlier moves)" * (name in REMEMBER)
            return {"cell": cell, "reason": REASONS[reason] + note, "safety": exact}
    return {"cell": None, "reason": "stops instead of guessing", "safety": None}


def fitting_mines(position: Position) -> NDArray[np.bool_]:
    """Return one arrangement of mines that meets a possible position, (cells,).

    One undecided cell after the other is made safe or mined, whichever is more probable.
    """
    states = position.known.copy()
    shape, topology, numbers = position.shape, position.topology, position.numbers
    while True:
        answer = analyse_states(shape, topology, states, numbers, position.mines)
        if not answer.exact:
            raise InputError("position must be small enough for exact counting to ask players")
        unknown = states == UNKNOWN
        for value, places in ((CLEAR, answer.safe), (MARKED, answer.mined)):
            if places:
                states[np.ravel_multi_index(tuple(np.array(places).T), shape)] = value
        if unknown.any() and (states[unknown] == UNKNOWN).any():
            left = np.flatnonzero(states == UNKNOWN)
            safety = answer.safety.ravel()[left]
            surest = int(np.argmax(np.abs(safety - 0.5)))
            states[left[surest]] = CLEAR if safety[surest] >= 0.5 else MARKED
        else:
            return states == MARKED
