"""How far deduction gets from the known columns of a wide board, without a guess.

Some cells are known from the start: those without a mine are opened, the others are marked. The
number of mines on the board is not used.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.kernel.field import UNPROTECTED_START, is_mined, place_mines
from msdensity.kernel.knowledge import begin, is_opened, mark_mine, open_cell
from msdensity.kernel.rng import start_stream
from msdensity.kernel.state import (
    BOARD,
    FIRST,
    LOST,
    SINGLE,
    open_planes,
    open_table,
    open_workspace,
)
from msdensity.players.inference.memory import open_memory
from msdensity.players.inference.rules import deduce_by_counts, deduce_by_rules

CROSSED, OPENED, OPENED_SQUARED, OVER = range(4)
"""What is summed over boards: those on which a goal cell is opened; the safe cells opened, those
known from the start among them, and their squares; boards that end with a component above the
budget of exact counting."""


@compiled
def begin_front(table, ws, number, known):
    """Deal board `number` of the task and open or mark its known cells."""
    task = ws.task[0]
    start_stream(ws.stream[BOARD], task.board_key, number)
    begin(table, ws, task.mines)
    ws.game[0].number = number
    place_mines(table, ws, task.mines, np.int64(0), np.int64(UNPROTECTED_START))
    for i in range(len(known)):
        c = np.int64(known[i])
        if is_mined(table, ws, c):
            mark_mine(table, ws, c, SINGLE)
        else:
            open_cell(table, ws, c, FIRST, 1.0)


@compiled
def add_front(table, ws, goal, sums):
    """Add what became of a board to `sums`."""
    game = ws.game[0]
    crossed = False
    for i in range(len(goal)):
        crossed |= is_opened(table, ws, np.int64(goal[i]))
    opened = game.safe - game.safe_left
    sums[CROSSED] += crossed
    sums[OPENED] += opened
    sums[OPENED_SQUARED] += opened * opened
    over = False
    for i in range(game.live):
        over |= ws.component[ws.live[i]].over > 0
    sums[OVER] += over


@entry
def play_fronts(table_words, ws_words, memory_words, first_board, boards, known, goal, sums):
    """Play boards from their known cells by the rules of the player's option; return a fault or 0.

    known, goal: cells; sums (4,): see CROSSED. The task is in the workspace, the boards are those
    of the unprotected start.
    """
    table = open_table(table_words)
    ws = open_workspace(ws_words)
    wm = open_memory(memory_words)
    for number in range(first_board, first_board + boards):
        begin_front(table, ws, number, known)
        deduce_by_rules(table, ws, wm, ws.option[0])
        if ws.game[0].status > LOST:
            return ws.game[0].status
        add_front(table, ws, goal, sums)
    return 0


@entry
def play_fronts_in_planes(
    board_words, ws_words, memory_words, first_board, boards, known, goal, sums
):
    """Play the same boards in planes: single cells, pairs, or complete components."""
    board = open_planes(board_words)
    ws = open_workspace(ws_words)
    for number in range(first_board, first_board + boards):
        begin_front(board, ws, number, known)
        deduce_by_counts(board, ws, ws.option[0])
        if ws.game[0].status > LOST:
            return ws.game[0].status
        add_front(board, ws, goal, sums)
    return 0
