"""The configurations of a clique with potential 1, as bit masks (004, sections 4.1.1 and 4.1.3).

For a number with n mines left and e unknown cells outside the clique, the potential is 1 if
0 <= n - m <= e, with m the mines among its cells in the clique. All partial configurations grow by
one cell at a time; one is dropped as soon as a number has too many mines, or too many free cells.
The counts of ten numbers are in one word, six bits each, so that one subtraction looks at them all.
"""

import numpy as np

from msdensity.kernel.compiler.bits import bits
from msdensity.kernel.compiler.jit import compiled
from msdensity.kernel.state import OPEN
from msdensity.players.belief.memory import (
    CONFIGURATIONS,
    MAX_CONFIGURATIONS,
    MAX_LISTED,
    MAX_WORDS,
    ROOM,
)

CORRECT, HARD = 0, 1
"""Choices of the option `potential`."""

FIELD = np.int64(6)
"""Bits of a count; the highest of them is set as long as the count is not negative."""

IN_WORD = np.int64(10)

FULL = np.int64(32)

GUARD = np.int64(sum(32 << 6 * i for i in range(10)))
"""The highest bit of every field."""


@compiled
def add_number(ws, wm, w, mark):
    """List opened cell w among the numbers of the clique with this mark."""
    counters = wm.counters[0]
    cell = ws.cell[w]
    if cell.state == OPEN and cell.unknown > 0 and wm.number_mark[w] != mark:
        wm.number_mark[w] = mark
        wm.local[w] = counters.numbers
        number = wm.number[counters.numbers]
        number.cell = np.int32(w)
        number.mask = np.uint32(0)
        counters.numbers += 1


@compiled
def list_numbers(table, ws, wm, k):
    """List the numbers of clique k, with their cells in it."""
    counters = wm.counters[0]
    counters.mark += 1
    mark = counters.mark
    counters.numbers = 0
    correct = wm.settings[0].potential == CORRECT
    w = np.int64(wm.clique[k].centre)
    while w >= 0:
        add_number(ws, wm, w, mark)
        if correct:
            for e in range(table.start[w], table.start[w + 1]):
                add_number(ws, wm, table.neighbours[e], mark)
        w = np.int64(wm.next_centre[w])
    for i in range(wm.clique[k].size):
        c = np.int64(wm.member[k * ROOM + i])
        bit = np.uint32(1) << np.uint32(i)
        for e in range(table.start[c], table.start[c + 1]):
            w = table.neighbours[e]
            if wm.number_mark[w] == mark:
                wm.number[wm.local[w]].mask |= bit


@compiled
def bound_numbers(ws, wm, size):
    """Write the bounds of the numbers that exclude something, each set of cells once."""
    counters = wm.counters[0]
    count = 0
    for j in range(counters.numbers):
        mask = wm.number[j].mask
        cell = ws.cell[wm.number[j].cell]
        inside = bits(np.int64(mask))
        low = max(cell.remaining - (cell.unknown - inside), np.int64(0))
        high = min(np.int64(cell.remaining), inside)
        if low <= 0 and high >= inside:
            continue
        count = add_bounds(wm, count, mask, low, high)
    if counters.joined:
        left = ws.game[0].mines_left
        every = np.uint32((np.int64(1) << size) - 1)
        count = add_bounds(wm, count, every, left, left)
    counters.numbers = count
    counters.words = max((count + IN_WORD - 1) // IN_WORD, np.int64(1))


@compiled
def add_bounds(wm, count, mask, low, high):
    """Bound the mines in `mask`; return how many sets of cells have bounds."""
    for i in range(count):
        number = wm.number[i]
        if number.mask == mask:
            number.low = np.int32(max(np.int64(number.low), low))
            number.high = np.int32(min(np.int64(number.high), high))
            return count
    number = wm.number[count]
    number.mask = mask
    number.low = np.int32(low)
    number.high = np.int32(high)
    return count + 1


@compiled
def pack_numbers(wm, size):
    """Write the counts of the empty configuration and the units of each cell; False if too many."""
    counters = wm.counters[0]
    words = counters.words
    if words > MAX_WORDS:
        return False
    for i in range(size * words):
        wm.unit[i] = np.int64(0)
    for j in range(words):
        wm.up[j] = GUARD
        wm.down[j] = GUARD
    for f in range(counters.numbers):
        number = wm.number[f]
        word = f // IN_WORD
        shift = FIELD * (f % IN_WORD)
        mask = np.int64(number.mask)
        if number.high < max(number.low, 0) or number.low > bits(mask):
            return False
        wm.up[word] = wm.up[word] + (np.int64(number.high) << shift)
        wm.down[word] = wm.down[word] + ((bits(mask) - number.low) << shift)
        for i in range(size):
            at = i * words + word
            wm.unit[at] = wm.unit[at] + (((mask >> i) & 1) << shift)
    wm.partial[0] = np.uint32(0)
    return True


@compiled
def grow(wm, i, source, count, target):
    """Give cell i both values in `count` partial configurations; return how many are possible.

    They are read at `source` and written at `target`. -1 if there may be too many.
    """
    words = wm.counters[0].words
    unit = i * words
    bit = np.int64(1) << i
    made = 0
    for p in range(source, source + count):
        if made + 2 > MAX_CONFIGURATIONS:
            return np.int64(-1)
        mask = np.int64(wm.partial[p])
        free = True  # no branches: the processor cannot predict what is possible
        mined = True
        at = target + made
        for j in range(words):
            up = wm.up[p * words + j]
            down = wm.down[p * words + j] - wm.unit[unit + j]
            free &= down & GUARD == GUARD
            wm.up[at * words + j] = up
            wm.down[at * words + j] = down
        wm.partial[at] = mask
        made += free
        at = target + made
        for j in range(words):
            up = wm.up[p * words + j] - wm.unit[unit + j]
            down = wm.down[p * words + j]
            mined &= up & GUARD == GUARD
            wm.up[at * words + j] = up
            wm.down[at * words + j] = down
        wm.partial[at] = mask | bit
        made += mined
    return np.int64(made)


@compiled
def list_configurations(table, ws, wm, k):
    """List the configurations of clique k; it has none if they do not fit.

    `always` and `ever` say which cells are certain: neither a belief nor a sum can.
    """
    counters = wm.counters[0]
    clique = wm.clique[k]
    clique.count = np.int32(0)
    clique.links = np.int32(0)
    size = np.int64(clique.size)
    if size == 0:
        return
    count = np.int64(-1)
    source = np.int64(0)
    if size <= MAX_LISTED:
        list_numbers(table, ws, wm, k)
        bound_numbers(ws, wm, size)
        if pack_numbers(wm, size):
            count = np.int64(1)
    for i in range(size):
        if count > 0:
            count = grow(wm, i, source, count, MAX_CONFIGURATIONS - source)
            source = MAX_CONFIGURATIONS - source
    first = counters.configurations
    if count <= 0 or first + count > CONFIGURATIONS:
        counters.left_out += 1
        return
    always = np.int64(0xFFFFFFFF)
    ever = np.int64(0)
    for p in range(count):
        mask = np.int64(wm.partial[source + p])
        wm.configuration[first + p] = mask
        wm.alive[first + p] = 1
        always &= mask
        ever |= mask
    clique.first = np.int32(first)
    clique.count = np.int32(count)
    clique.always = np.uint32(always)
    clique.ever = np.uint32(ever)
    counters.configurations += count
