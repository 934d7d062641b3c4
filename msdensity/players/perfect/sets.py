"""What one pass over a set of layouts says: cells that are safe, that split it, and bounds."""

import numpy as np

from msdensity.kernel.compiler.bits import bits, lowest
from msdensity.kernel.compiler.jit import compiled, small
from msdensity.players.perfect.memory import COUNTED, LANES, SLOTS

ONES = np.int64(0x0001000100010001)
"""The lowest bit of each lane: mined."""

ONE = np.int64(1)

FULL = np.int64(0xFFFF)

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
def worth_in(word):
    """Return the lowest bit of lanes that are mined in some layouts and have several numbers."""
    return several(numbers_in(word)) & word


@small
def pack(flags):
    """Return the four flags of a word as its lowest bits."""
    return (flags | flags >> 15 | flags >> 30 | flags >> 45) & np.int64(15)


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
    b.covered = a.covered
    b.split = a.split
    b.key0 = a.key0
    b.key1 = a.key1
    for w in range(words):
        wm.any[to * words + w] = wm.any[s * words + w]
        wm.most[to * words + w] = wm.most[s * words + w]


@compiled
def most_of(wm, s, lane):
    """Return how many layouts of the set of slot s can be won if a cell is opened first.

    That is how many have it safe, or a lower bound of `cover`; call `assess` first.
    """
    words = wm.search[0].words
    word = lane // LANES
    slot = wm.slot[s]
    if slot.end - slot.begin <= COUNTED:
        return lane_of(wm.most[s * words + word], lane % LANES)
    count = np.int64(0)
    for i in range(slot.begin, slot.end):
        count += ~lane_of(wm.row[wm.order[i] * words + word], lane % LANES) & 1
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
    slot.covered = np.int32(0)
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
                x += ~wm.row[wm.order[i] * words + w] & ONES
            wm.most[s * words + w] = x
        while split != 0:
            place = lowest(split) >> 4
            split &= split - 1
            here = most_of(wm, s, w * LANES + place)
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
    """Lower the bound of slot s to the most cliques that one cell can be safe in.

    Two layouts are in conflict if no cell that is safe in both has another number in one than in
    the other: no player can win both, because nothing tells them apart before a mine goes off. So
    of a clique of such layouts one is won at most. Each layout is added to the first clique that it
    fits into: wherever it is safe, the clique must show no other number. If a cell is opened first,
    no more layouts can be won than there are cliques with a layout in which it is safe.
    """
    words = wm.search[0].words
    slot = wm.slot[s]
    begin = np.int64(slot.begin)
    end = np.int64(slot.end)
    stride = (end - begin + 63) // 64
    forget_cliques(wm, s, stride)
    cliques = np.int64(0)
    for i in range(begin, end):
        row = wm.order[i] * words
        cells = np.int64(0)
        for w in range(words):
            x = wm.row[row + w]
            left = safe_in(x) & wm.split[w]
            while left != 0:
                place = lowest(left) >> 4
                left &= left - 1
                at = (w * LANES + place) * SLOTS
                wm.safe[cells] = at * stride
                wm.safe[cells + 1] = (at + lowest(lane_of(x, place))) * stride
                cells += 2
        j = np.int64(0)
        while True:
            free = np.int64(-1)
            for k in range(0, cells, 2):
                free &= ~wm.shown[wm.safe[k] + j] | wm.shown[wm.safe[k + 1] + j]
            if free != 0:
                break
            j += 1
        clique = lowest(free)
        for k in range(cells):
            wm.shown[wm.safe[k] + j] |= ONE << clique
        cliques = max(cliques, 64 * j + clique + 1)
    slot.covered = np.int32(1)
    bound = cliques
    if slot.split < 0:
        bound = bound_cells(wm, s, stride)
    slot.bound = np.int32(min(np.int64(slot.bound), bound))
    slot.exact = np.int32(slot.bound <= 2)


@compiled
def forget_cliques(wm, s, stride):
    """Clear what the cliques show, and note the cells that take several numbers."""
    words = wm.search[0].words
    for w in range(words):
        x = wm.any[s * words + w]
        split = several(numbers_in(x))
        wm.split[w] = split
        while split != 0:
            place = lowest(split) >> 4
            split &= split - 1
            numbers = lane_of(x, place) | 1
            while numbers != 0:
                at = ((w * LANES + place) * SLOTS + lowest(numbers)) * stride
                numbers &= numbers - 1
                for j in range(stride):
                    wm.shown[at + j] = 0


@compiled
def bound_cells(wm, s, stride):
    """Write in how many cliques a cell is safe; return the most of a cell that may be opened."""
    words = wm.search[0].words
    bound = np.int64(0)
    for w in range(words):
        worth = worth_in(wm.any[s * words + w])
        x = np.int64(0)
        while worth != 0:
            place = lowest(worth) >> 4
            worth &= worth - 1
            at = (w * LANES + place) * SLOTS * stride
            count = np.int64(0)
            for j in range(stride):
                count += bits(wm.shown[at + j])
            x |= count << (SLOTS * place)
            bound = max(bound, count)
        wm.most[s * words + w] = x
    return bound
