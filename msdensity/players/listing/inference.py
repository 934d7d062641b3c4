"""Inferrer.cs of Annex A.1: solve trivial constraints, subtract subsets, substitute, repeat.

Two details matter. Solved values are substituted into constraints that stay in the set, so their
stored hashes become stale. If solutions hold two values of a variable, the first is substituted and
the last is reported.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, small
from msdensity.players.listing.hash_set import (
    LIVE,
    add,
    clear,
    find_seen,
    forget_seen,
    note_seen,
    remove,
    room,
)
from msdensity.players.listing.memory import DE_BRUIJN, MAX_CONSTRAINTS

ONE = np.uint64(1)

LOW = np.uint64(63)

TOP = np.uint64(58)

NOTHING = np.uint64(0)


@small
def lowest(wm, word):
    """Return the index of the lowest 1 bit of a word; the word is not 0."""
    single = word & (~word + ONE)
    return wm.lowest[np.int64((single * DE_BRUIJN) >> TOP)]


@compiled
def solve(wm, v, value):
    """Add "variable v has this value" to the solutions, unless they contain it."""
    counters = wm.counters[0]
    kind = np.int64(4)
    if value in (0, 1):
        kind = value + 1
    before = wm.values[v]
    if before & kind:
        if kind != 4:
            return
        for k in range(counters.solutions):
            if wm.solution[k].variable == v and wm.solution[k].value == value:
                return
    if before == 0:
        wm.first_value[v] = value
        wm.solved[v >> 6] |= ONE << (np.uint64(v) & LOW)
    elif before != kind or kind == 4:
        counters.contradiction = 1
    if kind == 4:
        counters.contradiction = 1
    wm.values[v] = before | kind
    solution = wm.solution[counters.solutions]
    solution.variable = np.int32(v)
    solution.value = np.int32(value)
    counters.solutions += 1


@compiled
def solve_all(wm, i, value):
    """Add "all variables of item i have this value" to the solutions."""
    words = wm.counters[0].words
    for w in range(words):
        left = wm.bits[i * words + w]
        while left != NOTHING:
            solve(wm, 64 * w + lowest(wm, left), value)
            left &= left - ONE


@compiled
def solve_trivials(wm):
    """SolveTrivials: constraints with sum 0, then those with as many mines as variables."""
    counters = wm.counters[0]
    forget_seen(wm)
    solved = 0
    for s in range(counters.count):
        slot = wm.slot[s]
        i = np.int64(slot.item)
        if slot.next >= LIVE and wm.item[i].sum == 0 and note_seen(wm, i):
            wm.listed[solved] = i
            solved += 1
    safe = solved
    forget_seen(wm)
    for s in range(counters.count):
        slot = wm.slot[s]
        i = np.int64(slot.item)
        if slot.next >= LIVE and wm.item[i].sum == wm.item[i].size and note_seen(wm, i):
            wm.listed[solved] = i
            solved += 1
    for k in range(solved):
        i = wm.listed[k]
        solve_all(wm, i, np.int64(k >= safe))
        remove(wm, i)


@compiled
def subtract(wm, x, y):
    """Add item x minus item y, whose variables are among those of x, to the set."""
    counters = wm.counters[0]
    words = counters.words
    new = counters.items
    for w in range(words):
        wm.bits[new * words + w] = wm.bits[x * words + w] & ~wm.bits[y * words + w]
    item = wm.item[new]
    item.sum = np.int32(wm.item[x].sum - wm.item[y].sum)
    item.ids = np.int32(wm.item[x].ids ^ wm.item[y].ids)
    item.size = np.int32(wm.item[x].size - wm.item[y].size)
    if item.sum < 0 or item.sum > item.size:
        counters.contradiction = 1
    if add(wm, new):
        counters.items += 1


@compiled
def construct(wm):
    """ConstructConstraints over all ordered pairs, including a constraint with itself.

    Return False if the work of the game exceeds its limit.
    """
    counters = wm.counters[0]
    words = counters.words
    n = 0
    for s in range(counters.count):
        slot = wm.slot[s]
        if slot.next >= LIVE:
            i = np.int64(slot.item)
            wm.listed[n] = i
            for w in range(words):
                wm.listed_bits[n * words + w] = wm.bits[i * words + w]
            n += 1
    counters.work += n * n
    if counters.work > counters.limit:
        return False
    for i in range(n):
        x = wm.listed[i]
        outside = ~wm.listed_bits[i * words]
        for j in range(n):
            if wm.listed_bits[j * words] & outside != NOTHING:
                continue
            within = True
            for w in range(1, words):
                if wm.listed_bits[j * words + w] & ~wm.listed_bits[i * words + w] != NOTHING:
                    within = False
            if within:
                if not room(wm):
                    return False
                subtract(wm, x, wm.listed[j])
    return True


@compiled
def remove_empty(wm):
    """RemoveUnnecessaryConstraints: RemoveWhere tries to remove each by its present value."""
    for s in range(wm.counters[0].count):
        slot = wm.slot[s]
        if slot.next >= LIVE and wm.item[slot.item].size == 0:
            remove(wm, np.int64(slot.item))


@compiled
def substitute(wm):
    """UpdateSolutions: single variables become solutions and are substituted into the others."""
    counters = wm.counters[0]
    words = counters.words
    n = 0
    for s in range(counters.count):
        slot = wm.slot[s]
        if slot.next >= LIVE:
            i = np.int64(slot.item)
            if wm.item[i].size == 1:
                solve_all(wm, i, np.int64(wm.item[i].sum))
            else:
                wm.listed[n] = i
                n += 1
    clear(wm)  # Except returns a new set, with hashes that are right until the substitution
    for k in range(n):
        add(wm, wm.listed[k])
    for s in range(counters.count):
        i = np.int64(wm.slot[s].item)
        item = wm.item[i]
        for w in range(words):
            known = wm.bits[i * words + w] & wm.solved[w]
            wm.bits[i * words + w] &= ~known
            while known != NOTHING:
                v = 64 * w + lowest(wm, known)
                item.sum = np.int32(item.sum - wm.first_value[v])
                item.ids = np.int32(item.ids ^ wm.cell[v])
                item.size = np.int32(item.size - 1)
                known &= known - ONE
        if item.sum < 0 or item.sum > item.size:
            counters.contradiction = 1


@compiled
def changed(wm):
    """Return whether some constraint differs by value from all of the previous round.

    Those are the same objects; the last substitution may have changed them.
    """
    counters = wm.counters[0]
    forget_seen(wm)
    for k in range(counters.old):
        note_seen(wm, wm.old[k])
    for s in range(counters.count):
        _, found = find_seen(wm, np.int64(wm.slot[s].item))
        if not found:
            return True
    return False


@compiled
def compact(wm):
    """Move the constraints of the set to the front of the arena."""
    counters = wm.counters[0]
    words = counters.words
    base = counters.items
    for s in range(counters.count):
        i = np.int64(wm.slot[s].item)
        for w in range(words):
            wm.listed_bits[s * words + w] = wm.bits[i * words + w]
        wm.item[base + s] = wm.item[i]
    for s in range(counters.count):
        for w in range(words):
            wm.bits[s * words + w] = wm.listed_bits[s * words + w]
        wm.item[s] = wm.item[base + s]
        wm.slot[s].item = np.int32(s)
    counters.items = counters.count


@compiled
def forget_solutions(wm):
    """Start an inference without solutions."""
    counters = wm.counters[0]
    counters.solutions = 0
    counters.contradiction = 0
    counters.old = 0
    for w in range(counters.words):
        wm.solved[w] = NOTHING
    for v in range(counters.variables):
        wm.values[v] = 0


@compiled
def infer(wm):
    """Solve the constraints in the set; return False if the work exceeds its limit.

    With counters.detect the inference stops at its first contradiction, which is what the flag of
    the listing was meant to do.
    """
    counters = wm.counters[0]
    forget_solutions(wm)
    counters.trivial = -1
    while True:
        solve_trivials(wm)
        if counters.trivial < 0:
            counters.trivial = counters.solutions
        if not construct(wm):
            return False
        remove_empty(wm)
        if counters.solutions + counters.count + 2 * counters.variables > len(wm.solution):
            return False
        substitute(wm)
        if counters.detect and counters.contradiction:
            return True
        again = changed(wm)
        counters.old = counters.count
        if not again:
            return True
        if counters.items > MAX_CONSTRAINTS:
            compact(wm)
        for s in range(counters.count):
            wm.old[s] = np.int64(wm.slot[s].item)
