"""The cliques of a position and how they are merged (004, sections 4.1.1 and 4.1.4)."""

import numpy as np

from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.state import OPEN, UNKNOWN
from msdensity.players.belief.memory import ROOM

LARGEST = 1
"""A choice of the option `merge`."""

MAX_JOINED = 15
"""One clique holds all unknown cells if there are fewer than these (004, section 6)."""


@compiled
def make_cliques(table, ws, wm):
    """Make the hard clique of each opened number that has unknown neighbours, in board order."""
    counters = wm.counters[0]
    counters.joined = 0
    cliques = 0
    for w in range(ws.game[0].cells):
        cell = ws.cell[w]
        if cell.state != OPEN or cell.unknown == 0:
            continue
        size = 0
        for e in range(table.start[w], table.start[w + 1]):
            c = table.neighbours[e]
            if ws.cell[c].state == UNKNOWN:
                wm.member[cliques * ROOM + min(size, ROOM - 1)] = c
                size += 1
        add_centre(wm, cliques, w, size)
        cliques += 1
    counters.cliques = cliques


@compiled
def add_centre(wm, k, w, size):
    """Begin clique k with `size` cells around its only centre w."""
    clique = wm.clique[k]
    clique.size = np.int32(size)
    clique.centre = np.int32(w)
    clique.last_centre = np.int32(w)
    clique.available = np.int32(1)
    wm.owner[w] = k
    wm.next_centre[w] = -1


@compiled
def join_all(ws, wm):
    """Make one clique of all unknown cells, whose centres are all numbers, if it is small.

    Returns whether it did. It takes the place of the cliques made before.
    """
    game = ws.game[0]
    counters = wm.counters[0]
    if wm.settings[0].all_cells == 0 or game.unknown >= MAX_JOINED:
        return False
    for k in range(1, counters.cliques):
        append_centres(wm, 0, k)
    if counters.cliques == 0:
        wm.clique[0].centre = np.int32(-1)
    size = 0
    for c in range(game.cells):
        if ws.cell[c].state == UNKNOWN:
            wm.member[size] = c
            size += 1
    wm.clique[0].size = np.int32(size)
    counters.cliques = 1
    counters.joined = 1
    return True


@compiled
def append_centres(wm, a, b):
    """Give the centres of clique b to clique a."""
    w = np.int64(wm.clique[b].centre)
    wm.next_centre[wm.clique[a].last_centre] = w
    wm.clique[a].last_centre = wm.clique[b].last_centre
    while w >= 0:
        wm.owner[w] = a
        w = np.int64(wm.next_centre[w])


@compiled
def largest_available(wm):
    """Return the available clique with the most cells, of equals the first; -1 if there is none."""
    most = 0
    best = np.int64(-1)
    for k in range(wm.counters[0].cliques):
        clique = wm.clique[k]
        if clique.available and clique.size > most:
            most = clique.size
            best = np.int64(k)
    return best


@compiled
def merge_partner(table, ws, wm, a, most):
    """Return the clique to merge with clique a: their cells are at most `most`; -1 if none."""
    wm.counters[0].mark += 1
    mark = wm.counters[0].mark
    size = np.int64(wm.clique[a].size)
    count = 0
    for i in range(size):
        c = np.int64(wm.member[a * ROOM + i])
        for e in range(table.start[c], table.start[c + 1]):
            w = table.neighbours[e]
            if ws.cell[w].state != OPEN:
                continue
            b = wm.owner[w]
            if wm.clique_mark[b] != mark:
                wm.clique_mark[b] = mark
                wm.common[b] = 0
                wm.counted[b] = -1
                wm.near[count] = b
                count += 1
            wm.common[b] = wm.common[b] + (wm.counted[b] != c)
            wm.counted[b] = c
    largest = wm.settings[0].merge == LARGEST
    best = np.int64(-1)
    overlap = np.int64(0)
    for i in range(count):
        b = np.int64(wm.near[i])
        common = wm.common[b]
        if b == a or size + wm.clique[b].size - common > most:
            continue
        better = best < 0 or (b < best and (not largest or common == overlap))
        if better or (largest and common > overlap):
            best = b
            overlap = common
    return best


@compiled
def merge_cliques(table, ws, wm):
    """Merge the largest available clique with a neighbour, as long as any can be merged."""
    most = wm.settings[0].clique_size
    while True:
        a = largest_available(wm)
        if a < 0:
            return
        b = np.int64(-1)
        if wm.clique[a].size <= most:
            b = merge_partner(table, ws, wm, a, most)
        if b < 0:
            wm.clique[a].available = np.int32(0)
            continue
        wm.counters[0].mark += 1
        mark = wm.counters[0].mark
        size = np.int64(wm.clique[a].size)
        for i in range(size):
            wm.cell_mark[wm.member[a * ROOM + i]] = mark
        for i in range(wm.clique[b].size):
            c = wm.member[b * ROOM + i]
            if wm.cell_mark[c] != mark:
                wm.member[a * ROOM + size] = c
                size += 1
        wm.clique[a].size = np.int32(size)
        wm.clique[b].size = np.int32(0)
        wm.clique[b].available = np.int32(0)
        append_centres(wm, a, b)
