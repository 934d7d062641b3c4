"""All certain cells of a board in planes: single cells, pairs, then complete components."""

import numpy as np

from msdensity.kernel.clock import tick
from msdensity.kernel.compiler.bits import lowest
from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.compiler.rows import any_bit, bits_of, get_rows, no_rows, set_rows
from msdensity.kernel.deduction import decide_boxes, deduce_locally
from msdensity.kernel.knowledge import drop_component
from msdensity.kernel.planes import walk  # noqa: F401  (its versions of functions)
from msdensity.kernel.planes.around import union_around
from msdensity.kernel.planes.cells import PAIRED, VISITED, has
from msdensity.kernel.planes.pairs import apply_pair
from msdensity.kernel.planes.single import apply_singles
from msdensity.kernel.relaxation import deduce_nearby
from msdensity.kernel.state import COMPONENT, OPENING, PAIRS, PLAYING
from msdensity.kernel.states import count_component


@compiled
def find_changed(board, ws):
    """Find the border cells, and queue those beside cells that were decided for the pair rule.

    Cells that have left the border wait with them: their components are to be dropped.
    """
    game = ws.game[0]
    for i in range(game.visited):
        t = np.int64(ws.visited[i])
        at = t << 4
        near = get_rows(ws.recent, at) | union_around(board, at, ws.recent)
        border = get_rows(ws.opened, at) & ~get_rows(ws.free, at)
        waiting = get_rows(ws.waiting, at) | (near & (border | get_rows(ws.border, at)))
        set_rows(ws.border, at, border)
        set_rows(ws.waiting, at, waiting)
        if any_bit(waiting) and ws.tile_waits[t] & PAIRED == 0:
            ws.tile_waits[t] |= PAIRED
            ws.pairs[game.pairs] = t
            game.pairs += 1
    for i in range(game.visited):
        t = np.int64(ws.visited[i])
        ws.tile_waits[t] &= 255 - VISITED
        set_rows(ws.recent, t << 4, no_rows())
    game.visited = 0


@compiled
def apply_pairs(board, ws, t):
    """Apply the pair rule to the waiting cells of tile t; return whether it decided a cell.

    Cells to which it does not apply wait for their component to be built again.
    """
    game = ws.game[0]
    for at in range(t << 4, (t << 4) + 16):
        left = ws.waiting[at]
        while left != 0:
            bit = left & -left
            w = np.int64(board.first[at]) + lowest(left)
            left ^= bit
            drop_component(ws, ws.component_of[w])
            if ws.border[at] & bit != 0:
                if apply_pair(board, ws, w):
                    return True  # it stays queued: there may be more
                if ws.unbuilt[at] & bit == 0:
                    ws.unbuilt[at] |= bit
                    ws.frontier[game.frontier] = w
                    game.frontier += 1
            ws.waiting[at] ^= bit
    return False


@compiled
def list_exposed_cells(board, ws):
    """Find the exposed cells and count them."""
    exposed = np.int64(0)
    for i in range(len(board.tiles)):
        at = np.int64(board.tiles[i]) << 4
        cells = get_rows(ws.unknown, at) & union_around(board, at, ws.opened)
        set_rows(ws.exposure, at, cells)
        exposed += bits_of(cells)
    ws.game[0].exposed = exposed


@compiled
def component_alive(ws, w):
    """Return the built, unchanged component of a witness, or -1."""
    k = ws.component_of[w]
    if k >= 0 and ws.component[k].alive == 1:
        return k
    return np.int64(-1)


@deduce_locally.in_planes
def deduce_in_planes(board, ws):
    """Decide every cell that is certain without the global mine count."""
    game = ws.game[0]
    while game.status == PLAYING:
        if game.taken < game.touched:
            apply_singles(board, ws)
            if game.status == PLAYING:
                find_changed(board, ws)
            tick(ws, OPENING)
        elif game.pairs > 0:
            t = np.int64(ws.pairs[game.pairs - 1])
            if not apply_pairs(board, ws, t):
                game.pairs -= 1
                ws.tile_waits[t] &= 255 - PAIRED
            tick(ws, PAIRS)
        elif game.frontier > 0:
            game.frontier -= 1
            w = np.int64(ws.frontier[game.frontier])
            place = board.place[w]
            ws.unbuilt[place >> 5] &= ~(1 << (place & 31))
            if not has(board, ws.border, w):
                continue
            k = component_alive(ws, w)
            if k < 0:
                k = count_component(board, ws, w)
                if not ws.component[k].over:
                    decide_boxes(board, ws, k, COMPONENT)
            if ws.component[k].over:
                deduce_nearby(board, ws, w, k)
        else:
            list_exposed_cells(board, ws)
            return
