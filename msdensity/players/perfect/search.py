"""The value of a set of layouts: how many of them best play wins. A fail-low search with a memo.

W(S) depends on the set S of remaining layouts alone. A cell that is safe in all of S costs nothing:
W(S) is the sum of W over its numbers. Without one, W(S) is the largest sum of W over the numbers of
a cell b, each for the layouts in which b is safe with that number. A cell with one number tells
nothing (it is dead); where all cells are dead, one layout is won.
"""

import numpy as np

from msdensity.kernel.compiler.bits import bits, lowest
from msdensity.kernel.compiler.jit import compiled
from msdensity.players.perfect.cliques import cover
from msdensity.players.perfect.memory import COUNTED, LANES, LISTED, MAX_LANES, SLOTS
from msdensity.players.perfect.sets import (
    ONE,
    STORED,
    assess,
    copy_rows,
    keep,
    name,
    pack,
    part_by,
    recall,
    side_of,
    worth_in,
)

CHOOSING, TRYING, SUMMING = map(np.int64, range(3))
"""Stages of a frame: the next cell, the next part of it, and the parts of a cell that is safe."""

GAVE_UP = np.int64(-1)

ROOT = np.int64(0)
"""The slot of the set that is asked about."""


@compiled
def set_root(wm, begin, end):
    """Write the set of the rows order[begin:end] into the first slot."""
    slot = wm.slot[ROOT]
    slot.begin = np.int32(begin)
    slot.end = np.int32(end)
    slot.side = LISTED
    if end - begin <= COUNTED:
        copy_rows(wm, ROOT, np.int64(1))
    assess(wm, ROOT)


@compiled
def look_up(wm, s):
    """Name a set that may be worth keeping, and lower its bound to what the memo knows."""
    slot = wm.slot[s]
    if not slot.exact and slot.end - slot.begin >= STORED:
        name(wm, s)
        return recall(wm, s)
    return True


@compiled
def undominated(wm, s, cells):
    """Return those of the cells, as bits, that no other one dominates.

    Cell a dominates b if b is mined wherever a is: whoever opens b first would open a next, at no
    risk, so that to open a first loses nothing. Of cells with the same mines the first one stays.
    """
    slot = wm.slot[s]
    listed = slot.side == LISTED
    stride = wm.search[0].words + 2
    left = cells
    while left != 0:
        a = lowest(left)
        left ^= ONE << a
        wm.with_mine[a] = cells
    alone = np.int64(0)
    for i in range(slot.begin, slot.end):
        mined = wm.mined[wm.order[i]] if listed else wm.copy[i * stride + stride - 2]
        left = mined & cells & ~alone
        while left != 0:
            a = lowest(left)
            left ^= ONE << a
            both = wm.with_mine[a] & mined
            wm.with_mine[a] = both
            if both == ONE << a:
                alone |= both
        if alone == cells:
            return cells
    kept = cells
    left = cells
    while left != 0:
        a = lowest(left)
        left ^= ONE << a
        if kept >> a & 1:
            kept &= ~(wm.with_mine[a] ^ (ONE << a))
    return kept


@compiled
def begin_frame(wm, depth, s, need, first):
    """Begin to search the set of slot s at a depth: sort the cells that are worth a try.

    first: the first free slot.
    """
    frame = wm.frame[depth]
    slot = wm.slot[s]
    frame.slot = np.int32(s)
    frame.need = need
    frame.best = 0
    frame.fail = 0
    frame.cells = np.int32(0)
    frame.at = np.int32(0)
    frame.first = np.int32(first)
    wm.search[0].nodes += 1
    frame.bound = np.int32(0)
    if slot.side == LISTED and slot.end - slot.begin <= COUNTED:
        copy_rows(wm, s, depth)
    if slot.split >= 0:
        split_by(wm, depth, np.int64(slot.split), need)
        frame.stage = np.int32(SUMMING)
        return
    frame.stage = np.int32(CHOOSING)
    words = wm.search[0].words
    if not slot.covered and slot.end - slot.begin <= COUNTED:
        cover(wm, s)
    worth = np.int64(0)
    for w in range(words):
        x = wm.any[s * words + w]
        worth |= pack(worth_in(x)) << (w * LANES)
    worth = undominated(wm, s, worth)
    frame.bound = slot.bound
    while worth != 0:
        lane = lowest(worth)
        worth ^= ONE << lane
        safe = np.int64(wm.most[s * wm.search[0].lanes + lane])
        if safe < need:
            frame.fail = max(frame.fail, safe)
        else:
            add_candidate(wm, depth, lane, safe)


