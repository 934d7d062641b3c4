"""Components too large to count exactly: deductions and estimates from parts of them.

The deductions from a part are sound (see `parts`), and only completeness is lost. The safeties of a
part, with every mine weighted by the odds of the whole board, are an approximation; games that
needed one are counted. In practice, boards in two dimensions never need this.

On boards with many neighbours even a part of PART_WITNESSES may have too many states. A smaller one
is taken then, and in place of the clues that it leaves out it gets their messages (see `belief`).
"""

import numpy as np

from msdensity.kernel.belief import hear, send_messages
from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.counting import weigh_backward, weigh_forward
from msdensity.kernel.knowledge import (
    component_at,
    counts_of,
    is_opened,
    is_unknown,
    list_box,
    mark_mine,
    open_cell,
)
from msdensity.kernel.parts import build_part, close_part, fewer
from msdensity.kernel.state import COMPONENT, CONTRADICTION, PART_ROOM, PART_WITNESSES, PLAYING

SMALL_ROOM = np.int64(1 << 11)
"""States of a part that gets messages: with more, estimates are little better but slower."""


@compiled
def deduce_nearby(table, ws, w, k):
    """Decide the cells of component k that are certain by the clues around witness w.

    The search for the number of witnesses that fits begins at that of the last part, or at one more
    if that had room to spare.
    """
    game = ws.game[0]
    witnesses = game.part_witnesses
    sub = build_part(table, ws, w, witnesses, PART_ROOM)
    while ws.component[sub].over and witnesses > 1:
        close_part(table, ws, sub, k)
        witnesses = fewer(witnesses)
        sub = build_part(table, ws, w, witnesses, PART_ROOM)
    component = ws.component[sub]
    states = game.nodes - ws.box[component.box].node
    spacious = witnesses < PART_WITNESSES and 2 * states < PART_ROOM
    game.part_witnesses = witnesses + spacious
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

    Each cell gets its safety from the part around its first witness, of as many witnesses as those
    before it or fewer. If its weights vanish or do not fit, the safety is 1 - remaining / unknown
    of that witness.
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
    witnesses = PART_WITNESSES
    for i in range(begin, end):
        c = ws.exposed[i]
        if ws.safety[c] < 0.0:
            for e in range(table.start[c], table.start[c + 1]):
                w = table.neighbours[e]
                if is_opened(table, ws, w):
                    witnesses = estimate_around(table, ws, w, k, witnesses)
                    break
        expected += 1.0 - ws.safety[c]
    return expected


@compiled
def estimate_around(table, ws, w, k, witnesses):
    """Set the safeties not yet set of the unknown neighbours of witness w.

    Returns how many witnesses the part has room for, at most `witnesses`. Fewer than PART_WITNESSES
    get messages, which the first part that was too large made all witnesses send.
    """
    game = ws.game[0]
    height = game.poly
    room = PART_ROOM if witnesses == PART_WITNESSES else SMALL_ROOM
    sub = build_part(table, ws, w, witnesses, room)
    while ws.component[sub].over and witnesses > 1:
        close_part(table, ws, sub, k)
        if witnesses == PART_WITNESSES:
            send_messages(table, ws, w, k)
        witnesses = fewer(witnesses)
        sub = build_part(table, ws, w, witnesses, SMALL_ROOM)
    if witnesses < PART_WITNESSES:
        hear(table, ws, sub)
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
    return witnesses
