"""The tiles of a board: where each cell has its bit, and what lies around each tile.

Sides are cut into parts of equal size, at most 32 columns and 16 rows. The words of a tile, one for
each row, follow each other; the tiles of one strip of columns too. Beside the last tile of a strip
there is an empty one, and beside the last strip an empty strip: they stand for what is outside of a
board with borders.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from msdensity.kernel.compiler.rows import COLUMNS, ROWS

PLANAR = ("square8", "square4", "hexagonal", "torus8", "torus4", "torus_hexagonal")
"""Topologies whose neighbours are within one step on each axis and the same on every second row."""

REACH = 3
"""Steps from a cell to the edge of its window: a neighbour of a cell that shares a neighbour."""

SIDE = 2 * REACH + 1

CELLS = SIDE * SIDE
"""Of a window."""

CENTRE = np.int64(REACH * SIDE + REACH)
"""Bit of the cell itself in its window; the cell (dr, dc) from it is at CENTRE + SIDE * dr + dc."""

FULL = (1 << COLUMNS) - 1

tile_t = np.dtype(
    [
        ("row", "i4"),  # its first row
        ("width", "i4"),  # its columns
        ("strip", "i4"),  # first word of its strip
        ("west_strip", "i4"),  # and of the strips beside it
        ("east_strip", "i4"),
        ("west_width", "i4"),
        ("alone", "i4"),  # 1 if nothing is around it
        ("inside", "i4"),  # 1 if nothing is beside its strip
        ("north", "i4"),  # words of the row above it and of the row below it: in its strip,
        ("north_west", "i4"),  # and in the strips beside it
        ("north_east", "i4"),
        ("south", "i4"),
        ("south_west", "i4"),
        ("south_east", "i4"),
        ("west", "i4"),  # first word of the rows beside it
        ("east", "i4"),
        ("slant_north", "u4"),  # `slant_west` and `slant_east` of the row above, and of that below
        ("slant_north_east", "u4"),
        ("slant_south", "u4"),
        ("slant_south_east", "u4"),
    ]
)
"""A tile; its number is that of its first word divided by 16."""

PLANES_TABLE: dict[str, Any] = {
    "tile": tile_t,
    "tiles": "i4",  # numbers of the tiles that hold cells
    "place": "i4",  # (cells,): 32 * word + bit of each cell
    "first": "i4",  # the cell at bit 0 of each word
    "row_word": "i4",  # of row r at r + 3: its word within a strip, also for rows outside
    "window": "i4",  # step in the numbers of cells to each cell of a window
    "near": "i8",  # at CELLS * (r % 2) + i: neighbours of bit i in a window around row r
    "valid": "u4",  # plane of the cells
    "last": "u4",  # plane of the last row of each tile, all bits
    "slant_west": "u4",  # plane of the rows that are diagonal neighbours to cells east of them,
    "slant_east": "u4",  # and west of them
    "wraps": "i8",  # 1 if the rows and columns are rings
    "sides": "i8",  # rows and columns
}


def is_planar(shape: Sequence[int], topology: str) -> bool:
    """Return whether this board is played in planes.

    On a ring of fewer than seven cells a window would hold a cell twice.
    """
    if topology not in PLANAR:
        return False
    return not topology.startswith("torus") or min(shape) >= SIDE


def _parts(side: int, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (first, size) of the parts of equal size into which a side is cut."""
    parts = np.array_split(np.arange(side), -(-side // most))
    return np.array([p[0] for p in parts]), np.array([len(p) for p in parts])


def no_tiles() -> dict[str, np.ndarray]:
    """Return the arrays of a board that is not played in planes."""
    return {name: np.zeros(0, dtype) for name, dtype in PLANES_TABLE.items()}


def make_tiles(shape: Sequence[int], topology: str) -> dict[str, np.ndarray]:
    """Return the arrays PLANES_TABLE of a board for which `is_planar` is true."""
    rows, columns = shape
    wraps = topology.startswith("torus")
    row, heights = _parts(rows, ROWS)
    column, widths = _parts(columns, COLUMNS)
    down, strips = len(row), len(column)
    strip_words = ROWS * (down + 2)
    words = strip_words * (strips + 1)
    in_strip = np.concatenate([ROWS * (d + 1) + np.arange(h) for d, h in enumerate(heights)])
    around = np.arange(-REACH, rows + REACH)
    row_word = in_strip[around % rows]
    if not wraps:  # the rows outside are in the empty tiles
        row_word[:REACH] = in_strip[0] + np.arange(-REACH, 0)
        row_word[-REACH:] = in_strip[-1] + np.arange(1, REACH + 1)
    diagonal_west, diagonal_east = _slants(topology, np.arange(-1, rows + 1))

    tile = np.zeros(words // ROWS, tile_t)
    first = np.zeros(words, np.int32)
    planes = {
        name: np.zeros(words, np.uint32) for name in ("valid", "last", "slant_west", "slant_east")
    }
    numbers = []
    for s in range(strips):
        west, east = (s - 1) % strips, (s + 1) % strips
        if not wraps:
            west, east = (s - 1 if s > 0 else strips), (s + 1 if s + 1 < strips else strips)
        for d in range(down):
            at = s * strip_words + ROWS * (d + 1)
            numbers.append(at // ROWS)
            top, end = int(row[d]), int(row[d] + heights[d])
            own = tile[at // ROWS]
            own["row"], own["width"] = top, widths[s]
            # of an empty strip a full width, because code moves its words by this less REACH
            own["west_width"] = widths[west] if west < strips else COLUMNS
            own["alone"] = strips == 1 and down == 1 and not wraps
            own["inside"] = strips == 1 and not wraps
            own["strip"], own["west_strip"], own["east_strip"] = (
                strip_words * k for k in (s, west, east)
            )
            own["west"], own["east"] = (strip_words * k + ROWS * (d + 1) for k in (west, east))
            above, below = row_word[top - 1 + REACH], row_word[end + REACH]
            for name, word in (("north", above), ("south", below)):
                own[name], own[f"{name}_west"], own[f"{name}_east"] = (
                    strip_words * k + word for k in (s, west, east)
                )
            own["slant_north"], own["slant_north_east"] = diagonal_west[top], diagonal_east[top]
            own["slant_south"] = diagonal_west[end + 1]
            own["slant_south_east"] = diagonal_east[end + 1]
            lanes = slice(at, at + end - top)
            planes["valid"][lanes] = (1 << int(widths[s])) - 1
            planes["last"][at + end - top - 1] = FULL
            planes["slant_west"][lanes] = diagonal_west[top + 1 : end + 1]
            planes["slant_east"][lanes] = diagonal_east[top + 1 : end + 1]
            first[lanes] = np.arange(top, end) * columns + column[s]
    strip_of = np.repeat(np.arange(strips), widths)
    word = strip_words * strip_of[None, :] + in_strip[:, None]
    bit = np.arange(columns) - column[strip_of]
    steps = np.arange(-REACH, REACH + 1)
    return planes | {
        "tile": tile,
        "tiles": np.array(numbers, np.int32),
        "place": (COLUMNS * word + bit[None, :]).ravel(),
        "first": first,
        "row_word": row_word,
        "window": (steps[:, None] * columns + steps[None, :]).ravel(),
        "near": _near(topology),
        "wraps": np.array([wraps]),
        "sides": np.array([rows, columns]),
    }


def _slants(topology: str, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return for each row whether its cells are diagonal neighbours to cells east, and to west."""
    if topology.endswith("hexagonal"):  # an odd row lies west of its diagonal neighbours
        odd = rows % 2 == 1
        return np.where(odd, FULL, 0), np.where(odd, 0, FULL)
    full = np.full(len(rows), 0 if topology.endswith("4") else FULL)
    return full, full


def _near(topology: str) -> np.ndarray:
    """Return the neighbours of each cell of a window, by parity of the row of its centre.

    For cells within two steps; neighbours outside of the window are left out.
    """
    near = np.zeros((2, SIDE, SIDE), np.int64)
    west, east = _slants(topology, np.arange(2))
    for parity, row, column in np.ndindex(*near.shape):
        # the rows above and below a row have the other parity
        beside = (parity + row - REACH + 1) % 2
        allowed = {-1: west[beside], 0: FULL, 1: east[beside]}
        for dr, dc in itertools.product((-1, 0, 1), repeat=2):
            inside = 0 <= row + dr < SIDE and 0 <= column + dc < SIDE
            if inside and (dr, dc) != (0, 0) and (dr == 0 or allowed[dc]):
                near[parity, row, column] |= 1 << (SIDE * (row + dr) + column + dc)
    return near.ravel()
