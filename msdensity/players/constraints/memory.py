"""Working memory of the players that keep constraints: sums over sets of unknown cells.

A position is read component by component (cells connected through opened cells). Variables are the
component's unknown cells, in the order of the reading; a set of them is a row of 64-bit words.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from msdensity.kernel.compiler.directory import Directory, opener
from msdensity.kernel.compiler.threads import per_thread
from msdensity.kernel.state import Memory

MAX_VARIABLES = 1024
"""Components with more variables are not reduced or searched."""

MAX_SEARCHED = 192
"""Subsets with more variables are counted by elimination instead of by search."""

WORK_LIMIT = np.int64(50_000)
"""Assignments that the search of one subset may try before it is counted by elimination."""

MAX_DERIVED = 2000
"""Equations that may be derived in one component."""

counters_t = np.dtype(
    [
        ("words", "i8"),  # 64-bit words of a set of variables
        ("variables", "i8"),  # of the component that was read
        ("items", "i8"),  # its constraints
        ("witnesses", "i8"),  # the constraints of opened cells
        ("subsets", "i8"),  # coupled subsets of the position
        ("members", "i8"),
        ("ways", "i8"),
        ("cell_ways", "i8"),
        ("work", "i8"),
    ]
)

item_t = np.dtype([("sum", "i4"), ("size", "i4"), ("subset", "i4"), ("spare", "i4")])
"""A constraint: `sum` mines in `size` variables; size 0 if it was dropped."""

subset_t = np.dtype(
    [
        ("first", "i4"),  # member[first : first + size] are its cells
        ("size", "i4"),
        ("constraints", "i4"),
        ("low", "i4"),  # fewest and most mines of the solutions that are kept
        ("high", "i4"),
        ("ways", "i4"),  # ways[ways + m] solutions have m mines
        ("cell_ways", "i4"),  # in cell_ways[cell_ways + i * (size + 1) + m] member i is mined
        ("component", "i4"),  # of the kernel, if it was counted by elimination, else -1
        ("epoch", "i4"),
        ("known", "i4"),  # whether its solutions are known
    ]
)
"""Constraints coupled through common variables, and their solutions."""

FIELDS: dict[str, Any] = {
    "counters": counters_t,
    "variable": "i4",  # of an unknown cell, by cell
    "cell": "i4",  # of a variable
    "queue": "i4",  # opened cells of the component that is read
    "bits": "u8",  # variables of item k: bits[k * words : (k + 1) * words]
    "item": item_t,
    "subset": subset_t,
    "member": "i4",
    "ways": "f8",
    "cell_ways": "f8",
    "stack": "i4",
    "item_first": "i4",  # the search: variables of each constraint, constraints of each variable
    "item_variable": "i4",
    "variable_first": "i4",
    "variable_item": "i4",
    "order": "i4",
    "value": "i4",  # of a variable, -1 while it is not assigned
    "need": "i4",  # mines still missing in a constraint
    "left": "i4",  # its variables that are not assigned
    "trail": "i4",  # variables in the order assigned
    "branch": "i4",  # whether the other value is still to be tried
    "belief": "f8",  # by cell: the share of solutions, or an estimate, in which it is free
    "estimate": "f8",  # of `limited`: the belief of each exposed cell after its own search
}

open_memory = opener(Directory("ConstraintMemory", FIELDS))


def make_memory(table: Memory) -> Memory:
    """Return the working memory for a board."""
    cells, pairs = len(table.start) - 1, len(table.neighbours)
    variables = min(cells, MAX_VARIABLES)
    words = (variables + 63) // 64
    items = cells + MAX_DERIVED + 1
    searched = min(cells, MAX_SEARCHED)
    sizes = {
        "counters": 1,
        "variable": cells,
        "cell": cells,
        "queue": cells + 1,
        "bits": items * words,
        "item": items,
        "subset": cells + 1,
        "member": cells + 1,
        "ways": 2 * cells + 1,
        "cell_ways": (cells + 1) * (searched + 2),
        "stack": items,
        "item_first": items + 1,
        "item_variable": pairs + 1,
        "variable_first": cells + 1,
        "variable_item": pairs + 1,
        "order": cells,
        "value": cells,
        "need": items,
        "left": items,
        "trail": cells + 1,
        "branch": cells + 1,
        "belief": cells,
        "estimate": cells,
    }
    return Memory(FIELDS, {name: np.zeros(size, FIELDS[name]) for name, size in sizes.items()})


thread_memory = per_thread(make_memory)
"""Return this thread's working memory for a table; the last one is kept."""
