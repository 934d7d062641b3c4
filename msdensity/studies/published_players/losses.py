"""Why games are lost, and which certain cells a player misses: its games move by move."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from msdensity.errors import InputError
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Task

if TYPE_CHECKING:
    from msdensity.games.game import Game, PlayedGame

KINDS = ("first_guesses", "disconnected", "late", "other")
"""Kinds of lost games, see `kind_of_loss`."""

LATE_CELLS = 10
"""A late loss has at most as many cells neither opened nor marked."""

TRACE_COLUMNS = (*KINDS, "guesses", "needless", "missed_safe", "missed_mined")
"""What `trace_games` counts in each game."""


def kind_of_loss(played: PlayedGame) -> str:
    """Return the kind of a lost game: 003, section 5.2, names three and defines none.

    The first that holds just before the fatal click of: `first_guesses`, no opened cell shows 0, so
    that nothing has opened up since the first click; `disconnected`, some safe cell is reached from
    no opened cell through safe cells (of eight neighbours), so that a guess has to bridge the
    mines; `late`, at most LATE_CELLS cells are neither opened nor marked; else `other`. Boards of
    two sides, topology square8. Raises InputError for a game that was not lost by a click on a mine
    or another board.
    """
    from msdensity.kernel.state import OPEN, UNKNOWN

    board = played.task.board
    if len(board.shape) != 2 or board.topology != "square8":
        raise InputError(f"board={board.name} must have two sides and topology square8")
    if played.game().status != "lost":
        raise InputError(f"game {played.g} must be lost by a click on a mine")
    states, numbers = (a.reshape(board.shape) for a in played.game(len(played.moves) - 1).known())
    safe = np.array([[cell == "-" for cell in row] for row in played.layout])
    return kind_of_end(states == OPEN, states == UNKNOWN, numbers, safe)


def kind_of_end(
    opened: NDArray[np.bool_],
    unknown: NDArray[np.bool_],
    numbers: NDArray[np.int64],
    safe: NDArray[np.bool_],
) -> str:
    """Return the kind of a loss from the position before its fatal click, see `kind_of_loss`.

    Arrays (rows, columns): which cells are opened, neither opened nor marked, and without a mine;
    the numbers of the opened cells.
    """
    if not (opened & (numbers == 0)).any():
        return "first_guesses"
    regions, _ = ndimage.label(safe, np.ones((3, 3)))
    if set(np.unique(regions[safe])) - set(np.unique(regions[opened])):
        return "disconnected"
    return "late" if int(unknown.sum()) <= LATE_CELLS else "other"


def missed(game: Game, mines: int | None) -> tuple[int, int]:
    """Return how many covered cells exact inference shows safe, and mined, in this position.

    mines: on the board; None: only what the clues show.
    Cells that the player marked are not counted; marks are trusted. (0, 0) where the position is
    beyond the budget of exact counting.
    """
    from msdensity.games.analysis import analyse_states
    from msdensity.kernel.state import MARKED, UNKNOWN

    states, numbers = game.known()
    result = analyse_states(game.shape, game.topology, states, numbers, mines)
    if not result.consistent:
        # A player may mark cells that it has not proved: then use the numbers alone.
        bare = np.where(states == MARKED, UNKNOWN, states).astype(np.uint8)
        result = analyse_states(game.shape, game.topology, bare, numbers, mines)
    unknown = (states == UNKNOWN).reshape(game.shape)
    safe, mined = (sum(bool(unknown[c]) for c in found) for found in (result.safe, result.mined))
    return safe, mined


def trace_games(task: Task, games: int, keep: Keep = NO_CHECKPOINT) -> NDArray[np.int64]:
    """Return TRACE_COLUMNS of games 0 .. games - 1 of a task, an array (games, columns).

    The kind of loss, 0 or 1 each; guesses after the first click; those of them at which exact
    inference knew a safe cell (`needless`); certain cells missed at guesses, by what they are. A
    player that stops where it would guess (the cellular automaton) counts as guessing there, and
    has no kind of loss. games: at least 1; keep: a checkpoint.
    """
    from msdensity.games.game import play_game

    def one(g: int) -> list[int]:
        row = _trace(play_game(task, g))
        return [row[name] for name in TRACE_COLUMNS]

    rows = [keep(f"trace {task.task_id} {g} 1", partial(one, g)) for g in range(games)]
    return np.array(rows, np.int64)


def _trace(played: PlayedGame) -> dict[str, int]:
    row = dict.fromkeys(TRACE_COLUMNS, 0)
    game = played.game(0)
    for move in played.moves:
        if move.guess:
            _count(row, game, played.task.mines)
        game.act(move.action, *move.cell)
    if game.status == "playing":
        _count(row, game, played.task.mines)
    elif game.status == "lost":
        row[kind_of_loss(played)] = 1
    return row


def _count(row: dict[str, int], game: Game, mines: int) -> None:
    safe, mined = missed(game, mines)
    row["guesses"] += 1
    row["needless"] += safe > 0
    row["missed_safe"] += safe
    row["missed_mined"] += mined
