"""What one pass over a set of layouts says: cells that are safe, that split it, and bounds."""

import numpy as np

from msdensity.kernel.compiler.bits import bits, lowest
from msdensity.kernel.compiler.jit import compiled, small
from msdensity.players.perfect.memory import LANES, SLOTS

ONES = np.int64(0x0001000100010001)
"""The lowest bit of each lane: mined."""

FULL = np.int64(0xFFFF)

COUNTED = np.int64(0x7FFF)
"""Largest set whose mines fit into the lanes of a count."""

STORED = np.int64(4)
"""Smallest set that the memo keeps: the bounds of smaller ones are exact."""


@small
def lane_of(word, lane):
    """Return the 16 bits of a lane of a word."""
    return (word >> (SLOTS * lane)) & FULL


@small
def numbers_in(word):
    """Return, in each lane, how many numbers a cell takes."""
    x = word & ~ONES
    x = x - ((x >> 1) & np.int64(0x5555555555555555))
    x = (x & np.int64(0x3333333333333333)) + ((x >> 2) & np.int64(0x3333333333333333))
    x = (x + (x >> 4)) & np.int64(0x0F0F0F0F0F0F0F0F)
    return (x + (x >> 8)) & np.int64(0x001F001F001F001F)


@small
def several(numbers):
    """Return the lowest bit of lanes with at least two numbers."""
    return ((numbers >> 1) | (numbers >> 2) | (numbers >> 3)) & ONES


@small
def safe_in(word):
    """Return the lowest bit of lanes in which no layout has a mine."""
    return ~word & ONES


@compiled
def gather(wm, begin, end, lane, first):
    """Write OR, mines and size of each part of a set into the slots first + 1 + r.

    Part r are the layouts in which the cell is safe with its r-th number. Returns the parts as bits
    1 + r, bit 0 if there are layouts with a mine.
    """
    words = wm.search[0].words
    word = lane // LANES
    place = lane % LANES
    parts = np.int64(0)
    for i in range(begin, end):
        row = wm.order[i] * words
        value = lane_of(wm.row[row + word], place)
        v = lowest(value)
        if v == 0:
            parts |= 1
            continue
        s = first + v
        into = s * words
        if parts & value == 0:
            parts |= value
            wm.slot[s].size = np.int32(1)
            for w in range(words):
                x = wm.row[row + w]
                wm.any[into + w] = x
                wm.mines[into + w] = x & ONES
        else:
            wm.slot[s].size += np.int32(1)
            for w in range(words):
                x = wm.row[row + w]
                wm.any[into + w] |= x
                wm.mines[into + w] += x & ONES
    return parts


@compiled
def partition(wm, begin, end, lane, first, parts):
    """Order the rows of a set by part, after `gather`; those with a mine come last."""
    words = wm.search[0].words
    word = lane // LANES
    place = lane % LANES
    at = np.int64(begin)
    left = parts & ~np.int64(1)
    while left != 0:
        slot = wm.slot[first + lowest(left)]
        slot.begin = np.int32(at)
        slot.end = np.int32(at)
        at += slot.size
        left &= left - 1
    mined = at
    for i in range(begin, end):
        r = wm.order[i]
        v = lowest(lane_of(wm.row[r * words + word], place))
        if v == 0:
            wm.spare[mined] = r
            mined += 1
        else:
            slot = wm.slot[first + v]
            wm.spare[slot.end] = r
            slot.end += np.int32(1)
    for i in range(begin, end):
        wm.order[i] = wm.spare[i]


@compiled
def mines_of(wm, s, lane):
    """Return in how many layouts of the set of slot s a cell is mined."""
    words = wm.search[0].words
    word = lane // LANES
    slot = wm.slot[s]
    if slot.size <= COUNTED:
        return lane_of(wm.mines[s * words + word], lane % LANES)
    count = np.int64(0)
    for i in range(slot.begin, slot.end):
        count += lane_of(wm.row[wm.order[i] * words + word], lane % LANES) & 1
    return count


