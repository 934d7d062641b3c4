"""Inferrer.cs of Annex A.1: solve trivial constraints, subtract subsets, substitute, repeat.

Two things are kept that are easily lost: solved values are substituted into constraints that stay
in the set, whose stored hashes go stale; and where solutions hold two values of a variable, the
first is substituted, the last is reported.
"""

import numpy as np

from msdensity.kernel.compiler.jit import part, small
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
from msdensity.players.listing.memory import DE_BRUIJN, MOST_CONSTRAINTS

ONE = np.uint64(1)

LOW = np.uint64(63)

TOP = np.uint64(58)

NOTHING = np.uint64(0)


@small
def lowest(b, word):
    """Return the place of the lowest bit of a word that is not 0."""
    single = word & (~word + ONE)
    return b.lowest[np.int64((single * DE_BRUIJN) >> TOP)]


@part
def solve(b, v, value):
    """Add "variable v has this value" to the solutions, unless it is there."""
    bench = b.bench[0]
    kind = np.int64(4)
    if value in (0, 1):
        kind = value + 1
    before = b.values[v]
    if before & kind:
        if kind != 4:
            return
        for k in range(bench.solutions):
            if b.solution[k].variable == v and b.solution[k].value == value:
                return
    if before == 0:
        b.first_value[v] = value
        b.solved[v >> 6] |= ONE << (np.uint64(v) & LOW)
    elif before != kind or kind == 4:
        bench.contradiction = 1
    if kind == 4:
        bench.contradiction = 1
    b.values[v] = before | kind
    solution = b.solution[bench.solutions]
    solution.variable = np.int32(v)
    solution.value = np.int32(value)
    bench.solutions += 1


@part
def solve_all(b, i, value):
    """Add "all variables of item i have this value" to the solutions."""
    words = b.bench[0].words
    for w in range(words):
        left = b.bits[i * words + w]
        while left != NOTHING:
            solve(b, 64 * w + lowest(b, left), value)
            left &= left - ONE


@part
def solve_trivials(b):
    """SolveTrivials: constraints of sum 0, then those of as many mines as variables."""
    bench = b.bench[0]
    forget_seen(b)
    found = 0
    for s in range(bench.count):
        slot = b.slot[s]
        i = np.int64(slot.item)
        if slot.next >= LIVE and b.item[i].sum == 0 and note_seen(b, i):
            b.listed[found] = i
            found += 1
    safe = found
    forget_seen(b)
    for s in range(bench.count):
        slot = b.slot[s]
        i = np.int64(slot.item)
        if slot.next >= LIVE and b.item[i].sum == b.item[i].size and note_seen(b, i):
            b.listed[found] = i
            found += 1
    for k in range(found):
        i = b.listed[k]
        solve_all(b, i, np.int64(k >= safe))
        remove(b, i)


@part
def subtract(b, x, y):
    """Add item x minus item y, whose variables are among those of x, to the set."""
    bench = b.bench[0]
    words = bench.words
    new = bench.items
    for w in range(words):
        b.bits[new * words + w] = b.bits[x * words + w] & ~b.bits[y * words + w]
    item = b.item[new]
    item.sum = np.int32(b.item[x].sum - b.item[y].sum)
    item.ids = np.int32(b.item[x].ids ^ b.item[y].ids)
    item.size = np.int32(b.item[x].size - b.item[y].size)
    if item.sum < 0 or item.sum > item.size:
        bench.contradiction = 1
    if add(b, new):
        bench.items += 1


@part
def construct(b):
    """ConstructConstraints over all ordered pairs, a constraint with itself included.

    Return False where the work of the game exceeds its limit.
    """
    bench = b.bench[0]
    words = bench.words
    n = 0
    for s in range(bench.count):
        slot = b.slot[s]
        if slot.next >= LIVE:
            i = np.int64(slot.item)
            b.listed[n] = i
            for w in range(words):
                b.listed_bits[n * words + w] = b.bits[i * words + w]
            n += 1
    bench.work += n * n
    if bench.work > bench.limit:
        return False
    for i in range(n):
        x = b.listed[i]
        outside = ~b.listed_bits[i * words]
        for j in range(n):
            if b.listed_bits[j * words] & outside != NOTHING:
                continue
            within = True
            for w in range(1, words):
                if b.listed_bits[j * words + w] & ~b.listed_bits[i * words + w] != NOTHING:
                    within = False
            if within:
                if not room(b):
                    return False
                subtract(b, x, b.listed[j])
    return True


