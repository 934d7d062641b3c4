"""Constraints of a position: read, reduced by subsets, split into coupled subsets (000, 6.1-6.2).

Each opened cell says how many mines are left among its unknown neighbours. If the variables of one
constraint are among those of another, the second becomes their difference. A reduced constraint
that needs no mine, or as many as it has variables, decides them.
"""

import numpy as np

from msdensity.kernel.compiler.jit import part, small
from msdensity.kernel.knowledge import mark_mine, open_cell
from msdensity.kernel.state import OPEN, PAIR, PLAYING, UNKNOWN
from msdensity.players.constraints.memory import MOST_VARIABLES


@part
def read_component(table, ws, b, seed, stamp):
    """Read the component around the opened cell `seed`; return whether it is small enough.

    Sets link.stamp of its cells to `stamp`. Constraint k is that of the opened cell queue[k].
    """
    bench = b.bench[0]
    start = table.start
    neighbours = table.neighbours
    b.queue[0] = seed
    ws.link[seed].stamp = stamp
    count = 1
    head = 0
    variables = 0
    while head < count:
        w = b.queue[head]
        head += 1
        for e in range(start[w], start[w + 1]):
            u = neighbours[e]
            if ws.cell[u].state != UNKNOWN or ws.link[u].stamp == stamp:
                continue
            ws.link[u].stamp = stamp
            b.variable[u] = variables
            b.cell[variables] = u
            variables += 1
            for f in range(start[u], start[u + 1]):
                d = neighbours[f]
                if ws.cell[d].state == OPEN and ws.link[d].stamp != stamp:
                    ws.link[d].stamp = stamp
                    b.queue[count] = d
                    count += 1
    words = (variables + 63) // 64
    bench.words = words
    bench.variables = variables
    bench.items = count
    bench.witnesses = count
    if variables > MOST_VARIABLES:
        return False
    for k in range(count * words):
        b.bits[k] = np.uint64(0)
    for k in range(count):
        w = b.queue[k]
        item = b.item[k]
        item.sum = np.int32(ws.cell[w].remaining)
        item.size = np.int32(ws.cell[w].unknown)
        item.subset = np.int32(-1)
        for e in range(start[w], start[w + 1]):
            u = neighbours[e]
            if ws.cell[u].state == UNKNOWN:
                set_bit(b, k, np.int64(b.variable[u]))
    return True


@small
def set_bit(b, k, v):
    """Add variable v to constraint k."""
    at = k * b.bench[0].words + (v >> 6)
    b.bits[at] = b.bits[at] | (np.uint64(1) << np.uint64(v & 63))


@small
def has_bit(b, k, v):
    """Return whether constraint k holds variable v."""
    word = b.bits[k * b.bench[0].words + (v >> 6)]
    return (word >> np.uint64(v & 63)) & np.uint64(1) != np.uint64(0)


@part
def is_subset(b, i, j):
    """Return whether all variables of constraint i are in constraint j."""
    words = b.bench[0].words
    outside = np.uint64(0)
    for k in range(words):
        outside |= b.bits[i * words + k] & ~b.bits[j * words + k]
    return outside == np.uint64(0)


@part
def is_coupled(b, i, j):
    """Return whether two constraints have a variable in common."""
    words = b.bench[0].words
    common = np.uint64(0)
    for k in range(words):
        common |= b.bits[i * words + k] & b.bits[j * words + k]
    return common != np.uint64(0)


@part
def reduce_constraints(b):
    """Replace constraints by their difference to a subset until none is a subset of another."""
    bench = b.bench[0]
    words = bench.words
    changed = True
    while changed:
        changed = False
        for i in range(bench.items):
            for j in range(bench.items):
                small_one = b.item[i]
                large = b.item[j]
                if i == j or small_one.size == 0 or small_one.size > large.size:
                    continue
                if is_subset(b, i, j):
                    for k in range(words):
                        b.bits[j * words + k] = b.bits[j * words + k] ^ b.bits[i * words + k]
                    large.sum -= small_one.sum
                    large.size -= small_one.size
                    changed = True


@part
def apply_trivial(table, ws, b, reason):
    """Open or mark the variables of constraints that decide them; return whether any did."""
    bench = b.bench[0]
    decided = False
    for i in range(bench.items):
        item = b.item[i]
        if item.size == 0 or 0 < item.sum < item.size:
            continue
        decided = True
        for v in range(bench.variables):
            if has_bit(b, i, v):
                c = np.int64(b.cell[v])
                if ws.cell[c].state != UNKNOWN:
                    continue
                if item.sum == item.size:
                    mark_mine(table, ws, c, reason)
                else:
                    open_cell(table, ws, c, reason, 1.0)
                    if ws.game[0].status != PLAYING:
                        return True
    return decided


@part
def apply_reduction(table, ws, b):
    """Reduce the constraints of every component and apply those that decide; whether any did."""
    game = ws.game[0]
    game.stamp += 1
    stamp = np.int32(game.stamp)
    decided = False
    for w in range(game.cells):
        if ws.cell[w].state != OPEN or ws.cell[w].unknown == 0 or ws.link[w].stamp == stamp:
            continue
        if read_component(table, ws, b, w, stamp):
            reduce_constraints(b)
            decided |= apply_trivial(table, ws, b, PAIR)
            if game.status != PLAYING:
                return True
    return decided


@part
def split_constraints(b):
    """Number the coupled subsets of the component that was read; return how many there are."""
    bench = b.bench[0]
    count = 0
    for i in range(bench.items):
        if b.item[i].size == 0 or b.item[i].subset >= 0:
            continue
        b.item[i].subset = np.int32(count)
        b.stack[0] = i
        height = 1
        while height > 0:
            height -= 1
            j = b.stack[height]
            for k in range(bench.items):
                item = b.item[k]
                if item.size > 0 and item.subset < 0 and is_coupled(b, j, k):
                    item.subset = np.int32(count)
                    b.stack[height] = k
                    height += 1
        count += 1
    return count
