"""Group exposed cells into boxes and boxes into components; choose the elimination order.

Cells with the same witnesses are interchangeable and form a box; boxes connected through
witnesses form a component. All other unknown cells are floating.
"""

import numpy as np

from msdensity.kernel.clock import ONE, tally
from msdensity.kernel.compiler.jit import by_board, compiled
from msdensity.kernel.knowledge import drop_component
from msdensity.kernel.state import BOXES, COMPONENTS, OPEN, UNKNOWN, WITNESSES

WHOLE = np.int64(0)
"""No limit on the witnesses of a component."""


@compiled
def same_witnesses(table, ws, a, b):
    """Return whether two unknown cells have the same opened neighbours, cell by cell."""
    neighbours = table.neighbours
    e = table.start[a]
    f = table.start[b]
    e_end = table.start[a + 1]
    f_end = table.start[b + 1]
    while True:
        while e < e_end and ws.cell[neighbours[e]].state != OPEN:
            e += 1
        while f < f_end and ws.cell[neighbours[f]].state != OPEN:
            f += 1
        if e == e_end or f == f_end:
            return e == e_end and f == f_end
        if neighbours[e] != neighbours[f]:
            return False
        e += 1
        f += 1


@compiled
def add_witness(ws, count, w, remaining, unknown):
    """Write witness `count` of the component being built: cell w, its mines and cells to find."""
    witness = ws.witness[count]
    witness.cell = np.int32(w)
    witness.remaining = np.int32(remaining)
    witness.left = np.int32(unknown)
    witness.boxes_left = np.int32(0)
    witness.shift = np.int32(-1)
    witness.opened = np.int32(0)


@compiled
def link_witness(ws, count, w, stamp, k):
    """Give witness cell w the next local index of component k, which is being built."""
    link = ws.link[w]
    link.stamp = stamp
    link.local = np.int32(count)
    link.component = k
    add_witness(ws, count, w, ws.cell[w].remaining, ws.cell[w].unknown)


@by_board
def build_component(table, ws, seed, limit):
    """Build the component around witness `seed`; return its index.

    Walks from witness to unknown cell to witness. Its boxes are written to the arena in
    elimination order; the lists of witnesses of each box stay valid until the next build. With a
    `limit` other than WHOLE at most `limit` witnesses are taken, nearest first, and the part is not
    added to the list of live components (see `parts`).
    """
    game = ws.game[0]
    neighbours = table.neighbours
    game.stamp += 1
    stamp = np.int32(game.stamp)
    k = game.components
    game.components += 1
    witnesses = np.int64(1)  # here and below: Numba gives each plain number a separate type
    boxes = np.int64(0)
    pairs = np.int64(0)
    link_witness(ws, np.int64(0), seed, stamp, np.int32(k))
    head = 0
    while head < witnesses:
        w = ws.witness[head].cell
        head += 1
        boxes_before = boxes
        for e in range(table.start[w], table.start[w + 1]):
            c = neighbours[e]
            link = ws.link[c]
            if ws.cell[c].state != UNKNOWN or link.stamp == stamp:
                continue
            link.stamp = stamp
            if limit == WHOLE:
                drop_component(ws, np.int64(link.component))
            link.component = np.int32(k)
            # cells that share all their witnesses are first reached through the same one
            t = boxes_before
            while t < boxes:
                box = ws.draft[t]
                if ws.link[box.cell].witnesses == link.witnesses and same_witnesses(
                    table, ws, box.cell, c
                ):
                    break
                t += 1
            link.box = np.int32(t)
            if t < boxes:
                ws.draft[t].size += np.int32(1)
                continue
            boxes += 1
            draft_box(ws, t, c, w, pairs)
            for f in range(table.start[c], table.start[c + 1]):
                d = neighbours[f]
                if ws.cell[d].state == OPEN:
                    if ws.link[d].stamp != stamp:
                        if limit != WHOLE and witnesses == limit:
                            continue
                        link_witness(ws, witnesses, d, stamp, np.int32(k))
                        witnesses += 1
                    local = ws.link[d].local
                    ws.box_witness[pairs] = local
                    ws.witness[local].boxes_left += np.int32(1)
                    pairs += 1
            ws.draft[t].witnesses = np.int32(pairs - ws.draft[t].first)
    finish_component(ws, k, witnesses, boxes, limit)
    return k


