"""One game up to its next guess: what every player that uses all certain cells has in common."""

import numpy as np

from msdensity.kernel.clock import tick
from msdensity.kernel.compiler.jit import part, small
from msdensity.kernel.deduction import deduce_locally
from msdensity.kernel.field import UNPROTECTED_START, place_mines
from msdensity.kernel.knowledge import begin, open_cell
from msdensity.kernel.measures import PRODUCT_SCALE, Z_SCALE
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
    MINED,
    PAIR,
    PLAYER,
    PLAYING,
    SAFETY,
    SINGLE,
    WEIGHTS,
    WON,
)


@part
def stake(ws, c, safety):
    """Add the outcome of a guess of this exact safety, not yet opened, to Z_0, Z_1 and Z_2."""
    game = ws.game[0]
    survived = np.float64(ws.cell[c].flags & MINED == 0)
    surprise = survived - safety
    share = game.safe_left / game.safe
    game.z0 += surprise
    game.z1 += surprise * share
    game.z2 += surprise * share * share


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
        stake(ws, first, safety)
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


@small
def whole(x):
    """Return the nearest whole number."""
    return np.int64(np.floor(x + 0.5))


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
    z0 = game.z0
    z1 = game.z1
    z2 = game.z2
    sums[13] += whole(z0 * Z_SCALE)
    sums[14] += whole(z1 * Z_SCALE)
    sums[15] += whole(z2 * Z_SCALE)
    sums[16] += whole(z0 * z0 * PRODUCT_SCALE)
    sums[17] += whole(z0 * z1 * PRODUCT_SCALE)
    sums[18] += whole(z0 * z2 * PRODUCT_SCALE)
    sums[19] += whole(z1 * z1 * PRODUCT_SCALE)
    sums[20] += whole(z1 * z2 * PRODUCT_SCALE)
    sums[21] += whole(z2 * z2 * PRODUCT_SCALE)
    if won:
        sums[22] += whole(z0 * PRODUCT_SCALE)
        sums[23] += whole(z1 * PRODUCT_SCALE)
        sums[24] += whole(z2 * PRODUCT_SCALE)
