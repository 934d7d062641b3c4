"""P_S of every unknown cell: all components together with the floating cells.

Formulas 4.10 and 4.22 of paper 001 with weights C(|F|, m - |M| - |C_M|), summed over numbers of
mines: prefix products of the components before each one, and a sweep back from the floating cells.
"""

import numpy as np

from msdensity.kernel.clock import ONE, tally
from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.counting import (
    UNDERFLOWN,
    centre_weights,
    set_odds,
    weigh_backward,
    weigh_forward,
)
from msdensity.kernel.frontier import WHOLE, build_component
from msdensity.kernel.knowledge import drop_component, list_box
from msdensity.kernel.relaxation import estimate_safety
from msdensity.kernel.state import CONTRADICTION, LISTED, NUMERIC, PART_ROOM, PLAYING, POSITIONS
from msdensity.kernel.states import build_states, empty_arenas

WIDE = 200
"""Totals with more possible numbers of mines than this are tilted to their mean and trimmed."""

WIDE_COMPONENT = 64
"""The same if one component has more possible numbers than this."""

NEGLIGIBLE = 1e-40

BLOCK = 256
"""How many components have their prefix products in memory at a time."""


@compiled
def refresh_components(table, ws):
    """Make sure that every live component has its states in the arena, or is marked over.

    After the arenas were emptied, all live components are built again; those that do not fit beside
    the others are marked over.
    """
    game = ws.game[0]
    stale = False
    for i in range(game.live):
        stale |= ws.component[ws.live[i]].epoch != game.epoch
    if not stale:
        return
    empty_arenas(ws)
    count = game.live
    for i in range(count):
        ws.seeds[i] = ws.component[ws.live[i]].seed
    while game.live > 0:
        drop_component(ws, np.int64(ws.live[0]))
    for i in range(count):
        k = build_component(table, ws, ws.seeds[i], WHOLE)
        build_states(ws, k, game.node_budget, PART_ROOM)


@compiled
def count_components(table, ws):
    """Weigh the live components; return (exact, low, high): the range of mines in those counted.

    Components over the budget are left out: their cells are listed with estimated safeties, and
    the mines expected in them are taken from those shared by the others.
    """
    game = ws.game[0]
    refresh_components(table, ws)
    odds = 1.0
    if game.mines_left > 0 and game.mines_left < game.unknown:
        odds = game.mines_left / (game.unknown - game.mines_left)
    set_odds(ws, odds)
    game.poly = 0
    game.listed = 0
    low = 0
    high = 0
    exact = True
    for i in range(game.live):
        component = ws.component[ws.live[i]]
        if not component.over:
            if component.end < 0:
                game.status = CONTRADICTION
                return True, 0, 0
            if not weigh_forward(ws, ws.live[i]):
                component.over = np.int32(1)
        if component.over:
            exact = False
        else:
            low += component.low
            high += component.high
    game.shared_mines = game.mines_left
    if not exact:
        expected = 0.0
        for i in range(game.live):
            k = ws.live[i]
            if ws.component[k].over:
                expected += estimate_safety(table, ws, k)
        floating = game.unknown - game.exposed
        shared = game.mines_left - np.int64(np.rint(expected))
        # at an end of the range, the rounded number would make uncertain cells look certain
        most = high + floating
        inside = low + 2 <= most
        game.shared_mines = min(max(shared, low + inside), most - inside)
    return exact, low, high


@compiled
def trim(values, begin, end):
    """Return (begin, end) without the negligible tails of values[begin:end]."""
    largest = 0.0
    for i in range(begin, end):
        largest = max(largest, values[i])
    while values[begin] < largest * NEGLIGIBLE:
        begin += 1
    while values[end - 1] < largest * NEGLIGIBLE:
        end -= 1
    return begin, end


@compiled
def set_totals(ws, count, factor):
    """Write the weights of the listed components by number of mines, tilted, largest 1."""
    total = ws.total
    weights = 0
    for i in range(count):
        component = ws.component[ws.list[i]]
        own = np.int64(component.high - component.low) + 1
        at = ws.node[component.end].poly
        component.weights = np.int32(weights)
        power = 1.0
        largest = 0.0
        for j in range(own):
            total[weights + j] = ws.poly[at + j] * power
            power *= factor
            largest = max(largest, total[weights + j])
        for j in range(own):
            total[weights + j] /= largest
        weights += own


