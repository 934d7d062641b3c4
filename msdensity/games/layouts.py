"""Layouts of mines played one by one: given ones by any player, all, or all that hang together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from msdensity.errors import InputError, integer
from msdensity.games.boards import Board, Rules
from msdensity.games.tasks import Player, Task, named_player

FAR = -1
"""The first click is on the first 0 from which more than half of the board opens up, see
`players.layouts`."""

MAX_LAYOUTS = 10**9
"""Most rows that `play_clusters` writes."""


@dataclass(frozen=True)
class WinCounts:
    """How many layouts of a board there are, how many are won, and how many without a guess."""

    layouts: int
    won: int
    no_guess_won: int


def count_wins(board: Board, free: Iterable[int], mines: int, first: int = FAR) -> WinCounts:
    """Play every layout with so many mines on the cells `free`; those without a start are left out.

    free: different cells in 0..cells - 1; mines: 1..len(free); first: the cell of the first click,
    or FAR. Raises InputError out of range.
    """
    from msdensity.kernel.compiler.jit import compiling
    from msdensity.players.layouts import play_all

    cells = _cells(board, "free", [list(free)])[0]
    mines = integer("mines", mines, 1, len(cells))
    first = integer("first", first, FAR, board.cells - 1)
    words = _words(board)
    with compiling(play_all):
        return WinCounts(*play_all(*words, cells, mines, first))


def play_layouts(board: Board, layouts: ArrayLike, first: int = FAR) -> NDArray[np.int32]:
    """Return (won, guesses) of each layout, shape (layouts, 2), -1 where it has no start.

    layouts: the mined cells of each, shape (layouts, mines), different and in 0..cells - 1; first:
    the cell of the first click, or FAR. A first click on a mine is no start. Raises InputError out
    of range.
    """
    from msdensity.kernel.compiler.jit import compiling
    from msdensity.players.layouts import play_layouts as play

    mined = _cells(board, "layouts", layouts)
    ends = np.zeros((len(mined), 2), np.int32)
    with compiling(play):
        play(*_words(board), mined, integer("first", first, FAR, board.cells - 1), ends)
    return ends


def play_layouts_by(
    board: Board, layouts: ArrayLike, first: int, player: Player = "weighted", games: int = 1
) -> NDArray[np.int64]:
    """Return (wins, guesses) of games of each layout by a player, shape (layouts, 2).

    layouts: as in `play_layouts`, none with a mine on `first`, the cell of the first click; player:
    a name, or a name and options. The games of a layout differ by the player's own random choices,
    and row r has games r * games and on, so that those of two layouts know nothing of each other.
    Raises InputError out of range.
    """
    from msdensity.games.play import kernel_player, kernel_task
    from msdensity.kernel.batch import NO_MEMORY, prepare
    from msdensity.kernel.compiler.jit import compiling
    from msdensity.kernel.measures import MEASURES
    from msdensity.kernel.state import LOST

    mined = _cells(board, "layouts", layouts)
    first, games = integer("first", first, 0, board.cells - 1), integer("games", games, 1, 10**9)
    if (mined == first).any():
        raise InputError(f"layouts must have no mine on the first click, cell {first}")
    name, options = named_player(player)
    task = Task(board, mined.shape[1], name, options, Rules(f"cell:{first}", "safe"))
    kernel = kernel_player(task)
    table, workspace = prepare(kernel_task(task))
    memory = kernel.memory(table).words if kernel.memory else NO_MEMORY
    wanted = [MEASURES.index("wins"), MEASURES.index("guesses")]
    ends = np.zeros((len(mined), 2), np.int64)
    with compiling(kernel.entry):
        kernel.entry(table.words, workspace.words, memory, 0, 0)
    try:
        for r, layout in enumerate(mined):
            # A deal puts mines on cells that are not protected, of which there are just enough.
            workspace.protected[:] = 1
            workspace.protected[layout] = 0
            workspace.sums[:] = 0
            status = kernel.entry(table.words, workspace.words, memory, r * games, games)
            if status > LOST:
                raise RuntimeError(f"fault {status} of player {name} on layout {layout.tolist()}")
            ends[r] = workspace.sums[wanted]
    finally:
        workspace.protected[:] = 0
    return ends


def play_clusters(
    board: Board,
    links: Sequence[frozenset[int]],
    root: int,
    mines: int,
    *,
    first: int = FAR,
    within: int = 0,
    most: int = 100_000,
) -> tuple[int, NDArray[np.int32]]:
    """Play every set of mines that hangs together and whose lowest cell is `root`.

    links: for each cell those that hang together with it. Returns how many sets there are, and
    those that are not won without a guess, a row each: the cells, whether it is won, guesses. With
    `within` nothing is played, and the rows are the sets that wall in the first click: the 0s that
    it opens open at most `within` cells. mines: 1..cells. Raises InputError out of range, and for
    more than `most` rows.
    """
    from msdensity.kernel.compiler.jit import compiling
    from msdensity.players.layouts import play_clusters as play

    root = integer("root", root, 0, board.cells - 1)
    mines = integer("mines", mines, 1, board.cells)
    first = integer("first", first, FAR if within == 0 else 0, board.cells - 1)
    most = integer("most", most, 0, MAX_LAYOUTS)
    within = integer("within", within, 0, board.cells)
    if len(links) != board.cells or not all(own <= set(range(board.cells)) for own in links):
        raise InputError(f"links must be {board.cells} sets of cells in 0..{board.cells - 1}")
    lists = [np.array(sorted(own - {c}), np.int32) for c, own in enumerate(links)]
    start = np.concatenate([[0], np.cumsum([len(own) for own in lists])])
    found = np.zeros((most, mines + 2), np.int32)
    near = np.concatenate(lists)
    with compiling(play):
        sets, kept = play(*_words(board), start, near, root, mines, first, within, found)
    if kept > most:
        raise InputError(f"most={most} must be at least {kept}, the sets found")
    return sets, found[:kept]


def walls(
    board: Board, links: Sequence[frozenset[int]], first: int, mines: int
) -> NDArray[np.int32]:
    """Return the sets of mines that hang together and wall in a first click, (sets, mines).

    links: as in `play_clusters`; the 0s that `first` opens open at most half of the board.
    """
    within = board.cells // 2
    found = [
        play_clusters(board, links, root, mines, first=first, within=within)[1][:, :mines]
        for root in range(board.cells)
    ]
    return np.sort(np.concatenate(found), axis=1)


def _cells(board: Board, name: str, rows: ArrayLike) -> NDArray[np.int32]:
    """Return rows of different cells; InputError for anything else."""
    try:
        given = np.asarray(rows)
    except ValueError:
        given = np.zeros(0)
    if given.ndim != 2 or not given.shape[1]:
        raise InputError(f"{name} must be rows of equally many cells, at least one")
    inside = given.dtype.kind in "iu" and (given >= 0).all() and (given < board.cells).all()
    if not inside or not (np.diff(np.sort(given, axis=1)) > 0).all():
        raise InputError(f"{name} must hold different cells in 0..{board.cells - 1} in each row")
    return np.ascontiguousarray(given, np.int32)


def _words(board: Board) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    from msdensity.kernel.batch import thread_workspace
    from msdensity.kernel.topology import cached_table

    table = cached_table(board.shape, board.topology)
    workspace = thread_workspace(table)
    workspace.option[:] = 0
    return table.words, workspace.words