@part
def remove_empty(b):
    """RemoveUnnecessaryConstraints: RemoveWhere tries to remove each by its present value."""
    for s in range(b.bench[0].count):
        slot = b.slot[s]
        if slot.next >= LIVE and b.item[slot.item].size == 0:
            remove(b, np.int64(slot.item))


@part
def substitute(b):
    """UpdateSolutions: single variables become solutions, which are put into all the others."""
    bench = b.bench[0]
    words = bench.words
    n = 0
    for s in range(bench.count):
        slot = b.slot[s]
        if slot.next >= LIVE:
            i = np.int64(slot.item)
            if b.item[i].size == 1:
                solve_all(b, i, np.int64(b.item[i].sum))
            else:
                b.listed[n] = i
                n += 1
    clear(b)  # Except gives a new set, with hashes that are right until the substitution
    for k in range(n):
        add(b, b.listed[k])
    for s in range(bench.count):
        i = np.int64(b.slot[s].item)
        item = b.item[i]
        for w in range(words):
            known = b.bits[i * words + w] & b.solved[w]
            b.bits[i * words + w] &= ~known
            while known != NOTHING:
                v = 64 * w + lowest(b, known)
                item.sum = np.int32(item.sum - b.first_value[v])
                item.ids = np.int32(item.ids ^ b.cell[v])
                item.size = np.int32(item.size - 1)
                known &= known - ONE
        if item.sum < 0 or item.sum > item.size:
            bench.contradiction = 1


@part
def changed(b):
    """Return whether some constraint differs by value from all of the round before.

    Those are the same objects, which the last substitution may have changed.
    """
    bench = b.bench[0]
    forget_seen(b)
    for k in range(bench.old):
        note_seen(b, b.old[k])
    for s in range(bench.count):
        _, found = find_seen(b, np.int64(b.slot[s].item))
        if not found:
            return True
    return False


@part
def compact(b):
    """Move the constraints of the set to the front of the arena."""
    bench = b.bench[0]
    words = bench.words
    base = bench.items
    for s in range(bench.count):
        i = np.int64(b.slot[s].item)
        for w in range(words):
            b.listed_bits[s * words + w] = b.bits[i * words + w]
        b.item[base + s] = b.item[i]
    for s in range(bench.count):
        for w in range(words):
            b.bits[s * words + w] = b.listed_bits[s * words + w]
        b.item[s] = b.item[base + s]
        b.slot[s].item = np.int32(s)
    bench.items = bench.count


@part
def forget_solutions(b):
    """Begin an inference: no solutions."""
    bench = b.bench[0]
    bench.solutions = 0
    bench.contradiction = 0
    bench.old = 0
    for w in range(bench.words):
        b.solved[w] = NOTHING
    for v in range(bench.variables):
        b.values[v] = 0


@part
def infer(b):
    """Solve the constraints in the set; return False where the work exceeds its limit.

    With bench.detect the inference stops at its first contradiction, as the flag of the listing
    was meant to make it.
    """
    bench = b.bench[0]
    forget_solutions(b)
    bench.trivial = -1
    while True:
        solve_trivials(b)
        if bench.trivial < 0:
            bench.trivial = bench.solutions
        if not construct(b):
            return False
        remove_empty(b)
        if bench.solutions + bench.count + 2 * bench.variables > len(b.solution):
            return False
        substitute(b)
        if bench.detect and bench.contradiction:
            return True
        again = changed(b)
        bench.old = bench.count
        if not again:
            return True
        if bench.items > MOST_CONSTRAINTS:
            compact(b)
        for s in range(bench.count):
            b.old[s] = np.int64(b.slot[s].item)
