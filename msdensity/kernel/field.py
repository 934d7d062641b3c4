"""Place the mines of one game under a first-click rule."""

import numpy as np

from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.names import STARTS
from msdensity.kernel.rng import below
from msdensity.kernel.state import BOARD, MINED, PROTECTED

SAFE_START, ZERO_START, UNPROTECTED_START = (
    STARTS.index(name) for name in ("safe", "zero", "unprotected")
)


@compiled
def place_mines(table, ws, mines, first, start_rule):
    """Mine the first `mines` unprotected cells of a random order of all cells.

    The order depends on the board stream only, so every player and every start rule gets the same
    board except for the protected cells. `start_rule` protects the first cell, the first cell and
    its neighbours, or nothing.
    """
    cell = ws.cell
    if start_rule != UNPROTECTED_START:
        cell[first].flags |= np.uint8(PROTECTED)
    if start_rule == ZERO_START:
        for e in range(table.start[first], table.start[first + 1]):
            cell[table.neighbours[e]].flags |= np.uint8(PROTECTED)
    stream = ws.stream[BOARD]
    order = ws.order
    cells = ws.game[0].cells
    for c in range(cells):
        order[c] = c
    step = 0
    placed = 0
    while placed < mines:
        j = step + below(stream, cells - step)
        candidate = order[j]
        order[j] = order[step]
        step += 1
        if not cell[candidate].flags & PROTECTED:
            cell[candidate].flags |= np.uint8(MINED)
            placed += 1
    neighbours = table.neighbours
    for c in range(cells):  # in order of the cells: fewer cache misses on large boards
        if cell[c].flags & MINED:
            for e in range(table.start[c], table.start[c + 1]):
                cell[neighbours[e]].number += np.uint16(1)
