"""Cells that only the number of mines left makes certain: exact, in integers.

The number of mines left links the components and the floating cells. It makes new cells certain
only if some combination of the components would leave fewer than 0 or more than |F| mines for the
floating cells.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.deduction import decide_boxes
from msdensity.kernel.knowledge import is_floating, mark_mine, open_cell
from msdensity.kernel.state import CONTRADICTION, GLOBAL, PLAYING

BIG = 1 << 40

NONE = np.int64(-1)


@compiled
def mark_reached(ws, k):
    """Mark which numbers of mines so far each state can have, in integers only."""
    component = ws.component[k]
    nodes = ws.node
    reachable = ws.reached
    root = nodes[ws.box[component.box].node]
    reachable[root.poly] = 1
    for t in range(component.box, component.box_end):
        box = ws.box[t]
        layer_end = ws.box[t + 1].node_end if t + 1 < component.box_end else component.end + 1
        for w in range(box.node_end, layer_end):
            for j in range(nodes[w].terms):
                reachable[nodes[w].poly + j] = 0
        for u in range(box.node, box.node_end):
            node = nodes[u]
            if not node.live:
                continue
            for i in range(node.edges):
                reached = nodes[ws.edge[node.edge + i]]
                to = reached.poly + node.low + node.least + i - reached.low
                for j in range(node.terms):
                    reachable[to + j] |= reachable[node.poly + j]
    end = nodes[component.end]
    component.gaps = np.int32(0)
    for j in range(end.terms):
        if reachable[end.poly + j] == 0:
            component.gaps = np.int32(1)


@compiled
def mark_returned(ws, k):
    """Narrow least and most of each box to configurations with an allowed number of mines.

    ws.returned over the end node says which numbers are allowed.
    """
    component = ws.component[k]
    nodes = ws.node
    reachable = ws.reached
    for t in range(component.box_end - 1, component.box - 1, -1):
        box = ws.box[t]
        least = np.int64(box.size)
        most = np.int64(0)
        for u in range(box.node, box.node_end):
            node = nodes[u]
            if not node.live:
                continue
            for j in range(node.terms):
                ws.returned[node.poly + j] = 0
            for i in range(node.edges):
                reached = nodes[ws.edge[node.edge + i]]
                if not reached.live:
                    continue
                mines = np.int64(node.least) + i
                to = reached.poly + node.low + mines - reached.low
                for j in range(node.terms):
                    if ws.returned[to + j]:
                        ws.returned[node.poly + j] = 1
                        if reachable[node.poly + j]:
                            least = min(least, mines)
                            most = max(most, mines)
        box.least = np.int32(least)
        box.most = np.int32(most)


@compiled
def restrict_components(ws, low, high):
    """Find what the number of mines left excludes; return the range of mines in floating cells.

    Call `safety.count_components` first; `low` and `high` are its results.

    If it excludes numbers of mines of a component, `restricted` is set on it and the least and most
    mines of its boxes are narrowed. The range is (0, -1) if no combination fits (status
    CONTRADICTION).
    """
    game = ws.game[0]
    floating = game.unknown - game.exposed
    target = game.mines_left - low
    for i in range(game.live):
        ws.component[ws.live[i]].restricted = np.int32(0)
    if target >= high - low and target <= floating:
        return target - (high - low), target
    # ws.outer[g] marks the sums of the components with gaps, counted from their lowest
    width = 0  # of all components without gaps: every sum in between is possible
    gap_width = 0
    for i in range(game.live):
        k = ws.live[i]
        mark_reached(ws, k)
        component = ws.component[k]
        if component.gaps:
            gap_width += component.high - component.low
        else:
            width += component.high - component.low
    gap_sums(ws, NONE)
    least_floating = BIG
    most_floating = -1
    for g in range(gap_width + 1):
        if ws.outer[g] > 0.0:
            most = min(floating, target - g)
            least = max(0, target - g - width)
            if least <= most:
                least_floating = min(least_floating, least)
                most_floating = max(most_floating, most)
    if most_floating < 0:
        game.status = CONTRADICTION
        return 0, -1
    for i in range(game.live):
        k = ws.live[i]
        component = ws.component[k]
        own = np.int64(component.high - component.low)
        rest = width + floating
        rest_gap = gap_width
        if component.gaps:
            gap_sums(ws, k)
            rest_gap -= own
        else:
            rest -= own
        at = ws.node[component.end].poly
        restricted = False
        for j in range(own + 1):
            allowed = False
            for g in range(rest_gap + 1):
                if ws.outer[g] > 0.0 and target - j - g >= 0 and target - j - g <= rest:
                    allowed = True
                    break
            if ws.reached[at + j] and not allowed:
                restricted = True
            ws.returned[at + j] = allowed
        component.restricted = np.int32(restricted)
        if component.gaps:
            gap_sums(ws, NONE)
        if restricted:
            mark_returned(ws, k)
    return least_floating, most_floating


@compiled
def deduce_globally(table, ws, low, high):
    """Decide the cells that are certain by the number of mines left; return whether any were."""
    game = ws.game[0]
    floating = game.unknown - game.exposed
    least, most = restrict_components(ws, low, high)
    if game.status != PLAYING:
        return False
    # components leave the list when one of their cells is decided, so walk a copy of it
    count = 0
    for i in range(game.live):
        if ws.component[ws.live[i]].restricted:
            ws.list[count] = ws.live[i]
            count += 1
    decided = False
    for i in range(count):
        decided |= decide_boxes(table, ws, ws.list[i], GLOBAL)
        if game.status != PLAYING:
            return True
    if floating > 0 and (most == 0 or least == floating):
        decided = True
        decide_floating(table, ws, most == 0)
    return decided


@compiled
def gap_sums(ws, without):
    """Mark in ws.outer (1 or 0) the possible sums of all components with gaps except `without`."""
    game = ws.game[0]
    outer = ws.outer
    spare = ws.after
    outer[0] = 1.0
    width = 0
    for i in range(game.live):
        k = ws.live[i]
        component = ws.component[k]
        if k == without or not component.gaps:
            continue
        at = ws.node[component.end].poly
        own = component.high - component.low
        for g in range(width + own + 1):
            spare[g] = 0.0
        for j in range(own + 1):
            if ws.reached[at + j]:
                for g in range(width + 1):
                    if outer[g] > 0.0:
                        spare[g + j] = 1.0
        width += own
        for g in range(width + 1):
            outer[g] = spare[g]


@compiled
def decide_floating(table, ws, safe):
    """Open all floating cells, or mark them all as mines."""
    game = ws.game[0]
    count = 0
    for c in range(ws.game[0].cells):
        if is_floating(table, ws, c):
            ws.list[count] = c
            count += 1
    for i in range(count):
        c = ws.list[i]
        if safe:
            open_cell(table, ws, c, GLOBAL, 1.0)
            if game.status != PLAYING:
                return
        else:
            mark_mine(table, ws, c, GLOBAL)
