"""Working memory of `resolution`: the clauses of one local knowledge base.

A literal says that a cell is mined, or that it is free; a clause says that one of its literals
holds. A local knowledge base has at most 64 cells, so that a clause is two words: the cells whose
mines would meet it, and the cells whose freedom would.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from msdensity.kernel.compiler.directory import Directory, opener
from msdensity.kernel.compiler.threads import per_thread
from msdensity.kernel.state import Memory

MAX_CELLS = 64
"""Unknown cells of a knowledge base: a clause has one bit for each."""

MAX_NUMBERS = 256
"""Numbers of a knowledge base."""

MAX_CLAUSES = 4096
"""Clauses of a knowledge base, those included that a shorter clause made superfluous."""

SEEN = 1 << 12
"""Resolvents that are remembered, so that none is compared with all clauses again."""

SILENT = 1 << 12
"""Knowledge bases that are remembered because nothing follows from them."""

counters_t = np.dtype(
    [
        ("places", "i8"),  # cells that forward chaining starts from; 0 until they are listed
        ("walk", "i8"),  # name of the current walk from a place
        ("head", "i8"),  # the queue of the walk: cells whose neighbours were not added yet
        ("tail", "i8"),
        ("cells", "i8"),  # of the knowledge base
        ("numbers", "i8"),
        ("clauses", "i8"),
        ("alive", "i8"),  # clauses that no shorter one made superfluous
        ("epoch", "i8"),  # name of the current knowledge base
        ("decided", "i8"),  # cells decided by the last search
        ("trail", "i8"),  # cells of whose state something is assumed
        ("total", "i8"),  # whether the mines left are a number too
        ("mines", "i8"),  # mines left and unknown cells, under the assumption
        ("covered", "i8"),
    ]
)

around_t = np.dtype([("need", "i2"), ("left", "i2"), ("opened", "i2")])

seen_t = np.dtype([("pos", "i8"), ("neg", "i8"), ("epoch", "i8")])

FIELDS: dict[str, Any] = {
    "counters": counters_t,
    "place": "i4",
    "walk": "i8",  # by cell: the last walk that reached it
    "queue": "i4",
    "variable": "i4",  # by cell: its bit, in the walk that `named` names
    "named": "i8",
    "cell": "i4",  # of a bit
    "number": "i4",  # the opened cells of the knowledge base, in the order of the board
    "pos": "i8",  # of a clause: the cells that meet it if they are mined
    "neg": "i8",  # and those that meet it if they are free
    "dead": "u1",  # whether a shorter clause makes it superfluous
    "seen": seen_t,
    "silent": "i8",
    "decided": "i4",  # cells that the last search decided
    "verdict": "i1",  # by cell: 1 if it was found to be mined, 0 to be free, -1 if neither
    "around": around_t,  # by cell: mines missing and unknown cells around it, under an assumption
    "trail": "i4",
    "assumed": "u1",  # by cell: 0, or 1 if it is assumed to be free, 2 to be mined
    "possible": "u1",  # by cell: the sum of those that contradict nothing
    "shown": "u1",  # by cell: the sum of those that some arrangement of mines has
    "choice": "i4",  # of an arrangement: where each choice begins in the trail
    "again": "u1",  # whether it is the second state of its cell
    "belief": "f8",  # by cell: the estimated safety at a guess
}

open_memory = opener(Directory("ResolutionMemory", FIELDS))


def make_memory(table: Memory) -> Memory:
    """Return the working memory for a board."""
    cells = len(table.start) - 1
    sizes = {
        **dict.fromkeys(FIELDS, cells),
        "counters": 1,
        "cell": MAX_CELLS,
        "number": MAX_NUMBERS,
        "pos": MAX_CLAUSES,
        "neg": MAX_CLAUSES,
        "dead": MAX_CLAUSES,
        "seen": SEEN,
        "silent": SILENT,
    }
    arrays = {name: np.zeros(size, FIELDS[name]) for name, size in sizes.items()}
    arrays["verdict"][:] = -1
    return Memory(FIELDS, arrays)


thread_memory = per_thread(make_memory)
"""Return this thread's working memory for a table; the last one is kept."""