@compiled
def draft_box(ws, t, c, w, pairs):
    """Begin box t with cell c, reached through witness w; its witnesses follow from `pairs` on."""
    box = ws.draft[t]
    box.cell = np.int32(c)
    box.witness = np.int32(w)
    box.name = np.int32(t)
    box.size = np.int32(1)
    box.first = np.int32(pairs)


@compiled
def finish_component(ws, k, witnesses, boxes, limit):
    """Write component k, whose witnesses and boxes are drafted, and order its boxes."""
    game = ws.game[0]
    component = ws.component[k]
    component.alive = np.int32(limit == WHOLE)
    component.seed = ws.witness[0].cell
    component.over = np.int32(0)
    component.witnesses = np.int32(witnesses)
    component.epoch = np.int32(game.epoch)
    component.box = np.int32(game.boxes)
    component.box_end = np.int32(game.boxes + boxes)
    if limit == WHOLE:
        component.place = np.int32(game.live)
        ws.live[game.live] = np.int32(k)
        game.live += 1
    order_boxes(ws, witnesses, boxes)
    game.boxes += boxes
    tally(ws, COMPONENTS, ONE)
    tally(ws, WITNESSES, witnesses)
    tally(ws, BOXES, boxes)


@compiled
def order_boxes(ws, witnesses, boxes):
    """Write the drafted boxes to the arena in elimination order.

    Start at the witness farthest from the seed; always take the box that leaves the fewest
    witnesses open (touched, but with boxes still to come), because a state holds the remaining
    counts of the open ones.
    """
    first = 0
    for i in range(witnesses):
        witness = ws.witness[i]
        witness.first = np.int32(first)
        witness.boxes = np.int32(0)
        first += witness.boxes_left
    for t in range(boxes):
        box = ws.draft[t]
        box.node = np.int32(0)  # whether it is a candidate already
        cost = 0  # witnesses that it opens, less those that it closes
        for i in range(box.first, box.first + box.witnesses):
            witness = ws.witness[ws.box_witness[i]]
            ws.witness_box[witness.first + witness.boxes] = t
            witness.boxes += np.int32(1)
            cost += witness.boxes_left > 1
        box.node_end = np.int32(cost)
    base = ws.game[0].boxes
    row = ws.game[0].choose_row
    waiting = add_candidates(ws, ws.witness[witnesses - 1], np.int64(0))
    for step in range(boxes):
        best = 0
        best_cost = np.int64(ws.draft[ws.list[0]].node_end)
        for i in range(1, waiting):
            cost = np.int64(ws.draft[ws.list[i]].node_end)
            if cost < best_cost:
                best_cost = cost
                best = i
        t = ws.list[best]
        waiting -= 1
        for i in range(best, waiting):
            ws.list[i] = ws.list[i + 1]
        box = ws.draft[t]
        ws.box[base + step] = box
        ws.box[base + step].prior = box.size * row
        for j in range(box.first, box.first + box.witnesses):
            witness = ws.witness[ws.box_witness[j]]
            fresh = witness.opened == 0
            witness.opened = np.int32(1)
            witness.boxes_left -= np.int32(1)
            # another box no longer opens it, and the last one closes it
            less = (fresh & (witness.boxes_left > 0)) + (witness.boxes_left == 1)
            if less > 0:
                for i in range(witness.first, witness.first + witness.boxes):
                    ws.draft[ws.witness_box[i]].node_end -= np.int32(less)
            if fresh:
                waiting = add_candidates(ws, witness, waiting)


@compiled
def add_candidates(ws, witness, waiting):
    """Add the boxes of a witness to the candidates ws.list[:waiting]; return how many there are."""
    for i in range(witness.first, witness.first + witness.boxes):
        t = ws.witness_box[i]
        box = ws.draft[t]
        if box.node == 0:
            box.node = np.int32(1)
            ws.list[waiting] = t
            waiting += 1
    return waiting
