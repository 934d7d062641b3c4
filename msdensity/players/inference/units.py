"""Unit refutation to the end, component by component (see `resolution.units`).

A cell's state is refuted by the numbers of its component alone. After a change only the components
of the changed numbers are looked at again, so that a large board costs little more than its cells.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.deduction import apply_singles
from msdensity.kernel.knowledge import mark_mine, open_cell
from msdensity.kernel.state import COMPONENT, IN_PAIR, OPEN, PLAYING, UNKNOWN
from msdensity.players.resolution.units import NOTHING, is_contradicted, take_back

NO, YES, LOOKED_AT = map(np.uint8, range(3))
"""Whether a number waits: not at all, or on the stack, where its component may be done by now."""


@compiled
def forget_numbers(wm):
    """Forget the numbers of the game before."""
    counters = wm.counters[0]
    counters.trail = 0
    counters.total = 0
    counters.waiting = 0
    for c in range(len(wm.around)):
        around = wm.around[c]
        around.need = np.int16(0)
        around.left = np.int16(0)
        around.opened = np.int16(0)
        wm.waits[c] = NO


@compiled
def read_numbers(ws, wm):
    """Copy the numbers that changed since the last call; their components wait.

    Those are what the single-cell rule queues for the pair rule. A number without an unknown cell
    is not copied: no assumption ever changes it.
    """
    game = ws.game[0]
    counters = wm.counters[0]
    while game.pairs > 0:
        game.pairs -= 1
        w = ws.pairs[game.pairs]
        cell = ws.cell[w]
        cell.flags &= np.uint8(255 - IN_PAIR)
        around = wm.around[w]
        around.need = cell.remaining
        around.left = cell.unknown
        around.opened = np.int16(cell.state == OPEN)
        if wm.waits[w] == NO:
            wm.waiting[counters.waiting] = w
            counters.waiting += 1
        wm.waits[w] = YES


@compiled
def walk_component(table, ws, wm, seed):
    """List the numbers and the unknown cells of the component of a number; return (numbers, cells).

    They are in `number` and `cell`, nearest first.
    """
    counters = wm.counters[0]
    counters.walk += 1
    name = counters.walk
    wm.walk[seed] = name
    wm.number[0] = seed
    numbers = 1
    cells = 0
    head = 0
    while head < numbers:
        w = wm.number[head]
        head += 1
        for e in range(table.start[w], table.start[w + 1]):
            c = table.neighbours[e]
            if ws.cell[c].state != UNKNOWN or wm.walk[c] == name:
                continue
            wm.walk[c] = name
            wm.cell[cells] = c
            wm.possible[c] = np.uint8(0)
            cells += 1
            for f in range(table.start[c], table.start[c + 1]):
                d = table.neighbours[f]
                if ws.cell[d].state == OPEN and wm.walk[d] != name:
                    wm.walk[d] = name
                    wm.number[numbers] = d
                    numbers += 1
    return numbers, cells


@compiled
def refute_cell(table, ws, wm, c):
    """Decide cell c if single numbers refute one of its states; return whether they do."""
    for mined in range(2):
        if wm.possible[c] & np.uint8(1 + mined) == 0:
            wrong = is_contradicted(table, ws, wm, c, np.int64(mined))
            for i in range(0 if wrong else wm.counters[0].trail):
                wm.possible[wm.trail[i]] |= wm.assumed[wm.trail[i]]
            take_back(table, wm, NOTHING)
            if wrong:
                if mined:
                    open_cell(table, ws, c, COMPONENT, 1.0)
                else:
                    mark_mine(table, ws, c, COMPONENT)
                return True
    return False


@compiled
def refute_component(table, ws, wm, seed):
    """Decide a cell in the component of a number; return whether there was one to decide.

    If there is none, none of its numbers waits any more.
    """
    numbers, cells = walk_component(table, ws, wm, seed)
    for i in range(cells):
        if refute_cell(table, ws, wm, np.int64(wm.cell[i])):
            return True
    for i in range(numbers):
        if wm.waits[wm.number[i]] == YES:
            wm.waits[wm.number[i]] = LOOKED_AT
    return False


@compiled
def deduce_by_units(table, ws, wm):
    """Decide cells until single numbers and unit refutation decide no more."""
    game = ws.game[0]
    counters = wm.counters[0]
    forget_numbers(wm)
    while game.status == PLAYING:
        apply_singles(table, ws)
        if game.status != PLAYING:
            return
        read_numbers(ws, wm)
        if counters.waiting == 0:
            return
        w = np.int64(wm.waiting[counters.waiting - 1])
        done = wm.waits[w] == LOOKED_AT or ws.cell[w].unknown == 0
        if done or not refute_component(table, ws, wm, w):
            counters.waiting -= 1
            wm.waits[w] = NO
