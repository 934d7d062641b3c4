"""Positions of exact games, and what each method decides in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Task
from msdensity.players.registry import PLAYERS, resolve
from msdensity.studies.published_players.resolution.methods import LEVELS, METHODS

if TYPE_CHECKING:
    from msdensity.games.analysis import Analysis
    from msdensity.kernel.state import Memory

OF_GAME = (
    *("positions", "certain", "certain_positions", "total_certain", "total_positions"),
    *LEVELS,
)
"""What is counted in a game beside its methods; total: with the number of mines."""

OF_METHOD = ("found", "any_positions", "total_found", "total_any", "false")
"""What is counted of each method in a game."""

COUNTS = (*OF_GAME, *(f"{method} {name}" for method in METHODS for name in OF_METHOD))
"""The columns of `count_games`."""


TOGETHER = 20
"""Games whose positions are looked at together, because the kernel needs one workspace to play and
another to look."""


@dataclass(frozen=True)
class Positions:
    """The positions of a game at which single numbers say no more, n of them.

    states, numbers: (n, cells), as the kernel takes them. clues, total: (n, cells), 1 for a cell
    that is certainly mined, 0 for a safe one, else -1, by the clues and by the number of mines too.
    singles: how often single numbers had decided cells.
    """

    states: NDArray[np.uint8]
    numbers: NDArray[np.int64]
    clues: NDArray[np.int8]
    total: NDArray[np.int8]
    singles: int


def game_positions(task: Task, g: int, whole: bool = True) -> Positions:
    """Return the positions of game g of exact inference.

    It opens and marks all cells that the clues make certain, else all that the number of mines
    does, else opens the safest as `weighted` does. whole: False ends the game where the number of
    mines decides a cell. task: from a safe corner.
    """
    from msdensity.games.game import Game
    from msdensity.kernel.state import MARKED, OPEN, UNKNOWN
    from msdensity.kernel.topology import board_table
    from msdensity.players.resolution.position import settle_position

    board = task.board
    table = board_table(board.shape, board.topology)
    near = [table.neighbours[table.start[c] : table.start[c + 1]] for c in range(board.cells)]
    mined = np.array([cell == "*" for cell in "".join(Game.deal(task, g).layout)])
    numbers = np.array([mined[n].sum() for n in near], np.int64)
    states = np.full(board.cells, UNKNOWN, np.uint8)
    kept: list[tuple[NDArray[np.uint8], NDArray[np.int8], NDArray[np.int8]]] = []
    singles = 0
    c = 0
    while not mined[c]:
        states[c] = OPEN
        singles += settle_position(table.words, states, numbers) > 0
        if (states == OPEN).sum() == board.cells - task.mines:
            break
        clues = _certain(_exact(table, states, numbers, None), board.cells)
        exact = _exact(table, states, numbers, task.mines)
        total = _certain(exact, board.cells)
        kept.append((states.copy(), clues, total))
        certain = clues if (clues >= 0).any() else total
        if not whole and certain is total and (certain >= 0).any():
            break
        states[certain == 1] = MARKED
        states[certain == 0] = OPEN
        if (certain >= 0).any():
            c = int(np.flatnonzero(states == OPEN)[0])
            continue
        safety = exact.safety[: board.cells]
        safest = np.flatnonzero(safety >= np.nanmax(safety) * (1 - 1e-11))
        c = int(min(safest, key=lambda c: (len(near[c]), -(states[near[c]] == OPEN).sum(), c)))
    shown = [np.where(each == OPEN, numbers, 0) for each, _, _ in kept]
    rows = (-1, board.cells)
    return Positions(
        np.array([each for each, _, _ in kept], np.uint8).reshape(rows),
        np.array(shown, np.int64).reshape(rows),
        np.array([each for _, each, _ in kept], np.int8).reshape(rows),
        np.array([each for _, _, each in kept], np.int8).reshape(rows),
        singles,
    )


def decide(task: Task, positions: Positions, options: Mapping[str, str]) -> NDArray[np.int8]:
    """Return 1 for each cell that a method finds to be mined, 0 for a safe one, else -1.

    options: of the player `resolution`; the result has the shape of `positions.states`.
    """
    from msdensity.kernel.batch import thread_workspace
    from msdensity.kernel.compiler.jit import compiling
    from msdensity.kernel.topology import board_table
    from msdensity.players.resolution.memory import thread_memory
    from msdensity.players.resolution.position import resolve_positions

    table = board_table(task.board.shape, task.board.topology)
    known = PLAYERS["resolution"].options
    values = resolve("resolution", options)
    chosen = np.array([known[key].choices.index(values[key]) for key in known])
    found = np.empty(positions.states.shape, np.int8)
    words = table.words, thread_workspace(table).words, thread_memory(table).words
    with compiling(resolve_positions):
        resolve_positions(*words, chosen, positions.states, positions.numbers, task.mines, found)
    return found


def join_positions(games: Sequence[Positions]) -> Positions:
    """Return the positions of several games, at least one."""
    return Positions(
        np.concatenate([own.states for own in games]),
        np.concatenate([own.numbers for own in games]),
        np.concatenate([own.clues for own in games]),
        np.concatenate([own.total for own in games]),
        sum(own.singles for own in games),
    )


def count_games(
    task: Task, games: int, keep: Keep = NO_CHECKPOINT, whole: bool = True
) -> NDArray[np.int64]:
    """Return COUNTS of the positions of games 0 .. games - 1, an array (games, columns).

    keep: a checkpoint; whole: as in `game_positions`.
    """
    parts = []
    for first in range(0, games, TOGETHER):
        n = min(TOGETHER, games - first)
        what = f"positions {task.task_id} {first} {n} {whole}"
        parts.append(keep(what, partial(_count, task, range(first, first + n), whole)))
    return np.concatenate([np.array(part, np.int64).reshape(-1, len(COUNTS)) for part in parts])


def _count(task: Task, games: Sequence[int], whole: bool) -> list[int]:
    """Return the rows of `count_games` of these games, one after the other."""
    each = [game_positions(task, g, whole) for g in games]
    positions = join_positions(each)
    game = np.repeat(np.arange(len(each)), [len(own.clues) for own in each])
    clues, total = positions.clues, positions.total
    here, there = (clues >= 0).any(axis=1), (total >= 0).any(axis=1)
    easiest = np.where(here, LEVELS.index("counting"), LEVELS.index("mine count"))
    easiest[~there] = LEVELS.index("guess")
    of_methods = []
    for method, options in METHODS.items():
        verdict = decide(task, positions, options)
        right, right_total = ((verdict >= 0) & (verdict == truth) for truth in (clues, total))
        any_right = right.any(axis=1)
        wrong = (verdict >= 0) & ~right_total
        cells = (right.sum(axis=1), any_right, right_total.sum(axis=1), right_total.any(axis=1))
        of_methods += [*cells, wrong.sum(axis=1)]
        if method in LEVELS:
            easiest[any_right] = np.minimum(easiest[any_right], LEVELS.index(method))
    certain = ((clues >= 0).sum(axis=1), here, (total >= 0).sum(axis=1), there)
    of_levels = [easiest == i for i in range(1, len(LEVELS))]

    def sums(values: NDArray[Any]) -> NDArray[np.int64]:
        return np.bincount(game, values, len(each)).astype(np.int64)

    first = [sums(np.ones(len(game))), *map(sums, certain)]
    singles = np.array([own.singles for own in each], np.int64)
    columns = [*first, singles, *map(sums, of_levels), *map(sums, of_methods)]
    return np.column_stack(columns).ravel().tolist()


def _exact(
    table: Memory, states: NDArray[np.uint8], numbers: NDArray[np.int64], mines: int | None
) -> Analysis:
    """Return the analysis of a position, with as many more cells as the board has.

    `analyse` adds these only if the number of mines is not known. They are always here, opened if
    it is known, because the kernel needs a new workspace for each number of cells.
    """
    from msdensity.games.analysis import analyse_table
    from msdensity.kernel.state import MARKED, OPEN, UNKNOWN
    from msdensity.kernel.topology import add_lone_cells

    cells = len(states)
    if mines is None:
        more, mines = UNKNOWN, cells + int((states == MARKED).sum())
    else:
        more = OPEN
    states = np.concatenate([states, np.full(cells, more, np.uint8)])
    numbers = np.concatenate([numbers, np.zeros(cells, np.int64)])
    return analyse_table(add_lone_cells(table, cells), (2 * cells,), states, numbers, mines)


def _certain(exact: Analysis, cells: int) -> NDArray[np.int8]:
    """Return 1 for each of the first cells that is certainly mined, 0 for a safe one, else -1."""
    truth = np.full(cells, -1, np.int8)
    for certain, value in ((exact.safe, 0), (exact.mined, 1)):
        for (c,) in certain:
            if c < cells:
                truth[c] = value
    return truth
