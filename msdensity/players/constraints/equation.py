"""The equation strategy (004, section 2.2; Ramsdell, Programmer's Minesweeper).

Each opened cell gives an equation c = sum of x_t over its unknown neighbours S. Rules on them,
until nothing follows (which rules "solve" the system 004 leaves to Ramsdell's program):
- all of S is free if c = 0 and mined if c = |S|;
- where S is a proper subset of S', the difference is an equation too;
- where c' - c > 0 is the number of squares of S' outside S, these are mined and those of S outside
  S' are free.
Where nothing is certain, P(t) is the largest c/|S| of all equations, derived ones included, that
hold square t, and (mines left) / (unknown squares) where none does. The square of lowest P(t) is
probed, one at random of several (both as in Ramsdell's program).

`global_equation`: "off" (the default: 004 has equations of numbered squares only), or "on": once at
most 8 squares are unknown, the mines left are one more equation (Ramsdell's later program).
"""

import numpy as np

from msdensity.kernel.compiler.jit import entry, part
from msdensity.kernel.deduction import apply_singles
from msdensity.kernel.knowledge import mark_mine, open_cell
from msdensity.kernel.play import add_measures, start_game
from msdensity.kernel.rng import below
from msdensity.kernel.state import (
    LOST,
    OPEN,
    PAIR,
    PLAYER,
    PLAYING,
    UNKNOWN,
    open_table,
    open_workspace,
)
from msdensity.players.constraints.coupled import guess_cell
from msdensity.players.constraints.memory import MOST_DERIVED, open_bench, thread_bench
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


@part
def read_everything(table, ws, b):
    """Read all unknown cells as one system with the equation of the mines left."""
    bench = b.bench[0]
    game = ws.game[0]
    variables = 0
    items = 0
    bench.words = 1
    for c in range(game.cells):
        if ws.cell[c].state == UNKNOWN:
            b.variable[c] = variables
            b.cell[variables] = c
            variables += 1
        elif ws.cell[c].state == OPEN and ws.cell[c].unknown > 0:
            b.queue[items] = c
            items += 1
    bench.variables = variables
    bench.items = items + 1
    bench.witnesses = items
    for k in range(items):
        w = b.queue[k]
        b.bits[k] = np.uint64(0)
        b.item[k].sum = np.int32(ws.cell[w].remaining)
        b.item[k].size = np.int32(ws.cell[w].unknown)
        for e in range(table.start[w], table.start[w + 1]):
            u = table.neighbours[e]
            if ws.cell[u].state == UNKNOWN:
                set_bit(b, k, np.int64(b.variable[u]))
    b.bits[items] = (np.uint64(1) << np.uint64(variables)) - np.uint64(1)
    b.item[items].sum = np.int32(game.mines_left)
    b.item[items].size = np.int32(variables)


@part
def derive(b, i, j):
    """Add equation j less its subset i, unless it is known; return whether it decides cells."""
    bench = b.bench[0]
    words = bench.words
    size = b.item[j].size - b.item[i].size
    if size == 0 or bench.items >= bench.witnesses + MOST_DERIVED:
        return False
    n = bench.items
    for k in range(words):
        b.bits[n * words + k] = b.bits[j * words + k] ^ b.bits[i * words + k]
    for m in range(n):
        if b.item[m].size == size and is_subset(b, m, n):
            return False
    item = b.item[n]
    item.sum = np.int32(b.item[j].sum - b.item[i].sum)
    item.size = np.int32(size)
    bench.items += 1
    return not 0 < item.sum < item.size


@part
def derive_all(b):
    """Add the differences of all pairs; stop early, returning True, at one that decides cells."""
    bench = b.bench[0]
    j = 0
    while j < bench.items:
        for i in range(j):
            if b.item[i].size <= b.item[j].size:
                if is_subset(b, i, j) and derive(b, i, j):
                    return True
            elif is_subset(b, j, i) and derive(b, j, i):
                return True
        j += 1
    return False


