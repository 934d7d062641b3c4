"""The CSP solver of Kishore K and Jovan Moris D (003, Algorithm 1).

Constraints are simplified one by one and by subsets until nothing is certain, then split into
coupled subsets. For each subset: a crap-shoot is answered by a random move within it; otherwise a
small one is solved by backtracking, and cells that are the same in all its solutions are certain.
If nothing was, each constrained cell has the share of its subset's solutions in which it is mined,
each unconstrained one (mines left) / (unknown cells); the lowest is opened (003, section 3.6), an
unconstrained one by section 3.7: corners first, then edges, then the inner cell with most
constrained neighbours, at random among equals.

Open in the text, and taken here: a crap-shoot, which is seen before any solution is known, is a
subset of one constraint whose cells have no unknown neighbour outside it (Studholme's rule for
subsets with one constraint). `small`: the most variables of a subset that is solved, "20" (the
default; where Studholme's program begins to announce that it is solving), "10" or "all". A cell of
a subset that is not solved has the largest c/|S| of its opened neighbours. Equals: a constrained
cell, of lowest index. The first move is the first click of the rules; the mine that it would hit is
moved, as the start "safe" does.
"""

import numpy as np

from msdensity.kernel.compiler.jit import entry, part
from msdensity.kernel.play import add_measures, start_game
from msdensity.kernel.rng import below
from msdensity.kernel.state import LOST, PLAYER, PLAYING, open_table, open_workspace
from msdensity.players.constraints.coupled import (
    ALL,
    apply_certain,
    best_member,
    guess_cell,
    is_closed,
    name_members,
    simplify,
    unconstrained_cell,
)
from msdensity.players.constraints.memory import open_bench, thread_bench
from msdensity.players.constraints.search import weigh_beliefs
from msdensity.players.weighted import TIE

SMALL = (np.int64(20), np.int64(10), ALL)


@part
def play_report(table, ws, b, largest):
    """Play on from the first click to the end (003, Algorithm 1)."""
    game = ws.game[0]
    while True:
        simplify(table, ws, b, largest)
        if game.status != PLAYING:
            return
        name_members(b)
        found = False
        for s in range(b.bench[0].subsets):
            weigh_beliefs(table, ws, b, s)
        for s in range(b.bench[0].subsets):
            subset = b.subset[s]
            if subset.constraints == 1 and is_closed(table, ws, b, s):
                c = np.int64(b.member[subset.first + below(ws.stream[PLAYER], subset.size)])
                guess_cell(table, ws, c, b.belief[c])
                found = True
            else:
                found |= apply_certain(table, ws, b, s)
            if game.status != PLAYING:
                return
        if found:
            continue
        best = best_member(b, 0, b.bench[0].members)
        average = 1.0 - game.mines_left / game.unknown
        far = game.unknown - game.exposed
        if best >= 0 and (far == 0 or b.belief[best] >= average * (1.0 - TIE)):
            guess_cell(table, ws, best, b.belief[best])
        else:
            guess_cell(table, ws, unconstrained_cell(table, ws), average)


@entry
def report_games(
    table_words,
    ws_words,
    bench_words,
    firsts,
    mines,
    start_rule,
    keys,
    largest,
    first_game,
    games,
    sums,
):
    """Play games [first_game, first_game + games), adding to `sums`; return a fault or 0."""
    table = open_table(table_words)
    ws = open_workspace(ws_words)
    b = open_bench(bench_words)
    for number in range(first_game, first_game + games):
        start_game(table, ws, firsts, mines, start_rule, keys, number)
        play_report(table, ws, b, largest)
        if ws.game[0].status > LOST:
            return ws.game[0].status
        add_measures(ws, mines, sums)
    return 0


def play_games(
    table_words, ws_words, firsts, mines, start_rule, keys, options, first_game, games, sums
):
    """Play games [first_game, first_game + games), adding to `sums`; return a fault or 0."""
    bench = thread_bench(int(table_words[1]) - 1, int(table_words[3]))
    how = (firsts, mines, start_rule, keys, int(SMALL[options[0]]), first_game, games, sums)
    return report_games(table_words, ws_words, bench.words, *how)
