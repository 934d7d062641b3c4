"""Boards without a player: where the mines are, where the first click goes, what it shows."""

from __future__ import annotations

import numpy as np

from msdensity.kernel.batch import NO_MEMORY, KernelTask, Player, prepare
from msdensity.kernel.compiler.jit import compiling, entry
from msdensity.kernel.field import GIVEN_START, is_zero
from msdensity.kernel.play import start_game
from msdensity.kernel.state import (
    MINED,
    Memory,
    make_workspace,
    open_table,
    open_workspace,
)
from msdensity.kernel.topology import cached_table


@entry
def deal_games(table_words, ws_words, first_game, games):
    """Begin games, first click included; return in how many of them it shows 0."""
    table = open_table(table_words)
    ws = open_workspace(ws_words)
    zeros = 0
    for number in range(first_game, first_game + games):
        start_game(table, ws, number, np.int64(0))
        zeros += is_zero(table, ws, ws.game[0].cell)
    return zeros


def count_zeros(task: KernelTask, first_game: int, games: int) -> int:
    """Return in how many of games first_game .. first_game + games - 1 the first click shows 0.

    A board that a player gives up and deals again is not counted. Raises InputError for values that
    do not fit the board.
    """
    return _deal(*prepare(task), first_game, games)


def deal(task: KernelTask, number: int) -> tuple[np.ndarray, int]:
    """Return (mined, first): which cells game `number` mines, and the cell of its first click.

    Every player gets this board in this game. Raises InputError for values that do not fit the
    board.
    """
    table, workspace = prepare(task)
    _deal(table, workspace, number, 1)
    return (workspace.cell["flags"] & MINED) > 0, int(workspace.game[0]["cell"])


def continue_position(
    player: Player, task: KernelTask, mined: np.ndarray, opened: np.ndarray
) -> Memory:
    """Let a player play on from a position; return the workspace with the record of its moves.

    mined: which cells have a mine, (cells,); opened: the opened cells, in the order in which they
    are opened, at least one. A player that remembers earlier moves knows these only as first
    clicks. The first moves of the record open these cells.
    """
    table = cached_table(task.shape, task.topology)
    workspace = make_workspace(table, recording=True)
    _, workspace = prepare(task, workspace)
    workspace.task[0]["start_rule"] = GIVEN_START
    workspace.task[0]["first_cells"] = len(opened)
    workspace.first_cell[: len(opened)] = opened
    # `place_mines` then has no other cells to place them in.
    workspace.protected[:] = ~mined
    memory = player.memory(table).words if player.memory else NO_MEMORY
    with compiling(player.entry):
        player.entry(table.words, workspace.words, memory, 0, 0)
    player.entry(table.words, workspace.words, memory, 0, 1)
    return workspace


def _deal(table: Memory, workspace: Memory, first_game: int, games: int) -> int:
    with compiling(deal_games):
        return int(deal_games(table.words, workspace.words, first_game, games))
