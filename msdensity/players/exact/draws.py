"""The value of a set of layouts to a player that draws the cell it opens from several at random.

V(S) is the expected number of layouts won of a set S. A cell that the player finds safe costs
nothing: V(S) is the sum of V over its numbers. Without one, V(S) is the mean, over the cells that
it draws from, of V over those layouts in which the cell is safe. It follows from the opened cells
and their numbers: they say which layouts S holds, and all that the player finds is opened.
"""

import numpy as np

from msdensity.kernel.compiler.bits import bits, lowest
from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.players.exact.choices import (
    ONE,
    board_of,
    find_covered,
    find_safest,
    number_in,
    single_points,
)
from msdensity.players.exact.memory import MAX_CELLS, RESIDUES, SAFEST, open_memory

NOWHERE = np.int64(-1)


@compiled
def set_one(wm):
    """Make 1 the value that was found last."""
    for k in range(RESIDUES):
        wm.residue[k] = 1
    for i in range(wm.search[0].factors):
        wm.value_power[i] = 0


@compiled
def name(wm, frame):
    """Write the key of the set of a frame: it follows from the numbers of all opened cells.

    The set holds all layouts with these numbers, so that equal keys mean equal sets. Of all images
    of the set under the symmetries the least key counts.
    """
    search = wm.search[0]
    for g in range(search.images):
        key0 = np.int64(0)
        key1 = np.int64(0)
        left = frame.opened
        while left != 0:
            c = lowest(left)
            left &= left - 1
            i = ((g * search.cells + c) * search.numbers + number_in(wm, frame.begin, c)) * 2
            key0 ^= wm.name[i]
            key1 ^= wm.name[i + 1]
        if g == 0 or key0 < frame.key0 or (key0 == frame.key0 and key1 < frame.key1):
            frame.key0 = key0
            frame.key1 = key1


@compiled
def recall(wm, frame):
    """Find the value of the set of a frame in the memo; return whether it is there."""
    factors = wm.search[0].factors
    at = frame.key0 & wm.search[0].mask
    for i in range(at, at + 4):
        known = wm.memo[i]
        if known.size > 0 and known.key0 == frame.key0 and known.key1 == frame.key1:
            for k in range(RESIDUES):
                wm.residue[k] = wm.memo_residue[i * RESIDUES + k]
            for k in range(factors):
                wm.value_power[k] = wm.memo_power[i * factors + k]
            return True
    return False


@compiled
def keep(wm, frame):
    """Write the value that was found last into the memo, in place of the smallest of four sets."""
    factors = wm.search[0].factors
    at = frame.key0 & wm.search[0].mask
    place = at
    for i in range(at, at + 4):
        if wm.memo[i].size < wm.memo[place].size:
            place = np.int64(i)
    known = wm.memo[place]
    known.key0 = frame.key0
    known.key1 = frame.key1
    known.size = frame.end - frame.begin
    for k in range(RESIDUES):
        wm.memo_residue[place * RESIDUES + k] = np.int32(wm.residue[k])
    for k in range(factors):
        wm.memo_power[place * factors + k] = np.uint8(wm.value_power[k])


@compiled
def sort_by_number(wm, frame):
    """Put the layouts of a frame in the order of the number of its cell, which is safe in all."""
    c = np.int64(frame.cell)
    numbers = wm.search[0].numbers
    for v in range(numbers):
        wm.count[v] = 0
    for r in range(frame.begin, frame.end):
        wm.count[number_in(wm, r, c)] += 1
    at = np.int64(frame.begin)
    for v in range(numbers):
        size = wm.count[v]
        wm.count[v] = at
        at += size
    for r in range(frame.begin, frame.end):
        v = number_in(wm, r, c)
        wm.spare[wm.count[v]] = wm.word[r]
        wm.count[v] += 1
    for r in range(frame.begin, frame.end):
        wm.word[r] = wm.spare[r]


@compiled
def begin_frame(wm, depth, begin, end, opened):
    """Begin a frame without any value yet."""
    frame = wm.frame[depth]
    frame.begin = np.int32(begin)
    frame.end = np.int32(end)
    frame.at = np.int32(begin)
    frame.opened = opened
    frame.tied = np.int32(0)
    frame.weight = np.int32(1)
    frame.left = 0
    for k in range(RESIDUES):
        wm.sum_residue[depth * RESIDUES + k] = 0
    factors = wm.search[0].factors
    for i in range(factors):
        wm.sum_power[depth * factors + i] = 0


@compiled
def begin_parts(wm, depth, begin, end, opened, c):
    """Begin the frame of a set that cell c, which is safe in all of it, may split."""
    begin_frame(wm, depth, begin, end, opened | ONE << c)
    wm.frame[depth].cell = np.int32(c)
    sort_by_number(wm, wm.frame[depth])


