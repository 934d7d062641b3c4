"""Configurations of one component, weighted by number of mines (paper 001, section 4.1).

The states of a component get weights (floating point) once the rules on clues find no more certain
cells. Which cells are certain never depends on the values of the weights; `mine_count` uses their
ranges (`low`, `terms`), which are integers.
"""

import numpy as np

from msdensity.kernel.clock import tally
from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.state import LARGE, TERMS

BIG = 1 << 30

SMALL = 1.0 / LARGE
"""Layers are scaled when their largest weight is not between this and LARGE."""

UNDERFLOWN = 1e-160
"""A sum below this may have lost terms to underflow; it is not trusted."""


@compiled
def weigh_forward(ws, k):
    """Give each state the weights of all ways to reach it, by number of mines so far.

    v mines in a box of s cells have weight C(s, v) * power[v], times messages (see `belief`).
    Layers are scaled to a largest weight of 1 when they leave the middle of the floating-point
    range; only ratios within a layer are ever used. Returns False if the arena of weights is full.
    """
    game = ws.game[0]
    component = ws.component[k]
    nodes = ws.node
    poly = ws.poly
    top = game.poly
    root = nodes[ws.box[component.box].node]
    root.poly = np.int32(top)
    root.terms = np.int32(1)
    poly[top] = 1.0
    top += 1
    for t in range(component.box, component.box_end):
        box = ws.box[t]
        layer = box.node_end
        layer_end = ws.box[t + 1].node_end if t + 1 < component.box_end else component.end + 1
        begin = top
        for w in range(layer, layer_end):
            reached = nodes[w]
            terms = np.int64(reached.high - reached.low) + 1
            if top + terms >= len(poly):
                return False
            reached.terms = np.int32(terms)
            reached.poly = np.int32(top)
            for i in range(terms):
                poly[top + i] = 0.0
            top += terms
        for u in range(box.node, box.node_end):
            node = nodes[u]
            if node.live:
                for i in range(node.edges):
                    reached = nodes[ws.edge[node.edge + i]]
                    mines = node.least + i
                    factor = ws.choose[box.prior + mines] * ws.power[mines]
                    to = reached.poly + node.low + mines - reached.low
                    for j in range(node.terms):
                        poly[to + j] += factor * poly[node.poly + j]
        scale_middle(poly, begin, top)
    tally(ws, TERMS, top - game.poly)
    game.poly = top
    end = nodes[component.end]
    component.low = end.low
    component.high = np.int32(end.low + end.terms - 1)
    return True


@compiled
def scale_middle(values, begin, end):
    """Divide values[begin:end] by a power of two if the largest is very large or very small."""
    largest = 0.0
    for i in range(begin, end):
        largest = max(largest, values[i])
    if largest > LARGE or (0.0 < largest < SMALL):
        factor = 2.0 ** -np.floor(np.log2(largest))
        for i in range(begin, end):
            values[i] *= factor


@compiled
def weigh_backward(ws, k):
    """Compute the safety of each box from the weights given to the component's numbers of mines.

    ws.back over the end node holds, for each number of mines in the component, the weight of
    everything outside it (other components and floating cells). Formula 4.10 with both sums kept:
    safe / (safe + mined). Returns False if the sums vanish, or nearly.
    """
    component = ws.component[k]
    nodes = ws.node
    poly = ws.poly
    back = ws.back
    for t in range(component.box_end - 1, component.box - 1, -1):
        box = ws.box[t]
        size = np.int64(box.size)
        safe = 0.0
        mined = 0.0
        begin = np.int64(BIG)
        end = np.int64(0)
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
                factor = ws.choose[box.prior + mines] * ws.power[mines]
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


FAR = 20.0

STEPS = 60


@compiled
def set_odds(ws, odds):
    """Set the weight of a mine to `odds`, limited so that the weights of large boxes stay in range.

    In exact arithmetic no safety depends on them; they keep the wanted totals among large terms.
    """
    bound = ws.game[0].most_odds
    odds = min(max(odds, 1.0 / bound), bound)
    ws.power[0] = 1.0
    for v in range(1, len(ws.power)):
        ws.power[v] = ws.power[v - 1] * odds


@compiled
def solve_tilt(ws, floating):
    """Return the logarithm of the factor per mine that makes the mean equal to the mines left.

    Then the wanted total is in the middle of the distribution, so that trimming far tails loses
    nothing. Bisection on the logarithm: the mean is monotone.
    """
    game = ws.game[0]
    odds = ws.power[1]
    low = -30.0
    high = 30.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        factor = np.exp(middle)
        mean = floating * odds * factor / (1.0 + odds * factor)
        for i in range(game.live):
            component = ws.component[ws.live[i]]
            if component.over:
                continue
            at = ws.node[component.end].poly
            weight = 0.0
            mines = 0.0
            power = 1.0
            for j in range(component.high - component.low + 1):
                weight += ws.poly[at + j] * power
                mines += ws.poly[at + j] * power * j
                if weight > 0.0:  # the first terms may have vanished
                    power *= factor
                if power > 1e100:
                    weight *= 1e-100
                    mines *= 1e-100
                    power *= 1e-100
            mean += component.low + mines / weight
        if mean < game.shared_mines:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


@compiled
def centre_weights(ws, floating, widest):
    """Return the factor per mine that puts the wanted total in the middle (see `solve_tilt`).

    If it is far from 1 for the widest component, rounding or underflow may have changed the wanted
    terms of that component. Then all are weighed again with better odds, in steps short enough that
    the remaining weights still show the direction. Returns 0 if the arena is full.
    """
    game = ws.game[0]
    for _ in range(STEPS):
        step = solve_tilt(ws, floating)
        if abs(step) * widest < FAR:
            return np.exp(step)
        before = ws.power[1]
        set_odds(ws, before * np.exp(min(max(step, -1.0), 1.0)))
        if ws.power[1] == before:  # the odds are at their limit: an extreme total
            return np.exp(min(max(step, -FAR / widest), FAR / widest))
        game.poly = 0
        for i in range(game.live):
            if not ws.component[ws.live[i]].over and not weigh_forward(ws, ws.live[i]):
                return 0.0
    return 0.0
