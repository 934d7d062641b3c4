"""Constraints of a position: read, reduced by subsets, split into coupled subsets (000, 6.1-6.2).

Each opened cell says how many mines are left among its unknown neighbours. If the variables of one
constraint are among those of another, the second becomes their difference. A reduced constraint
that needs no mine, or as many as it has variables, decides them.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, small
from msdensity.kernel.knowledge import mark_mine, open_cell
from msdensity.kernel.state import OPEN, PAIR, PLAYING, UNKNOWN
from msdensity.players.constraints.memory import MAX_VARIABLES


@compiled
def read_component(table, ws, wm, seed, stamp):
    """Read the component around the opened cell `seed`; return whether it is small enough.

    Sets link.stamp of its cells to `stamp`. Constraint k is that of the opened cell queue[k].
    """
    counters = wm.counters[0]
    start = table.start
    neighbours = table.neighbours
    wm.queue[0] = seed
    ws.link[seed].stamp = stamp
    count = 1
    head = 0
    variables = 0
    while head < count:
        w = wm.queue[head]
        head += 1
        for e in range(start[w], start[w + 1]):
            u = neighbours[e]
            if ws.cell[u].state != UNKNOWN or ws.link[u].stamp == stamp:
                continue
            ws.link[u].stamp = stamp
            wm.variable[u] = variables
            wm.cell[variables] = u
            variables += 1
            for f in range(start[u], start[u + 1]):
                d = neighbours[f]
                if ws.cell[d].state == OPEN and ws.link[d].stamp != stamp:
                    ws.link[d].stamp = stamp
                    wm.queue[count] = d
                    count += 1
    words = (variables + 63) // 64
    counters.words = words
    counters.variables = variables
    counters.items = count
    counters.witnesses = count
    if variables > MAX_VARIABLES:
        return False
    for k in range(count * words):
        wm.bits[k] = np.uint64(0)
    for k in range(count):
        w = wm.queue[k]
        item = wm.item[k]
        item.sum = np.int32(ws.cell[w].remaining)
        item.size = np.int32(ws.cell[w].unknown)
        item.subset = np.int32(-1)
        for e in range(start[w], start[w + 1]):
            u = neighbours[e]
            if ws.cell[u].state == UNKNOWN:
                set_bit(wm, k, np.int64(wm.variable[u]))
    return True


@small
def set_bit(wm, k, v):
    """Add variable v to constraint k."""
    at = k * wm.counters[0].words + (v >> 6)
    wm.bits[at] = wm.bits[at] | (np.uint64(1) << np.uint64(v & 63))


@small
def has_bit(wm, k, v):
    """Return whether constraint k holds variable v."""
    word = wm.bits[k * wm.counters[0].words + (v >> 6)]
    return (word >> np.uint64(v & 63)) & np.uint64(1) != np.uint64(0)


@compiled
def is_subset(wm, i, j):
    """Return whether all variables of constraint i are in constraint j."""
    words = wm.counters[0].words
    outside = np.uint64(0)
    for k in range(words):
        outside |= wm.bits[i * words + k] & ~wm.bits[j * words + k]
    return outside == np.uint64(0)


@compiled
def is_coupled(wm, i, j):
    """Return whether two constraints have a variable in common."""
    words = wm.counters[0].words
    common = np.uint64(0)
    for k in range(words):
        common |= wm.bits[i * words + k] & wm.bits[j * words + k]
    return common != np.uint64(0)


@compiled
def reduce_constraints(wm):
    """Replace constraints by their differences until none is a subset of another."""
    counters = wm.counters[0]
    words = counters.words
    changed = True
    while changed:
        changed = False
        for i in range(counters.items):
            for j in range(counters.items):
                small_one = wm.item[i]
                large = wm.item[j]
                if i == j or small_one.size == 0 or small_one.size > large.size:
                    continue
                if is_subset(wm, i, j):
                    for k in range(words):
                        wm.bits[j * words + k] = wm.bits[j * words + k] ^ wm.bits[i * words + k]
                    large.sum -= small_one.sum
                    large.size -= small_one.size
                    changed = True


@compiled
def apply_trivial(table, ws, wm, reason):
    """Open or mark the variables of constraints that decide them; return whether any did."""
    counters = wm.counters[0]
    decided = False
    for i in range(counters.items):
        item = wm.item[i]
        if item.size == 0 or 0 < item.sum < item.size:
            continue
        decided = True
        for v in range(counters.variables):
            if has_bit(wm, i, v):
                c = np.int64(wm.cell[v])
                if ws.cell[c].state != UNKNOWN:
                    continue
                if item.sum == item.size:
                    mark_mine(table, ws, c, reason)
                else:
                    open_cell(table, ws, c, reason, 1.0)
                    if ws.game[0].status != PLAYING:
                        return True
    return decided


@compiled
def apply_reduction(table, ws, wm):
    """Reduce the constraints of every component and apply them; return if any decided cells."""
    game = ws.game[0]
    game.stamp += 1
    stamp = np.int32(game.stamp)
    decided = False
    for w in range(game.cells):
        if ws.cell[w].state != OPEN or ws.cell[w].unknown == 0 or ws.link[w].stamp == stamp:
            continue
        if read_component(table, ws, wm, w, stamp):
            reduce_constraints(wm)
            decided |= apply_trivial(table, ws, wm, PAIR)
            if game.status != PLAYING:
                return True
    return decided


@compiled
def split_constraints(wm):
    """Number the coupled subsets of the component that was read; return how many there are."""
    counters = wm.counters[0]
    count = 0
    for i in range(counters.items):
        if wm.item[i].size == 0 or wm.item[i].subset >= 0:
            continue
        wm.item[i].subset = np.int32(count)
        wm.stack[0] = i
        height = 1
        while height > 0:
            height -= 1
            j = wm.stack[height]
            for k in range(counters.items):
                item = wm.item[k]
                if item.size > 0 and item.subset < 0 and is_coupled(wm, j, k):
                    item.subset = np.int32(count)
                    wm.stack[height] = k
                    height += 1
        count += 1
    return count