@compiled
def enter(wm, depth, begin, end, opened, c):
    """Find the value of a set at once and return True, or begin its frame and return False.

    opened: cells that are opened, as bits; c: the cell that is opened now, which is safe in all of
    the layouts, or -1. All that the player finds safe is opened.
    """
    weighted = wm.search[0].rule == SAFEST
    if weighted and end - begin == 1:
        set_one(wm)
        return True
    some = np.int64(0)
    every = np.int64(-1)
    for r in range(begin, end):
        some |= wm.word[r]
        every &= wm.word[r]
    fresh = np.int64(0) if c < 0 else ONE << c
    marked = np.int64(0)
    while True:
        fresh &= ~opened
        if fresh == 0:
            if weighted:
                fresh = board_of(wm) & ~some & ~opened
            else:
                fresh, marked = single_points(wm, begin, opened, marked)
            if fresh == 0:
                break
        c = lowest(fresh)
        if differs(wm, begin, end, c):
            begin_parts(wm, depth, begin, end, opened, c)
            return False
        opened |= ONE << c
    unsure = some & ~every
    if bits(opened) == wm.search[0].safe or (weighted and are_dead(wm, begin, end, unsure)):
        set_one(wm)
        return True
    begin_frame(wm, depth, begin, end, opened)
    name(wm, wm.frame[depth])
    if recall(wm, wm.frame[depth]):
        return True
    wm.search[0].nodes += 1
    if weighted:
        find_safest(wm, depth, unsure)
    else:
        find_covered(wm, depth, marked, every)
    return False


@compiled
def are_dead(wm, begin, end, cells):
    """Return whether each of these cells has one number wherever it is safe.

    Then nothing tells the layouts apart, and every order of draws wins one of them.
    """
    while cells != 0:
        c = lowest(cells)
        cells &= cells - 1
        v = NOWHERE
        for r in range(begin, end):
            if not wm.word[r] >> c & 1:
                if v >= 0 and number_in(wm, r, c) != v:
                    return False
                v = number_in(wm, r, c)
    return True


@compiled
def differs(wm, begin, end, c):
    """Return whether cell c, which is safe in all of the layouts, takes several numbers."""
    v = number_in(wm, begin, c)
    r = begin + 1
    while r < end and number_in(wm, r, c) == v:
        r += 1
    return r < end


@compiled
def next_set(wm, depth):
    """Return (begin, end, c) of the next set whose value a frame needs, equal if none is left.

    c: the drawn cell that is opened in it, or -1.
    """
    frame = wm.frame[depth]
    begin = np.int64(frame.at)
    end = begin
    c = NOWHERE
    if frame.tied == 0:
        if begin < frame.end:
            v = number_in(wm, begin, np.int64(frame.cell))
            while end < frame.end and number_in(wm, end, np.int64(frame.cell)) == v:
                end += 1
        frame.at = np.int32(end)
    elif frame.left != 0:
        c = lowest(frame.left)
        frame.left &= frame.left - 1
        frame.weight = np.int32(bits(wm.equal[depth * MAX_CELLS + c]))
        for r in range(begin, frame.end):
            word = wm.word[r]
            if not word >> c & 1:
                wm.word[r] = wm.word[end]
                wm.word[end] = word
                end += 1
    return begin, end, c


@compiled
def add_value(wm, depth):
    """Add the value that was found last to a frame."""
    weight = np.int64(wm.frame[depth].weight)
    for k in range(RESIDUES):
        i = depth * RESIDUES + k
        wm.sum_residue[i] = (wm.sum_residue[i] + weight * wm.residue[k]) % wm.prime[k]
    factors = wm.search[0].factors
    for i in range(factors):
        j = depth * factors + i
        wm.sum_power[j] = max(wm.sum_power[j], wm.value_power[i])


@compiled
def end_frame(wm, depth):
    """Make the value of a frame the one that was found last."""
    frame = wm.frame[depth]
    tied = np.int64(max(frame.tied, 1))
    factors = wm.search[0].factors
    for k in range(RESIDUES):
        inverse = wm.inverse[tied * RESIDUES + k]
        wm.residue[k] = wm.sum_residue[depth * RESIDUES + k] * inverse % wm.prime[k]
    for i in range(factors):
        wm.value_power[i] = wm.sum_power[depth * factors + i] + wm.power[tied * factors + i]
    if frame.tied > 0:
        keep(wm, frame)


@entry
def value_of_draws(words, first):
    """Find V of all layouts after the first click `first`; return whether the budget was enough."""
    wm = open_memory(words)
    search = wm.search[0]
    depth = np.int64(0)
    begin_parts(wm, depth, np.int64(0), search.layouts, np.int64(0), first)
    while search.nodes < search.budget:
        begin, end, c = next_set(wm, depth)
        if begin < end:
            if not enter(wm, depth + 1, begin, end, wm.frame[depth].opened, c):
                depth += 1
                continue
        else:
            end_frame(wm, depth)
            if depth == 0:
                return True
            depth -= 1
        add_value(wm, depth)
    return False
