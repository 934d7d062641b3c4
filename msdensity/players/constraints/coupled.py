"""Minesweeper as a constraint satisfaction problem (000, chapter 6; Studholme 2000).

Both players apply the single-point rules, reduce constraints by subsets, and find all solutions of
the remaining constraints by backtracking (`reduce`, `search`); cells that are free, or mined, in
all solutions are certain. They differ in how they guess.

`coupled_subsets` (section 6.2; also the CSP player of 004, section 2.3, which is Studholme's
    program). The safety of a cell is the share of the solutions of its subset in which it is free,
    with equal weight for every solution: the weights C(|F|, .) of the mines left over are ignored.
    Solutions that need more or fewer mines than are left, whatever the other subsets hold, are
    dropped first (as in Studholme's program; the text does not say). A crap-shoot is guessed at
    once. It is a subset whose solutions all have the same number of mines and whose cells have no
    unknown neighbour outside it, so that nothing learned elsewhere helps. Otherwise the best cell
    is opened if it is safer than an unconstrained one, whose chance of a mine is (mines left - mean
    mines of the solutions) / unconstrained cells, at least 0.01 (Studholme's program). Otherwise an
    unconstrained corner is opened, else an edge, else the inner cell with most constrained
    neighbours, at random among equals. If no mine can be left for the unconstrained cells, all are
    opened.
`connected_components` (section 6.3). The number of mines is not used; the guess is that of section
    5.3.2 (a random corner, else edge, else an inner cell that is constrained, else any inner one).

Of equally safe constrained cells, the one with the lowest index is opened.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.kernel.deduction import apply_singles
from msdensity.kernel.knowledge import mark_mine, open_cell
from msdensity.kernel.play import game_loop
from msdensity.kernel.rng import below
from msdensity.kernel.state import (
    COMPONENT,
    EXPOSED,
    FLOATING_GUESS,
    GLOBAL,
    GUESS,
    PLAYER,
    PLAYING,
    UNKNOWN,
)
from msdensity.players.constraints.memory import WORK_LIMIT, open_memory
from msdensity.players.constraints.reduce import apply_reduction
from msdensity.players.constraints.search import keep_solutions, solve_position, weigh_beliefs
from msdensity.players.single_point import place_class, placed_cell
from msdensity.players.weighted import TIE

MIN_SHARE = 0.01

BELIEVED = 1.0 - 2.0**-53
"""Highest safety recorded for a guess: an estimate of 1 may be wrong."""

ALL = np.int64(1 << 30)


@compiled
def simplify(table, ws, wm, largest):
    """Decide cells by single and by reduced constraints, then find the solutions of the rest."""
    game = ws.game[0]
    while game.status == PLAYING:
        apply_singles(table, ws)
        if game.status != PLAYING:
            return
        if not apply_reduction(table, ws, wm):
            solve_position(table, ws, wm, largest, WORK_LIMIT)
            return


@compiled
def apply_certain(table, ws, wm, s):
    """Open or mark the cells that are the same in all solutions of a subset; return if any are."""
    subset = wm.subset[s]
    decided = False
    if subset.known == 0:
        return False
    for i in range(subset.first, subset.first + subset.size):
        c = np.int64(wm.member[i])
        if wm.belief[c] == 1.0:
            decided = True
            open_cell(table, ws, c, COMPONENT, 1.0)
            if ws.game[0].status != PLAYING:
                return True
        elif wm.belief[c] == 0.0:
            decided = True
            mark_mine(table, ws, c, COMPONENT)
    return decided


@compiled
def name_members(wm):
    """Write into `variable` of every constrained cell the index of its subset."""
    for s in range(wm.counters[0].subsets):
        subset = wm.subset[s]
        for i in range(subset.first, subset.first + subset.size):
            wm.variable[wm.member[i]] = s


@compiled
def is_closed(table, ws, wm, s):
    """Return whether no cell of the subset has an unknown neighbour outside it."""
    subset = wm.subset[s]
    for i in range(subset.first, subset.first + subset.size):
        c = np.int64(wm.member[i])
        for e in range(table.start[c], table.start[c + 1]):
            d = table.neighbours[e]
            outside = not ws.cell[d].flags & EXPOSED or wm.variable[d] != s
            if ws.cell[d].state == UNKNOWN and outside:
                return False
    return True


@compiled
def best_member(wm, first, last):
    """Return the member first .. last - 1 with the highest belief, of equals the lowest index."""
    best = np.int64(-1)
    for i in range(first, last):
        c = np.int64(wm.member[i])
        better = best < 0 or wm.belief[c] > wm.belief[best] * (1.0 + TIE)
        if better or (c < best and wm.belief[c] >= wm.belief[best] * (1.0 - TIE)):
            best = c
    return best


@compiled
def overlap(table, ws, c):
    """Return how many neighbours of a cell are constrained unknown cells."""
    count = 0
    for e in range(table.start[c], table.start[c + 1]):
        near = ws.cell[table.neighbours[e]]
        count += near.state == UNKNOWN and near.flags & EXPOSED > 0
    return count


@compiled
def unconstrained_rank(table, ws, c):
    """Return the rank of an unconstrained cell, lowest first: corner, edge, inner by overlap."""
    place = place_class(table, c)
    if place < 2:
        return place
    return 2 + (table.start[c + 1] - table.start[c]) - overlap(table, ws, c)


@compiled
def unconstrained_cell(table, ws):
    """Return a random one of the unconstrained cells of the lowest rank."""
    best = 1 << 30
    tied = 0
    for c in range(ws.game[0].cells):
        if ws.cell[c].state == UNKNOWN and not ws.cell[c].flags & EXPOSED:
            rank = unconstrained_rank(table, ws, c)
            if rank < best:
                best = rank
                tied = 0
            tied += rank == best
    pick = below(ws.stream[PLAYER], tied)
    for c in range(ws.game[0].cells):
        free = ws.cell[c].state == UNKNOWN and not ws.cell[c].flags & EXPOSED
        if free and unconstrained_rank(table, ws, c) == best:
            if pick == 0:
                return np.int64(c)
            pick -= 1
    return np.int64(-1)


@compiled
def guess_cell(table, ws, c, belief):
    """Open a cell as a guess with this belief as its safety."""
    game = ws.game[0]
    game.guesses += 1
    reason = GUESS if ws.cell[c].flags & EXPOSED else FLOATING_GUESS
    open_cell(table, ws, c, reason, min(belief, BELIEVED))


@compiled
def open_unconstrained(table, ws):
    """Open all unconstrained cells, because no mine is left for them."""
    count = 0
    for c in range(ws.game[0].cells):
        if ws.cell[c].state == UNKNOWN and not ws.cell[c].flags & EXPOSED:
            ws.list[count] = c
            count += 1
    for i in range(count):
        open_cell(table, ws, ws.list[i], GLOBAL, 1.0)
        if ws.game[0].status != PLAYING:
            return


@compiled
def restrict_to_mines(ws, wm):
    """Drop solutions that the mines left exclude; return (fewest mines, whether all are known).

    The fewest mines are those of all subsets together.
    """
    game = ws.game[0]
    far = game.unknown - game.exposed
    low = np.int64(0)
    high = np.int64(0)
    known = True
    for s in range(wm.counters[0].subsets):
        known &= wm.subset[s].known == 1
        low += np.int64(wm.subset[s].low)
        high += np.int64(wm.subset[s].high)
    if not known:
        return np.int64(0), False
    for s in range(wm.counters[0].subsets):
        subset = wm.subset[s]
        low -= np.int64(subset.low)
        high -= np.int64(subset.high)
        keep_solutions(wm, s, game.mines_left - high - far, game.mines_left - low)
        low += np.int64(subset.low)
        high += np.int64(subset.high)
    return low, True


@compiled
def play_coupled(table, ws, wm):
    """Play from after the first click to the end (000, section 6.2)."""
    game = ws.game[0]
    while True:
        simplify(table, ws, wm, ALL)
        if game.status != PLAYING:
            return
        low, known = restrict_to_mines(ws, wm)
        far = game.unknown - game.exposed
        expected = 0.0
        for s in range(wm.counters[0].subsets):
            expected += weigh_beliefs(table, ws, wm, s)
        decided = False
        for s in range(wm.counters[0].subsets):
            decided |= apply_certain(table, ws, wm, s)
            if game.status != PLAYING:
                return
        if known and far > 0 and low >= game.mines_left and not decided:
            open_unconstrained(table, ws)
            decided = True
        if decided:
            continue
        name_members(wm)
        shot = False
        for s in range(wm.counters[0].subsets):
            subset = wm.subset[s]
            if subset.known == 1 and subset.low == subset.high and is_closed(table, ws, wm, s):
                c = best_member(wm, subset.first, subset.first + subset.size)
                guess_cell(table, ws, c, wm.belief[c])
                shot = True
                if game.status != PLAYING:
                    return
        if shot:
            continue
        best = best_member(wm, 0, wm.counters[0].members)
        share = 1.0
        if far > 0:
            share = max((game.mines_left - expected) / far, MIN_SHARE)
        if best >= 0 and (far == 0 or wm.belief[best] * (1.0 - TIE) > 1.0 - share):
            guess_cell(table, ws, best, wm.belief[best])
        else:
            guess_cell(table, ws, unconstrained_cell(table, ws), 1.0 - share)


@compiled
def play_connected(table, ws, wm):
    """Play from after the first click to the end (000, section 6.3)."""
    game = ws.game[0]
    while True:
        simplify(table, ws, wm, ALL)
        if game.status != PLAYING:
            return
        decided = False
        for s in range(wm.counters[0].subsets):
            weigh_beliefs(table, ws, wm, s)
        for s in range(wm.counters[0].subsets):
            decided |= apply_certain(table, ws, wm, s)
            if game.status != PLAYING:
                return
        if not decided:
            guess_cell(table, ws, placed_cell(table, ws), 1.0 - game.mines_left / game.unknown)


coupled_loop = game_loop(play_coupled, open_memory)
connected_loop = game_loop(play_connected, open_memory)


@entry
def play_coupled_subsets(table, ws, memory, first_game, games):
    """Play the games, see `game_loop`."""
    return coupled_loop(table, ws, memory, first_game, games)


@entry
def play_connected_components(table, ws, memory, first_game, games):
    """Play the games, see `game_loop`."""
    return connected_loop(table, ws, memory, first_game, games)
