"""The states of one component: all its configurations, without a list of them.

Boxes are decided one after another; a state is what the open witnesses still need, and
configurations with the same state are kept together (paper 001, section 4.3.1, without its tree).
States and edges are integers, and they alone decide which boxes are certain.
"""

import numpy as np

from msdensity.kernel.clock import tally, tick
from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.frontier import WHOLE, build_component
from msdensity.kernel.state import EDGES, FRONTIER, LAYER_BUDGET, NODES, PART_ROOM, STATES

KEY_BITS = 62

SPREAD = np.int64(-7046029254386353131)  # 2**64 / golden ratio, odd


@compiled
def count_component(table, ws, seed):
    """Build the component around a witness with its states; return its index.

    If old components fill the arenas, these are emptied first (the live components are rebuilt when
    the next guess needs them).
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


@compiled
def empty_arenas(ws):
    """Forget all boxes and states; components of an earlier epoch have none."""
    game = ws.game[0]
    game.epoch += 1
    game.boxes = 0
    game.nodes = 0
    game.edges = 0


@compiled
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


@compiled
def build_states(ws, k, budget, spare):
    """Build all states of component k, at most `budget`; if there are more, mark it over.

    `spare` states of the arena are left free.

    Returns False if there was no room within the budget, else True (built, or too many).

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
    root.low = np.int32(0)
    root.high = np.int32(0)
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
            part = ws.part[i - first]
            part.shift = np.int64(witness.shift)
            part.mask = (np.int64(1) << np.int64(witness.width)) - 1
            part.left = np.int64(witness.left)
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
            for i in range(last - first):
                part = ws.part[i]
                need = (key >> part.shift) & part.mask
                high = min(high, need)
                low = max(low, need - part.left)
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
            for mines in range(low, high + 1):
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
                    reached.low = np.int32(node.low + mines)
                    reached.high = np.int32(node.high + mines)
                    top += 1
                else:
                    reached = nodes[slot.node]
                    reached.low = np.int32(min(reached.low, node.low + mines))
                    reached.high = np.int32(max(reached.high, node.high + mines))
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
    tally(ws, NODES, top - game.nodes)
    tally(ws, EDGES, edge_top - game.edges)
    component.end = np.int32(layer) if top > layer else np.int32(-1)
    game.nodes = top
    game.edges = edge_top
    if dead:
        drop_dead_ends(ws, component)
    return True


@compiled
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
