"""Working memory of unit refutation: numbers under an assumption, and numbers to look at again."""

from __future__ import annotations

from typing import Any

import numpy as np

from msdensity.kernel.compiler.directory import Directory, opener
from msdensity.kernel.compiler.threads import per_thread
from msdensity.kernel.state import Memory
from msdensity.players.resolution.memory import around_t

counters_t = np.dtype(
    [
        ("trail", "i8"),  # cells of whose state something is assumed
        ("total", "i8"),  # whether the mines left are a number too: never here
        ("mines", "i8"),  # of the mines left, which `units.assume` counts and nobody reads here
        ("covered", "i8"),
        ("waiting", "i8"),  # numbers that wait
        ("walk", "i8"),  # name of the current walk
    ]
)

FIELDS: dict[str, Any] = {
    "counters": counters_t,
    "around": around_t,  # by cell: mines missing and unknown cells around it, under an assumption
    "trail": "i4",
    "assumed": "u1",  # by cell: 0, or 1 if it is assumed to be free, 2 to be mined
    "possible": "u1",  # by cell: the sum of those that contradict nothing, in the current walk
    "waiting": "i4",  # numbers whose component is to be looked at again
    "waits": "u1",  # by cell: whether it is among them
    "walk": "i8",  # by cell: the last walk that reached it
    "number": "i4",  # the numbers of a walk
    "cell": "i4",  # the unknown cells of a walk
}

open_memory = opener(Directory("InferenceMemory", FIELDS))


def make_memory(table: Memory) -> Memory:
    """Return the working memory for a board."""
    cells = len(table.start) - 1
    sizes = {**dict.fromkeys(FIELDS, cells), "counters": 1}
    return Memory(FIELDS, {name: np.zeros(size, FIELDS[name]) for name, size in sizes.items()})


thread_memory = per_thread(make_memory)
"""Return this thread's working memory for a table; the last one is kept."""
