"""The board of one game without a player: where its mines are and where its first click goes."""

from __future__ import annotations

import numpy as np

from msdensity.kernel.batch import KernelTask, prepare
from msdensity.kernel.compiler.jit import compiling, entry
from msdensity.kernel.play import start_game
from msdensity.kernel.state import MINED, open_table, open_workspace


@entry
def deal_game(table_words, ws_words, number):
    """Begin game `number`, first click included; return its cell."""
    ws = open_workspace(ws_words)
    start_game(open_table(table_words), ws, number, 0)
    return ws.game[0].cell


def deal(task: KernelTask, number: int) -> tuple[np.ndarray, int]:
    """Return (mined, first): which cells game `number` mines, and the cell of its first click.

    Every player gets this board in this game. Raises InputError for values that do not fit the
    board.
    """
    table, workspace = prepare(task)
    with compiling(deal_game):
        first = deal_game(table.words, workspace.words, number)
    return (workspace.cell["flags"] & MINED) > 0, int(first)
