"""A position from outside: what its clues and its number of mines say about every cell."""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.kernel.deduction import component_of
from msdensity.kernel.knowledge import begin, name_of
from msdensity.kernel.mine_count import restrict_components
from msdensity.kernel.safety import count_components, list_exposed, weigh_safety
from msdensity.kernel.state import (
    CONTRADICTION,
    EXPOSED,
    MARKED,
    OPEN,
    PLAYING,
    UNKNOWN,
    open_table,
    open_workspace,
)
from msdensity.kernel.states import count_component

EXACT, APPROXIMATE, BAD_CLUE, BAD_COMPONENT, BAD_TOTAL = range(5)
"""The results of `analyse_position`: every answer exact; too large to count exactly; or
inconsistent at one clue, in a component, or only with the number of mines."""

CLEAR = np.uint8(3)
"""State of a cell, in this file only: known to be safe, but its number is not known."""


@compiled
def set_position(table, ws, states, numbers, mines):
    """Write a position to the workspace; return the first clue that cannot be met, or -1."""
    begin(table, ws, mines)
    game = ws.game[0]
    bad = -1
    for c in range(game.cells):
        ws.cell[c].state = np.uint8(states[c])
    for c in range(game.cells):
        cell = ws.cell[c]
        if cell.state == MARKED:
            game.mines_left -= 1
            game.unknown -= 1
        if cell.state == CLEAR:
            game.unknown -= 1
        if cell.state != OPEN:
            continue
        game.unknown -= 1
        unknown = 0
        marked = 0
        for e in range(table.start[c], table.start[c + 1]):
            d = table.neighbours[e]
            near = ws.cell[d]
            if near.state == UNKNOWN:
                unknown += 1
                ws.link[d].witnesses ^= name_of(c)
                if not near.flags & EXPOSED:
                    near.flags |= np.uint8(EXPOSED)
                    game.exposed += 1
            elif near.state == MARKED:
                marked += 1
        cell.unknown = np.int16(unknown)
        cell.remaining = np.int16(numbers[c] - marked)
        if bad < 0 and (cell.remaining < 0 or cell.remaining > unknown):
            bad = c
    return bad


@compiled
def list_safety(table, ws, safety):
    """Write the safety of every unknown cell."""
    game = ws.game[0]
    for c in range(game.cells):
        if ws.cell[c].state == UNKNOWN and not ws.cell[c].flags & EXPOSED:
            safety[c] = game.floating_safety
    list_exposed(table, ws, 0.0)
    for i in range(game.listed):
        safety[ws.exposed[i]] = ws.safety[ws.exposed[i]]


@entry
def analyse_position(table_words, ws_words, states, numbers, mines, safety, least_most, floating):
    """Fill `safety`, `least_most` and `floating`; return (result, where).

    `states` holds UNKNOWN, OPEN, MARKED or CLEAR for each cell, `numbers` the clue of each opened
    one. `safety` (cells,) gets P_S. `least_most` (cells, 2) gets the fewest and most mines of the
    cell's box, relative to full: (0, 0) safe, (1, 1) mined, (0, 1) neither. `floating` (4,) gets
    the range of mines that the components can hold, then the range left for the floating cells.
    `where` is a cell of the contradiction, or -1. If the position is too large, only `safety` is
    filled, with the estimates that a player would use for a guess.
    """
    table = open_table(table_words)
    ws = open_workspace(ws_words)
    game = ws.game[0]
    bad = set_position(table, ws, states, numbers, mines)
    if bad >= 0:
        return BAD_CLUE, bad
    for c in range(game.cells):
        cell = ws.cell[c]
        if cell.state == OPEN and cell.unknown > 0 and component_of(ws, c) < 0:
            k = count_component(table, ws, c)
            if not ws.component[k].over and ws.component[k].end < 0:
                return BAD_COMPONENT, c
    exact, low, high = count_components(table, ws)
    if not exact:
        weigh_safety(ws, low, high)
        if game.status == PLAYING:
            list_safety(table, ws, safety)
        return APPROXIMATE, -1
    floating[0] = low
    floating[1] = high
    least, most = restrict_components(ws, low, high)
    if game.status == CONTRADICTION:
        return BAD_TOTAL, -1
    floating[2] = least
    floating[3] = most
    weigh_safety(ws, low, high)
    if game.status != PLAYING:
        return APPROXIMATE, -1
    list_safety(table, ws, safety)
    free = game.unknown - game.exposed
    for c in range(game.cells):
        if ws.cell[c].state == UNKNOWN and not ws.cell[c].flags & EXPOSED:
            least_most[c, 0] = least == free
            least_most[c, 1] = most > 0
    for i in range(game.listed):
        c = ws.exposed[i]
        box = ws.box[ws.list[i]]
        least_most[c, 0] = box.least == box.size
        least_most[c, 1] = box.most > 0
    return EXACT, -1


