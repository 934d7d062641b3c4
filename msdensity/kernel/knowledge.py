"""What the player knows: open and mark cells, and update the counts.

Nothing here recurses. A cascade is the single-cell rule at work: an opened 0 needs no mines, so
its neighbours are opened too.
"""

import numpy as np

from msdensity.kernel.compiler.jit import by_board, compiled, small
from msdensity.kernel.rng import mix
from msdensity.kernel.state import (
    CONTRADICTION,
    EXPOSED,
    FLOATING_GUESS,
    GUESS,
    LOST,
    MARKED,
    MINED,
    OPEN,
    PART_WITNESSES,
    PLAYING,
    REASONS,
    TOUCHED,
    UNKNOWN,
    WON,
)


@by_board
def forget_cells(table, ws):
    """Make all cells unknown, without a mine."""
    for c in range(ws.game[0].cells):
        cell = ws.cell[c]
        cell.number = np.uint16(0)
        cell.state = np.uint8(UNKNOWN)
        cell.flags = np.uint8(0)
        cell.remaining = np.int16(0)
        cell.unknown = np.int16(table.start[c + 1] - table.start[c])
        link = ws.link[c]
        link.witnesses = np.uint64(0)
        link.component = np.int32(-1)
        link.stamp = np.int32(0)


@compiled
def begin(table, ws, mines):
    """Forget everything: all cells unknown, no mine placed."""
    forget_cells(table, ws)
    for r in range(REASONS):
        ws.reasons[r] = 0
    game = ws.game[0]
    game.status = PLAYING
    game.unknown = ws.game[0].cells
    game.exposed = 0
    game.safe = ws.game[0].cells - mines
    game.safe_left = game.safe
    game.mines_left = mines
    game.touched = 0
    game.taken = 0
    game.visited = 0
    game.pairs = 0
    game.frontier = 0
    game.stamp = 0
    game.components = 0
    game.live = 0
    game.epoch = 0
    if game.hash_stamp > 1 << 30:  # long before the stamps of the slots overflow
        for i in range(len(ws.slot)):
            ws.slot[i].stamp = np.int32(0)
        game.hash_stamp = 0
    game.boxes = 0
    game.nodes = 0
    game.edges = 0
    game.floating_next = 0
    game.guesses = 0
    game.part_witnesses = PART_WITNESSES
    game.z0 = 0.0
    game.z1 = 0.0
    game.z2 = 0.0
    game.approximate = 0
    if game.trace > 0:
        game.trace = 0


@compiled
def record(ws, c, reason, safety):
    """Count a move by its reason; store it if this game is recorded."""
    ws.reasons[reason] += 1
    store_move(ws, c, reason, safety)


@compiled
def store_move(ws, c, reason, safety):
    """Store a move if this game is recorded."""
    game = ws.game[0]
    if 0 <= game.trace < len(ws.trace):  # a fault of the program may record a cell twice
        move = ws.trace[game.trace]
        move.cell = np.int32(c)
        move.reason = np.int32(reason)
        move.safety = safety
        game.trace += 1


@small
def name_of(w):
    """Return 64 random-looking bits for a witness; the hash of a set of witnesses is their XOR."""
    return mix(np.uint64(w) + np.uint64(0x9E3779B97F4A7C15))


@small
def drop_component(ws, k):
    """Remove component k from the list of live ones: one of its cells is known now."""
    if k >= 0:
        component = ws.component[k]
        if component.alive:
            component.alive = np.int32(0)
            game = ws.game[0]
            game.live -= 1
            last = ws.live[game.live]
            ws.live[component.place] = last
            ws.component[last].place = component.place


