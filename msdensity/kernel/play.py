"""The loop over the games of a batch, and one game up to its next guess.

Every player plays by `game_loop`; those that use all certain cells also share `deduce`.
"""

from typing import Any

import numpy as np

from msdensity.kernel import measures
from msdensity.kernel.clock import tick
from msdensity.kernel.compiler.jit import compiled, small
from msdensity.kernel.deduction import deduce_locally
from msdensity.kernel.field import (
    FIRST_ZERO_START,
    GIVEN_START,
    UNPROTECTED_START,
    first_zero,
    is_mined,
    place_mines,
)
from msdensity.kernel.knowledge import begin, is_unknown, open_cell
from msdensity.kernel.mine_count import deduce_globally
from msdensity.kernel.rng import below, mix, start_stream
from msdensity.kernel.safety import count_components, weigh_safety
from msdensity.kernel.state import (
    BOARD,
    COMPONENT,
    DEAL,
    FIRST,
    FLOATING_GUESS,
    GLOBAL,
    LOST,
    PAIR,
    PLAYER,
    PLAYING,
    SAFETY,
    SINGLE,
    WEIGHTS,
    WON,
    open_table,
    open_workspace,
)


@compiled
def stake(table, ws, c, safety):
    """Add the outcome of a guess of exact safety to Z_0, Z_1 and Z_2, before the cell is opened."""
    game = ws.game[0]
    survived = np.float64(not is_mined(table, ws, c))
    surprise = survived - safety
    share = game.safe_left / game.safe
    game.z0 += surprise
    game.z1 += surprise * share
    game.z2 += surprise * share * share


@compiled
def start_game(table, ws, number, redraws):
    """Begin game `number` of the task: streams, mines, first click.

    redraws: how many boards of this game were given up before; each board has its own streams.
    """
    task = ws.task[0]
    board_key = task.board_key
    player_key = task.player_key
    if redraws > 0:
        board_key = mix(board_key + np.uint64(redraws))
        player_key = mix(player_key + np.uint64(redraws))
    start_stream(ws.stream[BOARD], board_key, number)
    start_stream(ws.stream[PLAYER], player_key, number)
    begin(table, ws, task.mines)
    ws.game[0].number = number
    given = task.start_rule == GIVEN_START
    hinted = task.start_rule >= FIRST_ZERO_START and not given
    first = np.int64(ws.first_cell[0])
    if task.first_cells > 1 and not hinted and not given:
        first = np.int64(ws.first_cell[below(ws.stream[PLAYER], task.first_cells)])
    place_mines(table, ws, task.mines, first, task.start_rule)
    protected = task.start_rule != UNPROTECTED_START
    if hinted:
        zero = first_zero(table, ws)
        protected = zero >= 0
        if protected:  # else cell 0: to deal such a board again would raise the win rate
            first = zero
    tick(ws, DEAL)
    safety = 1.0
    if not protected:
        safety = 1.0 - task.mines / ws.game[0].cells
        stake(table, ws, first, safety)
    open_cell(table, ws, first, FIRST, safety)
    if given:
        for i in range(1, task.first_cells):
            if is_unknown(table, ws, np.int64(ws.first_cell[i])):
                open_cell(table, ws, np.int64(ws.first_cell[i]), FIRST, safety)


@compiled
def deduce(table, ws):
    """Decide all certain cells; on return the game has ended or the safeties are ready for a guess.

    Then the boxes have their safeties (see `safety.list_exposed`), and floating_safety is that of
    every floating cell; all exact, unless the position exceeded the budget of exact counting
    (counted in `approximate`).
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
            tick(ws, SAFETY)
            game.approximate += not exact
        return


@small
def nearest_integer(x):
    """Return the integer nearest to x."""
    return np.int64(np.floor(x + 0.5))


@compiled
def add_measures(ws):
    """Add the measures of the game that has ended to the sums of the batch."""
    game = ws.game[0]
    sums = ws.sums
    mines = ws.task[0].mines
    won = game.status == WON
    sums[measures.WINS] += won
    sums[measures.NO_GUESS_WINS] += won and game.guesses == 0
    sums[measures.GUESSES] += game.guesses
    sums[measures.GUESSES_SQUARED] += game.guesses * game.guesses
    sums[measures.FLOATING_GUESSES] += ws.reasons[FLOATING_GUESS]
    sums[measures.OPENED] += game.cells - mines - game.safe_left
    sums[measures.MINES_MARKED] += mines - game.mines_left
    sums[measures.CERTAIN_SINGLE] += ws.reasons[SINGLE]
    sums[measures.CERTAIN_PAIR] += ws.reasons[PAIR]
    sums[measures.CERTAIN_COMPONENT] += ws.reasons[COMPONENT]
    sums[measures.CERTAIN_GLOBAL] += ws.reasons[GLOBAL]
    sums[measures.APPROXIMATE] += game.approximate > 0
    if ws.task[0].start_rule >= FIRST_ZERO_START:
        # The stated safeties are not exact: the hint says that the cells scanned before it show no
        # 0 (or that no cell does), which no player counts. Their Z would have another mean than 0.
        return
    z = (game.z0, game.z1, game.z2)
    product = measures.Z0_Z0
    for i in range(3):
        sums[measures.Z0 + i] += nearest_integer(z[i] * measures.Z_SCALE)
        if won:
            sums[measures.WIN_Z0 + i] += nearest_integer(z[i] * measures.PRODUCT_SCALE)
        for j in range(i, 3):
            sums[product] += nearest_integer(z[i] * z[j] * measures.PRODUCT_SCALE)
            product += 1


def game_loop(play_one: Any, open_memory: Any = None, open_board: Any = open_table) -> Any:
    """Return the compiled loop over games first_game .. first_game + games - 1 of a task.

    `play_one(table, ws)` plays a game from after its first click to its end. If the player has a
    working memory, `open_memory` opens it (see `compiler.directory.opener`), and the call is
    `play_one(table, ws, wm)`. `open_board` opens the board: `open_table` or `open_planes`. The loop
    adds to ws.sums; it returns a fault (`state.CONTRADICTION` or above) or 0.

    `play_one` is in a closure and not an argument of the loop, because Numba caches no machine code
    of functions that take functions.
    """
    if open_memory is None:

        def play_on(table, ws, memory_words):
            play_one(table, ws)

    else:

        def play_on(table, ws, memory_words):
            play_one(table, ws, open_memory(memory_words))

    def loop(table_words, ws_words, memory_words, first_game, games):
        table = open_board(table_words)
        ws = open_workspace(ws_words)
        for number in range(first_game, first_game + games):
            start_game(table, ws, number, np.int64(0))
            play_on(table, ws, memory_words)
            if ws.game[0].status > LOST:
                return ws.game[0].status
            add_measures(ws)
        return 0

    # Machine code is linked by name: with a common name, a player could run another player's loop
    # from the cache.
    for function in (play_on, loop):
        function.__module__ = play_one.__module__
        function.__qualname__ = f"{play_one.__name__}.{open_board.__name__}.{function.__name__}"
    play_on = compiled(play_on)
    return compiled(loop)
