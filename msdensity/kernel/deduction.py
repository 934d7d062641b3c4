"""Certain moves: single-cell rule, pair rule, then complete components.

The cheap rules come first because they decide most cells. `states` (one component) and
`mine_count` (all together) find what these miss, so that every certain cell is found (paper 001,
section 3, made complete).
"""

import numpy as np

from msdensity.kernel.clock import tick
from msdensity.kernel.compiler.jit import by_board, compiled
from msdensity.kernel.knowledge import list_box, mark_mine, open_cell
from msdensity.kernel.relaxation import deduce_nearby
from msdensity.kernel.state import (
    COMPONENT,
    IN_FRONTIER,
    IN_PAIR,
    OPEN,
    OPENING,
    PAIR,
    PAIRS,
    PLAYING,
    SINGLE,
    TOUCHED,
    UNKNOWN,
)
from msdensity.kernel.states import count_component


@compiled
def apply_singles(table, ws):
    """Apply the single-cell rule until it decides no more cells (Propositions 2 and 3).

    Witnesses to which it does not apply are queued for the pair rule.
    """
    game = ws.game[0]
    cell = ws.cell
    touched = ws.touched
    neighbours = table.neighbours
    while game.taken < game.touched:
        w = touched[game.taken & game.ring]
        game.taken += 1
        witness = cell[w]
        flags = np.int64(witness.flags) & (255 - TOUCHED)
        witness.flags = np.uint8(flags)
        if witness.unknown == 0:
            continue
        if witness.remaining == 0:
            for e in range(table.start[w], table.start[w + 1]):
                c = neighbours[e]
                if cell[c].state == UNKNOWN:
                    if not open_cell(table, ws, c, SINGLE, 1.0) or game.safe_left == 0:
                        return
        elif witness.remaining == witness.unknown:
            for e in range(table.start[w], table.start[w + 1]):
                c = neighbours[e]
                if cell[c].state == UNKNOWN:
                    mark_mine(table, ws, c, SINGLE)
        elif not flags & IN_PAIR:
            witness.flags = np.uint8(flags | IN_PAIR)
            ws.pairs[game.pairs] = w
            game.pairs += 1


@compiled
def apply_pair(table, ws, a):
    """Compare witness `a` with each witness that shares unknown cells; True if a cell was decided.

    Where remaining(a) - remaining(b) = |A - B|, all of A - B is mined and all of B - A is safe
    (A, B: the unknown neighbours). Subtraction of a subset (Definition 24) is the case A - B empty.
    """
    game = ws.game[0]
    cell = ws.cell
    link = ws.link
    game.stamp += 1
    stamp = np.int32(game.stamp)
    count = 0
    listed = ws.list
    start = table.start
    neighbours = table.neighbours
    link[a].stamp = stamp
    for e in range(start[a], start[a + 1]):
        u = neighbours[e]
        if cell[u].state != UNKNOWN:
            continue
        for f in range(start[u], start[u + 1]):  # no branch: see knowledge.open_cell
            b = neighbours[f]
            other = link[b]
            fresh = other.stamp != stamp
            other.stamp = stamp
            other.local = np.int32(1 + (1 - fresh) * other.local)
            listed[count] = b
            count += fresh & (cell[b].state == OPEN)
    in_a = np.int64(cell[a].unknown)
    need_a = np.int64(cell[a].remaining)
    for i in range(count):
        b = listed[i]
        common = np.int64(link[b].local)
        only_a = in_a - common
        only_b = np.int64(cell[b].unknown) - common
        excess = need_a - np.int64(cell[b].remaining)
        if only_a + only_b == 0:
            continue
        if excess == only_a:
            decide_difference(table, ws, a, b)
            return True
        if -excess == only_b:
            decide_difference(table, ws, b, a)
            return True
    return False


@compiled
def decide_difference(table, ws, a, b):
    """Mark the unknown cells of `a` alone as mines and open those of `b` alone."""
    game = ws.game[0]
    cell = ws.cell
    start = table.start
    neighbours = table.neighbours
    game.stamp += 2
    of_a = np.int32(game.stamp - 1)
    shared = np.int32(game.stamp)
    for e in range(start[a], start[a + 1]):
        ws.link[neighbours[e]].stamp = of_a
    for e in range(start[b], start[b + 1]):
        link = ws.link[neighbours[e]]
        if link.stamp == of_a:
            link.stamp = shared
    for e in range(start[a], start[a + 1]):
        c = neighbours[e]
        if ws.link[c].stamp == of_a and cell[c].state == UNKNOWN:
            mark_mine(table, ws, c, PAIR)
    for e in range(start[b], start[b + 1]):
        c = neighbours[e]
        if ws.link[c].stamp != shared and cell[c].state == UNKNOWN:
            open_cell(table, ws, c, PAIR, 1.0)
            if game.status != PLAYING:
                return


@compiled
def decide_boxes(table, ws, k, reason):
    """Open the boxes of component k that are always empty, mark those that are always full."""
    game = ws.game[0]
    component = ws.component[k]
    decided = False
    for t in range(component.box, component.box_end):
        box = ws.box[t]
        safe = box.most == 0
        if not safe and box.least != box.size:
            continue
        decided = True
        for i in range(list_box(table, ws, k, t)):
            c = ws.members[i]
            if safe:
                open_cell(table, ws, c, reason, 1.0)
                if game.status != PLAYING:
                    return True
            else:
                mark_mine(table, ws, c, reason)
    return decided


@by_board
def deduce_locally(table, ws):
    """Decide every cell that is certain without the global mine count.

    On return every exposed cell is in a built component, or the game has ended.
    """
    game = ws.game[0]
    while game.status == PLAYING:
        if game.taken < game.touched:
            apply_singles(table, ws)
            tick(ws, OPENING)
        elif game.pairs > 0:
            w = ws.pairs[game.pairs - 1]
            decided = ws.cell[w].unknown > 0 and apply_pair(table, ws, w)
            tick(ws, PAIRS)
            if decided:
                continue  # it stays queued: there may be more
            game.pairs -= 1
            # decided cells may have queued others above it
            ws.cell[w].flags &= np.uint8(255 - IN_PAIR)
            if ws.cell[w].unknown > 0 and not ws.cell[w].flags & IN_FRONTIER:
                ws.cell[w].flags |= np.uint8(IN_FRONTIER)
                ws.frontier[game.frontier] = w
                game.frontier += 1
        elif game.frontier > 0:
            game.frontier -= 1
            w = ws.frontier[game.frontier]
            ws.cell[w].flags &= np.uint8(255 - IN_FRONTIER)
            if ws.cell[w].unknown == 0:
                continue
            k = component_of(ws, w)
            if k < 0:
                k = count_component(table, ws, w)
                if not ws.component[k].over:
                    decide_boxes(table, ws, k, COMPONENT)
            if ws.component[k].over:
                deduce_nearby(table, ws, w, k)
        else:
            return


@compiled
def component_of(ws, w):
    """Return the built, unchanged component of a witness with unknown neighbours, or -1."""
    k = np.int64(ws.link[w].component)
    if k >= 0 and ws.component[k].alive == 1:
        return k
    return np.int64(-1)
