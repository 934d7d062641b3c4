"""The walk through a component in windows: from witness to unknown cell to witness.

The witnesses of a cell are bits of the window of the witness from which it was reached, so that two
cells are in one box exactly if these bits are equal.
"""

import numpy as np

from msdensity.kernel.compiler.bits import bits, lowest
from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.frontier import (
    WHOLE,
    add_witness,
    build_component,
    draft_box,
    finish_component,
)
from msdensity.kernel.knowledge import drop_component
from msdensity.kernel.planes.cells import needed_at
from msdensity.kernel.planes.tiles import CENTRE
from msdensity.kernel.planes.windows import cell_near, neighbours_at, row_of, window


@compiled
def name_witness(board, ws, count, w, stamp, k):
    """Give witness cell w the next local index of component k, which is being built."""
    ws.seen[w] = stamp
    ws.local[w] = count
    ws.component_of[w] = k
    add_witness(ws, count, w, needed_at(ws, board.place[w]), np.int64(0))


@build_component.in_planes
def walk_component(board, ws, seed, limit):
    """Build the component around witness `seed`; return its index (see `frontier`)."""
    game = ws.game[0]
    game.walk += 1
    stamp = game.walk
    k = game.components
    game.components += 1
    witnesses = np.int64(1)
    boxes = np.int64(0)
    pairs = np.int64(0)
    name_witness(board, ws, np.int64(0), np.int64(seed), stamp, k)
    head = 0
    while head < witnesses:
        w = np.int64(ws.witness[head].cell)
        row = row_of(board, w)
        opened = window(board, ws.opened, w)
        unknown = window(board, ws.unknown, w) & neighbours_at(board, row, CENTRE)
        ws.witness[head].left = np.int32(bits(unknown))
        head += 1
        boxes_before = boxes
        while unknown != 0:
            i = lowest(unknown)
            unknown &= unknown - 1
            c = cell_near(board, w, i)
            if ws.seen[c] == stamp:
                continue
            ws.seen[c] = stamp
            if limit == WHOLE:
                drop_component(ws, ws.component_of[c])
            ws.component_of[c] = k
            key = opened & neighbours_at(board, row, i)
            # cells that share all their witnesses are first reached through the same one
            t = boxes_before
            while t < boxes and ws.box_key[t] != key:
                t += 1
            if t < boxes:
                ws.draft[t].size += np.int32(1)
                ws.draft[t].members |= np.int64(1) << i
                continue
            boxes += 1
            ws.box_key[t] = key
            draft_box(ws, t, c, w, pairs)
            ws.draft[t].members = np.int64(1) << i
            while key != 0:
                d = cell_near(board, w, lowest(key))
                key &= key - 1
                if ws.seen[d] != stamp:
                    if limit != WHOLE and witnesses == limit:
                        continue
                    name_witness(board, ws, witnesses, d, stamp, k)
                    witnesses += 1
                local = ws.local[d]
                ws.box_witness[pairs] = local
                ws.witness[local].boxes_left += np.int32(1)
                pairs += 1
            ws.draft[t].witnesses = np.int32(pairs - ws.draft[t].first)
    finish_component(ws, k, witnesses, boxes, limit)
    return k
