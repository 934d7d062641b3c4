"""The value of a move, and the best one."""

import numpy as np

from msdensity.kernel.compiler.jit import compiled
from msdensity.players.perfect.memory import LANES
from msdensity.players.perfect.search import ROOT, set_root, solve
from msdensity.players.perfect.sets import lane_of, numbers_in
from msdensity.players.weighted import opened_neighbours

NOWHERE = np.int64(-1)


@compiled
def value_of_lane(wm, lane, bound, need):
    """Return how many layouts of the first slot best play wins after a cell is opened.

    bound: at most so many; a result below `need` is only a bound. Call `set_root` first.
    """
    slot = wm.slot[ROOT]
    slot.split = np.int32(lane)
    slot.bound = np.int32(bound)
    slot.exact = np.int32(0)
    return solve(wm, need)


@compiled
def safe_layouts(wm, lane):
    """Return in how many of all layouts a cell is safe."""
    layouts = wm.search[0].layouts
    count = np.int64(0)
    for i in range(layouts):
        count += ~(wm.mined[i] >> lane) & 1
    return count


@compiled
def is_dead(wm, lane):
    """Return whether a cell has one number wherever it is safe in the set of the first slot."""
    return lane_of(numbers_in(wm.any[lane // LANES]), lane % LANES) < 2


@compiled
def comes_first(table, ws, a, b):
    """Return whether `weighted` would open cell a before cell b, which is as safe."""
    degree = table.start[a + 1] - table.start[a]
    other = table.start[b + 1] - table.start[b]
    if degree != other:
        return degree < other
    opened = opened_neighbours(table, ws, a)
    other = opened_neighbours(table, ws, b)
    return opened > other or (opened == other and a < b)


@compiled
def best_move(table, ws, wm):
    """Return (cell, layouts in which it is safe) of the best move, after `write_rows`.

    Of the best moves it is the safest, then the one that `weighted` would choose. A dead cell is
    opened only if all cells are dead.
    """
    search = wm.search[0]
    set_root(wm, np.int64(0), search.layouts)
    slot = wm.slot[ROOT]
    dead = slot.bound == 1
    bound = np.int64(slot.bound)
    best = np.int64(0)
    move = NOWHERE
    before = search.layouts + 1
    last = NOWHERE
    sure = np.int64(0)
    while True:
        c, u, safe = next_cell(table, ws, wm, before, last, dead)
        if c < 0 or safe <= best or best >= bound:
            return move, sure
        worth = np.int64(1)
        if not dead:
            worth = value_of_lane(wm, np.int64(wm.lane[u]), min(safe, bound), best + 1)
        if worth > best:
            best = worth
            move = c
            sure = safe
        before = safe
        last = c


@compiled
def next_cell(table, ws, wm, before, last, dead):
    """Return (cell, its index, layouts in which it is safe) of the next cell to be tried, or -1.

    It comes after cell `last`, which is safe in `before` layouts.
    """
    best = NOWHERE
    place = NOWHERE
    most = np.int64(-1)
    for u in range(wm.search[0].unknown):
        lane = np.int64(wm.lane[u])
        if lane < 0 or is_dead(wm, lane) != dead:
            continue
        c = np.int64(wm.cell[u])
        safe = safe_layouts(wm, lane)
        if safe > before or safe < most:
            continue
        if safe == before and last >= 0 and (c == last or comes_first(table, ws, c, last)):
            continue
        if safe > most or comes_first(table, ws, c, best):
            best = c
            place = u
            most = safe
    return best, place, most
