"""An upper bound of the value of a set: its layouts in cliques, of each of which one is won."""

import numpy as np

from msdensity.kernel.compiler.bits import bits, lowest
from msdensity.kernel.compiler.jit import compiled
from msdensity.players.perfect.memory import LANES, MAX_LANES, SLOTS
from msdensity.players.perfect.sets import (
    ONE,
    lane_of,
    lanes_numbers,
    numbers_in,
    several,
    worth_in,
)

NUMBERED = np.int64(0x7FFE7FFE7FFE7FFE)
"""The bits of the numbers in each lane. Added to them, it sets the highest bit if there are any."""


@compiled
def cover(wm, s):
    """Lower the bound of slot s to the most cliques that one cell can be safe in.

    Two layouts are in conflict if no cell that is safe in both has another number in one than in
    the other: no player can win both, because nothing tells them apart before a mine goes off. So
    of a clique of such layouts one is won at most. Each clique that the set has (at first, each
    layout alone) is joined to the first one that it fits to: wherever both have safe cells, they
    show the same number. If a cell is opened first, no more layouts can be won than there are
    cliques with a layout in which it is safe.

    The rows of the set are copies. They are put in the order of the cliques.
    """
    search = wm.search[0]
    words = search.words
    stride = words + 2
    slot = wm.slot[s]
    begin = np.int64(slot.begin)
    end = np.int64(slot.end)
    before = count_runs(wm, s)
    length = length_of(before)
    forget_cliques(wm, s, length)
    cliques = np.int64(0)
    i = begin
    while i < end:
        at = i * stride
        last = wm.copy[at + words + 1]
        for w in range(words):
            wm.union[w] = wm.copy[at + w]
        first = i
        i += 1
        at += stride
        while i < end and wm.copy[at + words + 1] == last:
            for w in range(words):
                wm.union[w] |= wm.copy[at + w]
            i += 1
            at += stride
        clique = join_clique(wm, s, length)
        if clique == cliques:
            cliques += 1
            wm.place[clique] = 0
        wm.place[clique] += np.int32(i - first)
        for k in range(first - begin, i - begin):
            wm.clique[k] = np.int32(clique)
    if cliques < before:
        sort_rows(wm, s, cliques)
    count_shown(wm, s, length, cliques)


@compiled
def count_runs(wm, s):
    """Return how many cliques a set has."""
    stride = wm.search[0].words + 2
    slot = wm.slot[s]
    count = np.int64(0)
    last = np.int64(-1)
    for i in range(slot.begin, slot.end):
        clique = wm.copy[i * stride + stride - 1]
        count += clique != last
        last = clique
    return count


@compiled
def join_clique(wm, s, length):
    """Return the first clique that the one with the OR `union` fits to, and join them."""
    words = wm.search[0].words
    cells = np.int64(0)
    for w in range(words):
        x = wm.union[w] & NUMBERED
        left = ((x + NUMBERED) >> 15) & wm.split[w]
        while left != 0:
            place = lowest(left) >> 4
            left &= left - 1
            number = lowest(lane_of(x, place))
            at = (w * LANES + place) * SLOTS + number
            wm.safe[cells] = at * length
            wm.safe[MAX_LANES + cells] = at
            cells += 1
    j = np.int64(0)
    if length >= 4:
        j = skip_full(wm, cells)
    while True:
        taken = np.int64(0)
        for k in range(cells):
            taken |= wm.shown[wm.safe[k] + j]
        if taken != -1:
            break
        j += 1
    place = lowest(~taken)
    bit = ONE << place
    for k in range(cells):
        at = wm.safe[MAX_LANES + k]
        first = at & -SLOTS
        if wm.shown[first * length + j] & bit != 0:
            continue
        wm.shown[first * length + j] |= bit
        lane = at >> 4
        others = lane_of(wm.any[s * words + (lane >> 2)], lane & 3) & ~(ONE << (at & 15)) & ~ONE
        while others != 0:
            wm.shown[(first + lowest(others)) * length + j] |= bit
            others &= others - 1
    return 64 * j + place


@compiled
def skip_full(wm, cells):
    """Return from which word on a clique may be free, for lengths that are multiples of four."""
    j = np.int64(0)
    while True:
        a = b = c = d = np.int64(0)
        for k in range(cells):
            at = wm.safe[k] + j
            a |= wm.shown[at]
            b |= wm.shown[at + 1]
            c |= wm.shown[at + 2]
            d |= wm.shown[at + 3]
        if a & b & c & d != -1:
            return j
        j += 4


@compiled
def length_of(cliques):
    """Return the words that hold a bit for each clique: a multiple of four, or fewer."""
    length = (cliques + 63) // 64
    return length if length < 4 else (length + 3) // 4 * 4


@compiled
def sort_rows(wm, s, cliques):
    """Put the rows of a set in the order of the cliques, on the other side."""
    search = wm.search[0]
    words = search.words
    stride = words + 2
    slot = wm.slot[s]
    shift = search.copied
    if slot.side == 1:
        shift = -shift
    at = np.int64(slot.begin) + shift
    for k in range(cliques):
        size = wm.place[k]
        wm.place[k] = np.int32(at)
        at += size
    for i in range(slot.begin, slot.end):
        clique = np.int64(wm.clique[i - slot.begin])
        to = wm.place[clique] * stride
        wm.place[clique] += np.int32(1)
        for w in range(words + 1):
            wm.copy[to + w] = wm.copy[i * stride + w]
        wm.copy[to + words + 1] = clique
    slot.begin += np.int32(shift)
    slot.end += np.int32(shift)
    slot.side = np.int32(1 - slot.side)


@compiled
def forget_cliques(wm, s, length):
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
                at = ((w * LANES + place) * SLOTS + lowest(numbers)) * length
                numbers &= numbers - 1
                for j in range(length):
                    wm.shown[at + j] = 0


@compiled
def count_shown(wm, s, length, cliques):
    """Write in how many cliques each cell is safe that may be opened, and so bound and exact."""
    search = wm.search[0]
    slot = wm.slot[s]
    slot.covered = np.int32(1)
    if slot.split >= 0:
        slot.bound = np.int32(min(np.int64(slot.bound), cliques))
        return
    bound = np.int64(0)
    numbers = np.int64(0)
    for w in range(search.words):
        worth = worth_in(wm.any[s * search.words + w])
        while worth != 0:
            lane = w * LANES + (lowest(worth) >> 4)
            worth &= worth - 1
            count = np.int64(0)
            for j in range(lane * SLOTS * length, lane * SLOTS * length + length):
                count += bits(wm.shown[j])
            wm.most[s * search.lanes + lane] = np.int32(count)
            bound = max(bound, count)
            numbers = max(numbers, lanes_numbers(wm, s, lane))
    slot.bound = np.int32(min(np.int64(slot.bound), bound))
    slot.exact = np.int32(slot.bound <= numbers)
