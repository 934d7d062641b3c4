"""How many of the smallest forced guesses a layout holds, and how many a layout holds on average.

They are those of `stats.law`: a block of 2 x 2 cells with mines on one diagonal, and a pair of
cells at an edge, one of them mined, beside the mines that hide them: all cells of the board that
see one layout of the block or pair otherwise than the other. Neither `weighted` nor any other
player can tell the two layouts apart. A set is left out if it has a cell that the start protects.

The count is a control variate: its mean over all layouts of a number of mines is known exactly.
Only boards in planes with eight neighbours a cell, both sides at least 4, have sets.
"""

import numpy as np

from msdensity.kernel.compiler.bits import bits, lowest
from msdensity.kernel.compiler.directory import Directory, opener
from msdensity.kernel.compiler.jit import by_board, compiled, small
from msdensity.kernel.compiler.threads import per_thread
from msdensity.kernel.field import SAFE_START, UNPROTECTED_START, ZERO_START, is_zero, protect
from msdensity.kernel.planes import deduction  # noqa: F401  (its versions of functions)
from msdensity.kernel.planes.tiles import CENTRE, FULL, SIDE
from msdensity.kernel.planes.windows import cell_near, neighbours_at, window
from msdensity.kernel.state import Memory

SMALLEST = 4
"""On boards with a shorter side, mines across the board cost more than these sets."""

ROW = np.int64(SIDE)

ONE = np.int64(1)

means_t = np.dtype(
    [("mines", "i8"), ("rule", "i8"), ("first", "i8"), ("sets", "f8"), ("numbered", "f8")]
)
"""One record: the means of `sets` and `numbered` for this start, of the last task."""

FIELDS = {"means": means_t}

open_memory = opener(Directory("ForcedMemory", FIELDS))


def make_memory(table: Memory) -> Memory:
    """Return the working memory for a board: no means are known yet."""
    means = np.zeros(1, means_t)
    means["first"] = -1
    return Memory(FIELDS, {"means": means})


thread_memory = per_thread(make_memory)
"""Return this thread's working memory for a table; the last one is kept."""


@small
def cell_bit(step):
    """Return the bit of the cell so many places after the centre of a window."""
    return ONE << (CENTRE + step)


@small
def block_of(side):
    """Return (mined, safe, outer) of a block whose upper mine is the centre; the other is below it
    and one column to the `side`, 1 or -1."""
    mined = cell_bit(0) | cell_bit(ROW + side)
    safe = cell_bit(side) | cell_bit(ROW)
    outer = cell_bit(-ROW - side) | cell_bit(-ROW + 2 * side)
    outer |= cell_bit(2 * ROW - side) | cell_bit(2 * ROW + 2 * side)
    return mined, safe, outer


@small
def pair_of(step):
    """Return (pair, outer) of the two cells after the centre in a direction.

    step: to the next cell of the window in this direction.
    """
    across = ROW + 1 - abs(step)
    outer = cell_bit(0) | cell_bit(across) | cell_bit(-across)
    return cell_bit(step) | cell_bit(2 * step), outer


@compiled
def touches_start(board, ws, c, cells):
    """Return whether one of the cells of a window is protected."""
    while cells != 0:
        if ws.protected[cell_near(board, c, lowest(cells))]:
            return True
        cells &= cells - 1
    return False


@compiled
def is_block(board, ws, c, side):
    """Return whether cell c is the upper mine of a hidden block (`block_of`)."""
    near = window(board, ws.mined, c)
    mined, safe, outer = block_of(side)
    if near & (mined | safe) != mined:
        return False
    if near & outer != window(board, board.valid, c) & outer:
        return False
    return not touches_start(board, ws, c, mined | safe)


@compiled
def ends_at_edge(valid, step):
    """Return whether the pair of a window (`pair_of`) lies between its centre and an edge."""
    return valid & cell_bit(2 * step) != 0 and valid & cell_bit(3 * step) == 0


@compiled
def is_pair(board, ws, c, step):
    """Return whether cell c is in the middle of the mines that hide a pair at an edge."""
    valid = window(board, board.valid, c)
    if not ends_at_edge(valid, step):
        return False
    near = window(board, ws.mined, c)
    pair, outer = pair_of(step)
    if near & outer != valid & outer or bits(near & pair) != 1:
        return False
    return not touches_start(board, ws, c, pair)


@compiled
def has_sets(board):
    """Return whether sets are counted on a board in planes."""
    full = neighbours_at(board, 0, CENTRE) & neighbours_at(board, 1, CENTRE)
    return bits(full) == 8 and min(board.sides[0], board.sides[1]) >= SMALLEST


@by_board
def count_sets(table, ws):
    """Return how many sets the layout holds."""
    return 0


