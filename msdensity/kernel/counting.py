"""Configurations of one component, by number of mines (paper 001, section 4.1).

Boxes are decided one after another; a state is what the open witnesses still need, and
configurations that agree on it are kept together. The states and the steps between them are
integers: they alone say which boxes are certain. Weights (floating point) are laid over them only
when a guess is due.
"""

import numpy as np

from msdensity.kernel.clock import tick
from msdensity.kernel.frontier import WHOLE, build_component
from msdensity.kernel.jit import part
from msdensity.kernel.state import FRONTIER, LAYER_BUDGET, PART_ROOM, STATES

KEY_BITS = 62
SPREAD = np.int64(-7046029254386353131)  # 2**64 / golden ratio, odd
BIG = 1 << 30
LARGE, SMALL = 1e50, 1e-50
"""Layers are scaled when their largest weight is not between these."""
LOST = 1e-160
"""A sum below this may have lost terms to underflow; it is not trusted."""


@part
def count_component(table, ws, seed):
    """Build the component around a witness with its states; return its index.

    Where the arenas are full of components long gone, they are emptied first (the live ones are
    built again when the next guess needs them).
    """
    game = ws.game[0]
    if game.boxes + 2 * game.cells >= len(ws.box):  # twice: a part may be built beside it
        empty_arenas(ws)
    k = build_component(table, ws, seed, WHOLE)
    tick(ws, FRONTIER)
    if not build_states(ws, k, game.node_budget, PART_ROOM) and game.nodes > 0:
        empty_arenas(ws)
        k = build_component(table, ws, seed, WHOLE)
        build_states(ws, k, game.node_budget, PART_ROOM)
    tick(ws, STATES)
    return k


@part
def empty_arenas(ws):
    """Forget all boxes and states; components of an earlier epoch have none."""
    game = ws.game[0]
    game.epoch += 1
    game.boxes = 0
    game.nodes = 0
    game.edges = 0


@part
def open_witness(witness, used):
    """Reserve bits of the key for a witness; return the bits in use, or -1 if none are free."""
    width = 1
    while witness.remaining >> width:
        width += 1
    bits = (np.int64(1) << width) - 1
    shift = 0
    while used & (bits << shift):
        shift += 1
    if shift + width > KEY_BITS:
        return np.int64(-1)
    witness.shift = np.int32(shift)
    witness.width = np.int32(width)
    return used | (bits << shift)


@part
def build_states(ws, k, budget, spare):
    """Lay out all states of component k, at most `budget`; if there are more, mark it over.

    `spare` states of the arena are left free.

    Returns False if they might have fitted into empty arenas.

    Sets the least and most mines of each box over all configurations. A component with no
    configuration ends with component.end = -1.
    """
    game = ws.game[0]
    component = ws.component[k]
    nodes = ws.node
    edges = ws.edge
    slots = ws.slot
    top = game.nodes
    edge_top = game.edges
    room = min(top + budget, len(nodes) - 2 - spare)
    edge_room = len(edges) - 2 - 4 * spare
    used = np.int64(0)
    dead = False
    root = nodes[top]
    root.key = 0
    root.live = np.int32(1)
    layer = top
    top += 1
    for t in range(component.box, component.box_end):
        box = ws.box[t]
        size = np.int64(box.size)
        first = box.first
        last = box.first + box.witnesses
        delta = np.int64(0)
        added = np.int64(0)
        for i in range(first, last):
            witness = ws.witness[ws.box_witness[i]]
            if witness.shift < 0:
                used = open_witness(witness, used)
                if used < 0:
                    component.over = np.int32(1)
                    return True
                added += np.int64(witness.remaining) << np.int64(witness.shift)
            witness.left -= np.int32(size)
            delta += np.int64(1) << np.int64(witness.shift)
        layer_end = top
        box.node = np.int32(layer)
        box.node_end = np.int32(layer_end)
        wanted = 2 * (layer_end - layer) * (size + 1)
        mask = 15
        while mask < wanted and mask + 1 < len(slots):
            mask = 2 * mask + 1
        game.hash_stamp += 1
        stamp = np.int32(game.hash_stamp)
        least = size
        most = np.int64(0)
        for u in range(layer, layer_end):
            node = nodes[u]
            key = node.key + added
            low = np.int64(0)
            high = size
            for i in range(first, last):
                witness = ws.witness[ws.box_witness[i]]
                need = (key >> np.int64(witness.shift)) & (
                    (np.int64(1) << np.int64(witness.width)) - 1
                )
                high = min(high, need)
                low = max(low, need - witness.left)
            node.edge = np.int32(edge_top)
            node.least = np.int32(low)
            if low > high:
                node.edges = np.int32(0)
                dead = True
                continue
            node.edges = np.int32(high - low + 1)
            least = min(least, low)
            most = max(most, high)
            if edge_top + high - low >= edge_room or top + high - low >= room:
                component.over = np.int32(1)
                return top - game.nodes + high - low >= budget
            key -= low * delta
            for _ in range(low, high + 1):
                at = ((key * SPREAD) >> 40) & mask
                while slots[at].stamp == stamp and slots[at].key != key:
                    at = (at + 1) & mask
                slot = slots[at]
                if slot.stamp != stamp:
                    slot.stamp = stamp
                    slot.key = key
                    slot.node = np.int32(top)
                    reached = nodes[top]
                    reached.key = key
                    reached.live = np.int32(1)
                    top += 1
                edges[edge_top] = slot.node
                edge_top += 1
                key -= delta
            if top - layer_end > LAYER_BUDGET:
                component.over = np.int32(1)
                return True
        box.least = np.int32(least)
        box.most = np.int32(most)
        for i in range(first, last):
            witness = ws.witness[ws.box_witness[i]]
            if witness.left == 0:
                bits = (np.int64(1) << np.int64(witness.width)) - 1
                used &= ~(bits << np.int64(witness.shift))
        layer = layer_end
    component.end = np.int32(layer) if top > layer else np.int32(-1)
    game.nodes = top
    game.edges = edge_top
    if dead:
        drop_dead_ends(ws, component)
    return True