@compiled
def count_around(table, states, numbers, w):
    """Return (remaining, unknown) of opened cell w: mines still to find, cells to find them in."""
    remaining = numbers[w]
    unknown = 0
    for e in range(table.start[w], table.start[w + 1]):
        state = states[table.neighbours[e]]
        if state == MARKED:
            remaining -= 1
        elif state == UNKNOWN:
            unknown += 1
    return remaining, unknown


@compiled
def decide_around(table, states, w, state):
    """Set all unknown neighbours of w to this state."""
    for e in range(table.start[w], table.start[w + 1]):
        c = table.neighbours[e]
        if states[c] == UNKNOWN:
            states[c] = state


@compiled
def beside(table, c, w):
    """Return whether cell w is a neighbour of cell c."""
    adjacent = False
    for e in range(table.start[c], table.start[c + 1]):
        adjacent |= table.neighbours[e] == w
    return adjacent


@compiled
def decide_pair(table, states, numbers, a, b):
    """Make A\\B mined and B\\A safe if rem_a - rem_b = |A\\B|; return whether it decided any."""
    remaining_a, unknown_a = count_around(table, states, numbers, a)
    remaining_b, unknown_b = count_around(table, states, numbers, b)
    only_a = 0
    for e in range(table.start[a], table.start[a + 1]):
        c = table.neighbours[e]
        only_a += states[c] == UNKNOWN and not beside(table, c, b)
    same = only_a == 0 and unknown_a == unknown_b
    if same or remaining_a - remaining_b != only_a:
        return False
    for e in range(table.start[a], table.start[a + 1]):
        c = table.neighbours[e]
        if states[c] == UNKNOWN and not beside(table, c, b):
            states[c] = MARKED
    for e in range(table.start[b], table.start[b + 1]):
        c = table.neighbours[e]
        if states[c] == UNKNOWN and not beside(table, c, a):
            states[c] = CLEAR
    return True


@entry
def reduce_position(table_words, states, numbers):
    """Turn unknown cells that are certain into MARKED or CLEAR; return a contradiction or -1.

    `states` (cells,) is changed in place. The number of mines on the board is not used. The
    contradiction is an opened cell whose number cannot be met any more.
    """
    table = open_table(table_words)
    cells = len(states)
    changed = True
    while changed:
        changed = False
        for w in range(cells):
            if states[w] != OPEN:
                continue
            remaining, unknown = count_around(table, states, numbers, w)
            if remaining < 0 or remaining > unknown:
                return w
            if unknown > 0 and (remaining == 0 or remaining == unknown):
                decide_around(table, states, w, CLEAR if remaining == 0 else np.uint8(MARKED))
                changed = True
        if changed:
            continue
        for a in range(cells):
            if states[a] != OPEN:
                continue
            for e in range(table.start[a], table.start[a + 1]):
                c = table.neighbours[e]
                for f in range(table.start[c], table.start[c + 1]):
                    b = table.neighbours[f]
                    if states[c] == UNKNOWN and b != a and states[b] == OPEN:
                        changed |= decide_pair(table, states, numbers, a, b)
    return -1
