"""The player of the paper's text: it opens the cell with the highest safety (001, sections 4.2, 6).

Ties are resolved in the order of Annex A.1, or at random as in section 4.3.3 (option `ties`).

Safeties within a relative 1e-11 are a tie: far above the rounding of the safeties and far below any
difference between two fractions on boards of these sizes; no certain cell depends on it.
"""

import numpy as np

from msdensity.kernel.clock import tick
from msdensity.kernel.compiler.bits import bits
from msdensity.kernel.compiler.jit import by_board, compiled, entry, small
from msdensity.kernel.knowledge import is_floating, open_cell
from msdensity.kernel.planes import deduction  # noqa: F401  (its versions of functions)
from msdensity.kernel.planes.tiles import CENTRE
from msdensity.kernel.planes.windows import neighbours_at, row_of, window
from msdensity.kernel.play import deduce, game_loop, stake
from msdensity.kernel.rng import below
from msdensity.kernel.safety import best_safety, list_exposed
from msdensity.kernel.state import (
    CHOOSE,
    FLOATING_GUESS,
    GUESS,
    OPEN,
    PLAYER,
    PLAYING,
    open_planes,
)

ORDERED, RANDOM = 0, 1

TIE = 1e-11


@by_board
def opened_neighbours(table, ws, c):
    """Return how many neighbours of cell c are opened."""
    count = 0
    for e in range(table.start[c], table.start[c + 1]):
        if ws.cell[table.neighbours[e]].state == OPEN:
            count += 1
    return count


@opened_neighbours.in_planes
def opened_near(board, ws, c):
    """Return how many neighbours of cell c are opened."""
    near = neighbours_at(board, row_of(board, c), CENTRE)
    return bits(window(board, ws.opened, c) & near)


@compiled
def first_floating(table, ws):
    """Return the floating cell with fewest neighbours, then lowest index."""
    game = ws.game[0]
    while True:  # a cell that no longer floats never floats again, so the place only increases
        c = table.by_degree[game.floating_next]
        if is_floating(table, ws, c):
            return np.int64(c)
        game.floating_next += 1


@compiled
def choose_ordered(table, ws, bound):
    """Return (cell, floats): of the cells at least as safe as `bound`, the first by Annex A.1.

    Fewest neighbours, then most opened neighbours, then lowest index.
    """
    game = ws.game[0]
    best = -1
    best_degree = 1 << 30
    best_opened = 0
    floats = False
    if game.unknown > game.exposed and game.floating_safety >= bound:
        best = first_floating(table, ws)
        best_degree = np.int64(table.start[best + 1] - table.start[best])
        floats = True
    for i in range(game.listed):
        c = np.int64(ws.exposed[i])
        if ws.safety[c] < bound:
            continue
        degree = np.int64(table.start[c + 1] - table.start[c])
        opened = opened_neighbours(table, ws, c)
        better = degree < best_degree
        if degree == best_degree:
            better = opened > best_opened or (opened == best_opened and c < best)
        if better:
            best = c
            best_degree = degree
            best_opened = opened
            floats = False
    return best, floats


@compiled
def choose_random(table, ws, bound):
    """Return (cell, floats): one of the cells at least as safe as `bound`, all equally likely.

    Drawn by index, so that the choice depends only on the position and the stream.
    """
    game = ws.game[0]
    exposed = ws.exposed
    tied = np.int64(0)
    for i in range(game.listed):  # the safest exposed cells by index
        c = exposed[i]
        if ws.safety[c] >= bound:
            j = tied
            while j > 0 and exposed[j - 1] > c:
                exposed[j] = exposed[j - 1]
                j -= 1
            exposed[j] = c
            tied += 1
    floating = game.unknown - game.exposed
    if floating == 0 or game.floating_safety < bound:
        return np.int64(exposed[below(ws.stream[PLAYER], tied)]), False
    pick = below(ws.stream[PLAYER], tied + floating)
    passed = 0
    for c in range(game.cells):
        floats = is_floating(table, ws, c)
        if floats or (passed < tied and exposed[passed] == c):
            if pick == 0:
                return np.int64(c), floats
            pick -= 1
            passed += not floats
    return np.int64(-1), False


@small
def choose(table, ws):
    """Return (cell, floats, safety) of the next guess; call `deduce` first."""
    best = best_safety(ws)
    bound = best - TIE * best
    list_exposed(table, ws, bound)
    if ws.option[0] == RANDOM:
        c, floats = choose_random(table, ws, bound)
    else:
        c, floats = choose_ordered(table, ws, bound)
    tick(ws, CHOOSE)
    return c, floats, best


@compiled
def play_game(table, ws):
    """Play from after the first click to the end."""
    game = ws.game[0]
    while True:
        approximate = game.approximate
        deduce(table, ws)
        if game.status != PLAYING:
            return
        c, floats, best = choose(table, ws)
        game.guesses += 1
        if game.approximate == approximate:
            stake(table, ws, c, best)
        open_cell(table, ws, c, FLOATING_GUESS if floats else GUESS, best)
        if game.status != PLAYING:
            return


loop = game_loop(play_game)
loop_in_planes = game_loop(play_game, open_board=open_planes)


@entry
def play_games(table, ws, memory, first_game, games):
    """Play the games, see `game_loop`."""
    return loop(table, ws, memory, first_game, games)


@entry
def play_games_in_planes(table, ws, memory, first_game, games):
    """Play the same games on a board in planes."""
    return loop_in_planes(table, ws, memory, first_game, games)
