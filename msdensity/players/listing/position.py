"""The position at a guess as the listed program sees it: constraints of the boundary, groups.

Inferrer.cs and Guesser.cs of Annex A.1.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, small
from msdensity.kernel.state import EXPOSED, OPEN, UNKNOWN
from msdensity.players.listing.hash_set import add, clear
from msdensity.players.listing.inference import ONE, lowest
from msdensity.players.listing.memory import MAX_VARIABLES


@compiled
def read_position(table, ws, wm):
    """Number the exposed cells and list the constraints of the boundary cells, each once.

    Return False if there are more exposed cells than fit into the memory.
    """
    counters = wm.counters[0]
    if ws.game[0].exposed > MAX_VARIABLES or ws.game[0].exposed > len(wm.cell):
        return False
    variables = 0
    for k in range(ws.game[0].cells):
        c = wm.order[k]
        if ws.cell[c].state == UNKNOWN and ws.cell[c].flags & EXPOSED:
            wm.variable[c] = variables
            wm.cell[variables] = c
            variables += 1
    counters.variables = variables
    counters.words = max((variables + 63) >> 6, 1)
    words = counters.words
    clear(wm)
    counters.items = 0
    for c in range(ws.game[0].cells):
        witness = ws.cell[c]
        if witness.state != OPEN or witness.unknown == 0:
            continue
        i = counters.items
        ids = 0
        for w in range(words):
            wm.bits[i * words + w] = np.uint64(0)
        for e in range(table.start[c], table.start[c + 1]):
            d = table.neighbours[e]
            if ws.cell[d].state == UNKNOWN:
                v = wm.variable[d]
                wm.bits[i * words + (v >> 6)] |= ONE << np.uint64(v & 63)
                ids ^= d
        item = wm.item[i]
        item.sum = np.int32(witness.remaining)
        item.ids = np.int32(ids)
        item.size = np.int32(witness.unknown)
        if add(wm, i):
            counters.items += 1
    counters.base = counters.items
    for k in range(counters.base * words):
        wm.base_bits[k] = wm.bits[k]
    for i in range(counters.base):
        wm.base_item[i] = wm.item[i]
    return True


@compiled
def restore_position(wm):
    """Make the set hold only the constraints of the position."""
    counters = wm.counters[0]
    for k in range(counters.base * counters.words):
        wm.bits[k] = wm.base_bits[k]
    clear(wm)
    for i in range(counters.base):
        wm.item[i] = wm.base_item[i]
        add(wm, i)
    counters.items = counters.base


@small
def has_variable(wm, i, v):
    """Return whether variable v is in item i."""
    words = wm.counters[0].words
    return (wm.bits[i * words + (v >> 6)] >> np.uint64(v & 63)) & ONE != np.uint64(0)


@compiled
def find_groups(wm):
    """GetPreliminaryGroups: components in breadth-first order from the first constraint.

    The constraints of the position must be items 0 .. base - 1. The variables of a group are in
    the order of the constraints. (GetFinalGroups finds no finer groups and changes nothing.)
    """
    counters = wm.counters[0]
    words = counters.words
    for v in range(counters.variables):
        wm.group[v] = -1
    for i in range(counters.base):
        wm.waiting[i] = 1
    counters.groups = 0
    members = 0
    for seed in range(counters.base):
        if not wm.waiting[seed]:
            continue
        wm.waiting[seed] = 0
        wm.queue[0] = seed
        head = 0
        tail = 1
        wm.first_member[counters.groups] = members
        while head < tail:
            i = wm.queue[head]
            head += 1
            for w in range(words):
                left = wm.bits[i * words + w]
                while left != np.uint64(0):
                    v = 64 * w + lowest(wm, left)
                    left &= left - ONE
                    if wm.group[v] >= 0:
                        continue
                    wm.group[v] = counters.groups
                    wm.member[members] = v
                    members += 1
                    for j in range(counters.base):
                        if wm.waiting[j] and has_variable(wm, j, v):
                            wm.waiting[j] = 0
                            wm.queue[tail] = j
                            tail += 1
        counters.groups += 1
    wm.first_member[counters.groups] = members
