"""The CSP solver of Kishore K and Jovan Moris D (003, Algorithm 1).

Constraints are simplified one by one and by subsets until nothing is certain, then split into
coupled subsets. In a subset that is a crap-shoot, a random cell is opened. Any other small subset
is solved by backtracking, and cells that are the same in all its solutions are certain. If no cell
was decided, the chance of a mine is, for a constrained cell, the share of its subset's solutions in
which it is mined, and for an unconstrained one (mines left) / (unknown cells). The cell with the
lowest chance is opened (003, section 3.6), an unconstrained one by section 3.7: corners first, then
edges, then the inner cell with most constrained neighbours, at random among equals.

The text leaves open what follows. A crap-shoot, which is recognised before any solution is known,
is here a subset of one constraint whose cells have no unknown neighbour outside it (Studholme's
rule for subsets with one constraint). `small`: the most variables of a subset that is solved, "20"
(the default; from this size on Studholme's program announces that it is solving), "10" or "all". A
cell of a subset that is not solved has the largest c/|S| of its opened neighbours. Of equal cells a
constrained one is taken, with the lowest index. The first move is the first click of the rules; a
mine that it would hit is moved, as by the start "safe".
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.kernel.play import game_loop
from msdensity.kernel.rng import below
from msdensity.kernel.state import PLAYER, PLAYING
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
from msdensity.players.constraints.memory import open_memory
from msdensity.players.constraints.search import weigh_beliefs
from msdensity.players.weighted import TIE

SMALL = (np.int64(20), np.int64(10), ALL)


@compiled
def play_report(table, ws, wm):
    """Play from after the first click to the end (003, Algorithm 1)."""
    game = ws.game[0]
    largest = SMALL[ws.option[0]]
    while True:
        simplify(table, ws, wm, largest)
        if game.status != PLAYING:
            return
        name_members(wm)
        decided = False
        for s in range(wm.counters[0].subsets):
            weigh_beliefs(table, ws, wm, s)
        for s in range(wm.counters[0].subsets):
            subset = wm.subset[s]
            if subset.constraints == 1 and is_closed(table, ws, wm, s):
                c = np.int64(wm.member[subset.first + below(ws.stream[PLAYER], subset.size)])
                guess_cell(table, ws, c, wm.belief[c])
                decided = True
            else:
                decided |= apply_certain(table, ws, wm, s)
            if game.status != PLAYING:
                return
        if decided:
            continue
        best = best_member(wm, 0, wm.counters[0].members)
        average = 1.0 - game.mines_left / game.unknown
        far = game.unknown - game.exposed
        if best >= 0 and (far == 0 or wm.belief[best] >= average * (1.0 - TIE)):
            guess_cell(table, ws, best, wm.belief[best])
        else:
            guess_cell(table, ws, unconstrained_cell(table, ws), average)


loop = game_loop(play_report, open_memory)


@entry
def play_games(table, ws, memory, first_game, games):
    """Play the games, see `game_loop`."""
    return loop(table, ws, memory, first_game, games)
