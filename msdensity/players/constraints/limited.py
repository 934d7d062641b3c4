"""Pedersen's limited search, as 000 describes it (section 3.2; Pedersen 2004).

When single-point rules decide no more, each uncertain square has a zone of interest: the opened
cells beside it and all their unknown neighbours. Depth-first search with backtracking finds all
ways to mine the zone that agree with those numbers; a square that is free, or mined, in all of them
is certain. The share of them in which the uncertain square itself is free estimates its safety. The
square with the highest estimate is a smart guess if it beats a random square, whose chance of a
mine is (mines left) / (unknown squares); otherwise a random square is probed.

The text leaves open the size of the zone (here the smallest that joins several numbers) and which
probability is low (here one below that of a random square). A zone whose search would take more
than WORK_LIMIT assignments decides nothing, and its estimate is 1 - max c/|S|.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.kernel.deduction import apply_singles
from msdensity.kernel.play import game_loop
from msdensity.kernel.state import EXPOSED, OPEN, PLAYING, UNKNOWN
from msdensity.players.constraints.coupled import apply_certain, guess_cell
from msdensity.players.constraints.memory import WORK_LIMIT, open_memory
from msdensity.players.constraints.reduce import set_bit
from msdensity.players.constraints.search import (
    add_subset,
    largest_share,
    search_subset,
    weigh_beliefs,
)
from msdensity.players.single_point import random_cell


@compiled
def read_zone(table, ws, wm, x):
    """Read the constraints of the opened cells beside x, and no others."""
    counters = wm.counters[0]
    game = ws.game[0]
    game.stamp += 1
    stamp = np.int32(game.stamp)
    items = 0
    variables = 0
    for e in range(table.start[x], table.start[x + 1]):
        w = table.neighbours[e]
        if ws.cell[w].state != OPEN:
            continue
        wm.queue[items] = w
        items += 1
        for f in range(table.start[w], table.start[w + 1]):
            u = table.neighbours[f]
            if ws.cell[u].state == UNKNOWN and ws.link[u].stamp != stamp:
                ws.link[u].stamp = stamp
                wm.variable[u] = variables
                wm.cell[variables] = u
                variables += 1
    counters.words = (variables + 63) // 64
    counters.variables = variables
    counters.items = items
    for k in range(items * counters.words):
        wm.bits[k] = np.uint64(0)
    for k in range(items):
        w = wm.queue[k]
        item = wm.item[k]
        item.sum = np.int32(ws.cell[w].remaining)
        item.size = np.int32(ws.cell[w].unknown)
        item.subset = np.int32(0)
        for f in range(table.start[w], table.start[w + 1]):
            u = table.neighbours[f]
            if ws.cell[u].state == UNKNOWN:
                set_bit(wm, k, np.int64(wm.variable[u]))


@compiled
def search_zone(table, ws, wm, x):
    """Search the zone of x: set its estimate or decide cells; return whether any was decided."""
    counters = wm.counters[0]
    counters.subsets = 0
    counters.members = 0
    counters.ways = 0
    counters.cell_ways = 0
    read_zone(table, ws, wm, x)
    s = add_subset(wm, 0)
    if not search_subset(wm, s, 0, WORK_LIMIT):
        return False
    weigh_beliefs(table, ws, wm, s)
    return apply_certain(table, ws, wm, s)


@compiled
def search_zones(table, ws, wm):
    """Search all zones until none decides a cell; `estimate` is then set for all exposed cells."""
    game = ws.game[0]
    decided = True
    while decided and game.status == PLAYING:
        apply_singles(table, ws)
        decided = False
        for x in range(game.cells):
            if game.status != PLAYING:
                return
            if ws.cell[x].state != UNKNOWN or not ws.cell[x].flags & EXPOSED:
                continue
            wm.belief[x] = 1.0 - largest_share(table, ws, x)
            if search_zone(table, ws, wm, x):
                decided = True
                if game.status == PLAYING:
                    apply_singles(table, ws)
            else:
                wm.estimate[x] = wm.belief[x]


@compiled
def play_limited(table, ws, wm):
    """Play from after the first click to the end."""
    game = ws.game[0]
    while game.status == PLAYING:
        search_zones(table, ws, wm)
        if game.status != PLAYING:
            return
        safety = 1.0 - game.mines_left / game.unknown
        best = np.int64(-1)
        for x in range(game.cells):
            exposed = ws.cell[x].state == UNKNOWN and ws.cell[x].flags & EXPOSED
            if exposed and wm.estimate[x] > safety:
                safety = wm.estimate[x]
                best = x
        if best < 0:
            best = random_cell(ws)
        guess_cell(table, ws, best, safety)


loop = game_loop(play_limited, open_memory)


@entry
def play_games(table, ws, memory, first_game, games):
    """Play the games, see `game_loop`."""
    return loop(table, ws, memory, first_game, games)
