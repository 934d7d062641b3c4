"""One game up to its next guess: what every player that uses all certain cells has in common."""

import numpy as np

from msdensity.kernel.clock import tick
from msdensity.kernel.deduction import deduce_locally
from msdensity.kernel.field import UNPROTECTED_START, place_mines
from msdensity.kernel.jit import part
from msdensity.kernel.knowledge import begin, open_cell
from msdensity.kernel.mine_count import deduce_globally
from msdensity.kernel.rng import below, start_stream
from msdensity.kernel.safety import count_components, list_exposed, weigh_safety
from msdensity.kernel.state import (
    BOARD,
    COMPONENT,
    DEAL,
    FIRST,
    FLOATING_GUESS,
    GLOBAL,
    PAIR,
    PLAYER,
    PLAYING,
    SAFETY,
    SINGLE,
    WEIGHTS,
    WON,
)


@part
def start_game(table, ws, firsts, mines, start_rule, keys, number):
    """Begin game `number`: streams, mines, first click at one of the cells `firsts`."""
    start_stream(ws.stream[BOARD], keys[BOARD], number)
    start_stream(ws.stream[PLAYER], keys[PLAYER], number)
    begin(table, ws, mines)
    first = np.int64(firsts[0])
    if len(firsts) > 1:
        first = np.int64(firsts[below(ws.stream[PLAYER], len(firsts))])
    place_mines(table, ws, mines, first, start_rule)
    tick(ws, DEAL)
    safety = 1.0
    if start_rule == UNPROTECTED_START:
        safety = 1.0 - mines / ws.game[0].cells
    open_cell(table, ws, first, FIRST, safety)


@part
def deduce(table, ws):
    """Decide all certain cells; on return the game is over or the safeties are ready for a guess.

    Then ws.exposed[:listed] are the exposed cells, ws.safety[c] the safety of each and
    floating_safety that of every floating cell; all exact, but where the position exceeded the
    budget of exact counting (counted in `approximate`).
    """
    game = ws.game[0]
    while game.status == PLAYING:
        deduce_locally(table, ws)
        if game.status != PLAYING:
            return
        exact, low, high = count_components(table, ws)
        tick(ws, WEIGHTS)
        if game.status != PLAYING:
            return
        if exact and deduce_globally(table, ws, low, high):
            continue
        if game.status == PLAYING:
            weigh_safety(ws, low, high)
            list_exposed(table, ws)
            tick(ws, SAFETY)
            game.approximate += not exact
        return


@part
def add_measures(ws, mines, sums):
    """Add the measures of the game that has ended, in the order of `measures.MEASURES`."""
    game = ws.game[0]
    won = game.status == WON
    sums[0] += won
    sums[1] += won and game.guesses == 0
    sums[2] += game.guesses
    sums[3] += game.guesses * game.guesses
    sums[4] += ws.reasons[FLOATING_GUESS]
    sums[5] += game.cells - mines - game.safe_left
    sums[6] += mines - game.mines_left
    sums[7] += ws.reasons[SINGLE]
    sums[8] += ws.reasons[PAIR]
    sums[9] += ws.reasons[COMPONENT]
    sums[10] += ws.reasons[GLOBAL]
    sums[11] += game.approximate > 0
