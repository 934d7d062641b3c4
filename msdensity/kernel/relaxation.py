"""Components too large to count exactly: deductions and estimates from parts of them.

A part takes only a few witnesses, nearest first, and leaves the other clues out. Every
arrangement of the component is one of the part, so a cell that is certain in the part is certain:
the deductions stay sound, and only completeness is lost. The safeties of a part, with every mine
weighted by the odds of the whole board, are an approximation; games that needed one are counted.
In practice, boards in two dimensions never need this.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.counting import weigh_backward, weigh_forward
from msdensity.kernel.frontier import build_component
from msdensity.kernel.knowledge import (
    component_at,
    counts_of,
    is_opened,
    is_unknown,
    list_box,
    mark_mine,
    open_cell,
    set_component,
)
from msdensity.kernel.state import COMPONENT, CONTRADICTION, PART_ROOM, PLAYING
from msdensity.kernel.states import build_states

PART_WITNESSES = np.int64(12)

NOTHING = np.int64(0)


@compiled
def build_part(table, ws, w):
    """Build the part around witness w with its states; return its index. Undo with `close_part`."""
    sub = build_component(table, ws, w, PART_WITNESSES)
    build_states(ws, sub, PART_ROOM, NOTHING)
    return sub


@compiled
def close_part(table, ws, sub, k):
    """Give the cells of part `sub` back to component k and free its memory."""
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


@compiled
def deduce_nearby(table, ws, w, k):
    """Decide the cells of component k that are certain by the clues around witness w."""
    game = ws.game[0]
    sub = build_part(table, ws, w)
    component = ws.component[sub]
    count = 0
    if not component.over:
        if component.end < 0:
            game.status = CONTRADICTION
            return
        for t in range(component.box, component.box_end):
            box = ws.box[t]
            if box.most > 0 and box.least < box.size:
                continue
            for i in range(list_box(table, ws, sub, t)):
                c = ws.members[i]
                ws.list[count] = c if box.most == 0 else -1 - c
                count += 1
    close_part(table, ws, sub, k)
    for i in range(count):
        c = np.int64(ws.list[i])
        if c < 0:
            mark_mine(table, ws, -1 - c, COMPONENT)
        else:
            open_cell(table, ws, c, COMPONENT, 1.0)
            if game.status != PLAYING:
                return


@compiled
def estimate_safety(table, ws, k):
    """List the cells of component k with estimated safeties; return its expected number of mines.

    Each cell gets its safety from the part around its first witness. If even the part is too large,
    its safety is 1 - remaining / unknown of that witness.
    """
    game = ws.game[0]
    begin = game.listed
    for c in range(game.cells):
        if is_unknown(table, ws, c) and component_at(table, ws, c) == k:
            ws.safety[c] = -1.0
            ws.exposed[game.listed] = c
            game.listed += 1
    end = game.listed
    expected = 0.0
    for i in range(begin, end):
        c = ws.exposed[i]
        if ws.safety[c] < 0.0:
            for e in range(table.start[c], table.start[c + 1]):
                w = table.neighbours[e]
                if is_opened(table, ws, w):
                    estimate_around(table, ws, w, k)
                    break
        expected += 1.0 - ws.safety[c]
    return expected


@compiled
def estimate_around(table, ws, w, k):
    """Set the safeties not yet set of the unknown neighbours of witness w."""
    game = ws.game[0]
    height = game.poly
    sub = build_part(table, ws, w)
    component = ws.component[sub]
    weighed = component.over == 0 and component.end >= 0 and weigh_forward(ws, sub)
    if weighed:
        end = ws.node[component.end]
        for j in range(end.terms):
            ws.back[end.poly + j] = 1.0
        weighed = weigh_backward(ws, sub)
    remaining, unknown = counts_of(table, ws, w)
    for t in range(component.box, component.box_end):
        box = ws.box[t]
        if box.witness != w:  # the walk begins at w: its neighbours are in boxes that it reached
            continue
        for i in range(list_box(table, ws, sub, t)):
            c = ws.members[i]
            if ws.safety[c] < 0.0:
                ws.safety[c] = box.safety if weighed else 1.0 - remaining / unknown
    close_part(table, ws, sub, k)
    game.poly = height
