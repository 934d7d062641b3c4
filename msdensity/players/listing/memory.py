"""The working memory of `listing`: sets of constraints as in the listed program.

A variable is an exposed cell; variables are numbered in the order in which the listing visits the
neighbours of a cell (by column, then by row). A set of variables is a row of 64-bit words, so that
"X is a superset of Y" is one operation per word.
"""

from __future__ import annotations

import numpy as np

from msdensity.kernel.compiler.directory import Directory, opener
from msdensity.kernel.compiler.threads import per_thread
from msdensity.kernel.state import Memory

MAX_VARIABLES = 1024
"""A position with more exposed cells counts as one that the listed program never finishes."""

MAX_CONSTRAINTS = 75431
"""Most constraints in one set: a size of .NET sets, far above what 3e6 pairs allow."""

ARENA = 3 * MAX_CONSTRAINTS

counters_t = np.dtype(
    [
        ("words", "i8"),  # 64-bit words of a set of variables
        ("variables", "i8"),  # exposed cells
        ("base", "i8"),  # constraints of the position, each once
        ("items", "i8"),  # constraints made
        ("count", "i8"),  # slots of the set in use, emptied ones included
        ("free", "i8"),  # slot emptied last, -1 for none
        ("emptied", "i8"),
        ("capacity", "i8"),
        ("mask", "i8"),  # buckets - 1
        ("old", "i8"),  # constraints at the end of the previous round
        ("stamp", "i8"),
        ("solutions", "i8"),
        ("trivial", "i8"),  # those found before any subtraction
        ("contradiction", "i8"),  # whether the inference met one; only with `detect`
        ("work", "i8"),  # pairs of constraints compared and assignments tried in this game
        ("limit", "i8"),
        ("detect", "i8"),  # whether contradictions are detected
        ("groups", "i8"),
        ("found", "i8"),  # configurations at this guess
        ("denominator", "f8"),
        ("floating_cells", "i8"),
        ("mines_left", "i8"),
    ]
)

item_t = np.dtype([("sum", "i4"), ("ids", "i4"), ("size", "i4")])
"""A constraint: the number of mines in `size` variables; `ids` is the XOR of their cell indices."""

slot_t = np.dtype([("hash", "i4"), ("next", "i4"), ("item", "i4")])
"""A place in the set. `hash` is that of the constraint when it was added, stale or not."""

solution_t = np.dtype([("variable", "i4"), ("value", "i4")])

seen_t = np.dtype([("stamp", "i8"), ("item", "i4")])

SEEN = 1 << 18
"""Places to look up constraints by their present value; a power of two above twice the set."""

FIELDS = {
    "counters": counters_t,
    "order": "i4",  # cells in the order of variables
    "variable": "i4",  # of an exposed cell, by cell
    "cell": "i4",  # of a variable
    "lowest": "i4",  # place of a single bit, by its product with a de Bruijn word
    "bits": "u8",  # variables of item i: bits[i * words : (i + 1) * words]
    "item": item_t,
    "base_bits": "u8",  # the constraints of the position, kept while the others change
    "base_item": item_t,
    "slot": slot_t,
    "bucket": "i4",
    "listed": "i4",  # the items of the set, listed before any is added
    "listed_bits": "u8",  # their variables, side by side
    "old": "i4",
    "seen": seen_t,
    "solution": solution_t,
    "first_value": "i4",  # of a solved variable: the value that is substituted
    "values": "u1",  # which of the values 0, 1 (bits) and others (bit 2) a variable got
    "solved": "u8",  # solved variables
    "group": "i4",  # of a variable: the component it belongs to
    "member": "i4",  # variables group by group, in the order in which branches try them
    "first_member": "i4",
    "queue": "i4",
    "waiting": "u1",
    "assigned": "i4",  # values of the variables at each depth of a branch
    "stage": "i4",
    "weight": "f8",  # of a configuration, by its number of mines
    "weighed": "u1",
    "safe": "f8",  # sum of the weights of the configurations in which a variable is safe
    "ways": "f8",  # configurations of a group by mines: ways[group * row + mines]
    "safe_ways": "f8",  # those in which a variable is safe: safe_ways[variable * row + mines]
    "product": "f8",
    "score": "f8",  # of each unknown cell
    "left": "i4",  # plain backtracking: variables of a constraint not yet assigned
    "missing": "i4",  # and mines still missing in it
}

open_memory = opener(Directory("ListingMemory", FIELDS))

DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)


def cell_order(table: Memory) -> np.ndarray:
    """Return the cells by column, then by row, on a rectangle; by index on any other board."""
    cells = len(table.start) - 1
    near = table.neighbours[: table.start[1]].tolist()
    columns = near[1] if len(near) == 3 else cells
    if near != [1, columns, columns + 1] or cells % columns:
        columns = cells
    return np.arange(cells).reshape(-1, columns).ravel(order="F")


def make_memory(table: Memory) -> Memory:
    """Return the working memory for a board."""
    cells = len(table.start) - 1
    most = min(cells, MAX_VARIABLES)
    words = (most + 63) // 64
    lowest = np.zeros(64, np.int64)
    for place in range(64):
        lowest[(int(DE_BRUIJN) << place) % 2**64 >> 58] = place
    row = most + 1
    sizes = {
        "counters": 1,
        "variable": cells,
        "cell": cells,
        "bits": ARENA * words,
        "item": ARENA,
        "base_bits": cells * words,
        "base_item": cells,
        "slot": MAX_CONSTRAINTS,
        "bucket": 1 << 17,
        "listed": MAX_CONSTRAINTS,
        "listed_bits": MAX_CONSTRAINTS * words,
        "old": MAX_CONSTRAINTS,
        "seen": SEEN,
        "solution": 64 * most + MAX_CONSTRAINTS,
        "first_value": most,
        "values": most,
        "solved": words,
        "group": most,
        "member": most,
        "first_member": most + 1,
        "queue": cells + 1,
        "waiting": cells + 1,
        "assigned": (most + 2) * most,
        "stage": most + 2,
        "weight": cells + 1,
        "weighed": cells + 1,
        "safe": most,
        "ways": row * row,
        "safe_ways": row * row,
        "product": 3 * row,
        "score": cells,
        "left": cells + 1,
        "missing": cells + 1,
    }
    arrays = {name: np.zeros(size, FIELDS[name]) for name, size in sizes.items()}
    return Memory(FIELDS, arrays | {"lowest": lowest, "order": cell_order(table)})


thread_memory = per_thread(make_memory)
"""Return this thread's working memory for a table; the last one is kept."""
