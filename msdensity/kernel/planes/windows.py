"""The window of a cell: seven rows of seven cells around it, as the bits of one number."""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, small
from msdensity.kernel.planes.tiles import CELLS, CENTRE, REACH, SIDE

AROUND = sum(31 << (SIDE * row + 1) for row in range(1, SIDE - 1)) & ~(1 << CENTRE)
"""The cells within two steps of the centre."""

ROW = (1 << SIDE) - 1


@small
def window(board, plane, c):
    """Return the window of cell c in a plane."""
    place = board.place[c]
    bit = place & 31
    tile = board.tile[place >> 9]
    row = tile.row + ((place >> 5) & 15)
    first = board.row_word[row]
    found = np.int64(0)
    if tile.inside and board.row_word[row + SIDE - 1] - first == SIDE - 1:
        first += tile.strip  # nothing is beside this strip, and the rows follow each other
        for i in range(SIDE):
            found |= (((plane[first + i] << REACH) >> bit) & ROW) << (SIDE * i)
        return found
    return window_across(board, plane, tile, row, bit)


@compiled
def window_across(board, plane, tile, row, bit):
    """Return a window that may reach into other strips and tiles."""
    found = np.int64(0)
    for i in range(SIDE):
        at = board.row_word[row + i]
        cells = plane[tile.strip + at] << REACH
        cells |= plane[tile.west_strip + at] >> (tile.west_width - REACH)
        cells |= plane[tile.east_strip + at] << (tile.width + REACH)
        found |= ((cells >> bit) & ROW) << (SIDE * i)
    return found


@small
def row_of(board, c):
    """Return the row of cell c."""
    word = board.place[c] >> 5
    return board.tile[word >> 4].row + (word & 15)


@small
def neighbours_at(board, row, i):
    """Return the neighbours of the cell at bit i of a window around a cell of this row."""
    return board.near[CELLS * (row & 1) + i]


@compiled
def cell_near(board, c, i):
    """Return the cell at bit i of the window of cell c."""
    if board.wraps[0] == 0:
        return c + board.window[i]
    sides = board.sides
    row = (row_of(board, c) + i // SIDE - REACH + sides[0]) % sides[0]
    column = (c % sides[1] + i % SIDE - REACH + sides[1]) % sides[1]
    return row * sides[1] + column
