"""One game under the classical rules: by hand, or as a player played it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from msdensity.errors import InputError, integer, require_kind
from msdensity.games.analysis import analyse_table
from msdensity.games.html import grid
from msdensity.games.play import kernel_task, play_batch
from msdensity.games.tasks import MAX_SEED, Task
from msdensity.games.text import number_symbol, read_rows, write_rows
from msdensity.kernel.deal import deal
from msdensity.kernel.state import (
    COMPONENT,
    FIRST,
    FLOATING_GUESS,
    GLOBAL,
    GUESS,
    LOST,
    MARKED,
    MINED,
    OPEN,
    PAIR,
    SINGLE,
    UNKNOWN,
    Memory,
    make_workspace,
)
from msdensity.kernel.topology import Topology, board_table

Action = tuple[Any, ...]
"""("open" or "flag" or "chord", row, column): as many coordinates as the board has sides."""


class Game:
    """One game on a known layout of mines.

    Opening a 0 opens its neighbours. A flag toggles; a flagged cell is opened neither by a click
    nor by a flood. A chord on an opened cell acts only when as many neighbours are flagged as the
    number says, and opens the others in reading order. The game is won when every safe cell is
    open, whatever the flags (at once if there is no safe cell), and lost when a mine is opened;
    nothing changes after the end.

    layout: one string a row, `*` mine, `-` safe. topology: a name, or the neighbours of each cell
    in row-major order. shape: sides of a board with more than two axes; the rows of its layers
    follow each other. Raises InputError for a malformed layout or an impossible topology.
    """

    def __init__(
        self,
        layout: Sequence[str],
        topology: Topology = "square8",
        *,
        shape: Sequence[int] | None = None,
    ) -> None:
        text, self.shape = read_rows("layout", layout, "*-", shape)
        self.layout = write_rows(text, self.shape)
        self.topology = topology
        table = board_table(self.shape, topology)
        self._start: list[int] = table.start.tolist()
        self._neighbours: list[int] = table.neighbours.tolist()
        self._mined = [character == "*" for character in text]
        cell = np.repeat(np.arange(len(text)), np.diff(table.start))
        near = np.array(self._mined, bool)[table.neighbours]
        self._numbers = np.bincount(cell[near], minlength=len(text))
        self._states = [UNKNOWN] * len(text)
        self._safe_left = self._mined.count(False)
        self._fatal: int | None = None
        self.actions: list[Action] = []
        """Every action that changed something, in order."""

    @classmethod
    def deal(cls, task: Task, g: int) -> Game:
        """Return game g of a task before its first click; the rules of the task say where.

        The layout depends on the rules of the start too: the protected cells have no mines. A
        player that may replace a board, such as `listing`, may have played another layout, which
        `play_game` returns. Raises InputError as `play_game`.
        """
        _check(task, g)
        mined, _ = deal(kernel_task(task), g)
        return cls(_layout(mined, task.board.shape), task.board.topology, shape=task.board.shape)

    @property
    def mines(self) -> int:
        """Number of mines on the board."""
        return sum(self._mined)

    @property
    def status(self) -> str:
        """The status of the game: "playing", "won" or "lost"."""
        if self._fatal is not None:
            return "lost"
        return "won" if self._safe_left == 0 else "playing"

    def numbers(self) -> list[str]:
        """Return the number of every safe cell as rows of text, `*` for mines."""
        cells = range(len(self._mined))
        symbols = ("*" if self._mined[c] else number_symbol(self._number(c)) for c in cells)
        return write_rows(symbols, self.shape)

    def view(self) -> list[str]:
        """Return what the player sees as rows of text.

        `.` covered, `F` flagged, the number of an opened cell, `*` the mine that was opened.
        """
        return write_rows(map(self._symbol, range(len(self._mined))), self.shape)

    def __str__(self) -> str:
        """Return how the game stands and what the player sees."""
        return "\n".join([f"{self.mines} mines, {self.status}", *self.view()])

    def _repr_html_(self) -> str:
        """Return what the player sees as HTML for a notebook."""
        return grid(self.view(), f"{self.mines} mines, {self.status}")

    def known(self) -> tuple[np.ndarray, np.ndarray]:
        """Return (states, numbers) of all cells as `analysis.analyse_states` takes them.

        A flag counts as known to be mined; the number of a cell that is not open is 0.
        """
        states = np.array(self._states, np.uint8)
        return states, np.where(states == OPEN, self._numbers, 0).astype(np.int64)

    def act(self, action: str, *cell: int) -> bool:
        """Do "open", "flag" or "chord" at a cell; return whether anything changed.

        Raises InputError for another action or a cell outside the board.
        """
        known = {"open": self._open, "flag": self._flag, "chord": self._chord}
        if action not in known:
            raise InputError(f"action={action!r} must be one of {', '.join(known)}")
        c = self._index(cell)
        if self.status != "playing" or not known[action](c):
            return False
        self.actions.append((action, *map(int, cell)))
        return True

    def open(self, *cell: int) -> bool:
        """Open a cell, and around every 0; return whether anything changed."""
        return self.act("open", *cell)

    def flag(self, *cell: int) -> bool:
        """Set or remove the flag of a covered cell; return whether anything changed."""
        return self.act("flag", *cell)

    def chord(self, *cell: int) -> bool:
        """Open the unflagged neighbours of an opened cell; return whether anything changed."""
        return self.act("chord", *cell)

    def replay(self, actions: Iterable[Sequence[Any]]) -> Game:
        """Return a new game on the same layout after these actions (such as `self.actions`)."""
        game = Game(self.layout, self.topology, shape=self.shape)
        for action, *cell in actions:
            game.act(action, *cell)
        return game

    def _index(self, cell: Sequence[int]) -> int:
        if len(cell) != len(self.shape):
            raise InputError(f"cell={tuple(cell)} must have {len(self.shape)} coordinates")
        index = 0
        for axis, (place, side) in enumerate(zip(cell, self.shape, strict=True)):
            name = f"cell {tuple(cell)}: axis {axis}"
            index = index * side + integer(name, place, 0, side - 1)
        return index

    def _near(self, c: int) -> list[int]:
        return self._neighbours[self._start[c] : self._start[c + 1]]

    def _number(self, c: int) -> int:
        return int(self._numbers[c])

    def _symbol(self, c: int) -> str:
        if c == self._fatal:
            return "*"
        if self._states[c] == OPEN:
            return number_symbol(self._number(c))
        return "F" if self._states[c] == MARKED else "."

    def _flag(self, c: int) -> bool:
        if self._states[c] == OPEN:
            return False
        self._states[c] = UNKNOWN if self._states[c] == MARKED else MARKED
        return True

    def _open(self, c: int) -> bool:
        if self._states[c] != UNKNOWN:
            return False
        if self._mined[c]:
            self._fatal = c
            return True
        flood = [c]
        while flood:
            c = flood.pop()
            if self._states[c] != UNKNOWN:
                continue
            self._states[c] = OPEN
            self._safe_left -= 1
            if self._number(c) == 0:
                flood += self._near(c)
        return True

    def _chord(self, c: int) -> bool:
        near = self._near(c)
        flagged = sum(self._states[d] == MARKED for d in near)
        if self._states[c] != OPEN or flagged != self._number(c):
            return False
        changed = False
        for d in near:
            if self.status == "playing":
                changed |= self._open(d)
        return changed


REASONS = {
    int(FIRST): "first click",
    int(SINGLE): "certain by a single number",
    int(PAIR): "certain by a pair of numbers",
    int(COMPONENT): "certain by the numbers that hang together",
    int(GLOBAL): "certain by the number of mines left",
    int(GUESS): "guess beside a number",
    int(FLOATING_GUESS): "guess of a floating cell",
}
"""The reasons of moves. The cells that a 0 opens are certain by a single number, the 0."""


@dataclass(frozen=True)
class Move:
    """One move of a player.

    cell: (row, column); action: "open" or "flag"; reason: one of REASONS; safety: P_S of the cell
    as the player states it: 1 if certainly safe, 0 if certainly mined; safeties: before a guess,
    P_S of every unknown cell, an array (rows, columns) with NaN for known cells; otherwise None.
    """

    cell: tuple[int, ...]
    action: str
    reason: str
    safety: float
    safeties: np.ndarray | None = None

    @property
    def guess(self) -> bool:
        """Whether the move was a guess; the first click does not count as one."""
        return self.reason in (REASONS[int(GUESS)], REASONS[int(FLOATING_GUESS)])


@dataclass(frozen=True)
class PlayedGame:
    """Game `g` of a task: the layout (`*` mine, `-` safe), every move and how it ended.

    status: "won", "lost", or "stuck" where the player stops instead of guessing.
    """

    task: Task
    g: int
    layout: list[str] = field(repr=False)
    moves: list[Move] = field(repr=False)
    status: str

    def __str__(self) -> str:
        """Return every move with its reason, and what the player sees in the end."""
        lines = [f"{self.task.title}; game {self.g}: {self.status}"]
        for move in self.moves:
            cell = ",".join(map(str, move.cell))
            safety = f", safety {move.safety:.6g}" if move.guess else ""
            lines.append(f"{move.action:5}{cell:>8}  {move.reason}{safety}")
        return "\n".join([*lines, *self.game().view()])

    @property
    def guesses(self) -> list[Move]:
        """The moves that were guesses."""
        return [move for move in self.moves if move.guess]

    def _repr_html_(self) -> str:
        """Return the end of the game as HTML for a notebook."""
        task = self.task
        what = f"game {self.g} of {task.board.name} with {task.mines} mines by {task.label}"
        title = f"{what}: {self.status}, {len(self.moves)} moves, {len(self.guesses)} guesses"
        return grid(self.game().view(), title)

    def game(self, moves: int | None = None) -> Game:
        """Return the game after the first `moves` moves (None: all of them)."""
        board = self.task.board
        game = Game(self.layout, board.topology, shape=board.shape)
        for move in self.moves[:moves]:
            game.act(move.action, *move.cell)
        return game


def play_game(task: Task, g: int) -> PlayedGame:
    """Play game g of a task, the same as in any batch, and keep every move.

    g: 0..2^63 - 1. The safeties at a guess do not come from the player: `analyse` computes them
    from the opened cells, or estimates them if the position exceeds the budget of exact counting.
    Raises InputError for a task that the board cannot have or g out of range.
    """
    g = _check(task, g)
    board = task.board
    table = board_table(board.shape, board.topology)
    workspace = make_workspace(table, recording=True)
    won = play_batch(task, g, 1, workspace)["wins"]
    mined = (workspace.cell["flags"] & MINED) > 0
    numbers = workspace.cell["number"].astype(np.int64)
    places = [tuple(place) for place in np.indices(board.shape).reshape(len(board.shape), -1).T]
    states = np.full(board.cells, UNKNOWN, np.uint8)
    moves = []
    for cell, reason, safety in workspace.trace[: workspace.game[0]["trace"]].tolist():
        safeties = None
        if reason in (GUESS, FLOATING_GUESS):
            safeties = _safeties(table, task, states, np.where(states == OPEN, numbers, 0))
        flagged = safety == 0.0 and reason not in (FIRST, GUESS, FLOATING_GUESS)
        states[cell] = MARKED if flagged else OPEN
        place = tuple(map(int, places[cell]))
        action = "flag" if flagged else "open"
        moves.append(Move(place, action, REASONS[reason], safety, safeties))
    while won and moves[-1].action == "flag":  # mines proved together with the last safe cell
        moves.pop()
    status = "won" if won else "lost" if workspace.game[0]["status"] == LOST else "stuck"
    return PlayedGame(task, g, _layout(mined, board.shape), moves, status)


def _safeties(table: Memory, task: Task, states: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Return P_S of every cell that is neither opened nor marked, NaN for the others."""
    shape, marked = task.board.shape, states == MARKED
    # Ignore the marks: not every published player proves a mine before it marks it.
    opened = np.where(marked, UNKNOWN, states).astype(np.uint8)
    result = analyse_table(table, shape, opened, numbers, task.mines)
    if not result.exact:
        trusting = analyse_table(table, shape, states, numbers, task.mines)
        result = trusting if trusting.consistent and trusting.exact else result
    return np.where(marked.reshape(shape), np.nan, result.safety)


def _check(task: Task, g: int) -> int:
    """Return g as a Python int; InputError if task is no Task or g is out of range."""
    require_kind("task", task, Task, "a Task")
    return integer("g", g, 0, MAX_SEED)


def _layout(mined: np.ndarray, shape: Sequence[int]) -> list[str]:
    return write_rows(("*" if mine else "-" for mine in mined.tolist()), shape)
