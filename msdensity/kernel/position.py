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
"""The kinds of answers of `analyse_positions`: every answer exact; too large to count exactly; or
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


@compiled
def decide_certain(ws, states, least, most):
    """Turn unknown cells that are certain into CLEAR or MARKED; least, most: of the floating cells.

    `list_safety` has listed the exposed cells and their boxes.
    """
    game = ws.game[0]
    free = game.unknown - game.exposed
    floating = np.uint8(UNKNOWN)
    if most == 0:
        floating = CLEAR
    elif least == free:
        floating = np.uint8(MARKED)
    for c in range(game.cells):
        if ws.cell[c].state == UNKNOWN and not ws.cell[c].flags & EXPOSED:
            states[c] = floating
    for i in range(game.listed):
        box = ws.box[ws.list[i]]
        if box.most == 0:
            states[ws.exposed[i]] = CLEAR
        elif box.least == box.size:
            states[ws.exposed[i]] = np.uint8(MARKED)


@compiled
def analyse_position(table, ws, states, numbers, mines, safety, outcome):
    """Analyse one position: a row of each array of `analyse_positions`; return (kind, where)."""
    game = ws.game[0]
    safety[:] = np.nan
    outcome[:] = -1
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
    marked = mines - game.mines_left
    outcome[2] = marked + low
    outcome[3] = marked + high + game.unknown - game.exposed
    least, most = restrict_components(ws, low, high)
    if game.status == CONTRADICTION:
        return BAD_TOTAL, -1
    outcome[4] = least
    outcome[5] = most
    weigh_safety(ws, low, high)
    if game.status != PLAYING:
        outcome[2:4] = -1
        return APPROXIMATE, -1
    list_safety(table, ws, safety)
    decide_certain(ws, states, least, most)
    return EXACT, -1


@entry
def analyse_positions(table_words, ws_words, states, numbers, mines, safety, outcome):
    """Analyse n positions on one board; fill `safety` and `outcome`, and change `states` in place.

    `states` (n, cells) holds UNKNOWN, OPEN, MARKED or CLEAR for each cell, `numbers` (n, cells) the
    clue of each opened one, `mines` (n,) the totals. Unknown cells that are certain become CLEAR or
    MARKED in `states`. `safety` (n, cells) gets P_S of each unknown cell, NaN elsewhere. `outcome`
    (n, 6) gets the kind (EXACT ...), a cell of the contradiction, the fewest and most mines that
    the clues allow, and the fewest and most in the floating cells; -1 where there is none. If a
    position is too large, it has only its `safety`: the estimates that a player would use for a
    guess. The workspace holds the last position.
    """
    table = open_table(table_words)
    ws = open_workspace(ws_words)
    for i in range(len(states)):
        kind, where = analyse_position(
            table, ws, states[i], numbers[i], mines[i], safety[i], outcome[i]
        )
        outcome[i, 0] = kind
        outcome[i, 1] = where


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
