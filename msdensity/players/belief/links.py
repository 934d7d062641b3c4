"""Links between cliques with common cells: which value of a message a configuration reads.

A message has one value for each way to mine the common cells that some configuration of either
clique has (the clique graph of the generalised distributive law; Aji and McEliece 2000).
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.state import OPEN
from msdensity.players.belief.memory import (
    LINKS,
    MAX_SEPARATOR,
    ONES,
    PLACES,
    ROOM,
    TRASH,
    VALUES,
)


@compiled
def add_links(table, ws, wm, a):
    """Add a link from clique a to each clique with common cells."""
    counters = wm.counters[0]
    counters.mark += 1
    mark = counters.mark
    clique = wm.clique[a]
    first = counters.links
    links = 0
    for i in range(clique.size):
        c = np.int64(wm.member[a * ROOM + i])
        for e in range(table.start[c], table.start[c + 1]):
            w = table.neighbours[e]
            if ws.cell[w].state != OPEN:
                continue
            b = wm.owner[w]
            if b == a or wm.clique_mark[b] == mark or wm.clique[b].count == 0:
                continue
            wm.clique_mark[b] = mark
            if first + links < LINKS:
                link = wm.link[first + links]
                link.to = np.int32(b)
                link.size = np.int32(0)
                link.zeros = np.int32(0)
                link.read = ONES
                link.send = TRASH
                links += 1
    size = np.int64(clique.count) * links
    if first + links >= LINKS or counters.places + size > PLACES:
        counters.left_out += 1
        links = 0
        size = 0
    clique.link = np.int32(first)
    clique.links = np.int32(links)
    clique.place = counters.places
    for i in range(counters.places, counters.places + size):
        wm.place[i] = 0
    counters.places += size
    counters.links += links


@compiled
def key_of(wm, mask, which, common):
    """Return the values of the common cells in a configuration; which: 0 or 1, the clique."""
    key = np.int64(0)
    for i in range(common):
        key |= ((mask >> wm.shared[which * MAX_SEPARATOR + i]) & 1) << i
    return key


@compiled
def list_places(wm, a, column, which, common, values):
    """Write the places of the configurations of clique a in its message `column`.

    `values` of them are taken; returns how many are taken now.
    """
    clique = wm.clique[a]
    at = clique.place + column
    for p in range(clique.first, clique.first + clique.count):
        key = key_of(wm, np.int64(wm.configuration[p]), which, common)
        if wm.lookup[key] == 0:
            wm.key[values] = key
            values += 1
            wm.lookup[key] = values
        wm.place[at] = wm.lookup[key] - 1
        at += clique.links
    return values


@compiled
def join_link(wm, a, j, b):
    """Complete link j of clique a and its twin in clique b, which has its links already."""
    counters = wm.counters[0]
    other = wm.clique[b]
    twin = np.int64(-1)
    for i in range(other.links):
        if wm.link[other.link + i].to == a:
            twin = np.int64(i)
    if twin < 0:
        return
    common = 0
    for i in range(wm.clique[a].size):
        for k in range(other.size):
            same = wm.member[a * ROOM + i] == wm.member[b * ROOM + k]
            if same and common < MAX_SEPARATOR:
                wm.shared[common] = i
                wm.shared[MAX_SEPARATOR + common] = k
                common += 1
    values = list_places(wm, a, j, 0, common, np.int64(0))
    values = list_places(wm, b, twin, 1, common, values)
    for i in range(values):
        wm.lookup[wm.key[i]] = 0
    if counters.values + 2 * values > VALUES:
        counters.left_out += 1
        clear_places(wm, a, j)
        clear_places(wm, b, twin)
        return
    link = wm.link[wm.clique[a].link + j]
    back = wm.link[other.link + twin]
    link.size = np.int32(values)
    back.size = np.int32(values)
    link.read = counters.values
    back.send = counters.values
    link.send = counters.values + values
    back.read = counters.values + values
    link.twin = np.int64(other.link) + twin
    back.twin = np.int64(wm.clique[a].link) + j
    counters.values += 2 * values


@compiled
def clear_places(wm, a, column):
    """Let all configurations of clique a read the first value of its message `column`."""
    clique = wm.clique[a]
    at = clique.place + column
    for _ in range(clique.count):
        wm.place[at] = 0
        at += clique.links


@compiled
def link_cliques(table, ws, wm):
    """Link all cliques with configurations and set all messages to 1."""
    counters = wm.counters[0]
    counters.links = 0
    counters.places = 0
    counters.values = TRASH + 1
    for a in range(counters.cliques):
        if wm.clique[a].count == 0:
            continue
        add_links(table, ws, wm, a)
        clique = wm.clique[a]
        for j in range(clique.links):
            b = np.int64(wm.link[clique.link + j].to)
            if b < a:
                join_link(wm, a, j, b)
    for i in range(counters.values):
        wm.value[i] = 1.0
    wm.value[VALUES + ONES] = 1.0
    counters.old = 0
