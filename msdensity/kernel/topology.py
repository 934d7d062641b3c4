"""The neighbour table of a board: the only file that knows geometry."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import index

import numpy as np

from msdensity.errors import InputError, OwnFileError, shown
from msdensity.kernel.limits import check_board
from msdensity.kernel.names import OWN_TABLE, TOPOLOGIES, require_fit, unwrapped
from msdensity.kernel.state import Memory, make_table

Steps = Sequence[tuple[int, ...]]

KNIGHT: Steps = [(a, b) for a, b in itertools.product((-2, -1, 1, 2), repeat=2) if abs(a) != abs(b)]

HEX_EVEN: Steps = [(0, -1), (0, 1), (-1, -1), (-1, 0), (1, -1), (1, 0)]

HEX_ODD: Steps = [(0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, 1)]

SIDES_UP: Steps = [(0, -1), (0, 1), (1, 0)]

CORNERS_UP: Steps = (
    [(-1, c) for c in (-1, 0, 1)]
    + [(0, c) for c in (-2, -1, 1, 2)]
    + [(1, c) for c in (-2, -1, 0, 1, 2)]
)
"""Steps to the neighbours of a triangle that points up; those of the others are mirrored."""

_custom_tables: dict[str, Memory] = {}


def own_topology(table: Memory) -> str:
    """Register a custom table in this process; return its name, which holds its hash."""
    digest = hashlib.blake2b(table.start.tobytes() + table.neighbours.tobytes(), digest_size=8)
    name = f"table-{digest.hexdigest()}"
    _custom_tables[name] = table
    return name


def moore(dimensions: int) -> Steps:
    """Return the steps to all cells at Chebyshev distance 1 (Definition 9 in any dimension)."""
    return [step for step in itertools.product((-1, 0, 1), repeat=dimensions) if any(step)]


def cross(dimensions: int) -> Steps:
    """Return the steps to the cells that share a face."""
    return [step for step in moore(dimensions) if sum(map(abs, step)) == 1]


def neighbour_table(shape: Sequence[int], topology: str = "square8") -> Memory:
    """Return the table of a board; neighbours are a set, and a cell is never its own neighbour.

    `shape` is (rows, columns), or one size an axis for the cubic and n-dimensional topologies;
    cells are numbered in row-major order. Raises InputError for an unknown topology, a shape that
    it cannot have, or a board too large for memory.
    """
    shape = tuple(int(size) for size in shape)
    if OWN_TABLE.fullmatch(topology):
        if topology not in _custom_tables:
            raise OwnFileError(f"topology={topology!r} must be made by Board.from_neighbours first")
        if len(_custom_tables[topology].start) - 1 != math.prod(shape):
            raise InputError(f"shape={shape} must have as many cells as topology {topology}")
        return _custom_tables[topology]
    if topology not in TOPOLOGIES:
        raise InputError(f"topology={topology!r} must be one of {', '.join(TOPOLOGIES)}")
    if any(size < 1 for size in shape):
        raise InputError(f"shape={shape} must have sizes of at least 1")
    wanted = {"cubic6": 3, "cubic26": 3, "box": None, "torus": None}.get(topology, 2)
    if wanted is not None and len(shape) != wanted:
        raise InputError(f"shape={shape} must have {wanted} sizes for topology {topology}")
    require_fit(shape, topology)
    check_board(shape, topology)
    return make_table(*_neighbours(shape, topology), shape, topology)


def neighbour_lists(table: Memory) -> list[list[int]]:
    """Return the neighbours of each cell of a neighbour table."""
    return [near.tolist() for near in np.split(table.neighbours, table.start[1:-1])]


def _neighbours(shape: tuple[int, ...], topology: str) -> tuple[np.ndarray, np.ndarray]:
    """Return (start, neighbours) of a topology by name."""
    wrap, topology = topology.startswith("torus"), unwrapped(topology)
    cells = np.indices(shape, dtype=np.int32).reshape(len(shape), -1)
    odd = cells[0] % 2 == 1
    down = cells.sum(axis=0) % 2 == 1
    everywhere = np.ones(cells.shape[1], dtype=bool)
    parts: list[tuple[np.ndarray, Steps]]
    if topology in ("square8", "cubic26", "box", "torus"):
        parts = [(everywhere, moore(len(shape)))]
    elif topology in ("square4", "cubic6"):
        parts = [(everywhere, cross(len(shape)))]
    elif topology == "knight":
        parts = [(everywhere, KNIGHT)]
    elif topology == "hexagonal":
        parts = [(~odd, HEX_EVEN), (odd, HEX_ODD)]
    else:
        steps = SIDES_UP if topology == "triangle3" else CORNERS_UP
        parts = [(~down, steps), (down, [(-r, c) for r, c in steps])]
    return _neighbours_at(cells, shape, parts, wrap)


def _neighbours_at(
    cells: np.ndarray,
    shape: tuple[int, ...],
    parts: Sequence[tuple[np.ndarray, Steps]],
    wrap: bool,
) -> tuple[np.ndarray, np.ndarray]:
    """Return (start, neighbours) where each part of the cells has neighbours at the given steps."""
    count = cells.shape[1]
    size = np.array(shape)[:, None]
    indices = np.arange(count, dtype=np.int32)
    targets = np.empty((count, max(len(steps) for _, steps in parts)), np.int32)
    for mask, steps in parts:
        for column, step in enumerate(steps):
            place = cells[:, mask] + np.array(step, np.int32)[:, None]
            if wrap:
                place %= size
            inside = ((place >= 0) & (place < size)).all(axis=0)
            target = np.ravel_multi_index(tuple(place), shape, mode="clip")
            targets[mask, column] = np.where(inside, target, indices[mask])
    targets.sort(axis=1)
    keep = targets != indices[:, None]
    keep[:, 1:] &= targets[:, 1:] != targets[:, :-1]
    return np.concatenate([[0], keep.sum(axis=1).cumsum()]), targets[keep]


@dataclass(frozen=True, eq=False)
class Outlines:
    """Where the cells of a board with two sides lie in the plane; y grows downwards.

    x, y: the centre of each cell, arrays (cells,), from 0; kind: which of `polygons` a cell is,
    (cells,); polygons: the corners of each kind about its centre, arrays (corners, 2); wraps:
    whether its opposite sides meet; width, height: of the whole board, and if it wraps, the steps
    after which it repeats: hexagons and triangles at its edges then reach beyond them.
    """

    x: np.ndarray
    y: np.ndarray
    kind: np.ndarray
    polygons: tuple[np.ndarray, ...]
    width: float
    height: float
    wraps: bool


_SQUARE = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


def outlines(shape: Sequence[int], topology: str) -> Outlines:
    """Return the outlines of the cells: squares of side 1, hexagons or triangles.

    Cells of topology `hexagonal` are neighbours if they share an edge, and so are those of
    `triangle3`; those of `triangle12` if they share a corner. Hexagons are one unit apart, and the
    triangles have sides of 1.5 units, so that a number fits. Raises InputError for a board that has
    no two sides or no name, or odd sides that must be even.
    """
    if len(shape) != 2 or OWN_TABLE.fullmatch(topology) or topology not in TOPOLOGIES:
        raise InputError(f"topology={topology!r} must be a built-in one of a board with two sides")
    require_fit(shape, topology)
    wraps, topology = topology.startswith("torus"), unwrapped(topology)
    row, column = np.indices(tuple(shape)).reshape(2, -1)
    x: np.ndarray = column + 0.5
    y: np.ndarray = row + 0.5
    kind: np.ndarray = np.zeros(len(x), int)
    polygons: tuple[np.ndarray, ...] = (_SQUARE,)
    across, down = 1.0, 1.0
    if topology == "hexagonal":
        angles = np.deg2rad(np.arange(-90, 270, 60))
        hexagon = np.column_stack([np.cos(angles), np.sin(angles)]) / math.sqrt(3)
        x = x + 0.5 * (row % 2)
        y = row * math.sqrt(3) / 2 + 1 / math.sqrt(3)
        polygons = (hexagon,)
        down = math.sqrt(3) / 2
    elif topology in ("triangle3", "triangle12"):
        side, high = 1.5, 1.5 * math.sqrt(3) / 2
        up = np.array([(-side / 2, high / 3), (0, -2 * high / 3), (side / 2, high / 3)])
        kind = (row + column) % 2
        x = (column + 1) * side / 2
        y = (row + np.where(kind == 0, 2 / 3, 1 / 3)) * high
        polygons = (up, -up)
        across, down = side / 2, high
    if wraps:
        return Outlines(x, y, kind, polygons, across * shape[1], down * shape[0], True)
    width, height = (
        float((z + np.array([polygon[:, axis].max() for polygon in polygons])[kind]).max())
        for axis, z in enumerate((x, y))
    )
    return Outlines(x, y, kind, polygons, width, height, False)


def first_cells(shape: Sequence[int], first_click: str) -> np.ndarray:
    """Return the cells from which a first-click rule chooses at random.

    `corner` is cell 0, `centre` the cell at half of each size, `cell:<index>` that cell; the random
    rules draw from all cells, or from those at a border on every axis (`random_corner`), on some
    axis but not every one (`random_edge`), on none (`random_interior`). Raises InputError if the
    board has no such cell.
    """
    shape = tuple(shape)
    count = int(np.prod(shape))
    if first_click == "corner":
        return np.zeros(1, np.int32)
    if first_click == "centre":
        middle = np.ravel_multi_index(tuple(size // 2 for size in shape), shape)
        return np.array([middle], np.int32)
    if first_click.startswith("cell:"):
        digits = first_click.removeprefix("cell:")
        if not digits.isdecimal() or len(digits) > len(str(count)) or int(digits) >= count:
            raise InputError(f"first_click={first_click!r} must name a cell in 0..{count - 1}")
        return np.array([int(digits)], np.int32)
    cells = np.indices(shape).reshape(len(shape), -1)
    border = (cells == 0) | (cells == np.array(shape)[:, None] - 1)
    classes = {
        "random": np.ones(count, dtype=bool),
        "random_corner": border.all(axis=0),
        "random_edge": border.any(axis=0) & ~border.all(axis=0),
        "random_interior": ~border.any(axis=0),
    }
    if first_click not in classes:
        allowed = ", ".join(["corner", "centre", *classes, "cell:<index>"])
        raise InputError(f"first_click={first_click!r} must be one of {allowed}")
    candidates = np.flatnonzero(classes[first_click]).astype(np.int32)
    if not len(candidates):
        raise InputError(f"first_click={first_click!r}: a board of shape {shape} has no such cell")
    return candidates


Topology = str | Sequence[Iterable[int]]
"""A name of `names.TOPOLOGIES`, or the neighbours of each cell, in row-major order."""

SYNONYMS = {"hex-odd-r": "hexagonal"}
"""Other names in use for a topology."""


def board_table(shape: Sequence[int], topology: Topology) -> Memory:
    """Return the neighbour table of a board.

    Raises InputError for an unknown name, a shape that it cannot have, not one neighbour list for
    each cell, or lists that name a cell outside the board or the cell itself or are not mutual.
    """
    try:
        sides = tuple(index(side) for side in shape)
    except TypeError:
        raise InputError(f"shape={shown(shape)} must be sides, whole numbers") from None
    if isinstance(topology, str):
        return cached_table(sides, SYNONYMS.get(topology, topology))
    cells = math.prod(sides)
    try:
        lists = [sorted({index(d) for d in near}) for near in topology]
    except TypeError as error:
        raise InputError(f"topology must be a name or lists of cell numbers: {error}") from None
    if len(lists) != cells:
        raise InputError(f"topology has {len(lists)} neighbour lists, must have {cells}")
    for c, near in enumerate(lists):
        for d in near:
            if not 0 <= d < cells or d == c:
                raise InputError(
                    f"topology: neighbour {shown(d)} of cell {c} must be another cell in"
                    f" 0..{cells - 1}"
                )
    pairs = {(c, d) for c, near in enumerate(lists) for d in near}
    for c, d in sorted(pairs):
        if (d, c) not in pairs:
            raise InputError(f"topology: cell {d} must list cell {c}, because {c} lists it")
    start = np.concatenate([[0], np.cumsum([len(near) for near in lists])])
    return make_table(start, np.array([d for near in lists for d in near], np.int32))


@lru_cache(maxsize=1)
def add_lone_cells(table: Memory, count: int) -> Memory:
    """Return the table of the same board with `count` more cells, which have no neighbours."""
    end = table.start[-1]
    start = np.concatenate([table.start, np.full(count, end, table.start.dtype)])
    return make_table(start, table.neighbours)


@lru_cache(maxsize=4)
def cached_table(shape: tuple[int, ...], topology: str) -> Memory:
    """Return the neighbour table of a board, made once."""
    return neighbour_table(shape, topology)
