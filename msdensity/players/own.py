"""Custom players in plain Python: a function that chooses the next cell, and its games.

The kernel deals, opens certain cells and computes safeties, as for `weighted`; it calls the
function when no cell is certain. The call holds the interpreter's lock, so that threads do not
help: games are some hundred times as slow as compiled ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from msdensity.errors import InputError, printable, shown
from msdensity.kernel.batch import KernelTask, Player
from msdensity.kernel.compiler.jit import entry
from msdensity.kernel.knowledge import open_cell
from msdensity.kernel.play import add_measures, deduce, stake, start_game
from msdensity.kernel.safety import list_exposed
from msdensity.kernel.state import (
    EXPOSED,
    FLOATING_GUESS,
    GUESS,
    LOST,
    OPEN,
    PLAYING,
    UNKNOWN,
    open_table,
    open_workspace,
)
from msdensity.kernel.topology import cached_table

COVERED, MINE = -1, -2
"""In `View.numbers`: a cell that is not known, and one that is known to be mined."""

Choose = Callable[["View", NDArray[np.float64]], Any]
"""choose(view, safeties) -> the cell to open next, or None to give the game up."""

_COMPILE, _DEAL, _OPEN, _COUNT = map(np.int64, range(4))


@dataclass(frozen=True)
class View:
    """What a player may know when no cell is certain.

    numbers: of the opened cells, in the shape of the board; COVERED (-1) for a cell that is not
    known, MINE (-2) for one that is known to be mined. mines_left: mines on the covered cells.
    game: number of the game in its task; guesses: made in it so far; key: of the player's random
    numbers.
    """

    numbers: NDArray[np.int64]
    mines_left: int
    topology: str
    game: int
    guesses: int
    key: int

    @property
    def covered(self) -> NDArray[np.bool_]:
        """Which cells are not known, in the shape of the board; choose one of them."""
        return self.numbers == COVERED

    @cached_property
    def rng(self) -> np.random.Generator:
        """Random numbers of this guess; they follow from the seed, the task and the game."""
        return np.random.default_rng([self.key, self.game, self.guesses])

    def neighbours(self, cell: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the neighbours of a cell, in reading order."""
        shape = self.numbers.shape
        table = cached_table(shape, self.topology)
        index = np.ravel_multi_index(tuple(cell), shape)
        near = table.neighbours[table.start[index] : table.start[index + 1]]
        return [tuple(map(int, np.unravel_index(c, shape))) for c in near]


@entry
def _step(table_words, ws_words, action, argument, numbers, safeties, facts):
    """Continue a game up to its next guess; return its status.

    action: _DEAL game `argument`, _OPEN cell `argument` as a guess, or _COUNT the game, which has
    ended or is given up. At a guess, numbers and safeties, shape (cells,), get the values for a
    `View`, and facts the mines left, the guesses so far and whether the safeties are estimates.
    """
    table = open_table(table_words)
    ws = open_workspace(ws_words)
    game = ws.game[0]
    if action == _COUNT:
        add_measures(ws)
        return game.status
    if action == _DEAL:
        start_game(table, ws, argument, np.int64(0))
    if action == _OPEN:
        floats = numbers[argument] == COVERED and ws.cell[argument].flags & EXPOSED == 0
        safety = safeties[argument]
        game.guesses += 1
        if not facts[2]:
            stake(table, ws, argument, safety)
        open_cell(table, ws, argument, FLOATING_GUESS if floats else GUESS, safety)
    if action == _COMPILE or game.status != PLAYING:
        return game.status
    approximate = game.approximate
    deduce(table, ws)
    if game.status == PLAYING:
        list_exposed(table, ws, 0.0)
        for c in range(game.cells):
            state = ws.cell[c].state
            numbers[c] = ws.cell[c].number if state == OPEN else MINE
            safeties[c] = np.nan
            if state == UNKNOWN:
                numbers[c] = COVERED
                floats = ws.cell[c].flags & EXPOSED == 0
                safeties[c] = game.floating_safety if floats else ws.safety[c]
        facts[0] = game.mines_left
        facts[1] = game.guesses
        facts[2] = game.approximate - approximate
    return game.status


def own_player(name: str, choose: Choose, task: KernelTask) -> Player:
    """Return the player that calls `choose`, for one task; name: of the player in errors.

    Its entry raises InputError if `choose` fails or does not return a covered cell.
    """
    table = cached_table(task.shape, task.topology)
    numbers = np.zeros(len(table.start) - 1, np.int64)
    safeties, facts = np.zeros(len(numbers)), np.zeros(3, np.int64)

    def step(words: Any, action: np.int64, argument: int) -> int:
        return int(_step(*words, action, np.int64(argument), numbers, safeties, facts))

    def ask(game: int) -> int | None:
        view = View(
            numbers.reshape(task.shape).copy(),
            mines_left=int(facts[0]),
            topology=task.topology,
            game=game,
            guesses=int(facts[1]),
            key=task.keys[1],
        )
        where = f"player={name}, game {game}, guess {view.guesses + 1}"
        try:
            choice = choose(view, safeties.reshape(task.shape).copy())
        except Exception as error:  # whatever the user's function raises
            cause = printable(f"{type(error).__name__}: {error}")
            raise InputError(f"{where}: {cause}") from error
        if choice is None:
            return None
        try:
            cell = tuple(index(side) for side in np.atleast_1d(choice).tolist())
            if len(cell) == len(task.shape) and min(cell) >= 0 and view.covered[cell]:
                return int(np.ravel_multi_index(cell, task.shape))
        except (TypeError, ValueError, IndexError):
            pass
        sides = " x ".join(map(str, task.shape))
        raise InputError(
            f"{where}: cell={shown(choice)} must be a covered cell of the {sides} board, or None"
        )

    def play_games(table_words, ws_words, memory, first_game, games):
        words = table_words, ws_words
        if not games:
            return step(words, _COMPILE, 0) and 0
        for game in range(first_game, first_game + games):
            status = step(words, _DEAL, game)
            while status == PLAYING:
                cell = ask(game)
                if cell is None:
                    break
                status = step(words, _OPEN, cell)
            if status > LOST:
                return status
            step(words, _COUNT, 0)
        return 0

    return Player(play_games)
