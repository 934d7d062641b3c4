"""The board on the table: a game by hand, one that a player plays, or a position from outside."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from msdensity.errors import InputError
from msdensity.games.analysis import Analysis, analyse_states
from msdensity.games.game import Game, PlayedGame
from msdensity.games.play import kernel_task
from msdensity.games.tasks import Task
from msdensity.games.text import NUMBERS, read_rows, write_rows
from msdensity.kernel.deal import deal
from msdensity.kernel.names import FIRST_ZEROS
from msdensity.kernel.position import CLEAR
from msdensity.kernel.state import MARKED, OPEN, UNKNOWN
from msdensity.kernel.topology import Topology, board_table
from msdensity.viewer.limits import MAX_CHORD

ANYWHERE = "anywhere"
"""The first click goes where the hand clicks; the game is then that of `cell:INDEX`."""

_CODES = np.frombuffer(NUMBERS.encode(), np.uint8)


@dataclass(frozen=True)
class Position:
    """What can be seen of a board.

    states, numbers: (cells,), as `analyse_states` takes them, with every flag as MARKED; mines: on
    the board, None if not known; trusted: whether a flag counts as a known mine.
    """

    shape: tuple[int, ...]
    topology: Topology
    states: NDArray[np.uint8]
    numbers: NDArray[np.int64]
    mines: int | None
    trusted: bool

    @cached_property
    def answer(self) -> Analysis:
        """What `analyse` says, with `trust_flags` as `trusted`."""
        return analyse_states(self.shape, self.topology, self.known, self.numbers, self.mines)

    @property
    def known(self) -> NDArray[np.uint8]:
        """The states without flags that are not trusted."""
        if self.trusted:
            return self.states
        return np.where(self.states == MARKED, UNKNOWN, self.states).astype(np.uint8)

    @property
    def symbols(self) -> NDArray[np.uint8]:
        """The characters of `rows`, one byte a cell."""
        symbols = _CODES[np.where(self.states == OPEN, self.numbers, 0)]
        symbols = np.where(self.states == UNKNOWN, ord("."), symbols)
        return np.where(self.states == MARKED, ord("F"), symbols).astype(np.uint8)

    @property
    def rows(self) -> list[str]:
        """The rows of text that `analyse` takes."""
        return write_rows(self.symbols.tobytes().decode("ascii"), self.shape)

    def chance(self, cells: Sequence[int]) -> float:
        """Return the probability that all these unknown cells are safe."""
        states, chance = self.known.copy(), 1.0
        for c in cells:
            answer = analyse_states(self.shape, self.topology, states, self.numbers, self.mines)
            place = tuple(map(int, np.unravel_index(c, self.shape)))
            if not answer.consistent or place in answer.mined:
                return 0.0
            if place not in answer.safe:
                chance *= float(answer.safety[place])
            states[c] = CLEAR
        return chance

    @classmethod
    def read(
        cls, rows: Sequence[str], mines: int | None, topology: Topology, trusted: bool
    ) -> Position:
        """Return the position of rows of text; InputError as `analyse`."""
        text, shape = read_rows("grid", rows, ".F" + NUMBERS)
        states = [{".": UNKNOWN, "F": MARKED}.get(x, OPEN) for x in text]
        numbers = [NUMBERS.find(x) if x not in ".F" else 0 for x in text]
        return cls(
            shape, topology, np.array(states, np.uint8), np.array(numbers, np.int64), mines, trusted
        )


@dataclass(frozen=True)
class Entry:
    """A line of the log: what was done where, why, and the safety (None: not known)."""

    cell: int
    action: str
    reason: str
    guess: bool
    safety: float | None


class ByHand:
    """A game that the user plays: game g of a task, or an own layout."""

    def __init__(self, task: Task | None, g: int, first: str, game: Game | None = None) -> None:
        self.task, self.g, self.first = task, g, first
        self.log: list[Entry] = []
        self.exact = True
        self.game = game
        self._fixed = len(game.actions) if game else 1
        self._early: set[int] = set()  # flags before the first click
        if game is None and task is not None and first != ANYWHERE:
            self._deal(task)

    def _deal(self, task: Task) -> None:
        self.task = task
        self.game = Game.deal(task, self.g)
        c = deal(kernel_task(task), self.g)[1]
        safety = 1.0
        if task.rules.start == "unprotected":
            safety = 1 - task.mines / task.board.cells
        for flag in self._early:
            self.game.flag(*self._place(flag))
        self._fixed = len(self._early) + 1
        self.game.open(*self._place(c))
        self.log.append(Entry(c, "open", "first click", False, safety))

    @property
    def shape(self) -> tuple[int, ...]:
        """The sides of the board."""
        if self.game is not None:
            return self.game.shape
        return self.task.board.shape if self.task else ()

    def _place(self, c: int) -> tuple[int, ...]:
        return tuple(map(int, np.unravel_index(c, self.shape)))

    @property
    def mines(self) -> int:
        """Number of mines on the board."""
        return self.game.mines if self.game is not None else self.task.mines if self.task else 0

    @property
    def status(self) -> str:
        """As `Game.status`."""
        return "playing" if self.game is None else self.game.status

    def act(self, action: str, c: int) -> bool:
        """Do an action of `Game` at cell c; return whether anything changed."""
        if self.game is None:
            if action == "flag":
                self._note_flag(c, c in self._early)
                self._early ^= {c}
            if action != "open" or self.task is None or c in self._early:
                return action == "flag"
            rules = type(self.task.rules)(f"cell:{c}", self.task.rules.start)
            task = self.task
            self._deal(Task(task.board, task.mines, task.player, task.options, rules, task.seed))
            return True
        before = self.position()
        opened = self._opens(before, action, c)
        if not self.game.act(action, *self._place(c)):
            return False
        if action == "flag":
            self._note_flag(c, before.states[c] == MARKED)
        else:
            exact = before.answer.exact and before.answer.consistent
            self.exact &= exact
            safety = before.chance(opened) if before.answer.consistent else math.nan
            reason = "certain" if safety == 1 else "a mine for certain" if safety == 0 else "guess"
            self.log.append(Entry(c, action, reason, 0 < safety < 1, safety))
        return True

    def _note_flag(self, c: int, removed: bool) -> None:
        self.log.append(Entry(c, "unflag" if removed else "flag", "by hand", False, None))

    def _opens(self, before: Position, action: str, c: int) -> list[int]:
        """Return the cells that an action would open, not counting those that a 0 opens."""
        if action == "open":
            return [c] * bool(before.states[c] == UNKNOWN)
        if action != "chord" or self.game is None:
            return []
        table = board_table(self.game.shape, self.game.topology)
        near = table.neighbours[table.start[c] : table.start[c + 1]]
        return near[before.states[near] == UNKNOWN].tolist()[:MAX_CHORD]

    def undo(self) -> bool:
        """Take the last action back, but not the first click; return whether there was one."""
        if self.game is None or len(self.game.actions) <= self._fixed:
            return False
        self.game = self.game.replay(self.game.actions[:-1])
        self.log.pop()
        return True

    def position(self) -> Position:
        """Return what can be seen: a flag is a note of the user, not known to be right."""
        if self.game is None:
            board = self.task.board if self.task else None
            if board is None:
                raise InputError("board must be given")
            empty = np.zeros(board.cells, np.int64)
            unknown = np.full(board.cells, UNKNOWN, np.uint8)
            unknown[list(self._early)] = MARKED
            return Position(board.shape, board.topology, unknown, empty, self.mines, False)
        states, numbers = self.game.known()
        return Position(self.game.shape, self.game.topology, states, numbers, self.mines, False)


def game_symbols(game: Game | None, position: Position) -> NDArray[np.uint8]:
    """Return the symbols of a `Picture`: after the end all mines and wrong flags are shown."""
    symbols = position.symbols
    if game is None or game.status == "playing":
        return symbols
    view = np.frombuffer("".join(game.view()).encode(), np.uint8)
    mined = np.frombuffer("".join(game.layout).encode(), np.uint8) == ord("*")
    symbols = np.where(mined & (symbols == ord(".")), ord("m"), symbols)
    symbols = np.where(~mined & (symbols == ord("F")), ord("x"), symbols)
    return np.where(view == ord("*"), ord("*"), symbols).astype(np.uint8)


class Watched:
    """A game that a player played, after its first `at` moves."""

    def __init__(self, played: PlayedGame) -> None:
        self.played = played
        self.at = 0
        self.game = played.game(0)
        self.log = [self._entry(i) for i in range(len(played.moves))]
        self.shape = played.task.board.shape

    def _entry(self, i: int) -> Entry:
        move = self.played.moves[i]
        shape = self.played.task.board.shape
        safety = move.safety
        if move.safeties is not None and not math.isnan(move.safeties[move.cell]):
            safety = float(move.safeties[move.cell])  # exact, whatever the player believes
        c = int(np.ravel_multi_index(move.cell, shape))
        return Entry(c, move.action, move.reason, move.guess, safety)

    def step(self, to: int) -> None:
        """Show the game after `to` moves."""
        to = max(0, min(to, len(self.played.moves)))
        if to < self.at:
            self.at, self.game = 0, self.played.game(0)
        for move in self.played.moves[self.at : to]:
            self.game.act(move.action, *move.cell)
        self.at = to

    def by_hand(self) -> ByHand:
        """Return the game as it is now, to be played on by hand."""
        hand = ByHand(self.played.task, self.played.g, "", self.played.game(self.at))
        hand.log = self.log[: self.at]
        return hand

    @property
    def status(self) -> str:
        """As `Game.status`, but "stuck" at the end of a game that its player gave up."""
        at_end = self.at == len(self.played.moves)
        return self.played.status if at_end else self.game.status

    def position(self) -> Position:
        """Return what can be seen; the marks of a published player may be wrong."""
        states, numbers = self.game.known()
        return Position(
            self.game.shape, self.game.topology, states, numbers, self.game.mines, False
        )


def first_click_by_hand(first: str, start: str) -> str:
    """Return ANYWHERE where the hand may choose: a start at the first 0 has its own place."""
    return "corner" if start in FIRST_ZEROS else first
