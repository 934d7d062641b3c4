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
    minus,
    plus,
    sum_inside,
    sum_outside,
    unequal,
    union_inside,
    union_outside,
)
from msdensity.kernel.planes.cells import QUEUED, VISITED, queue_tile
from msdensity.kernel.state import CONTRADICTION, SINGLE, SWEEPS, VISITS, WON

ALL = np.int64(-1)
"""A row with all bits."""


@small
def get_digits(ws, at):
    """Return the four digits of the numbers of the cells at word `at`."""
    return (
        get_rows(ws.number0, at),
        get_rows(ws.number1, at),
        get_rows(ws.number2, at),
        get_rows(ws.number3, at),
    )


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
    # how many marked, and how many covered neighbours in this tile a number allows
    mines = get_digits(ws, at)
    cover = mines
    wish_open = get_rows(ws.to_open, at) & covered & ~marked
    wish_mark = get_rows(ws.to_mark, at) & covered & ~marked
    set_rows(ws.to_open, at, no_rows())
    set_rows(ws.to_mark, at, no_rows())
    by_others = wish_open | wish_mark
    safe = wish_open
    mined = wish_mark
    if not alone:
        no = no_rows()
        m0, m1, m2 = sum_outside(board, at, ws.marked)
        mines = minus(mines, (m0, m1, m2, no))
        # Where more cells are covered outside than mines are needed, this is above any sum.
        cover = minus(cover, plus((m0, m1, m2, no), sum_outside(board, at, ws.unknown)))
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
        found = sum_inside(marked, slant_west, slant_east)
        free = opened & ~unequal(mines, found)
        full = opened & ~unequal(cover, sum_inside(covered, slant_west, slant_east))
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
    ones, twos, fours, _ = minus(mines, found)
    set_rows(ws.needed0, at, ones)
    set_rows(ws.needed1, at, twos)
    set_rows(ws.needed2, at, fours)
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
