"""Exact win rates of players on small boards: all layouts are played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from msdensity.errors import InputError, integer, require_kind
from msdensity.games.boards import Board, Rules, free_cells, most_mines, named_board
from msdensity.games.draws import BUDGET, PLAYERS, expected_wins
from msdensity.games.game_tree import list_layouts, near_bits, play_tree
from msdensity.games.symmetries import symmetries
from msdensity.games.tasks import Player, Task, named_player
from msdensity.kernel.names import FIRST_ZEROS
from msdensity.players.options import ALWAYS
from msdensity.players.registry import what_draws

if TYPE_CHECKING:
    pass

MAX_CELLS = 64

COVERED_CELLS = 16
"""Of a player that draws from all covered cells: nearly every set of cells may be opened."""

MAX_LAYOUTS = 6_000_000
"""Of a first click, the one with the most: enough for every number of mines on 25 cells."""


@dataclass(frozen=True)
class ExactWins:
    """How many layouts there are, and how many of them a player wins.

    layouts: that can be dealt, and that the player does not give up; of a random first click, those
    of all first clicks together. won: of these, the expected number; whole unless chance decides.
    """

    layouts: int
    won: Fraction

    @property
    def win_rate(self) -> Fraction:
        """The exact chance to win."""
        return self.won / self.layouts


def exact_win_rate(
    board: Board | str,
    mines: int,
    player: Player = "weighted",
    first_click: str = "corner",
    start: str = "safe",
    *,
    budget: int = BUDGET,
) -> Fraction:
    """Return the exact chance that a player wins a small board, as a fraction without an error.

    All layouts are played. A player that never draws at random plays one game for all layouts that
    show the same numbers. Of `weighted` with ties at random, `double_set` and `single_point` it is
    the expectation over their draws.

    board: of at most 64 cells, of any topology or neighbour table, or its name.
    mines: 1 up to the most that the rules allow, with at most 6 million layouts.
    player: a name, or a name and options.
    first_click, start: as in `Rules`; a random first click gives the mean.
    budget: see `exact_wins`.

    Raises InputError for values out of range, for other players that draw at random, and for a
    search that would need more sets than `budget`.
    """
    name, options = named_player(player)
    task = Task(named_board(board), mines, name, options, Rules(first_click, start))
    return exact_wins(task, budget=budget).win_rate


def why_not_exact(task: Task) -> str:
    """Return why the wins of a task cannot be counted exactly, "" if they can.

    A task that its board cannot have, or a budget that is too small, is found only by `exact_wins`.
    Raises InputError unless it is a Task.
    """
    require_kind("task", task, Task, "a Task")
    board, mines, start = task.board, task.mines, task.rules.start
    if board.cells > MAX_CELLS:
        return f"cells={board.cells} of board {board.name} must be at most {MAX_CELLS}"
    drawn = what_draws(task.player, task.options)
    if drawn and task.label not in PLAYERS:
        what = f"player={task.player}" if drawn in ALWAYS else f"{drawn} of player {task.player}"
        return f"{what} must not draw at random; draws are counted of {_named(PLAYERS)} alone"
    if PLAYERS.get(task.label) == "COVERED" and board.cells > COVERED_CELLS:
        return (
            f"cells={board.cells} of board {board.name} must be at most {COVERED_CELLS} for"
            f" {task.player}"
        )
    if drawn and start in FIRST_ZEROS:
        return f"start={start} must be safe, zero or unprotected with draws of {task.label}"
    layouts = comb(board.cells - (start not in FIRST_ZEROS), mines)
    if layouts > MAX_LAYOUTS and start == "zero":  # looked at last, because it loads Numba
        layouts = comb(free_cells(board, task.rules)[1], mines)
    if layouts > MAX_LAYOUTS:
        return (
            f"mines={mines} of board {board.name} gives {layouts:,} layouts, must be at most"
            f" {MAX_LAYOUTS:,}"
        )
    return ""


def _named(labels: Iterable[str]) -> str:
    """Return the names of players in words."""
    *names, last = dict.fromkeys(label.partition("-")[0] for label in labels)
    return f"{', '.join(names)} and {last}"


def exact_wins(task: Task, *, budget: int = BUDGET) -> ExactWins:
    """Return how many layouts the player of a task wins; its seed does not matter.

    budget: sets of layouts that may be searched for one first click of a player that draws, at
    least 1; a million take 3 to 20 seconds. Raises InputError out of range, where `why_not_exact`
    says why, and for a budget that is too small.
    """
    budget = integer("budget", budget, 1, 2**62)
    if why := why_not_exact(task):
        raise InputError(why)
    integer("mines", task.mines, 1, most_mines(task.board, task.rules))
    won, kept, layouts = Fraction(0), Fraction(0), 0
    for total, of_first_click, given_up in _counts(task, budget):
        won += of_first_click / total
        kept += Fraction(total - given_up, total)
        layouts += total - given_up
    # A board that is given up is dealt anew, the first click included.
    return ExactWins(layouts, won / kept * layouts)


def _counts(task: Task, budget: int) -> Iterator[tuple[int, Fraction, int]]:
    """Yield (layouts that can be dealt, won, given up) for each first click."""
    from msdensity.kernel.topology import cached_table, first_cells, neighbour_lists

    table = cached_table(task.board.shape, task.board.topology)
    near = neighbour_lists(table)
    cells, mines, start = task.board.cells, task.mines, task.rules.start
    if start in FIRST_ZEROS:
        board = np.arange(cells).reshape(task.board.shape)
        scan = board if start == FIRST_ZEROS[0] else board.T
        counts = [play_tree(task, c, words) for c, words in _first_zeros(near, scan, mines)]
        yield (
            comb(cells, mines),
            Fraction(sum(count.won for count in counts)),
            sum(count.given_up for count in counts),
        )
        return
    images = symmetries(near)
    known: dict[int, Fraction] = {}
    for c in first_cells(task.board.shape, task.rules.first_click).tolist():
        free = np.setdiff1d(np.arange(cells), [c, *near[c]] if start == "zero" else [c])
        total = comb(cells if start == "unprotected" else len(free), mines)
        if task.label not in PLAYERS:
            counted = play_tree(task, c, list_layouts(free, mines))
            yield total, Fraction(counted.won), counted.given_up
            continue
        alike = min(image[c] for image in images)
        if alike not in known:
            known[alike] = expected_wins(task, c, list_layouts(free, mines), budget)
        yield total, known[alike], 0


def _first_zeros(
    near: list[list[int]], scan: NDArray[np.int64], mines: int
) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield (first click, layouts that begin there) where the first 0 of a scan is clicked.

    Layouts without a 0 begin at cell 0, and are left out if it is mined.
    """
    words, beside = list_layouts(np.arange(scan.size), mines), near_bits(near)
    for c in scan.ravel().tolist():
        zero = words & (beside[c] | np.int64(1) << c) == 0
        yield c, words[zero]
        words = words[~zero]
    yield 0, words[words & 1 == 0]
