"""Messages between cliques, and the beliefs that follow from them (004, section 4.2).

The message from clique a to clique b says, for each way to mine their common cells, how much weight
the configurations of a give it, with the messages of all other cliques to a:

    sum over configurations x of a that agree:  odds^mines(x) * product of messages to a but b's

Certain cells never depend on sums. A value is exactly 0 if no configuration that is left agrees; it
then excludes the configurations of b that need it. The largest value is 1, so that no product is
too large, and every other one is at least FLOOR.
"""

import numpy as np

from msdensity.kernel.compiler.bits import bits
from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.state import EXPOSED, UNKNOWN
from msdensity.players.belief.memory import ROOM, VALUES
from msdensity.players.constraints.search import largest_share

FLOOR = 1e-12
"""Least value of a message that excludes nothing: products of smaller ones vanish."""

LIGHT = 1e-300
"""Least weight of a configuration that is left, so that their sum is above 0."""

BOOLEAN = 1
"""A choice of the option `semiring`."""

SEQUENTIAL = 1
"""A choice of the option `schedule`."""

MEAN, FIRST, LAST = 0, 1, 2
"""Choices of the option `belief`."""

DENSITY = 1
"""A choice of the option `prior`."""


@compiled
def set_prior(ws, wm):
    """Write the powers of the prior odds of a mine."""
    game = ws.game[0]
    odds = 1.0
    free = game.unknown - game.mines_left
    if wm.settings[0].prior == DENSITY and free > 0 and game.mines_left > 0:
        odds = game.mines_left / free
    power = 1.0
    for i in range(ROOM + 1):
        wm.power[i] = power
        power *= odds


@compiled
def exclude(wm, a):
    """Drop the configurations of clique a that a message excludes."""
    clique = wm.clique[a]
    zeros = 0
    for j in range(clique.link, clique.link + clique.links):
        zeros += wm.link[j].zeros
    if zeros == 0:
        return
    old = wm.counters[0].old
    always = np.int64(0xFFFFFFFF)
    ever = np.int64(0)
    for p in range(clique.count):
        x = clique.first + p
        if not wm.alive[x]:
            continue
        at = clique.place + p * clique.links
        possible = True
        for j in range(clique.links):
            read = old + wm.link[clique.link + j].read
            possible &= wm.value[read + wm.place[at + j]] > 0.0
        wm.alive[x] = possible
        if possible:
            mask = np.int64(wm.configuration[x])
            always &= mask
            ever |= mask
    clique.always = np.uint32(always)
    clique.ever = np.uint32(ever)


@compiled
def send_messages(wm, a, old, new):
    """Send the messages of clique a to all its neighbours: read at `old`, written at `new`."""
    clique = wm.clique[a]
    links = np.int64(clique.links)
    for j in range(clique.link, clique.link + links):
        link = wm.link[j]
        for i in range(link.send, link.send + link.size):
            wm.value[new + i] = 0.0
            wm.reached[i] = 0
    for p in range(clique.count):
        x = np.int64(clique.first) + p
        if not wm.alive[x]:
            continue
        product = wm.power[bits(np.int64(wm.configuration[x]))]
        at = clique.place + p * links
        for j in range(links):
            link = wm.link[clique.link + j]
            i = wm.place[at + j]
            factor = wm.value[old + link.read + i]
            wm.before[j] = product
            wm.factor[j] = factor
            wm.at[j] = link.send + i
            product *= factor
        product = 1.0
        for k in range(links):
            j = links - 1 - k
            i = wm.at[j]
            wm.value[new + i] = wm.value[new + i] + wm.before[j] * product
            wm.reached[i] = 1
            product *= wm.factor[j]
    for j in range(clique.link, clique.link + links):
        scale_message(wm, wm.link[j], new)