@part
def apply_differences(table, ws, b):
    """Apply the third rule to all pairs of equations; return whether it decided any cell."""
    bench = b.bench[0]
    words = bench.words
    for i in range(bench.items):
        for j in range(bench.items):
            excess = b.item[j].sum - b.item[i].sum
            if excess <= 0:
                continue
            outside = 0
            for k in range(words):
                only = b.bits[j * words + k] & ~b.bits[i * words + k]
                while only != np.uint64(0):
                    only &= only - np.uint64(1)
                    outside += 1
            if outside == excess:
                for v in range(bench.variables):
                    c = np.int64(b.cell[v])
                    of_i = has_bit(b, i, v)
                    of_j = has_bit(b, j, v)
                    if of_j and not of_i:
                        mark_mine(table, ws, c, PAIR)
                    elif of_i and not of_j:
                        open_cell(table, ws, c, PAIR, 1.0)
                        if ws.game[0].status != PLAYING:
                            return True
                return True
    return False


@part
def state_shares(b):
    """Set `belief` of the system's cells to 1 - P(t)."""
    bench = b.bench[0]
    for v in range(bench.variables):
        share = 0.0
        held = False
        for i in range(bench.items):
            if has_bit(b, i, v):
                held = True
                share = max(share, b.item[i].sum / b.item[i].size)
        if held:
            b.belief[b.cell[v]] = 1.0 - share


@part
def solve_system(table, ws, b):
    """Apply the rules to the system that was read; return whether any cell was decided."""
    derive_all(b)
    if apply_trivial(table, ws, b, PAIR) or apply_differences(table, ws, b):
        return True
    state_shares(b)
    return False


@part
def solve_equations(table, ws, b, whole):
    """Apply the rules until nothing is certain; then every unknown cell has its `belief`."""
    game = ws.game[0]
    while game.status == PLAYING:
        apply_singles(table, ws)
        if game.status != PLAYING:
            return
        average = 1.0 - game.mines_left / game.unknown
        for c in range(game.cells):
            b.belief[c] = average
        decided = False
        if whole == ON and game.unknown <= FEW_UNKNOWN:
            read_everything(table, ws, b)
            decided = solve_system(table, ws, b)
        else:
            game.stamp += 1
            stamp = np.int32(game.stamp)
            for w in range(game.cells):
                cell = ws.cell[w]
                if cell.state != OPEN or cell.unknown == 0 or ws.link[w].stamp == stamp:
                    continue
                if read_component(table, ws, b, w, stamp):
                    decided |= solve_system(table, ws, b)
                if game.status != PLAYING:
                    return
        if not decided:
            return


@part
def random_best(ws, b):
    """Return one at random of the unknown cells with the highest belief."""
    game = ws.game[0]
    best = -1.0
    tied = 0
    for c in range(game.cells):
        if ws.cell[c].state == UNKNOWN:
            if b.belief[c] > best + TIE:
                best = b.belief[c]
                tied = 0
            tied += b.belief[c] >= best - TIE
    pick = below(ws.stream[PLAYER], tied)
    for c in range(game.cells):
        if ws.cell[c].state == UNKNOWN and b.belief[c] >= best - TIE:
            if pick == 0:
                return np.int64(c)
            pick -= 1
    return np.int64(-1)


@entry
def equation_games(
    table_words,
    ws_words,
    bench_words,
    firsts,
    mines,
    start_rule,
    keys,
    options,
    first_game,
    games,
    sums,
):
    """Play games [first_game, first_game + games), adding to `sums`; return a fault or 0."""
    table = open_table(table_words)
    ws = open_workspace(ws_words)
    b = open_bench(bench_words)
    game = ws.game[0]
    for number in range(first_game, first_game + games):
        start_game(table, ws, firsts, mines, start_rule, keys, number)
        while game.status == PLAYING:
            solve_equations(table, ws, b, options[0])
            if game.status == PLAYING:
                c = random_best(ws, b)
                guess_cell(table, ws, c, b.belief[c])
        if game.status > LOST:
            return game.status
        add_measures(ws, mines, sums)
    return 0


def play_games(
    table_words, ws_words, firsts, mines, start_rule, keys, options, first_game, games, sums
):
    """Play games [first_game, first_game + games), adding to `sums`; return a fault or 0."""
    bench = thread_bench(int(table_words[1]) - 1, int(table_words[3]))
    how = (firsts, mines, start_rule, keys, options, first_game, games, sums)
    return equation_games(table_words, ws_words, bench.words, *how)