@compiled
def multiply_on(ws, first, end, here, low, terms, wide):
    """Multiply weights with those of the listed components first .. end - 1, one after another.

    The weights prefix[here : here + terms] are by number of mines from `low` on; the product before
    each component is kept. Returns (here, low, terms) of the last product; here = -1 if they do not
    fit.
    """
    prefix = ws.prefix
    total = ws.total
    for i in range(first, end):
        component = ws.component[ws.list[i]]
        own = np.int64(component.high - component.low) + 1
        base = np.int64(component.weights)
        component.prefix = np.int32(here)
        component.prefix_low = np.int32(low)
        component.prefix_terms = np.int32(terms)
        after = here + terms
        size = terms + own - 1
        if after + size >= len(prefix):
            return np.int64(-1), low, terms
        for j in range(size):
            prefix[after + j] = 0.0
        for j in range(own):
            for g in range(terms):
                prefix[after + g + j] += total[base + j] * prefix[here + g]
        here = after
        low += np.int64(component.low)
        terms = size
        largest = 0.0
        for j in range(terms):
            largest = max(largest, prefix[here + j])
        for j in range(terms):
            prefix[here + j] /= largest
        if wide:
            begin, stop = trim(prefix, here, here + terms)
            low += begin - here
            terms = stop - begin
            here = begin
    return here, low, terms


