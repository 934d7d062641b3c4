"""Pedersen's limited search, as 000 describes it (section 3.2; Pedersen 2004).

Where single-point rules say no more, each uncertain square has a zone of interest: the opened cells
beside it and all their unknown neighbours. All ways to mine the zone that agree with those numbers
are found by depth-first search with backtracking; a square that is free, or mined, in all of them
is certain. The share of them in which the uncertain square itself is free estimates its safety.
The square of highest estimate is a smart guess if it beats a square taken at random, whose chance
of a mine is (mines left) / (unknown squares); otherwise a square is probed at random.

Open in the text: the size of the zone (the smallest that joins several numbers is taken), and how
low a probability is low (lower than that of a random square). A zone whose search would take more
than WORK_LIMIT assignments decides nothing and estimates 1 - max c/|S|.
"""

import numpy as np

from msdensity.kernel.compiler.jit import entry, part
from msdensity.kernel.deduction import apply_singles
from msdensity.kernel.play import add_measures, start_game
from msdensity.kernel.state import EXPOSED, LOST, OPEN, PLAYING, UNKNOWN, open_table, open_workspace
from msdensity.players.constraints.coupled import apply_certain, guess_cell
from msdensity.players.constraints.memory import WORK_LIMIT, open_bench, thread_bench
from msdensity.players.constraints.reduce import set_bit
from msdensity.players.constraints.search import (
    add_subset,
    largest_share,
    search_subset,
    weigh_beliefs,
)
from msdensity.players.single_point import random_cell


@part
def read_zone(table, ws, b, x):
    """Read the constraints of the opened cells beside x, and no others."""
    bench = b.bench[0]
    game = ws.game[0]
    game.stamp += 1
    stamp = np.int32(game.stamp)
    items = 0
    variables = 0
    for e in range(table.start[x], table.start[x + 1]):
        w = table.neighbours[e]
        if ws.cell[w].state != OPEN:
            continue
        b.queue[items] = w
        items += 1
        for f in range(table.start[w], table.start[w + 1]):
            u = table.neighbours[f]
            if ws.cell[u].state == UNKNOWN and ws.link[u].stamp != stamp:
                ws.link[u].stamp = stamp
                b.variable[u] = variables
                b.cell[variables] = u
                variables += 1
    bench.words = (variables + 63) // 64
    bench.variables = variables
    bench.items = items
    for k in range(items * bench.words):
        b.bits[k] = np.uint64(0)
    for k in range(items):
        w = b.queue[k]
        item = b.item[k]
        item.sum = np.int32(ws.cell[w].remaining)
        item.size = np.int32(ws.cell[w].unknown)
        item.subset = np.int32(0)
        for f in range(table.start[w], table.start[w + 1]):
            u = table.neighbours[f]
            if ws.cell[u].state == UNKNOWN:
                set_bit(b, k, np.int64(b.variable[u]))


@part
def search_zone(table, ws, b, x):
    """Search the zone of x; set its estimate or decide what is certain; whether any cell was."""
    bench = b.bench[0]
    bench.subsets = 0
    bench.members = 0
    bench.ways = 0
    bench.cell_ways = 0
    read_zone(table, ws, b, x)
    s = add_subset(b, 0)
    if not search_subset(b, s, 0, WORK_LIMIT):
        return False
    weigh_beliefs(table, ws, b, s)
    return apply_certain(table, ws, b, s)


@part
def search_zones(table, ws, b, estimate):
    """Search all zones until none decides a cell; then `estimate` holds the exposed cells'."""
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
            b.belief[x] = 1.0 - largest_share(table, ws, x)
            if search_zone(table, ws, b, x):
                decided = True
                if game.status == PLAYING:
                    apply_singles(table, ws)
            else:
                estimate[x] = b.belief[x]


@entry
def limited_games(
    table_words,
    ws_words,
    bench_words,
    estimate,
    firsts,
    mines,
    start_rule,
    keys,
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
            search_zones(table, ws, b, estimate)
            if game.status != PLAYING:
                break
            safety = 1.0 - game.mines_left / game.unknown
            best = np.int64(-1)
            for x in range(game.cells):
                exposed = ws.cell[x].state == UNKNOWN and ws.cell[x].flags & EXPOSED
                if exposed and estimate[x] > safety:
                    safety = estimate[x]
                    best = x
            if best < 0:
                best = random_cell(ws)
            guess_cell(table, ws, best, safety)
        if game.status > LOST:
            return game.status
        add_measures(ws, mines, sums)
    return 0


def play_games(
    table_words, ws_words, firsts, mines, start_rule, keys, options, first_game, games, sums
):
    """Play games [first_game, first_game + games), adding to `sums`; return a fault or 0."""
    cells = int(table_words[1]) - 1
    bench = thread_bench(cells, int(table_words[3]))
    how = (firsts, mines, start_rule, keys, first_game, games, sums)
    return limited_games(table_words, ws_words, bench.words, np.zeros(cells), *how)