@compiled
def scale_message(wm, link, new):
    """Make the largest value of a message 1, and others 0 only where no configuration is left."""
    if link.size == 0:
        return
    most = 0.0
    count = 0
    for i in range(link.send, link.send + link.size):
        most = max(most, wm.value[new + i])
        count += wm.reached[i]
    alike = wm.settings[0].semiring == BOOLEAN or most <= 0.0
    for i in range(link.send, link.send + link.size):
        value = 1.0
        if not alike:
            value = max(wm.value[new + i] / most, FLOOR)
        wm.value[new + i] = value if wm.reached[i] else 0.0
    wm.link[link.twin].zeros = np.int32(link.size - count)


@compiled
def iterate(wm):
    """Send all messages once and drop the configurations that they exclude."""
    counters = wm.counters[0]
    old = counters.old
    sequential = wm.settings[0].schedule == SEQUENTIAL
    new = old if sequential else VALUES - old
    for a in range(counters.cliques):
        if wm.clique[a].count > 0:
            if sequential:
                exclude(wm, a)
            send_messages(wm, a, old, new)
    counters.old = new
    for a in range(counters.cliques):
        if wm.clique[a].count > 0:
            exclude(wm, a)


@compiled
def is_decided(wm):
    """Return whether any cell is free, or mined, in all configurations left of its clique."""
    decided = False
    for a in range(wm.counters[0].cliques):
        clique = wm.clique[a]
        if clique.count > 0:
            every = np.uint32((np.int64(1) << clique.size) - 1)
            decided |= clique.always != 0 or clique.ever != every
    return decided


@compiled
def add_clique(wm, a):
    """Add the belief of clique a in each of its cells: the weight of those in which it is free."""
    clique = wm.clique[a]
    if wm.settings[0].semiring == BOOLEAN:
        for i in range(clique.size):
            free = 0.0 if (clique.always >> i) & 1 else 0.5
            add_belief(wm, np.int64(wm.member[a * ROOM + i]), free if (clique.ever >> i) & 1 else 1)
        return
    for i in range(clique.size):
        wm.factor[i] = 0.0
    old = wm.counters[0].old
    total = 0.0
    for p in range(clique.count):
        x = np.int64(clique.first) + p
        if not wm.alive[x]:
            continue
        mask = np.int64(wm.configuration[x])
        weight = wm.power[bits(mask)]
        at = clique.place + p * clique.links
        for j in range(clique.links):
            weight *= wm.value[old + wm.link[clique.link + j].read + wm.place[at + j]]
        weight = max(weight, LIGHT)
        total += weight
        for i in range(clique.size):
            wm.factor[i] = wm.factor[i] + weight * (1 - ((mask >> i) & 1))
    for i in range(clique.size):
        add_belief(wm, np.int64(wm.member[a * ROOM + i]), wm.factor[i] / total)


@compiled
def add_belief(wm, c, free):
    """Add a clique's belief that cell c is free."""
    count = wm.beliefs[c]
    which = wm.settings[0].belief
    if which == MEAN:
        wm.belief[c] = wm.belief[c] + free
    elif which == LAST or count == 0:
        wm.belief[c] = free
    wm.beliefs[c] = count + 1


@compiled
def weigh_cells(table, ws, wm):
    """Write the belief in every unknown cell that it is free; return how many are exposed.

    A cell of no clique with configurations gets 1 - max c/|S| over its opened neighbours (004,
    section 2.2), or, if it has none, the share of free cells among all unknown cells.
    """
    game = ws.game[0]
    for c in range(game.cells):
        wm.belief[c] = 0.0
        wm.beliefs[c] = 0
    for a in range(wm.counters[0].cliques):
        if wm.clique[a].count > 0:
            add_clique(wm, a)
    mean = wm.settings[0].belief == MEAN
    exposed = 0
    for c in range(game.cells):
        if ws.cell[c].state != UNKNOWN:
            continue
        count = wm.beliefs[c]
        if count == 0:
            wm.belief[c] = 1.0 - largest_share(table, ws, c)
            if not ws.cell[c].flags & EXPOSED:
                wm.belief[c] = 1.0 - game.mines_left / game.unknown
        elif mean:
            wm.belief[c] = wm.belief[c] / count
        exposed += ws.cell[c].flags & EXPOSED > 0
    return exposed
