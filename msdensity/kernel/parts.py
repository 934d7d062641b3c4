"""Parts of a component that is too large to count: a few witnesses, nearest first.

A part leaves the other clues out. Every arrangement of the component is one of the part, so a cell
that is certain in the part is certain.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.frontier import build_component
from msdensity.kernel.knowledge import component_at, set_component
from msdensity.kernel.states import build_states

NOTHING = np.int64(0)


@compiled
def build_part(table, ws, w, witnesses, room):
    """Build the part of `witnesses` witnesses around witness w; return its index.

    It has its states, or is marked over if they are more than `room`. Undo with `close_part`.
    """
    sub = build_component(table, ws, w, witnesses)
    build_states(ws, sub, room, NOTHING)
    return sub


@compiled
def fewer(witnesses):
    """Return the number of witnesses to try where a part of this many is too large."""
    return witnesses - max(1, witnesses // 4)


@compiled
def close_part(table, ws, sub, k):
    """Give the cells of part `sub` back to component k and free its memory.

    It was the last that was built.
    """
    game = ws.game[0]
    component = ws.component[sub]
    for i in range(component.witnesses):
        w = np.int64(ws.witness[i].cell)
        set_component(table, ws, w, k)
        for e in range(table.start[w], table.start[w + 1]):
            c = table.neighbours[e]
            if component_at(table, ws, c) == sub:
                set_component(table, ws, c, k)
    game.components -= 1
    game.boxes = component.box
    if not component.over:  # else it did not keep its states
        game.nodes = ws.box[component.box].node
        game.edges = ws.node[game.nodes].edge