@compiled
def weigh_safety(ws, low, high):
    """Compute P_S of every box and of the floating cells (formulas 4.10 and 4.22).

    Call `count_components` first. The weights outside a component are those of the components
    before it (prefix products) times those after it with the floating cells (swept back). The
    prefix products are kept for one block of components at a time and at the start of each block.
    """
    game = ws.game[0]
    floating = game.unknown - game.exposed
    count = np.int64(0)
    widest = np.int64(0)
    for i in range(game.live):
        component = ws.component[ws.live[i]]
        if not component.over:
            ws.list[count] = ws.live[i]
            count += 1
            widest = max(widest, np.int64(component.high - component.low))
    tally(ws, POSITIONS, ONE)
    wide = high - low > WIDE or widest > WIDE_COMPONENT
    factor = 1.0
    if wide:
        factor = centre_weights(ws, floating, widest)
        if factor == 0.0:
            game.status = NUMERIC
            return
    tilt = ws.power[1] * factor
    set_totals(ws, count, factor)
    prefix = ws.prefix
    prefix[0] = 1.0
    here = np.int64(0)
    here_low = np.int64(0)
    terms = np.int64(1)
    blocks = max(1, (count + BLOCK - 1) // BLOCK)
    for b in range(blocks):
        kept = here + terms
        here, here_low, terms = multiply_on(
            ws, b * BLOCK, min((b + 1) * BLOCK, count), here, here_low, terms, wide
        )
        if here < 0:
            game.status = NUMERIC
            return
        if b < blocks - 1:
            for g in range(terms):
                prefix[kept + g] = prefix[here + g]
            here = kept
    # weights of the floating cells: C(|F|, f) times the tilt, by ratios from the largest
    after = ws.after
    for g in range(terms):
        after[g] = 0.0
    first = max(0, game.shared_mines - floating - here_low)
    last = min(terms - 1, game.shared_mines - here_low)
    if first > last:
        game.status = NUMERIC if game.status == PLAYING else game.status
        return
    mode = game.shared_mines - here_low - np.int64((floating + 1) * tilt / (1.0 + tilt))
    mode = min(max(mode, first), last)
    after[mode] = 1.0
    for g in range(mode, last):  # one more mine in the components, one less floating
        mines = game.shared_mines - here_low - g
        after[g + 1] = after[g] * (mines / ((floating - mines + 1) * tilt))
    for g in range(mode, first, -1):
        mines = game.shared_mines - here_low - g
        after[g - 1] = after[g] * ((floating - mines) * tilt / (mines + 1))
    safe = 0.0
    mined = 0.0
    for g in range(first, last + 1):
        weight = prefix[here + g] * after[g]
        mines = game.shared_mines - here_low - g
        mined += weight * mines
        safe += weight * (floating - mines)
    if floating > 0:
        if not safe + mined > UNDERFLOWN:
            game.status = NUMERIC
            return
        game.floating_safety = safe / (safe + mined)
    after_low = here_low
    after_terms = terms
    for b in range(blocks - 1, -1, -1):
        if b < blocks - 1:
            component = ws.component[ws.list[b * BLOCK]]
            multiply_on(
                ws,
                b * BLOCK,
                (b + 1) * BLOCK,
                np.int64(component.prefix),
                np.int64(component.prefix_low),
                np.int64(component.prefix_terms),
                wide,
            )
        for i in range(min((b + 1) * BLOCK, count) - 1, b * BLOCK - 1, -1):
            k = ws.list[i]
            after_low, after_terms = sweep_back(ws, k, factor, after_low, after_terms)
            if after_terms < 0 or not weigh_backward(ws, k):
                game.status = NUMERIC
                return


@compiled
def sweep_back(ws, k, factor, after_low, after_terms):
    """Write the weights of everything outside component k to ws.back, at its end node.

    ws.after holds the weights of the components after k with the floating cells, by number of mines
    in the components up to k: after_low, after_low + 1, ... On return it includes k. Returns its
    new lowest number and length; the length is -1 if the sums vanish.
    """
    component = ws.component[k]
    after = ws.after
    prefix = ws.prefix
    own = np.int64(component.high - component.low) + 1
    base = np.int64(component.weights)
    here = np.int64(component.prefix)
    here_low = np.int64(component.prefix_low)
    terms = np.int64(component.prefix_terms)
    at = ws.node[component.end].poly
    shift = here_low + component.low - after_low
    largest = 0.0
    for j in range(own):
        weight = 0.0
        begin = max(0, -(j + shift))
        end = min(terms, after_terms - j - shift)
        for g in range(begin, end):
            weight += prefix[here + g] * after[g + j + shift]
        ws.back[at + j] = weight
        largest = max(largest, weight)
    if not largest > UNDERFLOWN:
        return here_low, np.int64(-1)
    power = 1.0 / largest
    for j in range(own):
        ws.back[at + j] *= power
        power *= factor
    outer = ws.outer
    largest = 0.0
    for g in range(terms):
        weight = 0.0
        begin = max(0, -(g + shift))
        end = min(own, after_terms - g - shift)
        for j in range(begin, end):
            weight += ws.total[base + j] * after[g + j + shift]
        outer[g] = weight
        largest = max(largest, weight)
    for g in range(terms):
        after[g] = outer[g] / largest
    return here_low, terms


@compiled
def best_safety(ws):
    """Return the highest safety of any unknown cell; call `weigh_safety` first."""
    game = ws.game[0]
    best = game.floating_safety if game.unknown > game.exposed else 0.0
    for i in range(game.listed):  # cells of components too large to count
        best = max(best, ws.safety[ws.exposed[i]])
    for i in range(game.live):
        component = ws.component[ws.live[i]]
        if not component.over:
            for t in range(component.box, component.box_end):
                best = max(best, ws.box[t].safety)
    return best


@compiled
def list_exposed(table, ws, bound):
    """List the exposed cells at least as safe as `bound`, with their safeties.

    Cells of components too large to count are all listed. ws.list holds the index of the box of
    each other cell.
    """
    game = ws.game[0]
    listed = game.listed
    for i in range(game.live):
        k = ws.live[i]
        component = ws.component[k]
        if component.over:
            continue
        for t in range(component.box, component.box_end):
            safety = ws.box[t].safety
            if safety >= bound:
                for j in range(list_box(table, ws, k, t)):
                    c = ws.members[j]
                    ws.exposed[listed] = c
                    ws.list[listed] = t
                    ws.safety[c] = safety
                    listed += 1
    tally(ws, LISTED, listed)
    game.listed = listed
