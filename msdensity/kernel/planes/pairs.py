"""The pair rule in windows: two opened cells that share unknown neighbours (Definition 24)."""

from msdensity.kernel.clock import ONE, tally
from msdensity.kernel.compiler.bits import bits, lowest
from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.knowledge import mark_mine, open_cell
from msdensity.kernel.planes.cells import needed_at
from msdensity.kernel.planes.tiles import CENTRE
from msdensity.kernel.planes.windows import AROUND, cell_near, neighbours_at, row_of, window
from msdensity.kernel.state import COMPARISONS, LOOKS, PAIR


@compiled
def apply_pair(board, ws, a):
    """Compare border cell `a` with each that shares unknown cells; True if a cell was decided.

    Where remaining(a) - remaining(b) = |A - B|, all of A - B is mined and all of B - A is safe
    (A, B: the unknown neighbours). Subtraction of a subset (Definition 24) is the case A - B empty.
    """
    row = row_of(board, a)
    unknown = window(board, ws.unknown, a)
    of_a = unknown & neighbours_at(board, row, CENTRE)
    need_a = needed_at(ws, board.place[a])
    others = window(board, ws.border, a) & AROUND
    tally(ws, LOOKS, ONE)
    while others != 0:
        i = lowest(others)
        others &= others - 1
        of_b = unknown & neighbours_at(board, row, i)
        only_a = of_a & ~of_b
        only_b = of_b & ~of_a
        if only_a == of_a or only_a | only_b == 0:
            continue
        tally(ws, COMPARISONS, ONE)
        excess = need_a - needed_at(ws, board.place[cell_near(board, a, i)])
        if excess == bits(only_a):
            decide_difference(board, ws, a, only_a, only_b)
            return True
        if -excess == bits(only_b):
            decide_difference(board, ws, a, only_b, only_a)
            return True
    return False


@compiled
def decide_difference(board, ws, a, mined, safe):
    """Mark and open the unknown cells at these bits of the window of cell `a`."""
    while mined != 0:
        mark_mine(board, ws, cell_near(board, a, lowest(mined)), PAIR)
        mined &= mined - 1
    while safe != 0:
        open_cell(board, ws, cell_near(board, a, lowest(safe)), PAIR, 1.0)
        safe &= safe - 1