@count_sets.in_planes
def count_in_planes(board, ws):
    """Return how many sets the layout holds.

    Whole rows of a tile are looked at together, to find the few mines around which there may be a
    set; those beside another tile always may.
    """
    if not has_sets(board):
        return 0
    count = 0
    bordered = board.wraps[0] == 0
    rows = board.sides[0]
    columns = board.sides[1]
    for i in range(len(board.tiles)):
        at = np.int64(board.tiles[i]) << 4
        tile = board.tile[at >> 4]
        high = ONE << np.int64(tile.width - 1)
        column = np.int64(board.first[at]) % columns
        middle = np.int64(0)  # the third column from an edge
        if bordered and column == 0:
            middle |= 4
        if bordered and column + tile.width == columns:
            middle |= high >> 2
        north = np.int64(ws.mined[tile.north])
        here = np.int64(ws.mined[at])
        row = np.int64(tile.row)
        while True:
            last = board.last[at] != 0
            south = np.int64(ws.mined[tile.south] if last else ws.mined[at + 1])
            above = FULL if bordered and row == 0 else north
            below = FULL if bordered and row == rows - 1 else south
            waiting = here & (
                ((south >> 1 | high) & (above << 1 | 1)) | ((south << 1 | 1) & (above >> 1 | high))
            )
            while waiting != 0:
                c = np.int64(board.first[at]) + lowest(waiting)
                waiting &= waiting - 1
                count += is_block(board, ws, c, ONE) + is_block(board, ws, c, -ONE)
            waiting = here & middle & above & below
            if bordered and (row == 2 or row == rows - 3):
                waiting |= here & (here << 1 | 1) & (here >> 1 | high)
            while waiting != 0:
                c = np.int64(board.first[at]) + lowest(waiting)
                waiting &= waiting - 1
                count += is_pair(board, ws, c, ROW) + is_pair(board, ws, c, -ROW)
                count += is_pair(board, ws, c, ONE) + is_pair(board, ws, c, -ONE)
            if last:
                break
            north = here
            here = south
            at += 1
            row += 1
    return count


@small
def chance(mined, safe, mines, free):
    """Return the chance that so many given cells are mined, and others safe: of `free` cells."""
    share = 1.0
    for i in range(mined):
        share *= max(mines - i, 0) / (free - i)
    for i in range(safe):
        share *= max(free - mines - i, 0) / (free - mined - i)
    return share


@by_board
def mean_sets(table, ws, mines, free):
    """Return the mean of `count_sets` over all layouts; the protected cells are marked."""
    return 0.0


@mean_sets.in_planes
def mean_in_planes(board, ws, mines, free):
    """Return the mean of `count_sets` over all layouts; the protected cells are marked."""
    mean = 0.0
    if not has_sets(board):
        return mean
    for c in range(ws.game[0].cells):
        valid = window(board, board.valid, c)
        for side in (ONE, -ONE):
            mined, safe, outer = block_of(side)
            cells = mined | safe | (outer & valid)
            if valid & mined == mined and not touches_start(board, ws, c, cells):
                mean += chance(2 + bits(outer & valid), 2, mines, free)
        for step in (ROW, -ROW, ONE, -ONE):
            pair, outer = pair_of(step)
            cells = pair | (outer & valid)
            if ends_at_edge(valid, step) and not touches_start(board, ws, c, cells):
                mean += 2.0 * chance(1 + bits(outer & valid), 1, mines, free)
    return mean


@compiled
def surprises(table, ws, wm):
    """Return (sets less their mean, 1 if the first click shows no 0 less its chance), after it.

    The second is 0 unless the start protects the first cell alone. Both are 0 where the first click
    is drawn, because their means would differ from game to game.
    """
    task = ws.task[0]
    if task.first_cells > 1 or task.start_rule > UNPROTECTED_START:
        return 0.0, 0.0
    first = np.int64(ws.first_cell[0])
    means = wm.means[0]
    protect(table, ws, first, task.start_rule, np.int64(1))
    if means.mines != task.mines or means.rule != task.start_rule or means.first != first:
        near = np.int64(table.start[first + 1] - table.start[first])
        free = ws.game[0].cells
        if task.start_rule == SAFE_START:
            free -= 1
        elif task.start_rule == ZERO_START:
            free -= 1 + near
        means.mines = task.mines
        means.rule = task.start_rule
        means.first = first
        means.sets = mean_sets(table, ws, task.mines, free)
        means.numbered = 1.0 - chance(0, near, task.mines, free)
    sets = count_sets(table, ws) - means.sets
    protect(table, ws, first, task.start_rule, np.int64(0))
    if task.start_rule != SAFE_START:
        return sets, 0.0
    return sets, np.float64(not is_zero(table, ws, first)) - means.numbered
