"""All layouts of a position, if they are few: from the states of its components, without dead ends.

The boxes of all components are decided one after another, each along an edge of its state; what is
left is mined among the floating cells. Every choice of cells in the boxes is a layout.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.knowledge import is_floating, is_unknown, list_box
from msdensity.players.perfect.sets import ONE

FLOATING = np.int64(-1)

MORE = np.int64(-1)

STEPS = np.int64(100)
"""States that may be visited for each layout that is wanted."""


@compiled
def add_cell(wm, u, c):
    """Write which cell the next unknown cell is."""
    wm.cell[u] = np.int32(c)
    wm.index[c] = np.int32(u)


@compiled
def list_cells(table, ws, wm):
    """List the unknown cells box by box, and their neighbours; return the boxes, MORE if too many.

    Call `deduce` or `count_components` first.
    """
    game = ws.game[0]
    search = wm.search[0]
    if game.unknown > len(wm.cell):
        return MORE
    search.unknown = game.unknown
    search.masks = (game.unknown + 63) // 64
    u = np.int64(0)
    boxes = np.int64(0)
    for i in range(game.live):
        k = np.int64(ws.live[i])
        component = ws.component[k]
        if component.over:
            return MORE
        for t in range(component.box, component.box_end):
            box = wm.box[boxes]
            box.begin = np.int32(u)
            for j in range(list_box(table, ws, k, np.int64(t))):
                add_cell(wm, u, ws.members[j])
                u += 1
            box.end = np.int32(u)
            box.box = np.int32(t)
            box.last = np.int32(t == component.box_end - 1)
            boxes += 1
    if u < game.unknown:
        box = wm.box[boxes]
        box.begin = np.int32(u)
        for c in range(game.cells):
            if is_floating(table, ws, c):
                add_cell(wm, u, c)
                u += 1
        box.end = np.int32(u)
        box.box = np.int32(FLOATING)
        box.last = np.int32(1)
        boxes += 1
    least = np.int64(0)
    most = np.int64(0)
    for t in range(boxes - 1, -1, -1):
        box = wm.box[t]
        if box.box == FLOATING:
            most += box.end - box.begin
        else:
            least += ws.box[box.box].least
            most += ws.box[box.box].most
        box.least = np.int32(least)
        box.most = np.int32(most)
    list_near(table, ws, wm)
    return boxes


@compiled
def list_near(table, ws, wm):
    """Write the unknown neighbours of all unknown cells."""
    search = wm.search[0]
    for u in range(search.unknown):
        for j in range(search.masks):
            wm.near[u * search.masks + j] = 0
        c = wm.cell[u]
        for e in range(table.start[c], table.start[c + 1]):
            d = np.int64(table.neighbours[e])
            if is_unknown(table, ws, d):
                v = np.int64(wm.index[d])
                wm.near[u * search.masks + v // 64] |= ONE << (v % 64)


@compiled
def enter_box(ws, wm, t, node, placed):
    """Begin to decide a box: no number of mines has been tried yet."""
    box = wm.box[t]
    box.placed = np.int32(placed)
    box.node = np.int32(node)
    if box.box == FLOATING:
        box.mines = np.int32(ws.game[0].mines_left - placed - 1)
    else:
        if node < 0:
            box.node = ws.box[box.box].node
        box.mines = np.int32(ws.node[box.node].least - 1)


@compiled
def list_layouts(table, ws, wm, most):
    """List the layouts of a position if they are at most `most`; return how many, or MORE."""
    search = wm.search[0]
    search.layouts = 0
    boxes = list_cells(table, ws, wm)
    if boxes <= 0:
        return MORE
    total = ws.game[0].mines_left
    steps = np.int64(0)
    t = np.int64(0)
    enter_box(ws, wm, t, np.int64(-1), np.int64(0))
    while t >= 0:
        box = wm.box[t]
        box.mines += np.int32(1)
        node = np.int64(-1)
        placed = np.int64(box.placed + box.mines)
        if box.box == FLOATING:
            if placed > total:
                t -= 1
                continue
        else:
            state = ws.node[box.node]
            if box.mines >= state.least + state.edges:
                t -= 1
                continue
            node = np.int64(ws.edge[state.edge + box.mines - state.least])
            if not ws.node[node].live:
                continue
        steps += 1
        if steps > STEPS * most:
            return MORE
        if t == boxes - 1:
            if placed == total and not list_choices(wm, boxes, most):
                return MORE
            continue
        following = wm.box[t + 1]
        if placed + following.least <= total <= placed + following.most:
            t += 1
            enter_box(ws, wm, t, np.int64(-1) if box.last else node, placed)
    return search.layouts


@compiled
def list_choices(wm, boxes, most):
    """Add all layouts with so many mines in each box; return False if they would be too many."""
    for t in range(boxes):
        box = wm.box[t]
        for j in range(box.mines):
            wm.chosen[box.begin + j] = np.int32(j)
    while True:
        if wm.search[0].layouts >= most:
            return False
        add_layout(wm, boxes)
        t = boxes - 1
        while t >= 0 and not choose_next(wm, t):
            t -= 1
        if t < 0:
            return True


@compiled
def add_layout(wm, boxes):
    """Write the layout with the chosen cells of all boxes."""
    search = wm.search[0]
    first = search.layouts * search.masks
    for j in range(search.masks):
        wm.layout[first + j] = 0
    for t in range(boxes):
        box = wm.box[t]
        for j in range(box.mines):
            u = np.int64(box.begin + wm.chosen[box.begin + j])
            wm.layout[first + u // 64] |= ONE << (u % 64)
    search.layouts += 1


@compiled
def choose_next(wm, t):
    """Go to the next choice of the cells of a box; return False, at the first choice, if none."""
    box = wm.box[t]
    begin = np.int64(box.begin)
    size = np.int64(box.end - box.begin)
    mines = np.int64(box.mines)
    i = mines - 1
    while i >= 0 and wm.chosen[begin + i] == size - mines + i:
        i -= 1
    if i < 0:
        for j in range(mines):
            wm.chosen[begin + j] = np.int32(j)
        return False
    wm.chosen[begin + i] += np.int32(1)
    for j in range(i + 1, mines):
        wm.chosen[begin + j] = np.int32(wm.chosen[begin + j - 1] + 1)
    return True
