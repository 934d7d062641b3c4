"""Clauses and resolution (002, section 3 and Algorithms 1 to 3).

Algorithm 1 as printed takes a literal and its negation out of both clauses. From {B, not B} and
{not B, C} it makes {C}, which does not follow. Here a clause with both signs of a cell is never
made: two clauses that clash in one literal are resolved, those that clash in more say nothing.
"""

import numpy as np

from msdensity.kernel.compiler.bits import bits
from msdensity.kernel.compiler.jit import compiled, small
from msdensity.kernel.state import UNKNOWN
from msdensity.players.resolution.memory import MAX_CLAUSES, SEEN

ONE = np.int64(1)

NOBODY = np.int64(0)
"""A clause without literals of one sign."""

MAX_SUBSETS = np.int64(1 << 30)


@small
def resolvent(pos_a, neg_a, pos_b, neg_b):
    """Return (whether the clauses clash in one literal alone, the positive, the negative rest)."""
    clash = (pos_a & neg_b) | (neg_a & pos_b)
    once = clash != 0 and clash & (clash - ONE) == 0
    return once, (pos_a | pos_b) & ~clash, (neg_a | neg_b) & ~clash


@compiled
def forget_clauses(wm):
    """Begin an empty knowledge base."""
    counters = wm.counters[0]
    counters.clauses = 0
    counters.alive = 0
    counters.epoch += 1


@compiled
def is_new(wm, pos, neg):
    """Return False if this clause was offered before; a few repeated ones are called new."""
    mixed = pos * np.int64(0x1E3779B97F4A7C15) ^ neg * np.int64(0x3F58476D1CE4E5B9)
    slot = wm.seen[(mixed >> np.int64(40)) & np.int64(SEEN - 1)]
    epoch = wm.counters[0].epoch
    if slot.epoch == epoch and slot.pos == pos and slot.neg == neg:
        return False
    slot.epoch = epoch
    slot.pos = pos
    slot.neg = neg
    return True


@compiled
def add_clause(wm, pos, neg, subsumption):
    """Add a clause unless it is known; with subsumption, unless a part of it is known.

    With subsumption it also replaces the clauses that it is a part of. The caller leaves room.
    """
    if not is_new(wm, pos, neg):
        return
    counters = wm.counters[0]
    n = counters.clauses
    if subsumption:
        # a clause that died did so because of a part of it that is alive
        for i in range(n):
            if (wm.pos[i] & ~pos) | (wm.neg[i] & ~neg) == 0:
                return
        for i in range(n):
            if (pos & ~wm.pos[i]) | (neg & ~wm.neg[i]) == 0 and not wm.dead[i]:
                wm.dead[i] = np.uint8(1)
                counters.alive -= 1
    else:
        for i in range(n):
            if wm.pos[i] == pos and wm.neg[i] == neg:
                return
    wm.pos[n] = pos
    wm.neg[n] = neg
    wm.dead[n] = np.uint8(0)
    counters.clauses += 1
    counters.alive += 1


@compiled
def choose(n, k, most):
    """Return the subsets of k among n, or `most` if there are more."""
    ways = ONE
    for i in range(min(k, n - k)):
        ways = ways * (n - i) // (i + 1)
        if ways > most:
            return most
    return ways


@compiled
def add_subsets(wm, cells, n, size, mined, subsumption):
    """Add a clause for each `size` of the bits cells[:n]: one of them is mined, or is free."""
    subset = (ONE << size) - ONE
    while subset < ONE << n:
        members = NOBODY
        for i in range(n):
            if subset >> i & ONE:
                members |= ONE << cells[i]
        if mined:
            add_clause(wm, members, NOBODY, subsumption)
        else:
            add_clause(wm, NOBODY, members, subsumption)
        low = subset & -subset  # the next number with as many bits
        ripple = subset + low
        subset = ripple | ((subset ^ ripple) >> 2) // low


@compiled
def add_count(wm, cells, n, k, limit, subsumption):
    """Add the clauses of k mines among the bits cells[:n]; return False if they are too many.

    Of every n - k + 1 cells one is mined; of every k + 1 cells one is free (002).
    """
    counters = wm.counters[0]
    clauses = choose(n, k - 1, MAX_SUBSETS) + choose(n, k + 1, MAX_SUBSETS)
    if counters.alive + clauses > limit or counters.clauses + clauses > MAX_CLAUSES:
        return False
    add_subsets(wm, cells, n, n - k + 1, True, subsumption)
    add_subsets(wm, cells, n, k + 1, False, subsumption)
    return True


@compiled
def add_number(table, ws, wm, w, limit, subsumption):
    """Add the clauses of opened cell w; return False if they are too many."""
    if ws.cell[w].unknown > 60:
        return False
    cells = np.empty(60, np.int64)
    n = np.int64(0)
    for e in range(table.start[w], table.start[w + 1]):
        c = table.neighbours[e]
        if ws.cell[c].state == UNKNOWN:
            cells[n] = wm.variable[c]
            n += 1
    return add_count(wm, cells, n, np.int64(ws.cell[w].remaining), limit, subsumption)


@compiled
def saturate(wm, width, limit, subsumption):
    """Resolve all pairs until nothing new follows (Algorithms 2 and 3).

    Resolvents of more than `width` literals are dropped; more than `limit` clauses end it. Return
    whether the empty clause was met.
    """
    counters = wm.counters[0]
    j = 0
    while j < counters.clauses:
        pos = wm.pos[j]
        neg = wm.neg[j]
        for i in range(j):
            if wm.dead[j]:
                break
            once, p, n = resolvent(wm.pos[i], wm.neg[i], pos, neg)
            if once and not wm.dead[i]:
                if p | n == 0:
                    return True
                if bits(p | n) <= width:
                    add_clause(wm, p, n, subsumption)
                    if counters.alive > limit or counters.clauses == MAX_CLAUSES:
                        return False
        j += 1
    return False
