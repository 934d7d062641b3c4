"""One cell of a board in planes: its bit in each plane, opening and marking it, and its guess.

To open or to mark a cell is a wish here: its bit is set and its tile queued, and `single` does both
together with all that follows from it.
"""

import numpy as np

from msdensity.kernel.compiler.bits import bits, lowest
from msdensity.kernel.compiler.jit import compiled, small
from msdensity.kernel.compiler.rows import get_rows, no_rows, set_rows
from msdensity.kernel.field import count_mines, is_mined, is_zero, mine
from msdensity.kernel.knowledge import (
    component_at,
    counts_of,
    forget_cells,
    is_floating,
    is_opened,
    is_unknown,
    list_box,
    mark_mine,
    open_cell,
    record,
    set_component,
)
from msdensity.kernel.planes.around import sum_around
from msdensity.kernel.planes.tiles import CENTRE
from msdensity.kernel.planes.windows import cell_near, neighbours_at, row_of, window
from msdensity.kernel.state import CONTRADICTION, FLOATING_GUESS, GUESS, LOST, MINED

QUEUED, VISITED, PAIRED = 1, 2, 4
"""Where a tile waits: in the queue of the single-cell rule, on the list of tiles whose border
changed, on the stack of the pair rule."""


@small
def has(board, plane, c):
    """Return whether cell c is in a plane."""
    place = board.place[c]
    return (plane[place >> 5] >> (place & 31)) & 1 != 0


@small
def put(board, plane, c):
    """Put cell c into a plane."""
    place = board.place[c]
    plane[place >> 5] |= 1 << (place & 31)


@small
def queue_tile(ws, t):
    """Queue tile t for the single-cell rule."""
    if ws.tile_waits[t] & QUEUED == 0:
        ws.tile_waits[t] |= QUEUED
        game = ws.game[0]
        ws.touched[game.touched & game.ring] = t
        game.touched += 1


@small
def needed_at(ws, place):
    """Return how many mines the border cell at a place still needs."""
    word = place >> 5
    bit = place & 31
    ones = (ws.needed0[word] >> bit) & 1
    return ones | (((ws.needed1[word] >> bit) & 1) << 1) | (((ws.needed2[word] >> bit) & 1) << 2)


@forget_cells.in_planes
def forget_planes(board, ws):
    """Make all cells unknown, without a mine."""
    empty = no_rows()
    for i in range(len(board.tiles)):
        t = np.int64(board.tiles[i])
        at = t << 4
        for plane in (
            *(ws.mined, ws.opened, ws.marked, ws.to_open, ws.to_mark, ws.free, ws.full),
            *(ws.border, ws.recent, ws.waiting, ws.unbuilt),
        ):
            set_rows(plane, at, empty)
        set_rows(ws.unknown, at, get_rows(board.valid, at))
        ws.tile_waits[t] = 0
    for c in range(ws.game[0].cells):
        ws.component_of[c] = -1
    game = ws.game[0]
    if game.walk > 1 << 30:  # long before the stamps of the cells overflow
        for c in range(game.cells):
            ws.seen[c] = 0
        game.walk = 0


@mine.in_planes
def mine_bit(board, ws, c):
    """Put a mine into cell c."""
    put(board, ws.mined, c)


@count_mines.in_planes
def count_planes(board, ws):
    """Write the number of every cell, N(a)."""
    for i in range(len(board.tiles)):
        at = board.tiles[i] << 4
        ones, twos, fours, eights = sum_around(board, at, ws.mined)
        set_rows(ws.number0, at, ones)
        set_rows(ws.number1, at, twos)
        set_rows(ws.number2, at, fours)
        set_rows(ws.number3, at, eights)
    if ws.game[0].trace >= 0:
        show_board(board, ws)


@compiled
def show_board(board, ws):
    """Copy the mines and numbers to the records of the cells, for people who look at one game."""
    for c in range(ws.game[0].cells):
        place = board.place[c]
        word = place >> 5
        bit = place & 31
        number = (ws.number0[word] >> bit) & 1
        number |= ((ws.number1[word] >> bit) & 1) << 1
        number |= ((ws.number2[word] >> bit) & 1) << 2
        number |= ((ws.number3[word] >> bit) & 1) << 3
        ws.cell[c].number = number
        ws.cell[c].flags = MINED * ((ws.mined[word] >> bit) & 1)


@is_zero.in_planes
def is_zero_bit(board, ws, c):
    """Return whether cell c shows 0."""
    place = board.place[c]
    word = place >> 5
    other = ws.number0[word] | ws.number1[word] | ws.number2[word] | ws.number3[word]
    return ((other | ws.mined[word]) >> (place & 31)) & 1 == 0


@is_mined.in_planes
def is_mined_bit(board, ws, c):
    """Return whether cell c is mined."""
    return has(board, ws.mined, c)


@open_cell.in_planes
def wish_open(board, ws, c, reason, safety):
    """Open an unknown cell; return False if it is mined (the game is then lost)."""
    game = ws.game[0]
    game.cell = c
    record(ws, c, reason, safety)
    if has(board, ws.mined, c):
        guessed = reason == GUESS or reason == FLOATING_GUESS or safety < 1.0
        game.status = LOST if guessed else CONTRADICTION
        return False
    put(board, ws.to_open, c)
    queue_tile(ws, board.place[c] >> 9)
    return True


@mark_mine.in_planes
def wish_mark(board, ws, c, reason):
    """Mark an unknown cell as certainly mined."""
    record(ws, c, reason, 0.0)
    put(board, ws.to_mark, c)
    queue_tile(ws, board.place[c] >> 9)


@is_unknown.in_planes
def is_unknown_bit(board, ws, c):
    """Return whether cell c is neither opened nor marked."""
    return has(board, ws.unknown, c)


@is_opened.in_planes
def is_opened_bit(board, ws, c):
    """Return whether cell c is opened."""
    return has(board, ws.opened, c)


@is_floating.in_planes
def is_floating_bit(board, ws, c):
    """Return whether cell c is unknown and has no opened neighbour; at a guess."""
    return has(board, ws.unknown, c) and not has(board, ws.exposure, c)


@counts_of.in_planes
def counts_in_planes(board, ws, w):
    """Return (remaining, unknown) of border cell w."""
    near = window(board, ws.unknown, w) & neighbours_at(board, row_of(board, w), CENTRE)
    return needed_at(ws, board.place[w]), bits(near)


@component_at.in_planes
def component_in_planes(board, ws, c):
    """Return the component that a cell was last built into, or -1."""
    return np.int64(ws.component_of[c])


@set_component.in_planes
def set_component_in_planes(board, ws, c, k):
    """Write the component of a cell."""
    ws.component_of[c] = k


@list_box.in_planes
def list_members(board, ws, k, t):
    """List the unknown cells of box t of component k in ws.members; return how many."""
    box = ws.box[t]
    left = box.members
    count = 0
    while left != 0:
        ws.members[count] = cell_near(board, np.int64(box.witness), lowest(left))
        left &= left - 1
        count += 1
    return count
