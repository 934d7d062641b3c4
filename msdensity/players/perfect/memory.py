"""Working memory of the search for best play: layouts as rows, a memo, and the stack of the search.

A layout is a row of lanes of 16 bits, four in a 64-bit word, one lane for each cell that is looked
at: bit 0 is set if the cell is mined, else bit 1 + r, if its number is the r-th smallest that it
takes. So the OR of the rows of a set says in one pass which cells are safe, which have one number
and which have several.
"""

from __future__ import annotations

import numpy as np

from msdensity.kernel.compiler.directory import Directory, opener
from msdensity.kernel.state import Memory

LANES = np.int64(4)
"""Cells of a word."""

MAX_LANES = 64
"""Cells that a search can look at."""

SAFE, MINE = np.int64(-1), np.int64(-2)
"""In place of a lane: the cell has one number in all layouts, or is mined in all."""

MAX_PARTS = 1 << 16
"""Sets that may wait at once; where there is no room, a set is split later."""

COUNTED = np.int64(0xFFFF)
"""Largest set whose rows are copied, so that it can be covered with cliques."""

LISTED = np.int32(-1)
"""In place of the side of a set: its rows are not copied."""

NUMBERS = 14
"""Most numbers that one cell may take: the sign bit of a word stays 0."""

SLOTS = np.int64(16)
"""Bits of a lane, and room for the parts of a set by one cell."""

search_t = np.dtype(
    [
        ("unknown", "i8"),  # cells of a position that are not known
        ("masks", "i8"),  # words of a layout, one bit for each of these cells
        ("layouts", "i8"),
        ("words", "i8"),  # of a row
        ("copied", "i8"),  # most copies of rows on one side of a depth
        ("lanes", "i8"),  # of all words
        ("images", "i8"),  # symmetries of the board under which a set is the same, at least 1
        ("mask", "i8"),  # places of the memo less 1, which is a power of two less 1
        ("epoch", "i8"),  # only entries of this epoch count
        ("nodes", "i8"),  # sets that were searched
        ("budget", "i8"),  # how many may be
    ]
)

box_t = np.dtype(
    [
        ("begin", "i4"),  # cell[begin:end]
        ("end", "i4"),
        ("box", "i4"),  # of the kernel, -1: the floating cells
        ("last", "i4"),  # whether it is the last of its component
        ("node", "i4"),  # the state before it
        ("mines", "i4"),  # in it
        ("least", "i4"),  # mines of all boxes from it on, whatever the state
        ("most", "i4"),
        ("placed", "i4"),  # mines of all boxes before it
    ]
)

known_t = np.dtype(
    [("key0", "i8"), ("key1", "i8"), ("cell", "i4"), ("safe", "i4"), ("layouts", "i4")]
)
"""A position whose best move is known; layouts 0: none."""

slot_t = np.dtype(
    [
        ("begin", "i4"),  # its rows are order[begin:end], or those copies
        ("end", "i4"),
        ("bound", "i4"),  # most layouts that can be won
        ("exact", "i4"),  # whether so many are won
        ("covered", "i4"),  # whether its layouts were covered with cliques
        ("side", "i4"),  # 0 or 1: begin and end count copies on this side; LISTED: see `order`
        ("split", "i4"),  # a cell that is safe in all layouts and takes several numbers, or -1
        ("key0", "i8"),
        ("key1", "i8"),
    ]
)
"""A set of layouts that may still be searched."""

frame_t = np.dtype(
    [
        ("slot", "i4"),
        ("stage", "i4"),
        ("need", "i8"),  # a value below this need not be exact
        ("best", "i8"),  # of the cells whose value is known
        ("fail", "i8"),  # no other cell has a larger value
        ("total", "i8"),  # of the cell being tried: what its parts are worth at most
        ("cells", "i4"),  # cells still to be tried: candidate[64 * depth : ...][:cells]
        ("at", "i4"),  # the next of them
        ("first", "i4"),  # its parts: those not exact are the slots in turn[first:last]
        ("last", "i4"),
        ("part", "i4"),  # the next of them: turn[part]
        ("end", "i4"),  # the first free slot while they are searched
        ("bound", "i4"),  # of the set, before its cells are tried
        ("guess", "i4"),  # what the parts seem to be worth
    ]
)
"""A set that is being searched."""

candidate_t = np.dtype([("lane", "i4"), ("bound", "i4"), ("guess", "i4")])
"""A cell, what it is worth at most, and what it seems to be worth."""

seen_t = np.dtype([("bound", "i8"), ("won", "i8")])
"""Sums over sets of about one size: the first bounds, and the values."""

