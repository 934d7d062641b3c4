"""The games of `weighted`, but from few layouts on the best move, exactly.

A guess where at most 64 cells are unknown and at most 100 layouts remain (and at most 10,000 states
of the components are visited to list them) is the best first move of a perfect player
(`perfect.moves.best_move`): integers decide it. All other moves are those of `weighted`.

The player `optimal` has another memory: on a board of up to 20 cells it holds all layouts, so that
every guess is the best move. It keeps the best moves of the positions that it has met.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.kernel.compiler.threads import per_thread
from msdensity.kernel.knowledge import (
    counts_of,
    is_floating,
    is_opened,
    is_unknown,
    open_cell,
)
from msdensity.kernel.planes import deduction  # noqa: F401  (its versions of functions)
from msdensity.kernel.play import deduce, game_loop, stake
from msdensity.kernel.rng import mix
from msdensity.kernel.state import FLOATING_GUESS, GUESS, PLAYING, Memory, open_planes
from msdensity.players.perfect.listing import list_layouts
from msdensity.players.perfect.memory import MAX_LANES, make_memory, open_memory
from msdensity.players.perfect.moves import NOWHERE, best_move
from msdensity.players.perfect.rows import write_rows
from msdensity.players.weighted import choose

MAX_LAYOUTS = 100

MEMO = 1 << 12
"""Sets of layouts that are kept during one search."""


def make(table: Memory) -> Memory:
    """Return the working memory of `end_game` for a board."""
    cells = len(table.start) - 1
    return make_memory(MAX_LAYOUTS, min(cells, MAX_LANES), MEMO, cells=cells)


thread_memory = per_thread(make)
"""Return this thread's working memory for a table; the last one is kept."""

FIRST, SECOND = np.uint64(0x8CB92BA72F3D8DD7), np.uint64(0xE7037ED1A0B428DB)
"""Set the two words of the key of a position apart."""


@compiled
def key_of(table, ws, salt):
    """Return 64 bits that name what is known: opened and marked cells, and the mines still missing.

    The number of an opened cell follows from the mines that it misses and the marked ones.
    """
    game = ws.game[0]
    key = mix(salt + np.uint64(game.mines_left))
    for c in range(game.cells):
        if is_unknown(table, ws, c):
            continue
        word = np.uint64(c) << np.uint64(32)
        if is_opened(table, ws, c):
            missing, unknown = counts_of(table, ws, c)
            word += np.uint64(1)
            if unknown > 0:
                word += np.uint64(missing)
        key ^= mix(salt ^ mix(word))
    return key


@compiled
def known_move(table, ws, wm):
    """Return (cell, safety) of the best move, as `end_move`, kept from an earlier game if it is."""
    places = len(wm.known)
    if places == 0:
        return end_move(table, ws, wm)
    key0 = np.int64(key_of(table, ws, FIRST))
    key1 = np.int64(key_of(table, ws, SECOND))
    entry = wm.known[key0 & (places - 1)]
    if entry.layouts == 0 or entry.key0 != key0 or entry.key1 != key1:
        c, safety = end_move(table, ws, wm)
        if c < 0:
            return c, safety
        entry.key0 = key0
        entry.key1 = key1
        entry.cell = np.int32(c)
        entry.layouts = np.int32(wm.search[0].layouts)
        entry.safe = np.int32(np.rint(safety * entry.layouts))
    return np.int64(entry.cell), entry.safe / entry.layouts


@compiled
def end_move(table, ws, wm):
    """Return (cell, safety) of the best move, NOWHERE if there may be too many layouts.

    Call `deduce` first.
    """
    layouts = list_layouts(table, ws, wm, np.int64(len(wm.order)))
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
        c, best = known_move(table, ws, wm)
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