@compiled
def assess(wm, s, placed):
    """Set bound, exact and split of slot s, after `gather`. placed: whether it has its rows."""
    words = wm.search[0].words
    slot = wm.slot[s]
    size = np.int64(slot.size)
    slot.split = np.int32(-1)
    slot.exact = np.int32(1)
    slot.bound = np.int32(1)
    if size == 1:
        return
    most = np.int64(0)
    bound = np.int64(0)
    whole = False
    counted = size <= COUNTED
    for w in range(words):
        x = wm.any[s * words + w]
        numbers = numbers_in(x)
        split = several(numbers)
        if split == 0:
            continue
        safe = split & safe_in(x)
        while safe != 0:
            place = lowest(safe) >> 4
            here = lane_of(numbers, place)
            if here > most:
                most = here
                slot.split = np.int32(w * LANES + place)
            safe &= safe - 1
        if most > 0:
            continue
        while split != 0:
            place = lowest(split) >> 4
            split &= split - 1
            if not counted and not placed:
                bound = size
                continue
            here = size - mines_of(wm, s, w * LANES + place)
            if here >= bound:
                alone = lane_of(numbers, place) == here
                whole = alone or (whole and here == bound)
                bound = here
    if most > 0:
        slot.bound = np.int32(size)
        slot.exact = np.int32(most == size)
    elif bound > 0:
        slot.bound = np.int32(bound)
        slot.exact = np.int32(whole or bound == 2)


@compiled
def name(wm, s):
    """Write the key of the set of slot s: it follows from the cells that all its layouts show.

    They are all layouts with these numbers, so that equal keys mean equal sets. Of all images of
    the set under the symmetries the least key counts.
    """
    search = wm.search[0]
    words = search.words
    slot = wm.slot[s]
    for g in range(search.images):
        key0 = np.int64(0)
        key1 = np.int64(0)
        for w in range(words):
            x = wm.any[s * words + w]
            numbers = numbers_in(x)
            known = safe_in(x) & numbers & ~several(numbers)
            while known != 0:
                place = lowest(known) >> 4
                known &= known - 1
                r = lowest(lane_of(x, place))
                i = ((g * search.lanes + w * LANES + place) * SLOTS + r) * 2
                key0 ^= wm.name[i]
                key1 ^= wm.name[i + 1]
        if g == 0 or key0 < slot.key0 or (key0 == slot.key0 and key1 < slot.key1):
            slot.key0 = key0
            slot.key1 = key1


@compiled
def recall(wm, s):
    """Lower the bound of slot s to what the memo knows; call `name` first."""
    search = wm.search[0]
    slot = wm.slot[s]
    at = slot.key0 & search.mask
    for i in range(at, at + 4):
        entry = wm.memo[i]
        if entry.key0 == slot.key0 and entry.key1 == slot.key1 and entry.epoch == search.epoch:
            slot.exact = entry.exact
            slot.bound = min(slot.bound, entry.bound)
            return


@compiled
def keep(wm, s):
    """Write bound and exact of slot s into the memo, in place of the smallest of four sets."""
    search = wm.search[0]
    slot = wm.slot[s]
    at = slot.key0 & search.mask
    best = at
    least = np.int64(1) << 40
    for i in range(at, at + 4):
        entry = wm.memo[i]
        size = np.int64(entry.size)
        if entry.epoch != search.epoch:
            size = np.int64(0)
        elif entry.key0 == slot.key0 and entry.key1 == slot.key1:
            size = np.int64(-1)
        if size < least:
            least = size
            best = i
    entry = wm.memo[best]
    entry.key0 = slot.key0
    entry.key1 = slot.key1
    entry.epoch = np.int32(search.epoch)
    entry.size = slot.size
    entry.bound = slot.bound
    entry.exact = slot.exact
