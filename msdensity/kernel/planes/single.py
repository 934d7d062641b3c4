"""The single-cell rule on a whole tile at once (paper 001, Propositions 2 and 3).

An opened cell that needs no mine has safe neighbours; one that needs all its unknown neighbours has
mined ones. A cascade is the same rule at a cell of number 0.
"""

import numpy as np

from msdensity.kernel.clock import ONE, tally
from msdensity.kernel.compiler.jit import compiled, small
from msdensity.kernel.compiler.rows import (
    any_bit,
    bits_of,
    each_row,
    east,
    first_row,
    get_rows,
    no_rows,
    set_rows,
)
from msdensity.kernel.knowledge import store_move
from msdensity.kernel.planes.around import (
    last_row,
    most_of,
    sum_inside,
    sum_outside,
    union_inside,
    union_outside,
)
from msdensity.kernel.planes.cells import QUEUED, VISITED, queue_tile
from msdensity.kernel.state import CONTRADICTION, SINGLE, SWEEPS, VISITS, WON

ALL = np.int64(-1)
"""A row with all bits."""


@small
def less(a0, a1, a2, a3, b0, b1, b2):
    """Return the four digits of a - b, where b is at most a."""
    borrow0 = b0 & ~a0
    borrow1 = most_of(~a1, b1, borrow0)
    borrow2 = most_of(~a2, b2, borrow1)
    return a0 ^ b0, a1 ^ b1 ^ borrow0, a2 ^ b2 ^ borrow1, a3 ^ borrow2


@compiled
def settle_tile(board, ws, t):
    """Open and mark what is known in tile t until the single-cell rule decides no more in it.

    Tiles beside it are queued if a cell at their border was decided.
    """
    at = t << 4
    alone = board.tile[t].alone
    valid = get_rows(board.valid, at)
    slant_west = get_rows(board.slant_west, at)
    slant_east = get_rows(board.slant_east, at)
    before_opened = get_rows(ws.opened, at)
    before_marked = get_rows(ws.marked, at)
    opened = before_opened
    marked = before_marked
    covered = valid & ~opened
    # numbers less the mines and less the covered cells around it that are outside of this tile
    mines0 = get_rows(ws.number0, at)
    mines1 = get_rows(ws.number1, at)
    mines2 = get_rows(ws.number2, at)
    mines3 = get_rows(ws.number3, at)
    cover0 = mines0
    cover1 = mines1
    cover2 = mines2
    cover3 = mines3
    wish_open = get_rows(ws.to_open, at) & covered & ~marked
    wish_mark = get_rows(ws.to_mark, at) & covered & ~marked
    set_rows(ws.to_open, at, no_rows())
    set_rows(ws.to_mark, at, no_rows())
    by_others = wish_open | wish_mark
    safe = wish_open
    mined = wish_mark
    full = no_rows()
    if not alone:
        b0, b1, b2 = sum_outside(board, at, ws.marked)
        c0, c1, c2 = sum_outside(board, at, ws.unknown)  # with the marked: the covered cells
        mines0, mines1, mines2, mines3 = less(mines0, mines1, mines2, mines3, b0, b1, b2)
        carry0 = b0 & c0
        carry1 = most_of(b1, c1, carry0)
        c2 = b2 ^ c2 ^ carry1
        c1 = b1 ^ c1 ^ carry0
        c0 = b0 ^ c0
        # where fewer mines are needed than cells are covered outside, the rule does not apply
        cover0, cover1, cover2, cover3 = less(cover0, cover1, cover2, cover3, c0, c1, c2)
        unknown = covered & ~marked & ~by_others
        found_safe = union_outside(board, at, ws.free) & unknown
        found_mined = union_outside(board, at, ws.full) & unknown
        if ws.game[0].trace >= 0:
            store_rows(board, ws, at, found_safe, found_mined)
        safe |= found_safe
        mined |= found_mined
    tally(ws, VISITS, ONE)
    while True:
        tally(ws, SWEEPS, ONE)
        opened |= safe
        marked |= mined
        covered = valid & ~opened
        unknown = covered & ~marked
        m0, m1, m2, m3 = sum_inside(marked, slant_west, slant_east)
        free = opened & ~((mines0 ^ m0) | (mines1 ^ m1) | (mines2 ^ m2) | (mines3 ^ m3))
        c0, c1, c2, c3 = sum_inside(covered, slant_west, slant_east)
        full = opened & ~((cover0 ^ c0) | (cover1 ^ c1) | (cover2 ^ c2) | (cover3 ^ c3))
        safe = union_inside(free, slant_west, slant_east) & unknown
        mined = union_inside(full, slant_west, slant_east) & unknown
        if not any_bit(safe | mined):
            break
        if ws.game[0].trace >= 0:
            store_rows(board, ws, at, safe, mined)
    set_rows(ws.opened, at, opened)
    set_rows(ws.marked, at, marked)
    set_rows(ws.unknown, at, unknown)
    before_free = get_rows(ws.free, at)
    before_full = get_rows(ws.full, at)
    set_rows(ws.free, at, free)
    set_rows(ws.full, at, full)
    borrow0 = m0 & ~mines0
    borrow1 = most_of(~mines1, m1, borrow0)
    set_rows(ws.needed0, at, mines0 ^ m0)
    set_rows(ws.needed1, at, mines1 ^ m1 ^ borrow0)
    set_rows(ws.needed2, at, mines2 ^ m2 ^ borrow1)
    new_opened = opened ^ before_opened
    new_marked = marked ^ before_marked
    new = new_opened | new_marked
    set_rows(ws.recent, at, get_rows(ws.recent, at) | new)
    game = ws.game[0]
    count_opened = bits_of(new_opened)
    count_marked = bits_of(new_marked)
    game.unknown -= count_opened + count_marked
    game.safe_left -= count_opened
    game.mines_left -= count_marked
    ws.reasons[SINGLE] += bits_of(new & ~by_others)
    if any_bit(new_opened & get_rows(ws.mined, at)):
        game.status = CONTRADICTION
    if ws.tile_waits[t] & VISITED == 0:
        ws.tile_waits[t] |= VISITED
        ws.visited[game.visited] = t
        game.visited += 1
    if not alone:
        queue_around(board, ws, t, new | (free ^ before_free) | (full ^ before_full))


