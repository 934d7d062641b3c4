"""What one pass over a set of layouts says: cells that are safe, that split it, and bounds."""

import numpy as np

from msdensity.kernel.compiler.bits import lowest
from msdensity.kernel.compiler.jit import compiled, small
from msdensity.players.perfect.memory import LANES, LISTED, SLOTS

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
def side_of(wm, depth, side):
    """Return where the copies of rows begin on one side of a depth."""
    return (2 * depth + side) * wm.search[0].copied


@compiled
def part_by(wm, s, lane, first, to, side):
    """Write the parts of the set of slot s by the numbers of a cell into the slots from `first` on.

    They are the layouts in which the cell is safe with one number, in the order that they had. If
    the rows of the set are copies, those of the parts are copied to `to` on, which is on `side`;
    if not, the rows of the set are put in the order of the parts, those with a mine last. Returns
    the slot after the last part.
    """
    search = wm.search[0]
    words = search.words
    slot = wm.slot[s]
    listed = slot.side == LISTED
    word = lane // LANES
    place = lane % LANES
    begin = np.int64(slot.begin)
    end = np.int64(slot.end)
    for v in range(SLOTS):
        wm.count[v] = 0
    if listed:
        at = begin
        for i in range(begin, end):
            wm.count[lowest(lane_of(wm.row[wm.order[i] * words + word], place))] += 1
    else:
        at = np.int64(to)
        for i in range(begin, end):
            wm.count[lowest(lane_of(wm.copy[i * (words + 2) + word], place))] += 1
    last = np.int64(first)
    for v in range(1, SLOTS):
        size = wm.count[v]
        wm.count[v] = at
        if size > 0:
            part = wm.slot[last]
            part.begin = np.int32(at)
            at += size
            part.end = np.int32(at)
            part.side = LISTED if listed else np.int32(side)
            part.covered = np.int32(0)
            last += 1
    wm.count[0] = at
    if listed:
        put_in_order(wm, begin, end, word, place)
    else:
        copy_parts(wm, begin, end, word, place)
    return last


@compiled
def put_in_order(wm, begin, end, word, place):
    """Put rows of `order` where wm.count says, by their numbers in a lane of a word."""
    words = wm.search[0].words
    for i in range(begin, end):
        r = wm.order[i]
        v = lowest(lane_of(wm.row[r * words + word], place))
        wm.spare[wm.count[v]] = r
        wm.count[v] += 1
    for i in range(begin, end):
        wm.order[i] = wm.spare[i]


@compiled
def copy_parts(wm, begin, end, word, place):
    """Copy copies of rows to where wm.count says, but for those with a mine in the lane."""
    stride = wm.search[0].words + 2
    for i in range(begin, end):
        at = i * stride
        v = lowest(lane_of(wm.copy[at + word], place))
        if v > 0:
            to = wm.count[v] * stride
            wm.count[v] += 1
            copy_row(wm, at, to, stride)


@compiled
def copy_row(wm, at, to, stride):
    """Copy one copy of a row, two words at a time: the last one twice if they are odd."""
    for w in range(0, stride - 1, 2):
        x = wm.copy[at + w]
        y = wm.copy[at + w + 1]
        wm.copy[to + w] = x
        wm.copy[to + w + 1] = y
    wm.copy[to + stride - 1] = wm.copy[at + stride - 1]


@compiled
def copy_rows(wm, s, depth):
    """Copy the rows of a set that has none copied to a depth."""
    search = wm.search[0]
    words = search.words
    slot = wm.slot[s]
    begin = side_of(wm, depth, np.int64(0))
    to = begin * (words + 2)
    for i in range(slot.begin, slot.end):
        r = wm.order[i]
        for w in range(words):
            wm.copy[to + w] = wm.row[r * words + w]
        wm.copy[to + words] = wm.mined[r]
        wm.copy[to + words + 1] = i
        to += words + 2
    slot.end = np.int32(begin + slot.end - slot.begin)
    slot.begin = np.int32(begin)
    slot.side = np.int32(0)