memo_t = np.dtype(
    [
        ("key0", "i8"),
        ("key1", "i8"),
        ("epoch", "i4"),
        ("size", "i4"),
        ("bound", "i4"),
        ("exact", "i4"),
    ]
)
"""What is known of a set; the place of a set is one of four."""

FIELDS = {
    "search": search_t,
    "cell": "i4",  # of each unknown cell: which cell of the board it is
    "index": "i4",  # of each cell of the board: which unknown cell it is
    "near": "i8",  # of each unknown cell: its unknown neighbours, as bits
    "layout": "i8",  # of each layout: its mines, as bits
    "box": box_t,  # unknown cells that are interchangeable, while layouts are listed
    "chosen": "i4",  # the cells of each box that are mined, while layouts are listed
    "lane": "i4",  # of each unknown cell: its lane, SAFE or MINE
    "column": "i8",  # of one cell: its lane in each row
    "row": "i8",
    "mined": "i8",  # of each row: its mines, one bit a lane
    "with_mine": "i8",  # of each lane: the cells that are mined wherever this one is, as bits
    "order": "i4",
    "spare": "i4",
    "name": "i8",  # two words for each image, lane and bit; a set's key is the XOR of some
    "memo": memo_t,
    "slot": slot_t,
    "turn": "i4",  # slots in the order in which they are searched
    "any": "i8",  # of each slot: the OR of its rows
    "most": "i4",  # of each slot and lane: how many layouts can be won if it is opened first
    "copy": "i8",  # rows of sets, each with its mines and its clique; two sides for each depth
    "plane": "i8",  # bits of counts, one count for each lane
    "split": "i8",  # while a set is covered: the cells that take several numbers
    "union": "i8",  # the OR of the rows of one clique
    "safe": "i8",  # where `shown` has the numbers of one clique
    "shown": "i8",  # of each cell: the cliques that show it, as bits; of a number: another number
    "clique": "i4",  # of each clique that a set had: the one it is joined to
    "place": "i4",  # of each clique: where its rows go
    "count": "i8",  # of each number of a cell: where its part goes
    "frame": frame_t,
    "candidate": candidate_t,
    "seen": seen_t,  # of each binary logarithm of sizes
    "known": known_t,
}

open_memory = opener(Directory("PerfectMemory", FIELDS))


def make_memory(
    rows: int,
    unknown: int,
    memo: int,
    *,
    images: int = 1,
    lanes: int = 0,
    cells: int = 0,
    known: int = 0,
) -> Memory:
    """Return the memory for at most so many layouts and unknown cells.

    memo: sets that are kept, a power of two; images: symmetries under which the layouts stay the
    same; lanes: most cells that differ (0: as many as are unknown); cells: of the board; known:
    positions whose best move is kept, a power of two or 0.
    """
    lanes = min(lanes or unknown, MAX_LANES)
    words, masks = -(-lanes // int(LANES)), -(-unknown // 64)
    depths = lanes + 3
    copied = min(rows, int(COUNTED))
    slots = depths * int(SLOTS) + min(4 * rows, MAX_PARTS)
    search = np.zeros(1, search_t)
    search["unknown"], search["masks"], search["layouts"] = unknown, masks, rows
    search["words"], search["lanes"] = words, words * int(LANES)
    search["copied"] = copied
    search["images"], search["mask"], search["budget"] = images, memo - 1, np.iinfo(np.int64).max
    sizes = {
        "cell": unknown,
        "index": cells,
        "near": unknown * masks,
        "layout": rows * masks,
        "box": unknown + 2,
        "chosen": unknown,
        "lane": unknown,
        "column": rows,
        "row": rows * words,
        "mined": rows,
        "with_mine": MAX_LANES,
        "order": rows,
        "spare": rows,
        "memo": memo + 4,
        "slot": slots,
        "turn": slots,
        "any": slots * words,
        "most": slots * words * int(LANES),
        "copy": 2 * (depths + 1) * copied * (words + 2),
        "plane": 32,
        "split": words,
        "union": words,
        "safe": 2 * MAX_LANES,
        "shown": words * int(LANES * SLOTS) * (copied // 64 + 4),
        "clique": copied + 1,
        "place": copied + 1,
        "count": int(SLOTS),
        "frame": depths,
        "candidate": depths * MAX_LANES,
        "seen": 32,
        "known": known,
    }
    arrays = {name: np.zeros(size, FIELDS[name]) for name, size in sizes.items()}
    names = np.random.default_rng(0).integers(
        -(2**63), 2**63, images * words * int(LANES * SLOTS) * 2
    )
    return Memory(FIELDS, arrays | {"search": search, "name": names})
