"""The board of one game without a player: where its mines are and where its first click goes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from msdensity.kernel.batch import check_mines, thread_workspace
from msdensity.kernel.compiler.jit import compiling, entry
from msdensity.kernel.names import STARTS
from msdensity.kernel.play import start_game
from msdensity.kernel.state import MINED, open_table, open_workspace
from msdensity.kernel.topology import cached_table, first_cells


@entry
def deal_game(table_words, ws_words, firsts, mines, start_rule, keys, number):
    """Begin game `number`, first click included; return its cell."""
    table = open_table(table_words)
    ws = open_workspace(ws_words)
    start_game(table, ws, firsts, mines, start_rule, keys, number)
    return ws.game[0].cell


def deal(
    shape: Sequence[int],
    topology: str,
    mines: int,
    first_click: str,
    start: str,
    keys: tuple[int, int],
    number: int,
) -> tuple[np.ndarray, int]:
    """Return (mined, first): which cells game `number` mines, and the cell of its first click.

    The board that every player meets in this game; arguments as of `batch.play`. Raises
    InputError for values that do not fit the board.
    """
    table = cached_table(tuple(shape), topology)
    firsts = first_cells(shape, first_click)
    check_mines(table, firsts, mines, start)
    workspace = thread_workspace(table)
    arguments = (
        table.words,
        workspace.words,
        firsts,
        mines,
        STARTS.index(start),
        np.array(keys, np.uint64),
        number,
    )
    with compiling(deal_game):
        first = deal_game(*arguments)
    return (workspace.cell["flags"] & MINED) > 0, int(first)
