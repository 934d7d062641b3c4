"""The equation strategy (004, section 2.2; Ramsdell, Programmer's Minesweeper).

Each opened cell gives an equation c = sum of x_t over its unknown neighbours S. These rules are
applied until nothing more follows (004 does not say which rules "solve" the system; these are those
of Ramsdell's program):
- all of S is free if c = 0 and mined if c = |S|;
- if S is a proper subset of S', the difference is an equation too;
- if c' - c > 0 is the number of squares of S' outside S, these are mined and those of S outside
  S' are free.
If nothing is certain, P(t) is the largest c/|S| of all equations that hold square t, derived ones
included, and (mines left) / (unknown squares) if none does. The square with the lowest P(t) is
probed, of several a random one (both as in Ramsdell's program).

`global_equation`: "off" (the default: 004 has equations of numbered squares only), or "on": once at
most 8 squares are unknown, the mines left give one more equation (Ramsdell's later program).
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.kernel.deduction import apply_singles
from msdensity.kernel.knowledge import mark_mine, open_cell
from msdensity.kernel.play import game_loop
from msdensity.kernel.rng import below
from msdensity.kernel.state import OPEN, PAIR, PLAYER, PLAYING, UNKNOWN
from msdensity.players.constraints.coupled import guess_cell
from msdensity.players.constraints.memory import MAX_DERIVED, open_memory
from msdensity.players.constraints.reduce import (
    apply_trivial,
    has_bit,
    is_subset,
    read_component,
    set_bit,
)
from msdensity.players.weighted import TIE

FEW_UNKNOWN = 8

ON = 1


@compiled
def read_everything(table, ws, wm):
    """Read all unknown cells as one system with the equation of the mines left."""
    counters = wm.counters[0]
    game = ws.game[0]
    variables = 0
    items = 0
    counters.words = 1
    for c in range(game.cells):
        if ws.cell[c].state == UNKNOWN:
            wm.variable[c] = variables
            wm.cell[variables] = c
            variables += 1
        elif ws.cell[c].state == OPEN and ws.cell[c].unknown > 0:
            wm.queue[items] = c
            items += 1
    counters.variables = variables
    counters.items = items + 1
    counters.witnesses = items
    for k in range(items):
        w = wm.queue[k]
        wm.bits[k] = np.uint64(0)
        wm.item[k].sum = np.int32(ws.cell[w].remaining)
        wm.item[k].size = np.int32(ws.cell[w].unknown)
        for e in range(table.start[w], table.start[w + 1]):
            u = table.neighbours[e]
            if ws.cell[u].state == UNKNOWN:
                set_bit(wm, k, np.int64(wm.variable[u]))
    wm.bits[items] = (np.uint64(1) << np.uint64(variables)) - np.uint64(1)
    wm.item[items].sum = np.int32(game.mines_left)
    wm.item[items].size = np.int32(variables)


@compiled
def derive(wm, i, j):
    """Add equation j minus its subset i, unless it is known; return whether it decides cells."""
    counters = wm.counters[0]
    words = counters.words
    size = wm.item[j].size - wm.item[i].size
    if size == 0 or counters.items >= counters.witnesses + MAX_DERIVED:
        return False
    n = counters.items
    for k in range(words):
        wm.bits[n * words + k] = wm.bits[j * words + k] ^ wm.bits[i * words + k]
    for m in range(n):
        if wm.item[m].size == size and is_subset(wm, m, n):
            return False
    item = wm.item[n]
    item.sum = np.int32(wm.item[j].sum - wm.item[i].sum)
    item.size = np.int32(size)
    counters.items += 1
    return not 0 < item.sum < item.size


@compiled
def derive_all(wm):
    """Add the differences of all pairs; stop at one that decides cells and return True."""
    counters = wm.counters[0]
    j = 0
    while j < counters.items:
        for i in range(j):
            if wm.item[i].size <= wm.item[j].size:
                if is_subset(wm, i, j) and derive(wm, i, j):
                    return True
            elif is_subset(wm, j, i) and derive(wm, j, i):
                return True
        j += 1
    return False


@compiled
def apply_differences(table, ws, wm):
    """Apply the third rule to all pairs of equations; return whether it decided any cell."""
    counters = wm.counters[0]
    words = counters.words
    for i in range(counters.items):
        for j in range(counters.items):
            excess = wm.item[j].sum - wm.item[i].sum
            if excess <= 0:
                continue
            outside = 0
            for k in range(words):
                only = wm.bits[j * words + k] & ~wm.bits[i * words + k]
                while only != np.uint64(0):
                    only &= only - np.uint64(1)
                    outside += 1
            if outside == excess:
                for v in range(counters.variables):
                    c = np.int64(wm.cell[v])
                    of_i = has_bit(wm, i, v)
                    of_j = has_bit(wm, j, v)
                    if of_j and not of_i:
                        mark_mine(table, ws, c, PAIR)
                    elif of_i and not of_j:
                        open_cell(table, ws, c, PAIR, 1.0)
                        if ws.game[0].status != PLAYING:
                            return True
                return True
    return False


@compiled
def state_shares(wm):
    """Set `belief` of the system's cells to 1 - P(t)."""
    counters = wm.counters[0]
    for v in range(counters.variables):
        share = 0.0
        held = False
        for i in range(counters.items):
            if has_bit(wm, i, v):
                held = True
                share = max(share, wm.item[i].sum / wm.item[i].size)
        if held:
            wm.belief[wm.cell[v]] = 1.0 - share


