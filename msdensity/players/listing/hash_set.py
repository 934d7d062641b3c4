"""The hash set of the listed program, as .NET builds it.

New constraints take the slot emptied last, else the next one; iteration goes by slot. A constraint
is looked up by the hash stored when it was added (its sum XOR its cell indices) and by its present
value, so one that was changed in place is found neither under its old value nor under its new one.
"""

import numpy as np

from msdensity.kernel.compiler.jit import part, small
from msdensity.players.listing.memory import ARENA, MOST_CONSTRAINTS, SEEN

LIVE = np.int64(-1)
"""Least `next` of a slot in use; emptied slots hold EMPTIED - (next emptied slot)."""

EMPTIED = np.int64(-3)


@part
def same(b, i, j):
    """Return whether two constraints have the same variables and sum."""
    words = b.bench[0].words
    differ = np.uint64(b.item[i].sum != b.item[j].sum)
    for w in range(words):
        differ |= b.bits[i * words + w] ^ b.bits[j * words + w]
    return differ == np.uint64(0)


@part
def next_capacity(capacity):
    """Return the size a full .NET set grows to: the next of its primes above twice the old."""
    grown = 3
    if capacity >= 35038 // 2:
        grown = 36353 if capacity < 36353 else 75431
    elif capacity >= 4049:
        grown = 8419 if capacity < 8419 else 17519
    elif capacity >= 919:
        grown = 1931 if capacity < 1931 else 4049
    elif capacity >= 197:
        grown = 431 if capacity < 431 else 919
    elif capacity >= 37:
        grown = 89 if capacity < 89 else 197
    elif capacity >= 7:
        grown = 17 if capacity < 17 else 37
    elif capacity >= 3:
        grown = 7
    return grown


@part
def clear(b):
    """Make the set empty, as new."""
    bench = b.bench[0]
    bench.count = 0
    bench.free = -1
    bench.emptied = 0
    bench.capacity = 0
    bench.mask = 0
    b.bucket[0] = -1


@part
def grow(b):
    """Grow a full set; chains are linked anew in the order of the slots."""
    bench = b.bench[0]
    bench.capacity = next_capacity(bench.capacity)
    buckets = 4
    while buckets < bench.capacity:
        buckets *= 2
    mask = buckets - 1
    bench.mask = mask
    for k in range(buckets):
        b.bucket[k] = -1
    for s in range(bench.count):
        slot = b.slot[s]
        k = slot.hash & mask
        slot.next = np.int32(b.bucket[k])
        b.bucket[k] = s


@part
def add(b, i):
    """Add item i unless an equal one is found; return whether it was added.

    The set must have room: fewer than MOST_CONSTRAINTS in use.
    """
    bench = b.bench[0]
    item = b.item[i]
    key = np.int64(item.sum ^ item.ids)
    s = b.bucket[key & bench.mask]
    while s >= 0:
        slot = b.slot[s]
        if slot.hash == key and same(b, np.int64(slot.item), i):
            return False
        s = np.int64(slot.next)
    if bench.emptied > 0:
        s = bench.free
        bench.emptied -= 1
        bench.free = EMPTIED - np.int64(b.slot[s].next)
    else:
        if bench.count == bench.capacity:
            grow(b)
        s = bench.count
        bench.count += 1
    k = key & bench.mask
    slot = b.slot[s]
    slot.hash = np.int32(key)
    slot.item = np.int32(i)
    slot.next = np.int32(b.bucket[k])
    b.bucket[k] = s
    return True


@part
def remove(b, i):
    """Remove the constraint found by the value of item i, if there is one."""
    bench = b.bench[0]
    item = b.item[i]
    key = np.int64(item.sum ^ item.ids)
    k = key & bench.mask
    last = -1
    s = b.bucket[k]
    while s >= 0:
        slot = b.slot[s]
        if slot.hash == key and same(b, np.int64(slot.item), i):
            if last < 0:
                b.bucket[k] = np.int64(slot.next)
            else:
                b.slot[last].next = slot.next
            slot.next = np.int32(EMPTIED - bench.free)
            bench.free = s
            bench.emptied += 1
            return
        last = s
        s = np.int64(slot.next)


@small
def room(b):
    """Return whether another constraint can be made and added."""
    bench = b.bench[0]
    return bench.items < ARENA - MOST_CONSTRAINTS and bench.count < MOST_CONSTRAINTS - 1


@small
def forget_seen(b):
    """Begin a new list of constraints seen."""
    b.bench[0].stamp += 1


@part
def find_seen(b, i):
    """Return (place, found): where a constraint equal to item i by present value is noted.

    If there is none, the place is free for it.
    """
    bench = b.bench[0]
    h = np.uint64(b.item[i].sum)
    for w in range(bench.words):
        h = (h ^ b.bits[i * bench.words + w]) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    k = np.int64(h & np.uint64(SEEN - 1))
    while b.seen[k].stamp == bench.stamp:
        if same(b, np.int64(b.seen[k].item), i):
            return k, True
        k = (k + 1) & (SEEN - 1)
    return k, False


@small
def note_seen(b, i):
    """Note item i; return whether no constraint equal to it was noted before."""
    k, found = find_seen(b, i)
    if not found:
        b.seen[k].stamp = b.bench[0].stamp
        b.seen[k].item = np.int32(i)
    return not found
