"""The value of a set of layouts: how many of them best play wins. A fail-low search with a memo.

W(S) depends on the set S of remaining layouts alone. A cell that is safe in all of S costs nothing:
W(S) is the sum of W over its numbers. Without one, W(S) is the largest sum of W over the numbers of
a cell b, each for the layouts in which b is safe with that number. A cell with one number tells
nothing (it is dead); where all cells are dead, one layout is won.
"""

import numpy as np

from msdensity.kernel.compiler.bits import lowest
from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.players.perfect.memory import LANES, MAX_LANES, SLOTS, open_memory
from msdensity.players.perfect.sets import (
    ONES,
    STORED,
    assess,
    gather,
    keep,
    mines_of,
    name,
    partition,
    recall,
    safe_in,
    several,
    numbers_in,
)

CHOOSING, TRYING, SUMMING = map(np.int64, range(3))
"""Stages of a frame: the next cell, the next part of it, and the parts of a cell that is safe."""

GAVE_UP = np.int64(-1)

ROOT = np.int64(0)
"""The slot of the set that is asked about."""


@compiled
def set_root(wm, begin, end):
    """Write the set of the rows order[begin:end] into the first slot."""
    words = wm.search[0].words
    slot = wm.slot[ROOT]
    slot.begin = np.int32(begin)
    slot.end = np.int32(end)
    slot.size = np.int32(end - begin)
    for w in range(words):
        wm.any[w] = 0
        wm.mines[w] = 0
    for i in range(begin, end):
        row = wm.order[i] * words
        for w in range(words):
            wm.any[w] |= wm.row[row + w]
            wm.mines[w] += wm.row[row + w] & ONES
    assess(wm, ROOT, True)


@compiled
def look_up(wm, s):
    """Name a set that may be worth keeping, and lower its bound to what the memo knows."""
    slot = wm.slot[s]
    if not slot.exact and slot.size >= STORED:
        name(wm, s)
        recall(wm, s)


@compiled
def begin_frame(wm, depth, s, need):
    """Begin to search the set of slot s at a depth: bound all cells, and sort those worth a try."""
    frame = wm.frame[depth]
    slot = wm.slot[s]
    frame.slot = np.int32(s)
    frame.need = need
    frame.best = 0
    frame.fail = 0
    frame.cells = np.int32(0)
    frame.at = np.int32(0)
    wm.search[0].nodes += 1
    if slot.split >= 0:
        split_by(wm, depth, np.int64(slot.split))
        frame.stage = np.int32(SUMMING)
        return
    frame.stage = np.int32(CHOOSING)
    words = wm.search[0].words
    size = np.int64(slot.size)
    first = depth * SLOTS
    for w in range(words):
        x = wm.any[s * words + w]
        worth = several(numbers_in(x)) & ~safe_in(x)
        while worth != 0:
            lane = w * LANES + (lowest(worth) >> 4)
            worth &= worth - 1
            safe = size - mines_of(wm, s, lane)
            if safe < max(frame.best + 1, need):
                frame.fail = max(frame.fail, safe)
                continue
            parts = gather(wm, np.int64(slot.begin), np.int64(slot.end), lane, first) & ~np.int64(1)
            total = np.int64(0)
            exact = True
            while parts != 0:
                p = first + lowest(parts)
                parts &= parts - 1
                assess(wm, p, False)
                look_up(wm, p)
                total += wm.slot[p].bound
                exact = exact and wm.slot[p].exact
            if exact:
                frame.best = max(frame.best, total)
            elif total < max(frame.best + 1, need):
                frame.fail = max(frame.fail, total)
            else:
                insert(wm, depth, lane, total)
            if frame.best >= slot.bound:
                return


@compiled
def insert(wm, depth, lane, bound):
    """Add a cell to those worth a try, the largest bound first."""
    frame = wm.frame[depth]
    first = depth * MAX_LANES
    i = first + frame.cells
    while i > first and wm.candidate[i - 1].bound < bound:
        wm.candidate[i] = wm.candidate[i - 1]
        i -= 1
    wm.candidate[i].lane = np.int32(lane)
    wm.candidate[i].bound = np.int32(bound)
    frame.cells += np.int32(1)


@compiled
def split_by(wm, depth, lane):
    """Split the set of a frame by the numbers of a cell; the largest parts come first."""
    frame = wm.frame[depth]
    slot = wm.slot[frame.slot]
    first = depth * SLOTS
    parts = gather(wm, np.int64(slot.begin), np.int64(slot.end), lane, first)
    partition(wm, np.int64(slot.begin), np.int64(slot.end), lane, first, parts)
    parts &= ~np.int64(1)
    frame.total = 0
    frame.part = np.int32(0)
    count = np.int64(0)
    while parts != 0:
        p = first + lowest(parts)
        parts &= parts - 1
        assess(wm, p, True)
        look_up(wm, p)
        frame.total += wm.slot[p].bound
        if not wm.slot[p].exact:
            i = first + count
            while i > first and wm.slot[wm.part[i - 1]].size < wm.slot[p].size:
                wm.part[i] = wm.part[i - 1]
                i -= 1
            wm.part[i] = np.int32(p)
            count += 1
    frame.parts = np.int32(count)


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
    if slot.size >= STORED:
        keep(wm, np.int64(frame.slot))
    return np.int64(slot.bound)


@compiled
def value(wm, need):
    """Return W of the set of the first slot, or, if that is below `need`, any bound below it.

    Returns GAVE_UP if more sets would have to be searched than the budget allows.
    """
    slot = wm.slot[ROOT]
    search = wm.search[0]
    look_up(wm, ROOT)
    if slot.exact or slot.bound < need:
        return np.int64(slot.bound)
    depth = np.int64(1)
    begin_frame(wm, depth, ROOT, need)
    while True:
        frame = wm.frame[depth]
        goal = max(frame.best + 1, frame.need)
        done = False
        if frame.stage == CHOOSING:
            bound = np.int64(0)
            if frame.at < frame.cells:
                bound = np.int64(wm.candidate[depth * MAX_LANES + frame.at].bound)
            if bound < goal or frame.best >= wm.slot[frame.slot].bound:
                frame.fail = max(frame.fail, bound)
                done = True
            else:
                lane = np.int64(wm.candidate[depth * MAX_LANES + frame.at].lane)
                frame.at += np.int32(1)
                split_by(wm, depth, lane)
                frame.stage = np.int32(TRYING)
        elif frame.total < goal:
            # too little, whatever the parts left are worth
            if frame.stage == SUMMING:
                done = True
            else:
                frame.fail = max(frame.fail, frame.total)
                frame.stage = np.int32(CHOOSING)
        elif frame.part == frame.parts:
            if frame.stage == SUMMING:
                done = True
            else:
                frame.best = frame.total
                frame.stage = np.int32(CHOOSING)
        else:
            p = np.int64(wm.part[depth * SLOTS + frame.part])
            frame.part += np.int32(1)
            frame.total -= wm.slot[p].bound
            if search.nodes >= search.budget:
                return GAVE_UP
            begin_frame(wm, depth + 1, p, goal - frame.total)
            depth += 1
        if done:
            result = end_frame(wm, depth)
            if depth == 1:
                return result
            depth -= 1
            wm.frame[depth].total += result


@entry
def value_of_rows(words, begin, end, need):
    """Return `value` of the rows order[begin:end]."""
    wm = open_memory(words)
    set_root(wm, begin, end)
    return value(wm, need)