@compiled
def add_candidate(wm, depth, lane, bound):
    """Add a cell to those worth a try."""
    frame = wm.frame[depth]
    candidate = wm.candidate[depth * MAX_LANES + frame.cells]
    candidate.lane = np.int32(lane)
    candidate.bound = np.int32(bound)
    candidate.guess = np.int32(bound)
    frame.cells += np.int32(1)


@compiled
def pick(wm, depth, goal):
    """Put the cell that seems best before the others to be tried; return False if none is left.

    Those that are worth less than the goal are left out.
    """
    frame = wm.frame[depth]
    first = depth * MAX_LANES
    best = np.int64(-1)
    for i in range(first + frame.at, first + frame.cells):
        a = wm.candidate[i]
        if a.bound < goal:
            frame.fail = max(frame.fail, np.int64(a.bound))
            if best == first + frame.at:
                best = i
            swap(wm, i, first + frame.at)
            frame.at += np.int32(1)
        elif best < 0 or a.guess > wm.candidate[best].guess:
            best = i
    if best < 0:
        return False
    swap(wm, best, first + frame.at)
    return True


@compiled
def is_beaten(wm, depth):
    """Return whether another cell seems better than the one that was picked."""
    frame = wm.frame[depth]
    first = depth * MAX_LANES
    guess = wm.candidate[first + frame.at].guess
    for i in range(first + frame.at + 1, first + frame.cells):
        if wm.candidate[i].guess > guess:
            return True
    return False


@compiled
def swap(wm, i, j):
    """Swap two cells worth a try."""
    a = wm.candidate[i]
    b = wm.candidate[j]
    a.lane, b.lane = b.lane, a.lane
    a.bound, b.bound = b.bound, a.bound
    a.guess, b.guess = b.guess, a.guess


@compiled
def size_class(size):
    """Return the binary logarithm of a size, rounded down."""
    return bits(fill(size)) - 1


@compiled
def fill(x):
    """Return a positive number below 2^32 with all bits set below its highest."""
    x |= x >> 1
    x |= x >> 2
    x |= x >> 4
    x |= x >> 8
    return x | x >> 16


@compiled
def seems(wm, bound, size):
    """Return what a set with a bound seems to be worth, by others of about its size."""
    seen = wm.seen[size_class(size)]
    if seen.bound == 0:
        return bound
    return bound * seen.won // seen.bound


@compiled
def split_by(wm, depth, lane, goal):
    """Split the set of a frame by a cell, and its parts by all cells that are safe in them.

    Sets the total to what the parts are worth at most, and lists those that are not exact; a total
    below `goal` may leave some out.
    """
    frame = wm.frame[depth]
    first = np.int64(frame.first)
    room = len(wm.slot) - (len(wm.frame) - depth) * SLOTS
    below = side_of(wm, depth + 1, np.int64(0))
    end = part_by(wm, np.int64(frame.slot), lane, first, below, np.int64(0))
    last = first
    s = first
    total = np.int64(0)
    for t in range(first, end):
        total += wm.slot[t].end - wm.slot[t].begin
    while s < end and total >= goal:
        assess(wm, s)
        slot = wm.slot[s]
        if not slot.exact and slot.split >= 0 and end < room:
            side = np.int64(1 - slot.side)
            other = slot.begin + (2 * side - 1) * wm.search[0].copied
            end = part_by(wm, s, np.int64(slot.split), end, other, side)
        else:
            total += slot.bound - (slot.end - slot.begin)
            if not slot.exact:
                wm.turn[last] = np.int32(s)
                last += 1
        s += 1
    kept = first
    for i in range(first, last):
        if total < goal:
            break
        s = np.int64(wm.turn[i])
        slot = wm.slot[s]
        total -= slot.bound
        if not look_up(wm, s) and slot.end - slot.begin <= COUNTED:
            cover_part(wm, s, depth + 1)
            keep(wm, s)
        total += slot.bound
        if not slot.exact:
            wm.turn[kept] = np.int32(s)
            kept += 1
    guess = total
    for i in range(first, kept):
        slot = wm.slot[wm.turn[i]]
        guess += seems(wm, np.int64(slot.bound), np.int64(slot.end - slot.begin)) - slot.bound
    frame.guess = np.int32(guess)
    frame.last = np.int32(kept)
    frame.end = np.int32(end)
    frame.part = np.int32(first)
    frame.total = total