@part
def drop_dead_ends(ws, component):
    """Keep the states from which the last box can be reached, and what the boxes hold in them."""
    for t in range(component.box_end - 1, component.box - 1, -1):
        box = ws.box[t]
        least = np.int64(box.size)
        most = np.int64(0)
        for u in range(box.node, box.node_end):
            node = ws.node[u]
            live = False
            if component.end >= 0:
                for i in range(node.edges):
                    if ws.node[ws.edge[node.edge + i]].live:
                        live = True
                        mines = np.int64(node.least) + i
                        least = min(least, mines)
                        most = max(most, mines)
            node.live = np.int32(live)
        box.least = np.int32(least)
        box.most = np.int32(most)


@part
def weigh_forward(ws, k):
    """Lay the weights of all ways to reach each state over it, by number of mines so far.

    A way to put v mines into a box of s cells counts C(s, v) * power[v]. Layers are scaled to
    largest weight 1 when they leave the middle of the floating-point range; only ratios within a
    layer are ever used. Returns False if the arena of weights is full.
    """
    game = ws.game[0]
    component = ws.component[k]
    nodes = ws.node
    poly = ws.poly
    row = game.choose_row
    top = game.poly
    root = nodes[ws.box[component.box].node]
    root.poly = np.int32(top)
    root.low = np.int32(0)
    root.terms = np.int32(1)
    poly[top] = 1.0
    top += 1
    for t in range(component.box, component.box_end):
        box = ws.box[t]
        size = np.int64(box.size)
        layer = box.node_end
        layer_end = ws.box[t + 1].node_end if t + 1 < component.box_end else component.end + 1
        for w in range(layer, layer_end):
            nodes[w].low = np.int32(BIG)
            nodes[w].terms = np.int32(-1)  # for now the highest number of mines
        for u in range(box.node, box.node_end):
            node = nodes[u]
            if node.live:
                for i in range(node.edges):
                    reached = nodes[ws.edge[node.edge + i]]
                    low = node.low + node.least + i
                    reached.low = np.int32(min(np.int64(reached.low), low))
                    reached.terms = np.int32(max(np.int64(reached.terms), low + node.terms - 1))
        begin = top
        for w in range(layer, layer_end):
            reached = nodes[w]
            if reached.terms >= 0:
                reached.terms = np.int32(reached.terms - reached.low + 1)
                if top + reached.terms >= len(poly):
                    return False
                reached.poly = np.int32(top)
                for i in range(reached.terms):
                    poly[top + i] = 0.0
                top += reached.terms
            else:
                reached.terms = np.int32(0)
        for u in range(box.node, box.node_end):
            node = nodes[u]
            if node.live:
                for i in range(node.edges):
                    reached = nodes[ws.edge[node.edge + i]]
                    mines = node.least + i
                    factor = ws.choose[size * row + mines] * ws.power[mines]
                    to = reached.poly + node.low + mines - reached.low
                    for j in range(node.terms):
                        poly[to + j] += factor * poly[node.poly + j]
        scale_middle(poly, begin, top)
    game.poly = top
    end = nodes[component.end]
    component.low = end.low
    component.high = np.int32(end.low + end.terms - 1)
    return True


@part
def scale_middle(values, begin, end):
    """Divide values[begin:end] by a power of two if the largest is very large or very small."""
    largest = 0.0
    for i in range(begin, end):
        largest = max(largest, values[i])
    if largest > LARGE or (0.0 < largest < SMALL):
        factor = 2.0 ** -np.floor(np.log2(largest))
        for i in range(begin, end):
            values[i] *= factor


@part
def weigh_backward(ws, k):
    """Compute the safety of each box from the weights given to the component's numbers of mines.

    ws.back over the end node holds, for each number of mines in the component, the weight of
    everything outside it (other components and floating cells). Formula 4.10 with both sums kept:
    safe / (safe + mined). Returns False if the sums vanish, or nearly.
    """
    component = ws.component[k]
    row = ws.game[0].choose_row
    nodes = ws.node
    poly = ws.poly
    back = ws.back
    for t in range(component.box_end - 1, component.box - 1, -1):
        box = ws.box[t]
        size = np.int64(box.size)
        safe = 0.0
        mined = 0.0
        begin = BIG
        end = 0
        for u in range(box.node, box.node_end):
            node = nodes[u]
            if not node.live:
                continue
            at = np.int64(node.poly)
            terms = np.int64(node.terms)
            begin = min(begin, at)
            end = max(end, at + terms)
            for j in range(terms):
                back[at + j] = 0.0
            for i in range(node.edges):
                reached = nodes[ws.edge[node.edge + i]]
                if not reached.live:
                    continue
                mines = np.int64(node.least) + i
                factor = ws.choose[size * row + mines] * ws.power[mines]
                to = np.int64(reached.poly) + node.low + mines - reached.low
                weight = 0.0
                for j in range(terms):
                    onward = factor * back[to + j]
                    back[at + j] += onward
                    weight += poly[at + j] * onward
                mined += weight * mines
                safe += weight * (size - mines)
        if not LOST < safe + mined < 1.0 / LOST:
            return False
        box.safety = safe / (safe + mined)
        scale_middle(back, begin, end)
    return True


@part
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


@part
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
