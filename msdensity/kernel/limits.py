"""Whether a board fits into the memory of this machine (pure Python: no Numba)."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from functools import cache

from msdensity.errors import InputError
from msdensity.kernel.names import unwrapped

MAX_NEIGHBOURS = 1000
"""Of one cell: binomials and weights of larger boxes would leave the floating-point range."""

MAX_SIDES = 9
"""In ten dimensions even 2 x 2 x ... x 2 has more neighbours than MAX_NEIGHBOURS."""

MAX_PLACES = 2**31 - 1
"""The kernel's indices have 32 bits."""

PLACES_OF_CELL = 64
"""Of the largest array of the workspace."""

MAX_THREADS = 1024

CELL_BYTES, NEIGHBOUR_BYTES = 70, 10
"""Used while a table is made, measured: for each cell, and for each neighbour that it may have."""

GAME_BYTES, THREAD_BYTES = 80, 10_000_000
"""Used by a game, measured: for each cell, and on any board. Much more is reserved than used."""

TILE_ROWS, TILE_COLUMNS, TABLE_PLANES, GAME_PLANES = 16, 32, 5, 20
"""Rows of a tile and cells of a row, which is a word of four bytes (`planes.tiles`); how many words
a table and a game have for each row. A board of few rows or columns fills its tiles badly."""

_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")

_STEPS = {"square4": 4, "hexagonal": 6, "triangle3": 3, "triangle12": 12, "cubic6": 6}


@cache
def memory() -> int:
    """Return the bytes of memory of this machine, or those that its container may use."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for path in _LIMITS:
        try:
            with open(path, encoding="ascii") as file:
                limits.append(int(file.read()))
        except (OSError, ValueError):  # no such limit, or "max"
            continue
    return min(limits)


def check_memory(what: str, needed: float) -> None:
    """Raise InputError if `what` needs more bytes than `memory` returns."""
    if needed > memory():
        raise InputError(
            f"{what} needs about {needed / 1e9:,.3g} GB of memory, must need at most the"
            f" {memory() / 1e9:,.3g} GB available"
        )


def board_bytes(shape: Sequence[int], topology: str, threads: int = 1) -> int:
    """Return the bytes of memory needed to make a board and play on it."""
    steps = _steps(shape, topology)
    making = CELL_BYTES + NEIGHBOUR_BYTES * steps
    playing = NEIGHBOUR_BYTES * steps + GAME_BYTES * threads
    words = _words(shape) * (TABLE_PLANES + GAME_PLANES * threads)
    return math.prod(shape) * max(making, playing) + 4 * words + THREAD_BYTES * threads


def _words(shape: Sequence[int]) -> int:
    """Return the words of a plane: of every tile, and of the empty ones beside them."""
    if len(shape) != 2:
        return 0
    rows, columns = shape
    return TILE_ROWS * (-(-rows // TILE_ROWS) + 2) * (-(-columns // TILE_COLUMNS) + 1)


def _steps(shape: Sequence[int], topology: str) -> int:
    """Return the most neighbours that a cell may have."""
    return _STEPS.get(unwrapped(topology), 3 ** len(shape) - 1)


def check_board(shape: Sequence[int], topology: str, threads: int = 1) -> None:
    """Raise InputError for a board too large for memory with `threads` threads, or for indices."""
    if len(shape) > MAX_SIDES:
        raise InputError(f"board with {len(shape)} sides must have at most {MAX_SIDES}")
    cells, steps = math.prod(shape), _steps(shape, topology)
    name = f"{'x'.join(map(str, shape))}{'' if topology == 'square8' else f'-{topology}'}"
    what = f"board {name}" + (f" with threads={threads}" if threads > 1 else "")
    check_memory(what, board_bytes(shape, topology, threads))
    most = MAX_PLACES // max(PLACES_OF_CELL, steps)
    if cells > most:
        raise InputError(f"cells={cells} of board {name} must be in 1..{most} to be played")


def check_threads(threads: int, shape: Sequence[int], topology: str) -> None:
    """Raise InputError unless `threads` threads can play on the board at once."""
    if not 1 <= threads <= MAX_THREADS:
        raise InputError(f"threads={threads} must be a whole number in 1..{MAX_THREADS}")
    check_board(shape, topology, threads)


MAX_GAMES = 10**12
"""For each number of mines."""