@compiled
def cover_part(wm, s, depth):
    """Cover the set of a slot with cliques; without copies, only its bound and counts stay."""
    slot = wm.slot[s]
    if slot.side != LISTED:
        cover(wm, s)
        return
    begin = slot.begin
    end = slot.end
    copy_rows(wm, s, depth)
    cover(wm, s)
    slot.begin = begin
    slot.end = end
    slot.side = LISTED
    slot.covered = np.int32(0)


@compiled
def end_frame(wm, depth):
    """Write what is known of a set into its slot and the memo; return its value or bound."""
    frame = wm.frame[depth]
    slot = wm.slot[frame.slot]
    if frame.stage == SUMMING:
        slot.exact = np.int32(frame.total >= frame.need)
        slot.bound = np.int32(min(np.int64(slot.bound), frame.total))
    else:
        slot.bound = np.int32(min(np.int64(slot.bound), max(frame.best, frame.fail)))
        slot.exact = np.int32(frame.best >= slot.bound)
        if slot.exact and frame.bound > 0:
            seen = wm.seen[size_class(np.int64(slot.end - slot.begin))]
            seen.bound += frame.bound
            seen.won += slot.bound
    if depth > 1 and slot.end - slot.begin >= STORED:
        keep(wm, np.int64(frame.slot))
    return np.int64(slot.bound)


@compiled
def value(wm, need):
    """Return W of the set of the first slot, or, if that is below `need`, any bound below it.

    Returns GAVE_UP if more sets would have to be searched than the budget allows.
    """
    slot = wm.slot[ROOT]
    look_up(wm, ROOT)
    if slot.exact or slot.bound < need:
        return np.int64(slot.bound)
    return solve(wm, need)


@compiled
def solve(wm, need):
    """Return `value` of the first slot, which is not exact."""
    search = wm.search[0]
    depth = np.int64(1)
    begin_frame(wm, depth, ROOT, need, ROOT + 1)
    while True:
        frame = wm.frame[depth]
        goal = max(frame.best + 1, frame.need)
        done = False
        if frame.stage == CHOOSING:
            if frame.best >= wm.slot[frame.slot].bound or not pick(wm, depth, goal):
                done = True
            else:
                candidate = wm.candidate[depth * MAX_LANES + frame.at]
                split_by(wm, depth, np.int64(candidate.lane), goal)
                if frame.total < candidate.bound:
                    candidate.bound = np.int32(frame.total)
                    candidate.guess = frame.guess
                    if frame.total < goal or is_beaten(wm, depth):
                        continue
                frame.at += np.int32(1)
                frame.stage = np.int32(TRYING)
        elif frame.total < goal:
            # too little, whatever the parts left are worth
            if frame.stage == SUMMING:
                done = True
            else:
                frame.fail = max(frame.fail, frame.total)
                frame.stage = np.int32(CHOOSING)
        elif frame.part == frame.last:
            if frame.stage == SUMMING:
                done = True
            else:
                frame.best = frame.total
                frame.stage = np.int32(CHOOSING)
        else:
            p = np.int64(wm.turn[frame.part])
            frame.part += np.int32(1)
            frame.total -= wm.slot[p].bound
            if search.nodes >= search.budget:
                return GAVE_UP
            begin_frame(wm, depth + 1, p, goal - frame.total, np.int64(frame.end))
            depth += 1
        if done:
            result = end_frame(wm, depth)
            if depth == 1:
                return result
            depth -= 1
            wm.frame[depth].total += result