@compiled
def solve_system(table, ws, wm):
    """Apply the rules to the current system; return whether any cell was decided."""
    derive_all(wm)
    if apply_trivial(table, ws, wm, PAIR) or apply_differences(table, ws, wm):
        return True
    state_shares(wm)
    return False


@compiled
def solve_equations(table, ws, wm):
    """Apply the rules until nothing is certain; then every unknown cell has its `belief`."""
    game = ws.game[0]
    while game.status == PLAYING:
        apply_singles(table, ws)
        if game.status != PLAYING:
            return
        average = 1.0 - game.mines_left / game.unknown
        for c in range(game.cells):
            wm.belief[c] = average
        decided = False
        if ws.option[0] == ON and game.unknown <= FEW_UNKNOWN:
            read_everything(table, ws, wm)
            decided = solve_system(table, ws, wm)
        else:
            game.stamp += 1
            stamp = np.int32(game.stamp)
            for w in range(game.cells):
                cell = ws.cell[w]
                if cell.state != OPEN or cell.unknown == 0 or ws.link[w].stamp == stamp:
                    continue
                if read_component(table, ws, wm, w, stamp):
                    decided |= solve_system(table, ws, wm)
                if game.status != PLAYING:
                    return
        if not decided:
            return


@compiled
def random_best(ws, wm):
    """Return a random one of the unknown cells with the highest belief."""
    game = ws.game[0]
    best = -1.0
    tied = 0
    for c in range(game.cells):
        if ws.cell[c].state == UNKNOWN:
            if wm.belief[c] > best + TIE:
                best = wm.belief[c]
                tied = 0
            tied += wm.belief[c] >= best - TIE
    pick = below(ws.stream[PLAYER], tied)
    for c in range(game.cells):
        if ws.cell[c].state == UNKNOWN and wm.belief[c] >= best - TIE:
            if pick == 0:
                return np.int64(c)
            pick -= 1
    return np.int64(-1)


@compiled
def play_equation(table, ws, wm):
    """Play from after the first click to the end."""
    game = ws.game[0]
    while game.status == PLAYING:
        solve_equations(table, ws, wm)
        if game.status == PLAYING:
            c = random_best(ws, wm)
            guess_cell(table, ws, c, wm.belief[c])


loop = game_loop(play_equation, open_memory)


@entry
def play_games(table, ws, memory, first_game, games):
    """Play the games, see `game_loop`."""
    return loop(table, ws, memory, first_game, games)
