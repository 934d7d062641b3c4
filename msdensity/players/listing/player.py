"""The player of Annex A.1 as it runs: the program behind the published win rates (001).

The listed program differs from the algorithms of the text in eight ways. Each is an option: "on"
(the default) plays as listed, "off" as the text says. With all of them off, every game is that of
the player `weighted` with ties in order. The options, alone or with others:

`no_mine_count` (Inferrer.cs 14-27 has no line for the global constraint of Algorithm 3.1, line 6).
    off: before the next guess, cells are opened and flagged as long as any is certain by all
    constraints together, including the mine count (exact inference, as `weighted`).
`contradiction_ignored` (Inferrer.cs 93 overwrites HasContradiction with every difference, the last
    of which is of a constraint with itself; Guesser.cs 145, 170, 211 and 238 rely on it).
    off: an inference stops when it makes a constraint with a negative number of mines or with more
    mines than variables, or gives a variable two values; its branch is dropped (Definition 29).
`depth_limit` (Guesser.cs 117, 150, 175: at depth 6 each branch is completed once, safe where it
    can be). off: every branch is followed to its end.
    With the last two off the configurations are the proper ones of Definition 30, each once, and
    are found by plain backtracking instead.
`component_weights` (Guesser.cs 265-285 weighs every group alone, over one denominator).
    off: configurations of all groups are combined, as formulas 4.8 to 4.10 say.
`choose_one` (Utility.Choose(n, k), called at Guesser.cs 282, is 1 for k < 0 and k > n).
    off: it is 0 there. If this leaves no configuration with a weight, which is possible with
    `component_weights: on`, all cells have the same score, as without exposed cells.
`floating_unknown` (Guesser.cs 304 subtracts the number of all unknown cells).
    off: the number of exposed cells, |E| of Algorithm 4.1, line 8.
`guess_after_safe` (Solver.cs 34-45: cells of score 1 are opened, and then the best cell too).
    off: there is no guess after a cell of score 1 was opened.
`exact_ties` (Solver.cs 34, 39, 41 compare doubles for equality).
    off: scores within a relative 1e-11 are equal.

Limits: the inference of some contradictory branches never ends. The authors' program gives a game
up after 3 s and deals another board. Here a game is given up after 3e6 pairs of constraints (or
assignments tried by backtracking), or if there is no configuration (the listed program then stops
with an exception), and another board is dealt: `redrawn` counts them. A game is also given up at a
position of more than 1024 exposed cells or an inference of more than 75,431 constraints.
Moves are counted under these names: `certain_single` cells of constraints that are trivial at once,
`certain_pair` other inferred cells, `certain_component` cells of score exactly 1 (not certain at
all with the first four options on), and with `no_mine_count: off` those of `weighted`.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.kernel.field import GIVEN_START
from msdensity.kernel.knowledge import mark_mine, open_cell
from msdensity.kernel.measures import REDRAWN
from msdensity.kernel.play import deduce, game_loop, start_game
from msdensity.kernel.state import (
    COMPONENT,
    EXPOSED,
    FLOATING_GUESS,
    GIVEN_UP,
    GUESS,
    PAIR,
    PLAYING,
    SINGLE,
    UNKNOWN,
)
from msdensity.players.listing.configurations import (
    EXACT_TIES,
    EXTRA_GUESS,
    MINE_COUNT,
    OFF,
    score_cells,
)
from msdensity.players.listing.inference import infer
from msdensity.players.listing.memory import open_memory
from msdensity.players.listing.position import read_position, restore_position
from msdensity.players.weighted import TIE, opened_neighbours

WORK_LIMIT = 3_000_000
"""Pairs of constraints a game may compare; 1e6 to 1e8 give the same win rates."""

MAX_REDRAWS = 10_000
"""Boards in a row that a player may give up before the run stops."""

BELIEVED = 1.0 - 2.0**-53
"""Safety recorded for a cell that the program takes for safe: below 1, because it may be mined."""


@compiled
def cascade(table, ws, c):
    """Open the neighbours of an opened cell if its number is 0, and repeat for them."""
    ws.list[0] = c
    height = 1
    while height > 0:
        height -= 1
        z = np.int64(ws.list[height])
        if ws.cell[z].number != 0:
            continue
        for e in range(table.start[z], table.start[z + 1]):
            d = table.neighbours[e]
            if ws.cell[d].state == UNKNOWN:
                open_cell(table, ws, d, SINGLE, 1.0)
                ws.list[height] = d
                height += 1


@compiled
def open_with_cascade(table, ws, c, reason, safety):
    """Open a cell, and its neighbours while the number is 0."""
    if open_cell(table, ws, c, reason, safety):
        cascade(table, ws, c)


@compiled
def play_solutions(table, ws, wm):
    """Open or flag all solved cells, in the order in which they were solved."""
    counters = wm.counters[0]
    for k in range(counters.solutions):
        if ws.game[0].status != PLAYING:
            return
        c = wm.cell[np.int64(wm.solution[k].variable)]
        if ws.cell[c].state != UNKNOWN:
            continue
        reason = SINGLE if k < counters.trivial else PAIR
        if wm.solution[k].value == 0:
            open_with_cascade(table, ws, c, reason, 1.0)
        else:
            mark_mine(table, ws, c, reason)


@compiled
def guess(table, ws, wm):
    """Open all cells of score 1, then the cell with the best score: Solver.cs 34-45."""
    game = ws.game[0]
    slack = TIE if ws.option[EXACT_TIES] == OFF else 0.0
    listed = 0
    best = -np.inf
    for c in range(game.cells):
        if ws.cell[c].state == UNKNOWN:
            ws.exposed[listed] = c
            listed += 1
            best = max(best, wm.score[c])
    sure = False
    for k in range(listed):
        c = np.int64(ws.exposed[k])
        if abs(wm.score[c] - 1.0) <= slack:
            sure = True
            if game.status == PLAYING and ws.cell[c].state == UNKNOWN:
                open_with_cascade(table, ws, c, COMPONENT, BELIEVED)
    if sure and ws.option[EXTRA_GUESS] == OFF:
        return
    bound = best - slack * abs(best)
    best_cell = np.int64(-1)
    degree = 0
    opened = 0
    for k in range(listed):
        c = np.int64(ws.exposed[k])
        if wm.score[c] < bound:
            continue
        d = np.int64(table.start[c + 1] - table.start[c])
        if best_cell >= 0 and d > degree:
            continue
        o = opened_neighbours(table, ws, c)
        if best_cell < 0 or d < degree or o > opened:
            best_cell = c
            degree = d
            opened = o
    if game.status == PLAYING and ws.cell[best_cell].state == UNKNOWN:
        game.guesses += 1
        floats = not ws.cell[best_cell].flags & EXPOSED
        safety = min(wm.score[best_cell], BELIEVED)
        safe = open_cell(table, ws, best_cell, FLOATING_GUESS if floats else GUESS, safety)
        if safe and ws.option[MINE_COUNT] != OFF:  # else `deduce` opens the cascade
            cascade(table, ws, best_cell)


@compiled
def play_game(table, ws, wm):
    """Play from after the first click; return False if the game is given up."""
    game = ws.game[0]
    counters = wm.counters[0]
    counters.work = 0
    if game.status == PLAYING and ws.option[MINE_COUNT] != OFF:
        cascade(table, ws, np.int64(game.cell))
    while game.status == PLAYING:
        if ws.option[MINE_COUNT] == OFF:
            deduce(table, ws)
            if game.status != PLAYING:
                return True
            if not read_position(table, ws, wm):
                return False
        else:
            if not read_position(table, ws, wm):
                return False
            counters.detect = 0
            if not infer(wm):
                return False
            if counters.solutions > 0:
                play_solutions(table, ws, wm)
                continue
            restore_position(wm)
        if not score_cells(table, ws, wm):
            return False
        guess(table, ws, wm)
    return True


@compiled
def play_boards(table, ws, wm):
    """Play boards of this game until one is not given up; a given position has no other board."""
    wm.counters[0].limit = WORK_LIMIT
    redraws = 0
    while not play_game(table, ws, wm):
        redraws += 1
        if redraws > MAX_REDRAWS or ws.task[0].start_rule == GIVEN_START:
            ws.game[0].status = GIVEN_UP
            return
        start_game(table, ws, ws.game[0].number, redraws)
    ws.sums[REDRAWN] += redraws


loop = game_loop(play_boards, open_memory)


@entry
def play_games(table, ws, memory, first_game, games):
    """Play the games, see `game_loop`."""
    return loop(table, ws, memory, first_game, games)
