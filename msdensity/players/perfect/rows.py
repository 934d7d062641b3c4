"""The rows of a set of layouts: what each cell shows in each of them."""

import numpy as np

from msdensity.kernel.compiler.bits import bits
from msdensity.kernel.compiler.jit import compiled
from msdensity.players.perfect.memory import (
    LANES,
    MAX_LANES,
    MINE,
    NUMBERS,
    SAFE,
    SLOTS,
)
from msdensity.players.perfect.sets import ONE

TOO_MANY_CELLS, TOO_MANY_NUMBERS = np.int64(-3), np.int64(-4)

SPREAD = np.int64(64)
"""Numbers of a cell lie within so many of each other."""


@compiled
def is_mined_in(wm, i, u):
    """Return whether unknown cell u is mined in layout i."""
    return wm.layout[i * wm.search[0].masks + u // 64] >> (u % 64) & 1


@compiled
def number_in(wm, i, u):
    """Return how many unknown neighbours of unknown cell u are mined in layout i."""
    masks = wm.search[0].masks
    number = np.int64(0)
    for j in range(masks):
        number += bits(wm.layout[i * masks + j] & wm.near[u * masks + j])
    return number


@compiled
def write_column(wm, u):
    """Write the lane of unknown cell u in each row; return SAFE, MINE, a fault, or 0."""
    layouts = wm.search[0].layouts
    least = np.int64(1) << 30
    for i in range(layouts):
        number = np.int64(-1)
        if not is_mined_in(wm, i, u):
            number = number_in(wm, i, u)
            least = min(least, number)
        wm.column[i] = number
    mined = False
    numbers = np.int64(0)
    for i in range(layouts):
        if wm.column[i] < 0:
            mined = True
        elif wm.column[i] - least >= SPREAD:
            return TOO_MANY_NUMBERS
        else:
            numbers |= ONE << (wm.column[i] - least)
    if numbers == 0:
        return MINE
    if not mined and bits(numbers) == 1:
        return SAFE
    if bits(numbers) > NUMBERS:
        return TOO_MANY_NUMBERS
    for i in range(layouts):
        rank = np.int64(0)
        if wm.column[i] >= 0:
            rank = 1 + bits(numbers & ~(np.int64(-1) << (wm.column[i] - least)))
        wm.column[i] = ONE << rank
    return np.int64(0)


@compiled
def write_rows(wm):
    """Write the rows of all layouts; return how many lanes they have, or a fault below 0.

    Cells that are the same in all layouts have no lane, and cells with equal lanes share one.
    """
    search = wm.search[0]
    search.words = len(wm.split)
    words = search.words
    layouts = search.layouts
    for i in range(layouts * words):
        wm.row[i] = 0
    for i in range(layouts):
        wm.mined[i] = 0
        wm.order[i] = np.int32(i)
    lanes = np.int64(0)
    for u in range(search.unknown):
        kind = write_column(wm, u)
        if kind < MINE:
            return TOO_MANY_NUMBERS
        if kind != 0:
            wm.lane[u] = np.int32(kind)
            continue
        lane = equal_lane(wm, lanes)
        wm.lane[u] = np.int32(lane)
        if lane < lanes:
            continue
        if lanes >= MAX_LANES or lanes >= LANES * words:
            return TOO_MANY_CELLS
        lanes += 1
        place = SLOTS * (lane % LANES)
        for i in range(layouts):
            wm.row[i * words + lane // LANES] |= wm.column[i] << place
            wm.mined[i] |= (wm.column[i] & 1) << lane
    narrow(wm, lanes)
    return lanes


@compiled
def narrow(wm, lanes):
    """Leave out the words of the rows that hold no lane."""
    search = wm.search[0]
    before = search.words
    search.words = (lanes + LANES - 1) // LANES
    search.lanes = search.words * LANES
    for i in range(search.layouts):
        for w in range(search.words):
            wm.row[i * search.words + w] = wm.row[i * before + w]


@compiled
def equal_lane(wm, lanes):
    """Return the lane that is equal to the column, or the number of lanes."""
    search = wm.search[0]
    words = search.words
    for lane in range(lanes):
        place = SLOTS * (lane % LANES)
        i = np.int64(0)
        while i < search.layouts:
            if wm.row[i * words + lane // LANES] >> place & np.int64(0xFFFF) != wm.column[i]:
                break
            i += 1
        if i == search.layouts:
            return np.int64(lane)
    return lanes
