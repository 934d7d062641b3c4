"""Place the mines of one game under a first-click rule."""

import numpy as np

from msdensity.kernel.compiler.jit import by_board, compiled
from msdensity.kernel.names import FIRST_ZEROS, STARTS
from msdensity.kernel.rng import below
from msdensity.kernel.state import BOARD, MINED

SAFE_START, ZERO_START, UNPROTECTED_START = (
    STARTS.index(name) for name in ("safe", "zero", "unprotected")
)

FIRST_ZERO_START = STARTS.index(FIRST_ZEROS[0])
"""This rule and those after it deal an unprotected board and start at its first 0."""

GIVEN_START = len(STARTS)
"""Not a rule of a task: the game goes on from a position, see `deal.continue_position`."""


@compiled
def place_mines(table, ws, mines, first, start_rule):
    """Mine the first `mines` unprotected cells of a random order of all cells.

    The order depends on the board stream only, so every player and every start rule gets the same
    board except for the protected cells. `start_rule` protects the first cell, the first cell and
    its neighbours, or nothing.
    """
    protect(table, ws, first, start_rule, np.int64(1))
    stream = ws.stream[BOARD]
    order = ws.order
    drawn = ws.list
    cells = ws.game[0].cells
    step = 0
    placed = 0
    while placed < mines:
        j = step + below(stream, cells - step)
        candidate = order[j]
        order[j] = order[step]
        drawn[step] = j
        step += 1
        if not ws.protected[candidate]:
            mine(table, ws, candidate)
            placed += 1
    for i in range(step):  # only these places differ from 0, 1, 2, ...
        order[i] = i
        order[drawn[i]] = drawn[i]
    protect(table, ws, first, start_rule, np.int64(0))
    count_mines(table, ws)


@compiled
def protect(table, ws, first, start_rule, value):
    """Write `value` for the cells that the rule of the start protects."""
    if start_rule < UNPROTECTED_START:
        ws.protected[first] = value
    if start_rule == ZERO_START:
        for e in range(table.start[first], table.start[first + 1]):
            ws.protected[table.neighbours[e]] = value


@by_board
def mine(table, ws, c):
    """Put a mine into cell c."""
    ws.cell[c].flags |= np.uint8(MINED)


@by_board
def count_mines(table, ws):
    """Write the number of every cell, N(a)."""
    cell = ws.cell
    neighbours = table.neighbours
    for c in range(ws.game[0].cells):  # in order of the cells: fewer cache misses on large boards
        if cell[c].flags & MINED:
            for e in range(table.start[c], table.start[c + 1]):
                cell[neighbours[e]].number += np.uint16(1)


@by_board
def is_zero(table, ws, c):
    """Return whether cell c shows 0; only the start of a game may depend on it."""
    return ws.cell[c].number == 0 and ws.cell[c].flags & MINED == 0


@compiled
def first_zero(table, ws):
    """Return the first cell of ws.first_cell that shows 0, or -1 if no cell does."""
    for i in range(ws.task[0].first_cells):
        c = np.int64(ws.first_cell[i])
        if is_zero(table, ws, c):
            return c
    return np.int64(-1)


@by_board
def is_mined(table, ws, c):
    """Return whether cell c is mined; only the outcome of a guess may depend on it."""
    return ws.cell[c].flags & MINED != 0
