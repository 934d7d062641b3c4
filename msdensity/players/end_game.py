"""The games of `weighted`, but from at most 100 layouts on the best move, exactly.

A guess where at most 64 cells are unknown and at most 100 layouts remain (and at most 10,000 states
of the components are visited to list them) is the best first move of a perfect player
(`perfect.moves.best_move`): integers decide it. All other moves are those of `weighted`.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.kernel.compiler.threads import per_thread
from msdensity.kernel.knowledge import is_floating, open_cell
from msdensity.kernel.planes import deduction  # noqa: F401  (its versions of functions)
from msdensity.kernel.play import deduce, game_loop, stake
from msdensity.kernel.state import FLOATING_GUESS, GUESS, PLAYING, Memory, open_planes
from msdensity.players.perfect.listing import list_layouts
from msdensity.players.perfect.memory import MAX_LANES, make_memory, open_memory
from msdensity.players.perfect.moves import NOWHERE, best_move
from msdensity.players.perfect.rows import write_rows
from msdensity.players.weighted import choose

MAX_LAYOUTS = np.int64(100)

MEMO = 1 << 12
"""Sets of layouts that are kept during one search."""


def make(table: Memory) -> Memory:
    """Return the working memory for a board."""
    cells = len(table.start) - 1
    return make_memory(int(MAX_LAYOUTS), min(cells, MAX_LANES), MEMO, cells=cells)


thread_memory = per_thread(make)
"""Return this thread's working memory for a table; the last one is kept."""


@compiled
def end_move(table, ws, wm):
    """Return (cell, safety) of the best move, NOWHERE if there may be too many layouts.

    Call `deduce` first.
    """
    layouts = list_layouts(table, ws, wm, MAX_LAYOUTS)
    if layouts < 0 or write_rows(wm) < 0:
        return NOWHERE, 0.0
    wm.search[0].epoch += 1
    c, safe = best_move(table, ws, wm)
    return c, safe / layouts


@compiled
def play_game(table, ws, wm):
    """Play from after the first click to the end."""
    game = ws.game[0]
    while True:
        approximate = game.approximate
        deduce(table, ws)
        if game.status != PLAYING:
            return
        c, best = end_move(table, ws, wm)
        if c >= 0:
            floats = is_floating(table, ws, c)
        else:
            c, floats, best = choose(table, ws)
        game.guesses += 1
        if game.approximate == approximate:
            stake(table, ws, c, best)
        open_cell(table, ws, c, FLOATING_GUESS if floats else GUESS, best)
        if game.status != PLAYING:
            return


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
