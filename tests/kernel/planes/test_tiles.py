"""Tiles, sums and windows of boards on both sides of every seam against the neighbour table."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from layers import cells_in

from msdensity.kernel.compiler.directory import Directory, opener
from msdensity.kernel.compiler.jit import compiling, entry
from msdensity.kernel.compiler.rows import COLUMNS, ROWS, set_rows
from msdensity.kernel.names import EVEN_SIDES
from msdensity.kernel.planes.around import sum_around, union_around
from msdensity.kernel.planes.tiles import (
    CELLS,
    CENTRE,
    PLANAR,
    REACH,
    SIDE,
    is_planar,
)
from msdensity.kernel.planes.windows import AROUND, cell_near, neighbours_at, row_of, window
from msdensity.kernel.state import Memory, open_planes
from msdensity.kernel.topology import neighbour_table
from sizes import sizes

DOWN = (1, 2, 7, 8, 15, 16, 17, 31, 32, 33, 48)

ACROSS = (1, 2, 7, 31, 32, 33, 63, 64, 65, 100)

FEW = [(1, 1), (1, 64), (33, 2), (7, 7), (8, 31), (16, 32), (17, 33), (33, 7), (15, 65), (48, 100)]

SHAPES = list(itertools.product(DOWN, ACROSS))

FIELDS = {
    "plane": "u4",
    "digit0": "u4",
    "digit1": "u4",
    "digit2": "u4",
    "digit3": "u4",
    "union": "u4",
    "row": "i8",  # of each cell
    "window": "i8",  # of each cell in `plane`
    "cell": "i8",  # at CELLS * c + i: the cell at bit i of the window of cell c
    "near": "i8",  # there: the neighbours of that cell
}

open_results = opener(Directory("Results", FIELDS))


@entry
def look_around(table_words, result_words):
    """Write the sums and unions of a plane, and the windows of all cells."""
    board = open_planes(table_words)
    results = open_results(result_words)
    for i in range(len(board.tiles)):
        at = np.int64(board.tiles[i]) << 4
        ones, twos, fours, eights = sum_around(board, at, results.plane)
        set_rows(results.digit0, at, ones)
        set_rows(results.digit1, at, twos)
        set_rows(results.digit2, at, fours)
        set_rows(results.digit3, at, eights)
        set_rows(results.union, at, union_around(board, at, results.plane))
    for c in range(len(board.place)):
        results.row[c] = row_of(board, c)
        results.window[c] = window(board, results.plane, c)
        for i in range(CELLS):
            results.cell[CELLS * c + i] = cell_near(board, c, i)
            results.near[CELLS * c + i] = neighbours_at(board, results.row[c], i)


def plane_of(table: Memory, cells: np.ndarray) -> np.ndarray:
    """Return the plane of the cells for which `cells` is true."""
    plane = np.zeros(len(table.valid), np.uint32)
    places = table.place[cells]
    np.bitwise_or.at(plane, places // COLUMNS, np.uint32(1) << (places % COLUMNS).astype(np.uint32))
    return plane


def results_of(table: Memory, cells: np.ndarray) -> Memory:
    """Return what compiled code says of the plane of these cells."""
    n = len(cells)
    sizes = {"row": n, "window": n, "cell": CELLS * n, "near": CELLS * n}
    arrays = {name: np.zeros(sizes.get(name, len(table.valid)), FIELDS[name]) for name in FIELDS}
    results = Memory(FIELDS, arrays | {"plane": plane_of(table, cells)})
    with compiling(look_around):
        look_around(table.words, results.words)
    return results


def wrong_sums(table: Memory, cells: np.ndarray, results: Memory) -> Iterator[str]:
    """Yield which sums and unions differ from plain sums over the neighbour table."""
    source = np.repeat(np.arange(len(cells)), np.diff(table.start))
    sums = np.bincount(source, cells[table.neighbours], len(cells)).astype(int)
    digits = (cells_in(table, getattr(results, f"digit{i}")) << i for i in range(4))
    if (sum(digits) != sums).any():
        yield "sum"
    if (cells_in(table, results.union) != (sums > 0)).any():
        yield "union"


def target_cells(shape: tuple[int, int], wraps: bool) -> np.ndarray:
    """Return the cell at each bit of the window of each cell, -1 outside of the board."""
    rows, columns = (
        axis.ravel()[:, None] + (np.arange(CELLS) // SIDE, np.arange(CELLS) % SIDE)[k] - REACH
        for k, axis in enumerate(np.indices(shape))
    )
    if wraps:
        rows, columns = rows % shape[0], columns % shape[1]
    inside = (rows >= 0) & (rows < shape[0]) & (columns >= 0) & (columns < shape[1])
    return np.where(inside, rows * shape[1] + columns, -1)


def wrong_windows(
    table: Memory, shape: tuple[int, int], cells: np.ndarray, results: Memory, looks: np.ndarray
) -> Iterator[str]:
    """Yield what of the windows differs; `looks`: the cells whose neighbours are compared."""
    targets = target_cells(shape, bool(table.wraps[0]))
    on_board = targets >= 0
    bit = np.int64(1) << np.arange(CELLS)
    if (results.window != (np.where(on_board, cells[targets], False) * bit).sum(axis=1)).any():
        yield "window"
    if (results.cell.reshape(-1, CELLS) != targets)[on_board].any():
        yield "cell"
    if (results.row != np.arange(len(cells)) // shape[1]).any():
        yield "row"
    two_steps = (np.int64(AROUND | 1 << CENTRE) & bit) != 0
    near = (results.near.reshape(-1, CELLS, 1) & bit) != 0
    for c in looks:
        for i in np.flatnonzero(on_board[c] & two_steps):
            d = targets[c, i]
            beside = np.isin(targets[c], table.neighbours[table.start[d] : table.start[d + 1]])
            if (near[c, i] & on_board[c] != beside).any():
                yield "near"
                return


def wrong(table: Memory, shape: tuple[int, int], seed: int = 1) -> set[str]:
    """Return what compiled code says wrongly of a board, for a full plane and random ones."""
    rng = np.random.default_rng(seed)
    n = len(table.place)
    found: set[str] = set()
    for density in (1.0, 0.5, 0.15):
        cells = rng.random(n) < density
        results = results_of(table, cells)
        looks = rng.permutation(n)[:12] if density < 1.0 else np.array([0, n - 1])
        found |= {*wrong_sums(table, cells, results)}
        found |= {*wrong_windows(table, shape, cells, results, looks)}
    return found


def boards(shapes: list[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], str]]:
    for topology in PLANAR:
        for rows, columns in shapes:
            shape = (rows + rows % 2 * (topology in EVEN_SIDES), columns)
            if is_planar(shape, topology):
                yield shape, topology


@pytest.mark.parametrize("shapes", sizes(FEW, SHAPES), ids=("few", "all"))
def test_sums_unions_and_windows_are_those_of_the_neighbour_table(
    shapes: list[tuple[int, int]],
) -> None:
    for shape, topology in boards(shapes):
        assert (shape, topology, wrong(neighbour_table(shape, topology), shape)) == (
            *(shape, topology),
            set(),
        )


@pytest.mark.parametrize("shapes", sizes(FEW, SHAPES), ids=("few", "all"))
def test_each_cell_has_one_bit_in_a_tile_and_the_bit_leads_back(
    shapes: list[tuple[int, int]],
) -> None:
    for shape, topology in boards(shapes):
        table = neighbour_table(shape, topology)
        word, bit = np.divmod(table.place, COLUMNS)
        assert (table.first[word] + bit == np.arange(len(table.place))).all()
        assert (plane_of(table, np.ones(len(table.place), bool)) == table.valid).all()
        assert int(np.bitwise_count(table.valid).sum()) == len(table.place)
        assert set(word // ROWS) == set(table.tiles.tolist())
        assert len(table.tiles) == -(-shape[0] // ROWS) * -(-shape[1] // COLUMNS)
        tile = table.tile[word // ROWS]
        row = np.arange(len(table.place)) // shape[1]
        assert (tile["row"] + word % ROWS == row).all()
        assert (bit < tile["width"]).all()
        # a word must not be moved by less than 0 or more than 63 places
        assert (tile["west_width"] >= REACH).all() and (tile["west_width"] <= COLUMNS).all()


def test_small_tori_and_other_topologies_have_no_tiles() -> None:
    for shape, topology in (((6, 9), "torus8"), ((9, 6), "torus4"), ((9, 9), "knight")):
        assert not is_planar(shape, topology)
        assert len(neighbour_table(shape, topology).tiles) == 0


def _slant(table: Memory) -> None:
    table.slant_west[:] = 0


def _slant_across(table: Memory) -> None:
    table.tile["slant_north"][table.tiles[-1]] = 0


def _north_west(table: Memory) -> None:
    table.tile["north_west"][table.tiles[-1]] = 0


def _last(table: Memory) -> None:
    table.last[:] = np.roll(table.last, -1)


def _near(table: Memory) -> None:
    table.near[CENTRE] &= table.near[CENTRE] - 1


def _row_word(table: Memory) -> None:
    table.row_word[20] += 1


def _strip(table: Memory) -> None:
    table.tile["east_strip"][table.tiles[0]] = table.tile["strip"][table.tiles[0]]


@pytest.mark.parametrize(
    "spoil,differs",
    [
        (_slant, {"sum", "union"}),
        (_slant_across, {"sum", "union"}),
        (_north_west, {"sum"}),
        (_last, {"sum", "union"}),
        (_near, {"near"}),
        (_row_word, {"window"}),
        (_strip, {"window"}),
    ],
)
def test_one_wrong_entry_of_a_table_is_noticed(spoil, differs: set[str]) -> None:
    """Control: each comparison fails where it should."""
    table = neighbour_table((33, 65), "square8")
    spoil(table)
    assert wrong(table, (33, 65)) >= differs
