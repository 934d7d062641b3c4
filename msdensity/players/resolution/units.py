"""Unit refutation: a state of a cell is assumed, and single numbers are applied to refute it.

This is Algorithm 3 of 002 with unit clauses alone. What it finds does not depend on the order in
which numbers are looked at: an assumption has one closure, with or without a contradiction.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, small
from msdensity.kernel.state import EXPOSED, OPEN, UNKNOWN

OFF, ON = 0, 1

NOTHING = np.int64(0)

BOTH = 3
"""Arrangements show a cell free and mined."""

TRIES = 50
"""Contradictions at which the search for an arrangement ends."""

FEW = np.int64(24)
"""Most unknown cells at which the mines left are used (option `mine_count`)."""


@compiled
def knows_total(ws):
    """Return whether the mines left are one more number, over all unknown cells."""
    return ws.option[7] == ON and ws.game[0].unknown <= FEW


@compiled
def forget_decided(wm):
    """Forget the cells that the last search decided."""
    counters = wm.counters[0]
    for i in range(counters.decided):
        wm.verdict[wm.decided[i]] = np.int8(-1)
    counters.decided = 0


@compiled
def decide(wm, c, mined):
    """Write that cell c was found to be mined, or to be free."""
    counters = wm.counters[0]
    if wm.verdict[c] < 0:
        wm.verdict[c] = np.int8(mined)
        wm.decided[counters.decided] = np.int32(c)
        counters.decided += 1


@compiled
def assume(table, ws, wm, c, mined):
    """Assume a state of an unknown cell; return whether some number cannot be met any more.

    All counters are updated before one is looked at: `take_back` undoes whole assumptions.
    """
    counters = wm.counters[0]
    wm.trail[counters.trail] = np.int32(c)
    counters.trail += 1
    wm.assumed[c] = np.uint8(1 + mined)
    counters.mines -= mined
    counters.covered -= 1
    wrong = counters.total & ((counters.mines < 0) | (counters.mines > counters.covered))
    for e in range(table.start[c], table.start[c + 1]):
        d = table.neighbours[e]
        around = wm.around[d]
        around.need -= np.int16(mined)
        around.left -= np.int16(1)
        wrong |= around.opened & ((around.need < 0) | (around.need > around.left))
    return wrong != 0


@compiled
def take_back(table, wm, length):
    """Undo all assumptions but the first `length`."""
    counters = wm.counters[0]
    while counters.trail > length:
        counters.trail -= 1
        c = np.int64(wm.trail[counters.trail])
        mined = np.int64(wm.assumed[c]) - 1
        wm.assumed[c] = np.uint8(0)
        counters.mines += mined
        counters.covered += 1
        for e in range(table.start[c], table.start[c + 1]):
            around = wm.around[table.neighbours[e]]
            around.need += np.int16(mined)
            around.left += np.int16(1)


@small
def speaks(mines, cells):
    """Return whether so many mines among so many cells say what each of them is."""
    return cells > 0 and (mines == 0 or mines == cells)  # noqa: PLR1714


@compiled
def force_around(table, ws, wm, w):
    """Assume what opened cell w alone says of its unknown cells; return whether it is wrong."""
    mined = np.int64(wm.around[w].need > 0)
    for e in range(table.start[w], table.start[w + 1]):
        c = np.int64(table.neighbours[e])
        fresh = ws.cell[c].state == UNKNOWN and wm.assumed[c] == 0
        if fresh and assume(table, ws, wm, c, mined):
            return True
    return False


@compiled
def force_all(table, ws, wm):
    """Assume what the mines left alone say of all unknown cells; return whether it is wrong."""
    mined = np.int64(wm.counters[0].mines > 0)
    for c in range(ws.game[0].cells):
        fresh = ws.cell[c].state == UNKNOWN and wm.assumed[c] == 0
        if fresh and assume(table, ws, wm, np.int64(c), mined):
            return True
    return False


@compiled
def is_contradicted(table, ws, wm, c, mined):
    """Return whether single numbers refute this state of cell c; nothing is taken back."""
    counters = wm.counters[0]
    head = counters.trail
    if assume(table, ws, wm, c, mined):
        return True
    while head < counters.trail:
        x = wm.trail[head]
        head += 1
        for e in range(table.start[x], table.start[x + 1]):
            w = np.int64(table.neighbours[e])
            around = wm.around[w]
            forced = around.opened and speaks(around.need, around.left)
            if forced and force_around(table, ws, wm, w):
                return True
        forced = head == counters.trail and counters.total
        if forced and speaks(counters.mines, counters.covered) and force_all(table, ws, wm):
            return True
    return False


@compiled
def read_counters(ws, wm):
    """Copy what each number misses, and the mines left, so that the position stays as it is."""
    counters = wm.counters[0]
    counters.trail = 0
    counters.total = np.int64(knows_total(ws))
    counters.mines = ws.game[0].mines_left
    counters.covered = ws.game[0].unknown
    for c in range(ws.game[0].cells):
        cell = ws.cell[c]
        around = wm.around[c]
        around.need = cell.remaining
        around.left = cell.unknown
        around.opened = np.int16(cell.state == OPEN)
        wm.possible[c] = np.uint8(0)


@compiled
def refute_units(table, ws, wm):
    """Decide each cell one of whose states single numbers refute; the position stays as it is.

    A state that follows from one that is not refuted is not refuted either.
    """
    read_counters(ws, wm)
    for c in range(ws.game[0].cells):
        cell = ws.cell[c]
        if cell.state == UNKNOWN and (cell.flags & EXPOSED or wm.counters[0].total):
            for mined in range(2):
                if wm.possible[c] & np.uint8(1 + mined) == 0:
                    wrong = is_contradicted(table, ws, wm, np.int64(c), np.int64(mined))
                    for i in range(0 if wrong else wm.counters[0].trail):
                        wm.possible[wm.trail[i]] |= wm.assumed[wm.trail[i]]
                    take_back(table, wm, NOTHING)
                    if wrong:
                        decide(wm, np.int64(c), 1 - mined)
                        break


@compiled
def next_cell(table, ws, wm):
    """Return a cell beside the assumed ones in whose numbers it is open, or -1 if there is none."""
    i = wm.counters[0].trail - 1
    while i >= 0:
        x = wm.trail[i]
        for e in range(table.start[x], table.start[x + 1]):
            w = table.neighbours[e]
            if wm.around[w].opened and wm.around[w].left > 0:
                for f in range(table.start[w], table.start[w + 1]):
                    c = np.int64(table.neighbours[f])
                    if ws.cell[c].state == UNKNOWN and wm.assumed[c] == 0:
                        return c
        i -= 1
    return np.int64(-1)


@compiled
def find_arrangement(table, ws, wm, c, mined):
    """Assume an arrangement of mines around cell c in this state that meets all its numbers.

    Return False if there is none, or if none was found after TRIES contradictions. The mines left
    are not used.
    """
    counters = wm.counters[0]
    if is_contradicted(table, ws, wm, c, mined):
        return False
    choices = 0
    tries = 0
    while True:
        c = next_cell(table, ws, wm)
        if c < 0:
            return True
        # A state that no arrangement has shown yet comes first.
        mined = np.int64(wm.shown[c] == 1)
        wm.choice[choices] = np.int32(counters.trail)
        wm.again[choices] = np.uint8(0)
        choices += 1
        while is_contradicted(table, ws, wm, c, mined):
            tries += 1
            while choices > 0 and wm.again[choices - 1]:
                choices -= 1
            if choices == 0 or tries == TRIES:
                return False
            length = np.int64(wm.choice[choices - 1])
            c = np.int64(wm.trail[length])
            mined = 2 - np.int64(wm.assumed[c])
            take_back(table, wm, length)
            wm.again[choices - 1] = np.uint8(1)


@compiled
def show_arrangements(table, ws, wm):
    """Look for arrangements that show each exposed cell free and mined; return whether one lacks.

    A cell that is shown both ways is not certain, so that no clause can decide it.
    """
    read_counters(ws, wm)
    counters = wm.counters[0]
    counters.total = 0
    lacking = False
    for c in range(ws.game[0].cells):
        wm.shown[c] = np.uint8(0)
    for c in range(ws.game[0].cells):
        if ws.cell[c].state == UNKNOWN and ws.cell[c].flags & EXPOSED:
            for mined in range(2):
                if wm.shown[c] & np.uint8(1 + mined) == 0:
                    if find_arrangement(table, ws, wm, np.int64(c), np.int64(mined)):
                        for i in range(counters.trail):
                            wm.shown[wm.trail[i]] |= wm.assumed[wm.trail[i]]
                    else:
                        lacking = True
                    take_back(table, wm, NOTHING)
    return lacking
