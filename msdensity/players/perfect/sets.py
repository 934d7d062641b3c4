"""What one pass over a set of layouts says: cells that are safe, that split it, and bounds."""

import numpy as np

from msdensity.kernel.compiler.bits import bits, lowest
from msdensity.kernel.compiler.jit import compiled, small
from msdensity.players.perfect.memory import LANES, SLOTS

ONES = np.int64(0x0001000100010001)
"""The lowest bit of each lane: mined."""

ONE = np.int64(1)

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


@small
def pack(flags):
    """Return the four flags of a word as its lowest bits."""
    return (flags | flags >> 15 | flags >> 30 | flags >> 45) & np.int64(15)


@small
def spread(flags):
    """Return the lanes of these flags, full."""
    flags |= flags << 1
    flags |= flags << 2
    flags |= flags << 4
    return flags | flags << 8


@compiled
def part_by(wm, s, lane, first):
    """Write the parts of the set of slot s by the numbers of a cell into the slots from `first` on.

    They are the layouts in which the cell is safe with one number. Puts the rows of the set in the
    order of the parts, those with a mine last. Returns the slot after the last part.
    """
    words = wm.search[0].words
    slot = wm.slot[s]
    word = lane // LANES
    place = lane % LANES
    begin = np.int64(slot.begin)
    end = np.int64(slot.end)
    for v in range(SLOTS):
        wm.count[v] = 0
    for i in range(begin, end):
        wm.count[lowest(lane_of(wm.row[wm.order[i] * words + word], place))] += 1
    at = begin
    to = np.int64(first)
    for v in range(1, SLOTS):
        size = wm.count[v]
        wm.count[v] = at
        if size > 0:
            wm.slot[to].begin = np.int32(at)
            at += size
            wm.slot[to].end = np.int32(at)
            to += 1
    wm.count[0] = at
    for i in range(begin, end):
        r = wm.order[i]
        v = lowest(lane_of(wm.row[r * words + word], place))
        wm.spare[wm.count[v]] = r
        wm.count[v] += 1
    for i in range(begin, end):
        wm.order[i] = wm.spare[i]
    return to


@compiled
def move(wm, s, to):
    """Copy the set of a slot into another slot."""
    if s == to:
        return
    words = wm.search[0].words
    a = wm.slot[s]
    b = wm.slot[to]
    b.begin = a.begin
    b.end = a.end
    b.bound = a.bound
    b.exact = a.exact
    b.split = a.split
    b.key0 = a.key0
    b.key1 = a.key1
    for w in range(words):
        wm.any[to * words + w] = wm.any[s * words + w]
        wm.mines[to * words + w] = wm.mines[s * words + w]


@compiled
def mines_of(wm, s, lane):
    """Return in how many layouts of the set of slot s a cell is mined, after `assess`."""
    words = wm.search[0].words
    word = lane // LANES
    slot = wm.slot[s]
    if slot.end - slot.begin <= COUNTED:
        return lane_of(wm.mines[s * words + word], lane % LANES)
    count = np.int64(0)
    for i in range(slot.begin, slot.end):
        count += lane_of(wm.row[wm.order[i] * words + word], lane % LANES) & 1
    return count


@compiled
def assess(wm, s):
    """Set bound, exact and split of slot s, whose rows are known, and the OR of the rows."""
    words = wm.search[0].words
    slot = wm.slot[s]
    begin = np.int64(slot.begin)
    end = np.int64(slot.end)
    size = end - begin
    slot.split = np.int32(-1)
    slot.exact = np.int32(1)
    slot.bound = np.int32(1)
    if size == 1:
        return
    most = np.int64(0)
    for w in range(words):
        x = np.int64(0)
        for i in range(begin, end):
            x |= wm.row[wm.order[i] * words + w]
        wm.any[s * words + w] = x
        numbers = numbers_in(x)
        safe = several(numbers) & safe_in(x)
        while safe != 0:
            place = lowest(safe) >> 4
            here = lane_of(numbers, place)
            if here > most:
                most = here
                slot.split = np.int32(w * LANES + place)
                if most == size:
                    slot.bound = np.int32(size)
                    return
            safe &= safe - 1
    if most > 0:
        slot.bound = np.int32(size)
        slot.exact = np.int32(0)
        return
    bound = np.int64(0)
    whole = False
    for w in range(words):
        numbers = numbers_in(wm.any[s * words + w])
        split = several(numbers)
        if split != 0 and size <= COUNTED:
            x = np.int64(0)
            for i in range(begin, end):
                x += wm.row[wm.order[i] * words + w] & ONES
            wm.mines[s * words + w] = x
        while split != 0:
            place = lowest(split) >> 4
            split &= split - 1
            here = size - mines_of(wm, s, w * LANES + place)
            if here >= bound:
                alone = lane_of(numbers, place) == here
                whole = alone or (whole and here == bound)
                bound = here
    if bound > 0:
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
    """Lower the bound of slot s to what the memo knows; return whether it knows the set.

    Call `name` first.
    """
    search = wm.search[0]
    slot = wm.slot[s]
    at = slot.key0 & search.mask
    for i in range(at, at + 4):
        entry = wm.memo[i]
        if entry.key0 == slot.key0 and entry.key1 == slot.key1 and entry.epoch == search.epoch:
            slot.exact = entry.exact
            slot.bound = min(slot.bound, entry.bound)
            return True
    return False


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
    entry.size = slot.end - slot.begin
    entry.bound = slot.bound
    entry.exact = slot.exact


@compiled
def cover(wm, s):
    """Lower the bound of slot s to a number of cliques that hold all its layouts.

    Two layouts are in conflict if no cell that is safe in both has another number in one than in
    the other: no player can win both, because nothing tells them apart before a mine goes off. So
    of a clique of such layouts one is won at most. Each layout is added to the first clique that it
    fits into: wherever it is safe, the clique must show no other number.
    """
    words = wm.search[0].words
    slot = wm.slot[s]
    cliques = np.int64(0)
    for i in range(slot.begin, slot.end):
        row = wm.order[i] * words
        for w in range(words):
            x = wm.row[row + w]
            wm.other[w] = ~x & spread(safe_in(x))
        k = np.int64(0)
        while k < cliques:
            w = np.int64(0)
            while w < words and wm.clique[k * words + w] & wm.other[w] == 0:
                w += 1
            if w == words:
                break
            k += 1
        if k == cliques:
            cliques += 1
            if cliques >= slot.bound:
                return
            for w in range(words):
                wm.clique[k * words + w] = wm.row[row + w] & ~ONES
        else:
            for w in range(words):
                wm.clique[k * words + w] |= wm.row[row + w] & ~ONES
    slot.bound = np.int32(cliques)
    slot.exact = np.int32(cliques <= 2)