@compiled
def join_rows(wm, s):
    """Write the OR of the rows of a set."""
    words = wm.search[0].words
    slot = wm.slot[s]
    first = s * words
    if slot.side == LISTED:
        for w in range(words):
            wm.any[first + w] = 0
        for i in range(slot.begin, slot.end):
            r = wm.order[i] * words
            for w in range(words):
                wm.any[first + w] |= wm.row[r + w]
        return
    stride = words + 2
    for w in range(words):
        x = np.int64(0)
        for i in range(slot.begin * stride + w, slot.end * stride + w, stride):
            x |= wm.copy[i]
        wm.any[first + w] = x


@compiled
def assess(wm, s):
    """Set bound, exact and split of slot s, whose rows are known, and the OR of the rows."""
    search = wm.search[0]
    words = search.words
    slot = wm.slot[s]
    size = np.int64(slot.end - slot.begin)
    slot.split = np.int32(-1)
    slot.exact = np.int32(1)
    slot.covered = np.int32(0)
    slot.bound = np.int32(1)
    if size == 1:
        return
    join_rows(wm, s)
    most = np.int64(0)
    split = np.int64(0)
    worth = np.int64(0)
    for w in range(words):
        x = wm.any[s * words + w]
        numbers = numbers_in(x)
        safe = several(numbers)
        split |= safe
        worth |= pack(safe & x) << (w * LANES)
        safe &= safe_in(x)
        while safe != 0:
            place = lowest(safe) >> 4
            here = lane_of(numbers, place)
            if here > most:
                most = here
                slot.split = np.int32(w * LANES + place)
            safe &= safe - 1
    if most > 0:
        slot.bound = np.int32(size)
        slot.exact = np.int32(most == size)
    elif split != 0:
        count_cliques(wm, s, worth)


@compiled
def count_cliques(wm, s, worth):
    """Set for each lane of `worth` in how many cliques a cell is safe, and so bound and exact.

    Rows of one clique are neighbours and have the same clique; without copies each is one alone.
    The counts of all lanes are added bit by bit: five bits in variables, the others in `plane`.
    """
    search = wm.search[0]
    slot = wm.slot[s]
    begin = np.int64(slot.begin)
    end = np.int64(slot.end)
    high = np.int64(5)
    while (end - begin) >> high != 0:
        wm.plane[high] = 0
        high += 1
    listed = slot.side == LISTED
    stride = search.words + 2
    a = b = c = d = e = np.int64(0)
    safe = np.int64(0)
    before = np.int64(-1)
    for i in range(begin, end + 1):
        x = np.int64(0)
        clique = np.int64(-2)
        if i < end:
            if listed:
                x = ~wm.mined[wm.order[i]]
                clique = i
            else:
                x = ~wm.copy[i * stride + stride - 2]
                clique = wm.copy[i * stride + stride - 1]
        if clique == before:
            safe |= x
            continue
        more = safe
        safe = x
        before = clique
        more, a = more & a, more ^ a
        more, b = more & b, more ^ b
        more, c = more & c, more ^ c
        more, d = more & d, more ^ d
        more, e = more & e, more ^ e
        k = np.int64(5)
        while more != 0 and k < high:
            x = wm.plane[k]
            wm.plane[k] = x ^ more
            more &= x
            k += 1
    bound = np.int64(0)
    numbers = np.int64(0)
    while worth != 0:
        lane = lowest(worth)
        worth &= worth - 1
        here = (a >> lane) & 1
        here += ((b >> lane) & 1) << 1
        here += ((c >> lane) & 1) << 2
        here += ((d >> lane) & 1) << 3
        here += ((e >> lane) & 1) << 4
        for k in range(5, high):
            here += ((wm.plane[k] >> lane) & 1) << k
        wm.most[s * search.lanes + lane] = np.int32(here)
        bound = max(bound, here)
        numbers = max(numbers, lanes_numbers(wm, s, lane))
    if bound > 0:
        slot.bound = np.int32(bound)
        slot.exact = np.int32(bound <= numbers)


@compiled
def lanes_numbers(wm, s, lane):
    """Return how many numbers a cell takes: at least so many layouts are won."""
    x = wm.any[s * wm.search[0].words + lane // LANES]
    return lane_of(numbers_in(x), lane % LANES)


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
