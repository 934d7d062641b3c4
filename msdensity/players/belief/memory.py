"""The working memory of the players of 004: cliques, configurations, links and messages.

Nothing grows during a game. What does not fit is left out, which is sound: a clique without
configurations excludes nothing, and cliques without a link send each other nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from msdensity.kernel.compiler.directory import Directory, opener
from msdensity.kernel.compiler.threads import per_thread
from msdensity.kernel.state import Memory

ROOM = 32
"""Cells stored of one clique; a larger one is left out."""

MAX_LISTED = 31
"""Most cells of a clique whose configurations are listed."""

MAX_CONFIGURATIONS = 1 << 15
"""Most configurations of one clique, also while they are made."""

CONFIGURATIONS = 1 << 18
"""Configurations of all cliques of a position."""

MAX_WORDS = 8
"""Words with the packed counts of the numbers of one clique."""

MAX_SEPARATOR = 20
"""A message says nothing of the common cells after these."""

MAX_ITERATIONS = 50

MARGINALIZATION, GUESS = 0, MAX_ITERATIONS + 1
"""Places in `tally`; those between are iterations."""

LINKS = 1 << 17

PLACES = 1 << 22
"""Places of configurations in messages, for all configurations and links."""

VALUES = 1 << 21
"""Values of all messages of one iteration."""

settings_t = np.dtype(
    [
        ("potential", "i8"),  # each an index of the choices in the registry,
        ("iterations", "i8"),  # but this is a number
        ("semiring", "i8"),
        ("belief", "i8"),
        ("schedule", "i8"),
        ("guesses", "i8"),
        ("all_cells", "i8"),
        ("prior", "i8"),
        ("clique_size", "i8"),  # most cells of a merged clique, 0 if none are merged
        ("merge", "i8"),
        ("singles", "i8"),
    ]
)
"""The options of the player; `player.read_options` writes them."""

counters_t = np.dtype(
    [
        ("cliques", "i8"),
        ("configurations", "i8"),
        ("links", "i8"),
        ("places", "i8"),
        ("values", "i8"),
        ("mark", "i8"),  # last mark; never begins again
        ("left_out", "i8"),  # cliques and links of this position that did not fit
        ("joined", "i8"),  # whether there is one clique of all unknown cells
        ("words", "i8"),  # of the clique that is listed
        ("numbers", "i8"),
        ("old", "i8"),  # where the messages that are read begin
    ]
)

clique_t = np.dtype(
    [
        ("size", "i4"),  # its cells are member[clique * ROOM :][:size]; 0 if it was merged away
        ("centre", "i4"),  # its first and last centre, see `next_centre`
        ("last_centre", "i4"),
        ("available", "i4"),  # whether it may still be merged
        ("first", "i4"),  # its configurations are configuration[first : first + count]
        ("count", "i4"),
        ("always", "u4"),  # cells mined in all configurations that are left
        ("ever", "u4"),  # and in any of them
        ("link", "i4"),  # link[link : link + links]
        ("links", "i4"),
        ("place", "i8"),  # configuration i has place[place + i * links + j] in its message j
    ]
)

number_t = np.dtype([("cell", "i4"), ("low", "i4"), ("high", "i4"), ("mask", "u4")])
"""An opened cell seen from a clique: the fewest and most mines among its cells in `mask`."""

link_t = np.dtype(
    [
        ("to", "i4"),  # a clique with common cells
        ("size", "i4"),  # values of the messages, 0 if nothing is sent
        ("zeros", "i4"),  # values of the message read that exclude a configuration
        ("spare", "i4"),
        ("read", "i8"),  # the message from it is value[old + read :][:size]
        ("send", "i8"),  # and the one to it value[new + send :][:size]
        ("twin", "i8"),  # the link in the other direction
    ]
)

ONES, TRASH = np.int64(0), np.int64(1)
"""Places of a value that is always 1 and of one that nobody reads, for links that send nothing."""

FIELDS: dict[str, Any] = {
    "settings": settings_t,
    "counters": counters_t,
    "clique": clique_t,
    "member": "i4",
    "owner": "i4",  # of an opened cell: its clique
    "next_centre": "i4",  # of an opened cell: the next one of its clique, -1 at the end
    "cell_mark": "i8",
    "number_mark": "i8",
    "clique_mark": "i8",
    "local": "i4",  # of a marked cell or number: its index in the clique
    "near": "i4",  # cliques beside one
    "common": "i4",  # how many cells each has in common with it
    "counted": "i4",  # the cell counted last
    "number": number_t,
    "unit": "i8",  # of each cell of a clique: 1 in the field of each of its numbers
    "up": "i8",  # of each partial configuration: mines that each number still allows
    "down": "i8",  # and free cells that it still allows
    "partial": "u4",
    "configuration": "u4",  # bit i: cell i of the clique is mined
    "alive": "u1",  # whether no message has excluded it
    "link": link_t,
    "place": "i4",
    "lookup": "i4",  # by the values of the common cells: 1 + their place, 0 if they have none
    "key": "i4",
    "shared": "i4",  # common cells of two cliques: their index in both
    "value": "f8",  # messages, old and new
    "reached": "u1",  # whether a configuration that is left has this place
    "before": "f8",  # products of the messages before each one
    "factor": "f8",
    "at": "i8",
    "power": "f8",  # prior odds of a mine to the power of mines
    "belief": "f8",  # by cell
    "beliefs": "i4",  # cliques that have it
    "earlier": "f8",  # its belief in the iteration before
    "tally": "i8",  # decisions by where they were made; the players only add to it
}

open_memory = opener(Directory("BeliefMemory", FIELDS))


def make_memory(table: Memory) -> Memory:
    """Return the working memory for a board."""
    cells = len(table.start) - 1
    sizes = {
        "settings": 1,
        "counters": 1,
        "clique": cells + 1,
        "member": (cells + 1) * ROOM,
        "owner": cells,
        "next_centre": cells,
        "cell_mark": cells,
        "number_mark": cells,
        "clique_mark": cells + 1,
        "local": cells,
        "near": cells + 1,
        "common": cells + 1,
        "counted": cells + 1,
        "number": cells + 1,
        "unit": ROOM * MAX_WORDS,
        "up": 2 * MAX_CONFIGURATIONS * MAX_WORDS,
        "down": 2 * MAX_CONFIGURATIONS * MAX_WORDS,
        "partial": 2 * MAX_CONFIGURATIONS,
        "configuration": CONFIGURATIONS,
        "alive": CONFIGURATIONS,
        "link": LINKS,
        "place": PLACES,
        "lookup": 1 << MAX_SEPARATOR,
        "key": 2 * MAX_CONFIGURATIONS,
        "shared": 2 * MAX_SEPARATOR,
        "value": 2 * VALUES,
        "reached": VALUES,
        "before": cells + 1,
        "factor": cells + 1,
        "at": cells + 1,
        "power": ROOM + 1,
        "belief": cells,
        "beliefs": cells,
        "earlier": cells,
        "tally": GUESS + 1,
    }
    return Memory(FIELDS, {name: np.zeros(size, FIELDS[name]) for name, size in sizes.items()})


thread_memory = per_thread(make_memory)
"""Return this thread's working memory for a table; the last one is kept."""
