"""Configurations of one component, weighed by number of mines (paper 001, section 4.1).

Weights (floating point) are laid over the states of a component once the rules on clues find no
more. Which cells are certain never depends on their values; `mine_count` uses their ranges
(`low`, `terms`), which are integers.
"""

import numpy as np

from msdensity.kernel.jit import part

BIG = 1 << 30
LARGE, SMALL = 1e50, 1e-50
"""Layers are scaled when their largest weight is not between these."""
UNDERFLOWN = 1e-160
"""A sum below this may have lost terms to underflow; it is not trusted."""


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
        if not UNDERFLOWN < safe + mined < 1.0 / UNDERFLOWN:
            return False
        box.safety = safe / (safe + mined)
        scale_middle(back, begin, end)
    return True