@by_board
def open_cell(table, ws, c, reason, safety):
    """Open an unknown cell; return False if it is mined (the game is then lost).

    It is a fault of the program if a mine is opened for a reason other than the first click or a
    guess.
    """
    cell = ws.cell
    here = cell[c]
    game = ws.game[0]
    game.cell = c
    record(ws, c, reason, safety)
    if here.flags & MINED:
        guessed = reason == GUESS or reason == FLOATING_GUESS or safety < 1.0
        game.status = LOST if guessed else CONTRADICTION
        return False
    here.state = np.uint8(OPEN)
    game.unknown -= 1
    game.safe_left -= 1
    link = ws.link
    if here.flags & EXPOSED:
        game.exposed -= 1
        drop_component(ws, np.int64(link[c].component))
    link[c].component = np.int32(-1)  # as a witness it is in no component yet
    here.remaining += np.int16(here.number)
    here.flags |= np.uint8(TOUCHED)
    touched = ws.touched
    top = game.touched
    ring = game.ring
    touched[top & ring] = c
    top += 1
    neighbours = table.neighbours
    # no branches in these loops: the processor cannot predict which neighbours are known
    if here.number == 0:  # all of them will be opened
        for e in range(table.start[c], table.start[c + 1]):
            d = neighbours[e]
            near = cell[d]
            near.unknown -= np.int16(1)
            queued = (near.state == OPEN) & (near.flags & TOUCHED == 0)
            near.flags |= np.uint8(queued * TOUCHED)
            touched[top & ring] = d
            top += queued
    else:
        name = name_of(c)
        fresh = 0
        for e in range(table.start[c], table.start[c + 1]):
            d = neighbours[e]
            near = cell[d]
            near.unknown -= np.int16(1)
            flags = np.int64(near.flags)
            queued = (near.state == OPEN) & (flags & TOUCHED == 0)
            unknown = near.state == UNKNOWN
            fresh += unknown & (flags & EXPOSED == 0)
            near.flags = np.uint8(flags | queued * TOUCHED | unknown * EXPOSED)
            touched[top & ring] = d
            top += queued
            link[d].witnesses ^= name  # not used if d is known
        game.exposed += fresh
    game.touched = top
    if game.safe_left == 0:
        game.status = WON
    return True


@by_board
def mark_mine(table, ws, c, reason):
    """Mark an unknown cell as certainly mined."""
    here = ws.cell[c]
    game = ws.game[0]
    record(ws, c, reason, 0.0)
    here.state = np.uint8(MARKED)
    game.unknown -= 1
    game.mines_left -= 1
    if here.flags & EXPOSED:
        game.exposed -= 1
        drop_component(ws, np.int64(ws.link[c].component))
    cell = ws.cell
    neighbours = table.neighbours
    touched = ws.touched
    top = game.touched
    ring = game.ring
    for e in range(table.start[c], table.start[c + 1]):
        d = neighbours[e]
        near = cell[d]
        near.unknown -= np.int16(1)
        near.remaining -= np.int16(1)
        queued = (near.state == OPEN) & (near.flags & TOUCHED == 0)
        near.flags |= np.uint8(queued * TOUCHED)
        touched[top & ring] = d
        top += queued
    game.touched = top


@by_board
def is_unknown(table, ws, c):
    """Return whether cell c is neither opened nor marked."""
    return ws.cell[c].state == UNKNOWN


@by_board
def is_opened(table, ws, c):
    """Return whether cell c is opened."""
    return ws.cell[c].state == OPEN


@by_board
def is_floating(table, ws, c):
    """Return whether cell c is unknown and has no opened neighbour."""
    cell = ws.cell[c]
    return cell.state == UNKNOWN and cell.flags & EXPOSED == 0


@by_board
def counts_of(table, ws, w):
    """Return (remaining, unknown) of opened cell w: mines to find, cells to find them in."""
    return np.int64(ws.cell[w].remaining), np.int64(ws.cell[w].unknown)


@by_board
def component_at(table, ws, c):
    """Return the component that a cell was last built into, or -1."""
    return np.int64(ws.link[c].component)


@by_board
def set_component(table, ws, c, k):
    """Write the component of a cell."""
    ws.link[c].component = np.int32(k)


@by_board
def list_box(table, ws, k, t):
    """List the unknown cells of box t of component k in ws.members; return how many."""
    box = ws.box[t]
    w = box.witness
    count = 0
    for e in range(table.start[w], table.start[w + 1]):
        c = table.neighbours[e]
        link = ws.link[c]
        if ws.cell[c].state == UNKNOWN and link.component == k and link.box == box.name:
            ws.members[count] = c
            count += 1
    return count