@small
def queue_beside(board, ws, word):
    """Queue the tile with this word, unless it is outside of the board."""
    if board.valid[word] != 0:
        queue_tile(ws, word >> 4)


@compiled
def queue_around(board, ws, t, changed):
    """Queue the tiles beside tile t that have cells beside `changed` ones."""
    tile = board.tile[t]
    at = t << 4
    first = changed & first_row(ALL)
    last = changed & last_row(board, at, ALL)
    west_side = each_row(1)
    east_side = east(west_side, tile.width - 1)
    if any_bit(first):
        queue_beside(board, ws, tile.north)
        if any_bit(first & west_side):
            queue_beside(board, ws, tile.north_west)
        if any_bit(first & east_side):
            queue_beside(board, ws, tile.north_east)
    if any_bit(last):
        queue_beside(board, ws, tile.south)
        if any_bit(last & west_side):
            queue_beside(board, ws, tile.south_west)
        if any_bit(last & east_side):
            queue_beside(board, ws, tile.south_east)
    if any_bit(changed & west_side):
        queue_beside(board, ws, tile.west)
    if any_bit(changed & east_side):
        queue_beside(board, ws, tile.east)


@compiled
def store_rows(board, ws, at, safe, mined):
    """Store the moves of the single-cell rule in a tile; `settle_tile` counts them."""
    set_rows(ws.scratch, 0, safe)
    set_rows(ws.scratch, 16, mined)
    for i in range(32):
        for bit in range(32):
            if (ws.scratch[i] >> bit) & 1:
                c = board.first[at + (i & 15)] + bit
                store_move(ws, c, SINGLE, 1.0 if i < 16 else 0.0)


@compiled
def apply_singles(board, ws):
    """Apply the single-cell rule to all queued tiles, and to those that they change."""
    game = ws.game[0]
    while game.taken < game.touched:
        t = np.int64(ws.touched[game.taken & game.ring])
        game.taken += 1
        ws.tile_waits[t] &= 255 - QUEUED
        settle_tile(board, ws, t)
    if game.safe_left == 0 and game.status < WON:
        game.status = WON
