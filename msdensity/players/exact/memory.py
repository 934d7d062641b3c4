"""Working memory of the value of draws: layouts as words, a memo, and the stack of the search.

A value is a fraction. It is kept as its residues modulo some primes of 31 bits, with a multiple of
its denominator as the exponents of the primes that can divide a number of tied cells.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from msdensity.kernel.compiler.directory import Directory, opener
from msdensity.kernel.state import Memory

MAX_CELLS = 64

RESIDUES = np.int64(6)
"""Primes of one search."""

SAFEST, COVERED, PLACED = map(np.int64, range(3))
"""From which cells a player draws: from the safest; from all covered ones, or those of a kind, if
the single-point rules find none."""

search_t = np.dtype(
    [
        ("rule", "i8"),  # SAFEST, COVERED or PLACED
        ("layouts", "i8"),
        ("cells", "i8"),
        ("safe", "i8"),  # cells without a mine
        ("numbers", "i8"),  # that a cell can show: 0 up to its most neighbours
        ("images", "i8"),  # symmetries of the board under which a set is the same, at least 1
        ("factors", "i8"),  # primes that can divide a number of tied cells
        ("mask", "i8"),  # places of the memo less 1, which is a power of two less 1
        ("nodes", "i8"),  # sets that were searched
        ("budget", "i8"),  # how many may be
    ]
)

frame_t = np.dtype(
    [
        ("begin", "i4"),  # word[begin:end] are the layouts of the set
        ("end", "i4"),
        ("at", "i4"),  # the next part of them
        ("cell", "i4"),  # the cell that is opened at no risk, if none is tied
        ("tied", "i4"),  # how many cells are tied
        ("weight", "i4"),  # how many of them have the value that is being found
        ("opened", "i8"),  # cells, as bits
        ("left", "i8"),  # tied cells whose value is still to be found, as bits
        ("key0", "i8"),
        ("key1", "i8"),
    ]
)
"""A set that is being searched."""

memo_t = np.dtype([("key0", "i8"), ("key1", "i8"), ("size", "i4")])
"""A set whose value is known, size 0: none; the place of a set is one of four."""

FIELDS = {
    "search": search_t,
    "word": "i8",
    "spare": "i8",
    "near": "i8",  # of each cell: its neighbours, as bits
    "place": "i8",  # of each cell: 0 for a corner, 1 for an edge, 2 for an inner cell
    "name": "i8",  # two words for each image, cell and number; a set's key is the XOR of some
    "frame": frame_t,
    "equal": "i8",  # of each frame and cell: the tied cells that are mined wherever it is, as bits
    "count": "i8",
    "prime": "i8",
    "inverse": "i8",  # of each number of tied cells, modulo each prime
    "factor": "i8",
    "power": "i8",  # of each number of tied cells: the exponent of each factor
    "memo": memo_t,
    "memo_residue": "i4",
    "memo_power": "u1",
    "sum_residue": "i8",  # of each frame
    "sum_power": "i8",
    "residue": "i8",  # of the value that was found last
    "value_power": "i8",
}

open_memory = opener(Directory("DrawsMemory", FIELDS))


def make_memory(
    words: NDArray[np.int64],
    near: NDArray[np.int64],
    images: list[list[int]],
    factors: list[int],
    memo: int,
    rule: np.int64,
) -> Memory:
    """Return the memory for these layouts; `set_primes` is still to be called.

    near: the neighbours of each cell as bits; images: symmetries of the board under which the
    layouts stay the same, the identity first; factors: the primes below the number of cells;
    memo: sets that are kept, a power of two; rule: SAFEST, COVERED or PLACED.
    """
    cells, depths = len(near), 2 * len(near) + 2
    degrees = np.bitwise_count(near.view(np.uint64)).astype(np.int64)
    numbers = int(degrees.max()) + 1
    search = np.zeros(1, search_t)
    safe = cells - int(np.bitwise_count(words[:1].view(np.uint64)).sum())
    size = (len(words), cells, safe, numbers, len(images), len(factors), memo - 1)
    search[0] = (rule, *size, 0, 0)
    # As in the player `double_set`: an inner cell has the most neighbours, a corner the fewest.
    place = np.where(degrees == degrees.max(), 2, np.where(degrees == degrees.min(), 0, 1))
    names = np.random.default_rng(0).integers(-(2**63), 2**63, (cells, numbers, 2))
    power = np.zeros((cells + 1, len(factors)), np.int64)
    for tied in range(1, cells + 1):
        for i, factor in enumerate(factors):
            while tied % factor ** (power[tied, i] + 1) == 0:
                power[tied, i] += 1
    arrays = {
        "search": search,
        "word": words,
        "spare": np.empty_like(words),
        "near": near,
        "place": place,
        "name": np.concatenate([names[image] for image in images]).ravel(),
        "frame": np.zeros(depths, frame_t),
        "equal": np.zeros(depths * MAX_CELLS, np.int64),
        "count": np.zeros(MAX_CELLS, np.int64),
        "prime": np.zeros(RESIDUES, np.int64),
        "inverse": np.zeros((cells + 1) * RESIDUES, np.int64),
        "factor": np.array(factors, np.int64),
        "power": power.ravel(),
        "memo": np.zeros(memo + 4, memo_t),
        "memo_residue": np.zeros((memo + 4) * RESIDUES, np.int32),
        "memo_power": np.zeros((memo + 4) * len(factors), np.uint8),
        "sum_residue": np.zeros(depths * RESIDUES, np.int64),
        "sum_power": np.zeros(depths * len(factors), np.int64),
        "residue": np.zeros(RESIDUES, np.int64),
        "value_power": np.zeros(len(factors), np.int64),
    }
    return Memory(FIELDS, arrays)


def set_primes(memory: Memory, primes: list[int], budget: int) -> None:
    """Prepare a search modulo these primes, RESIDUES of them, of at most `budget` sets."""
    memory.prime[:] = primes
    tied = range(1, int(memory.search["cells"][0]) + 1)
    memory.inverse[RESIDUES:] = [pow(n, -1, p) for n in tied for p in primes]
    memory.memo["size"] = 0
    memory.search["nodes"], memory.search["budget"] = 0, budget
