"""When a board's 0s stop to lead across it: union-find over mines that come one by one.

A cell that is no 0 is mined or touches a mine: it lies in the 3 x 3 square around one. On a board
of squares either the 0s cross from left to right with steps to all eight neighbours, or the other
cells cross from top to bottom with steps to four neighbours, never both and never none.
"""

import numpy as np

from msdensity.kernel.compiler.jit import compiled, entry
from msdensity.kernel.records import stream_t
from msdensity.kernel.rng import below, start_stream

STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))


@compiled
def root_of(parent, x):
    """Return the name of the set of x, and make the way to it shorter."""
    while parent[x] != x:
        parent[x] = parent[parent[x]]
        x = parent[x]
    return x


@compiled
def join(parent, size, x, y):
    """Make one set of those of x and y; the smaller one gets the name of the larger."""
    x = root_of(parent, x)
    y = root_of(parent, y)
    if x != y:
        if size[x] < size[y]:
            x, y = y, x
        parent[y] = x
        size[x] += size[y]


@compiled
def cover(rows, columns, c, covered, parent, size):
    """Cover the mine at c and the cells around it, and join each to those beside it."""
    top = rows * columns
    for r in range(max(c // columns - 1, 0), min(c // columns + 2, rows)):
        for q in range(max(c % columns - 1, 0), min(c % columns + 2, columns)):
            x = r * columns + q
            if covered[x]:
                continue
            covered[x] = True
            if r == 0:
                join(parent, size, x, top)
            if r == rows - 1:
                join(parent, size, x, top + 1)
            for a, b in STEPS:
                if 0 <= r + a < rows and 0 <= q + b < columns:
                    y = x + a * columns + b
                    if covered[y]:
                        join(parent, size, x, y)


@entry
def lose_crossing(rows, columns, order):
    """Return with how many mines, placed in this order of all cells, the 0s no longer cross."""
    n = rows * columns
    covered = np.zeros(n, np.bool_)
    parent = np.arange(n + 2)
    size = np.ones(n + 2, np.int64)
    for step in range(n):
        cover(rows, columns, order[step], covered, parent, size)
        if root_of(parent, n) == root_of(parent, n + 1):
            return step + 1
    return n


@entry
def lose_crossings(rows, columns, key, first, lost):
    """Write to `lost` with how many mines the 0s of each board from `first` on no longer cross."""
    n = rows * columns
    stream = np.zeros(1, stream_t)
    for i in range(len(lost)):
        start_stream(stream[0], key, first + i)
        order = np.arange(n)
        covered = np.zeros(n, np.bool_)
        parent = np.arange(n + 2)
        size = np.ones(n + 2, np.int64)
        step = 0
        while root_of(parent, n) != root_of(parent, n + 1):
            j = step + below(stream[0], n - step)
            c = order[j]
            order[j] = order[step]
            step += 1
            cover(rows, columns, c, covered, parent, size)
        lost[i] = step
