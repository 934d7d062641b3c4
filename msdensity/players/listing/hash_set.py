"""The hash set of the listed program, as .NET builds it.

A new constraint takes the slot that was emptied last, else the next one; iteration is by slot. A
constraint is looked up by the hash stored when it was added (its sum XOR its cell indices) and by
its present value, so one that was changed in place is found neither by its old value nor by its new
one.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, small
from msdensity.players.listing.memory import ARENA, MAX_CONSTRAINTS, SEEN

LIVE = np.int64(-1)
"""Lowest `next` of a slot in use; emptied slots hold EMPTIED - (next emptied slot)."""

EMPTIED = np.int64(-3)


@compiled
def same(wm, i, j):
    """Return whether two constraints have the same variables and sum."""
    words = wm.counters[0].words
    differ = np.uint64(wm.item[i].sum != wm.item[j].sum)
    for w in range(words):
        differ |= wm.bits[i * words + w] ^ wm.bits[j * words + w]
    return differ == np.uint64(0)


@compiled
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


@compiled
def clear(wm):
    """Make the set empty, as new."""
    counters = wm.counters[0]
    counters.count = 0
    counters.free = -1
    counters.emptied = 0
    counters.capacity = 0
    counters.mask = 0
    wm.bucket[0] = -1


@compiled
def grow(wm):
    """Grow a full set; chains are linked again in the order of the slots."""
    counters = wm.counters[0]
    counters.capacity = next_capacity(counters.capacity)
    buckets = 4
    while buckets < counters.capacity:
        buckets *= 2
    mask = buckets - 1
    counters.mask = mask
    for k in range(buckets):
        wm.bucket[k] = -1
    for s in range(counters.count):
        slot = wm.slot[s]
        k = slot.hash & mask
        slot.next = np.int32(wm.bucket[k])
        wm.bucket[k] = s


@compiled
def add(wm, i):
    """Add item i unless an equal one is found; return whether it was added.

    The set must have room: fewer than MAX_CONSTRAINTS in use.
    """
    counters = wm.counters[0]
    item = wm.item[i]
    key = np.int64(item.sum ^ item.ids)
    s = wm.bucket[key & counters.mask]
    while s >= 0:
        slot = wm.slot[s]
        if slot.hash == key and same(wm, np.int64(slot.item), i):
            return False
        s = np.int64(slot.next)
    if counters.emptied > 0:
        s = counters.free
        counters.emptied -= 1
        counters.free = EMPTIED - np.int64(wm.slot[s].next)
    else:
        if counters.count == counters.capacity:
            grow(wm)
        s = counters.count
        counters.count += 1
    k = key & counters.mask
    slot = wm.slot[s]
    slot.hash = np.int32(key)
    slot.item = np.int32(i)
    slot.next = np.int32(wm.bucket[k])
    wm.bucket[k] = s
    return True


@compiled
def remove(wm, i):
    """Remove the constraint found by the value of item i, if there is one."""
    counters = wm.counters[0]
    item = wm.item[i]
    key = np.int64(item.sum ^ item.ids)
    k = key & counters.mask
    last = -1
    s = wm.bucket[k]
    while s >= 0:
        slot = wm.slot[s]
        if slot.hash == key and same(wm, np.int64(slot.item), i):
            if last < 0:
                wm.bucket[k] = np.int64(slot.next)
            else:
                wm.slot[last].next = slot.next
            slot.next = np.int32(EMPTIED - counters.free)
            counters.free = s
            counters.emptied += 1
            return
        last = s
        s = np.int64(slot.next)


@small
def room(wm):
    """Return whether another constraint can be made and added."""
    counters = wm.counters[0]
    return counters.items < ARENA - MAX_CONSTRAINTS and counters.count < MAX_CONSTRAINTS - 1


@small
def forget_seen(wm):
    """Forget all constraints seen."""
    wm.counters[0].stamp += 1


@compiled
def find_seen(wm, i):
    """Return (place, found): the place of a noted constraint that equals item i by present value.

    If there is none, the place is free for item i.
    """
    counters = wm.counters[0]
    h = np.uint64(wm.item[i].sum)
    for w in range(counters.words):
        h = (h ^ wm.bits[i * counters.words + w]) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    k = np.int64(h & np.uint64(SEEN - 1))
    while wm.seen[k].stamp == counters.stamp:
        if same(wm, np.int64(wm.seen[k].item), i):
            return k, True
        k = (k + 1) & (SEEN - 1)
    return k, False


@small
def note_seen(wm, i):
    """Note item i; return whether no constraint equal to it was noted before."""
    k, found = find_seen(wm, i)
    if not found:
        wm.seen[k].stamp = wm.counters[0].stamp
        wm.seen[k].item = np.int32(i)
    return not found
