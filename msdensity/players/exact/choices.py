"""Which cells a player finds safe, and from which it draws one if it finds none."""

import numpy as np

from msdensity.kernel.compiler.bits import bits, lowest
from msdensity.kernel.compiler.jit import compiled
from msdensity.players.exact.memory import MAX_CELLS, PLACED

ONE = np.int64(1)


@compiled
def number_in(wm, r, c):
    """Return the number of cell c in layout r."""
    return bits(wm.word[r] & wm.near[c])


@compiled
def board_of(wm):
    """Return all cells, as bits."""
    cells = wm.search[0].cells
    return np.int64(-1) if cells == MAX_CELLS else (ONE << cells) - 1


@compiled
def find_safest(wm, depth, unsure):
    """Write which cells are safe in most layouts of a set; cells that are alike are drawn once.

    unsure: the cells that are mined in some of its layouts, but not in all, as bits.
    """
    frame = wm.frame[depth]
    first = depth * MAX_CELLS
    left = unsure
    while left != 0:
        c = lowest(left)
        left &= left - 1
        wm.count[c] = 0
    for r in range(frame.begin, frame.end):
        left = wm.word[r] & unsure
        while left != 0:
            wm.count[lowest(left)] += 1
            left &= left - 1
    fewest = np.int64(frame.end - frame.begin)
    tied = np.int64(0)
    left = unsure
    while left != 0:
        c = lowest(left)
        left &= left - 1
        if wm.count[c] < fewest:
            fewest = wm.count[c]
            tied = np.int64(0)
        if wm.count[c] == fewest:
            tied |= ONE << c
    frame.tied = np.int32(bits(tied))
    left = tied
    while left != 0:
        wm.equal[first + lowest(left)] = tied
        left &= left - 1
    for r in range(frame.begin, frame.end):
        left = wm.word[r] & tied
        while left != 0:
            wm.equal[first + lowest(left)] &= wm.word[r]
            left &= left - 1
    left = tied
    while left != 0:
        c = lowest(left)
        frame.left |= ONE << c
        left &= ~wm.equal[first + c]


@compiled
def single_points(wm, r, opened, marked):
    """Return (cells that are free, marked cells), as bits, by the single-point rules.

    r: a layout with the numbers of the opened cells; marked: cells already found to be mined. Marks
    leave the other cells that a number marks as they are, so that one look at all numbers marks
    all, and a second one finds all that is free (004, section 2.1).
    """
    free = np.int64(0)
    for marking in (True, False):
        left = opened
        while left != 0:
            x = lowest(left)
            left &= left - 1
            covered = wm.near[x] & ~opened & ~marked
            number = number_in(wm, r, x) - bits(wm.near[x] & marked)
            if marking and number == bits(covered):
                marked |= covered
            elif not marking and number == 0:
                free |= covered
    return free, marked


@compiled
def find_covered(wm, depth, marked, every):
    """Write from which covered, unmarked cells a single-point player draws.

    It draws from all, or from those of the first kind that is there (000, section 5.3.2): corner,
    edge, inner cell beside an opened one, other inner cell. every: the cells that are mined in all
    layouts, as bits: if one is drawn, nothing is won.
    """
    frame = wm.frame[depth]
    opened = frame.opened
    drawn = board_of(wm) & ~opened & ~marked
    if wm.search[0].rule == PLACED:
        kinds = drawn
        first = np.int64(4)
        while kinds != 0:
            c = lowest(kinds)
            kinds &= kinds - 1
            kind = np.int64(wm.place[c])
            if kind == 2 and wm.near[c] & opened == 0:
                kind = np.int64(3)
            if kind > first:
                drawn &= ~(ONE << c)
            elif kind < first:
                first = kind
                drawn &= ~((ONE << c) - 1)
    frame.tied = np.int32(bits(drawn))
    frame.left = drawn & ~every
    left = frame.left
    while left != 0:
        c = lowest(left)
        left &= left - 1
        wm.equal[depth * MAX_CELLS + c] = ONE << c
