"""Resolution and forward chaining (002; R. McIntyre, Minesweeper, 2016).

The clauses of a number (k mines among n unknown cells): of every n - k + 1 cells one is mined, of
every k + 1 cells one is free. Two clauses that clash in one literal give a new one; a clause of one
literal is a certain move. The number of mines on the board is not used, as in the text.

By default this is done with what the text lacks: a clause that another one makes superfluous is
dropped (subsumption), resolvents of more than `width` literals are dropped, and the knowledge base
is that of all numbers within 4 steps of each number (2 steps are tried everywhere first). The
player of the text has `width` any, `neighbourhood` growing, `subsumption` off, `refutation` on,
`pair_rule` off and `unit_refutation` off.

`width`: most literals of a resolvent. "any": no bound, but at most 300 clauses. "none": nothing is
    resolved; what is left are the cheap rules.
`neighbourhood`: steps from a number to those that are resolved with it, or "growing": 1, 2, ...
    steps around every cell whose row and column are multiples of 5, until something follows or the
    clauses exceed 300. On other topologies these cells are 5 steps or more apart (`list_places`).
`subsumption`: "off" keeps superfluous clauses; then at most 300, as in the text.
`refutation`: "on": where chaining finds nothing, each cell beside a number is assumed to be free,
    then mined, to find a contradiction (Algorithm 3), with at most 600 clauses.
`pair_rule`: "on": the kernel's rule for two numbers is tried first, because it costs little.
`unit_refutation`: "on": before clauses are written, a state of each cell is refuted by single
    numbers (`units`). Clauses are then written only where no arrangements of mines show a cell both
    free and mined. No certain cell is
    lost, and most of the time is saved.
`mine_count`: "on": once 24 cells or fewer are unknown, the mines left are one more number, over all
    of these. Unit refutation uses it; it is resolved with all numbers if its clauses are not too
    many.
`guess` (the text does not say): "share" opens a cell with the lowest chance of a mine: the largest
    mines missing / unknown cells of the numbers beside it, or of the whole board if there are none
    (004, section 2.2); of several a random one. "random" opens a random covered cell.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.kernel.deduction import apply_pair, apply_singles
from msdensity.kernel.knowledge import mark_mine, open_cell
from msdensity.kernel.play import game_loop
from msdensity.kernel.state import (
    COMPONENT,
    GLOBAL,
    IN_PAIR,
    OPEN,
    PLAYING,
    UNKNOWN,
)
from msdensity.players.constraints.coupled import guess_cell
from msdensity.players.constraints.equation import random_best
from msdensity.players.resolution.local import search
from msdensity.players.resolution.memory import open_memory
from msdensity.players.resolution.units import ON, forget_decided, knows_total, refute_units
from msdensity.players.single_point import open_guess, random_cell

SHARE = 0


@compiled
def apply_pairs(table, ws):
    """Compare a number that waits with those beside it; return whether a cell was decided."""
    game = ws.game[0]
    while game.pairs > 0:
        w = ws.pairs[game.pairs - 1]
        if ws.cell[w].unknown > 0 and apply_pair(table, ws, w):
            return True  # it waits on: there may be more
        game.pairs -= 1
        ws.cell[w].flags &= np.uint8(255 - IN_PAIR)
    return False


@compiled
def apply_verdicts(table, ws, wm):
    """Open and mark the cells that the last search decided."""
    for i in range(wm.counters[0].decided):
        c = np.int64(wm.decided[i])
        if wm.verdict[c] == 1:
            mark_mine(table, ws, c, COMPONENT)
        else:
            open_cell(table, ws, c, COMPONENT, 1.0)
            if ws.game[0].status != PLAYING:
                return


@compiled
def settle_total(table, ws):
    """Open or mark all unknown cells if the mines left say so alone; return whether they do."""
    game = ws.game[0]
    if not knows_total(ws) or 0 < game.mines_left < game.unknown:
        return False
    for c in range(game.cells):
        if game.status == PLAYING and ws.cell[c].state == UNKNOWN:
            if game.mines_left > 0:
                mark_mine(table, ws, c, GLOBAL)
            else:
                open_cell(table, ws, c, GLOBAL, 1.0)
    return True


@compiled
def search_cells(table, ws, wm, at_once):
    """List in `decided` the cells that the options decide; the position stays as it is.

    at_once: stop at the first that is found by resolution, and search only if unit refutation,
    which is cheap, decides nothing.
    """
    forget_decided(wm)
    if ws.option[6] == ON:
        refute_units(table, ws, wm)
    if not (at_once and wm.counters[0].decided > 0):
        search(table, ws, wm, at_once)


@compiled
def deduce_by_clauses(table, ws, wm):
    """Decide cells until single numbers, pairs of them and clauses decide no more."""
    game = ws.game[0]
    while game.status == PLAYING:
        apply_singles(table, ws)
        if game.status != PLAYING or (ws.option[4] == ON and apply_pairs(table, ws)):
            continue
        if settle_total(table, ws):
            continue
        search_cells(table, ws, wm, True)
        if wm.counters[0].decided == 0:
            return
        apply_verdicts(table, ws, wm)


@compiled
def state_shares(table, ws, wm):
    """Set `belief` of all unknown cells to 1 - the largest share of mines around it."""
    game = ws.game[0]
    for c in range(game.cells):
        if ws.cell[c].state == UNKNOWN:
            share = -1.0
            for e in range(table.start[c], table.start[c + 1]):
                near = ws.cell[table.neighbours[e]]
                if near.state == OPEN:
                    share = max(share, near.remaining / near.unknown)
            if share < 0.0:
                share = game.mines_left / game.unknown
            wm.belief[c] = 1.0 - share


@compiled
def play_resolution(table, ws, wm):
    """Play from after the first click to the end."""
    game = ws.game[0]
    while game.status == PLAYING:
        deduce_by_clauses(table, ws, wm)
        if game.status != PLAYING:
            return
        if ws.option[5] == SHARE:
            state_shares(table, ws, wm)
            c = random_best(ws, wm)
            guess_cell(table, ws, c, wm.belief[c])
        else:
            open_guess(table, ws, random_cell(ws))


loop = game_loop(play_resolution, open_memory)


@entry
def play_games(table, ws, memory, first_game, games):
    """Play the games, see `game_loop`."""
    return loop(table, ws, memory, first_game, games)
