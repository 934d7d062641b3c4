"""The certain cells of a position that single numbers and pairs of numbers show.

The rules of a game in progress (see `deduction`), for a position given from outside, whose safe
cells have no numbers to go on with. Without them the mines of a whole board, none of them marked,
would hang together in one component.
"""

import numpy as np

from msdensity.kernel.jit import entry, part
from msdensity.kernel.position import CLEAR
from msdensity.kernel.state import MARKED, OPEN, UNKNOWN, open_table


@part
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


@part
def decide_around(table, states, w, state):
    """Give all unknown neighbours of w this state."""
    for e in range(table.start[w], table.start[w + 1]):
        c = table.neighbours[e]
        if states[c] == UNKNOWN:
            states[c] = state


@part
def beside(table, c, w):
    """Return whether cell w is a neighbour of cell c."""
    found = False
    for e in range(table.start[c], table.start[c + 1]):
        found |= table.neighbours[e] == w
    return found


@part
def decide_pair(table, states, numbers, a, b):
    """Make A\\B mined and B\\A safe where rem_a - rem_b = |A\\B|; return whether it decided any."""
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

    `states` (cells,) is changed in place. The number of mines on the board is not used. What is
    returned is an opened cell whose number cannot be met any more.
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
