"""The games of `weighted` with a weight whose mean is its win rate: "never die".

A game is that of `weighted`, move by move, up to its end, and so are its measures but Z (its
random choices, if any, are others). Where a guess hits a mine, the game is lost, but for the
weight it goes on: the layout is drawn anew from all that agree with what is known and have the
cell safe. The weight is the product of the safeties of all guesses, 1 without one. Whether a guess
may be redrawn is decided before its outcome is looked at; where it may not, its safety is no
factor and a mine ends the game with weight 0. So the mean of the weight is the win rate of
`weighted`, and its variance is at most that of a win. It is no way to play: it looks at mines.

Z_0 is weight - 1{won}; Z_1 is how many of the smallest forced guesses the first layout holds, less
their mean; Z_2 is 1{the first click shows no 0} less its chance (`forced.surprises`). Each has the
mean 0. The sum of the weights and that of their squares follow from `wins`, `z0`, `z0_z0` and
`win_z0` (`stats.weights`). The outcomes of guesses less their safeties, which are the Z of all
other players, would not help: after a redraw nothing depends on the outcome, so they have no
covariance with the weight.

The random numbers of a redraw follow from the player's key, the game and the number of the guess.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.kernel.field import FIRST_ZERO_START
from msdensity.kernel.knowledge import open_cell
from msdensity.kernel.planes import deduction  # noqa: F401  (its versions of functions)
from msdensity.kernel.play import add_measures, deduce, game_loop
from msdensity.kernel.rng import mix, start_stream
from msdensity.kernel.state import (
    BOARD,
    FLOATING_GUESS,
    GUESS,
    LOST,
    PLAYING,
    REASONS,
    WON,
    open_planes,
)
from msdensity.players.forced import open_memory, surprises
from msdensity.players.redraw import can_redraw, redraw
from msdensity.players.weighted import choose

REDRAWS = np.uint64(0xA0761D6478BD642F)
"""Sets the random numbers of redraws apart from those of boards and of choices."""


@compiled
def end_plain_game(ws):
    """Add the measures of the game of `weighted`, which is lost; return how many moves it recorded.

    Of what follows only Z will count, and nothing is recorded.
    """
    game = ws.game[0]
    add_measures(ws)
    moves = game.trace
    game.trace = -1
    return moves


@compiled
def leave_z(ws):
    """After the end of a game that `weighted` lost: no measure but Z is added."""
    game = ws.game[0]
    game.status = LOST
    game.guesses = 0
    game.approximate = 0
    for r in range(REASONS):
        ws.reasons[r] = 0
    game.mines_left = game.cells - game.safe
    game.safe_left = game.safe


@compiled
def play_game(table, ws, wm):
    """Play from after the first click to the end of the weight's game."""
    game = ws.game[0]
    exact = ws.task[0].start_rule < FIRST_ZERO_START  # else no stated safety is exact
    sets, numbered = surprises(table, ws, wm)
    game.z0 = 0.0
    game.z1 = 0.0
    game.z2 = 0.0
    moves = np.int64(-1)
    lost = False
    weight = np.float64(game.status == PLAYING)
    while game.status == PLAYING:
        approximate = game.approximate
        deduce(table, ws)
        if game.status != PLAYING:
            break
        c, floats, safety = choose(table, ws)
        game.guesses += 1
        redraws = exact and game.approximate == approximate and can_redraw(ws)
        if redraws:
            weight *= safety
        reason = FLOATING_GUESS if floats else GUESS
        if open_cell(table, ws, c, reason, safety):
            continue
        if not redraws:
            weight = 0.0
            break
        if not lost:
            moves = end_plain_game(ws)
            lost = True
        game.status = PLAYING
        key = mix((ws.task[0].player_key ^ REDRAWS) + np.uint64(game.guesses))
        start_stream(ws.stream[BOARD], key, game.number)
        redraw(table, ws, c, floats)
        if game.status == PLAYING:
            open_cell(table, ws, c, reason, safety)
    if game.status > LOST:
        return
    game.z0 = weight - np.float64(game.status == WON and not lost)
    game.z1 = sets
    game.z2 = numbered
    if lost:
        leave_z(ws)
        game.trace = moves


loop = game_loop(play_game, open_memory)
loop_in_planes = game_loop(play_game, open_memory, open_planes)


@entry
def play_games(table, ws, memory, first_game, games):
    """Play the games, see `game_loop`."""
    return loop(table, ws, memory, first_game, games)


@entry
def play_games_in_planes(table, ws, memory, first_game, games):
    """Play the same games on a board in planes."""
    return loop_in_planes(table, ws, memory, first_game, games)
