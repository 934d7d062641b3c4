"""Outlines of cells: their geometry says the same as the neighbour table."""

import itertools

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.kernel.topology import neighbour_table, outlines

SHAPE = (5, 6)


def corners(lines, cell) -> set[tuple[float, float]]:
    polygon = lines.polygons[lines.kind[cell]]
    place = (lines.x[cell], lines.y[cell])
    return {tuple(np.round(corner + place, 6)) for corner in polygon}


def common(lines, a: int, b: int) -> int:
    """Return how many corners two cells share; on a torus, also across its edges."""
    shifts = [0.0, -1.0, 1.0] if lines.wraps else [0.0]
    mine = {tuple(np.round(corner, 4)) for corner in corners(lines, a)}
    steps = np.array(list(itertools.product(shifts, repeat=2))) * (lines.width, lines.height)
    return max(
        len(mine & {tuple(np.round(corner + step, 4)) for corner in corners(lines, b)})
        for step in steps
    )


@pytest.mark.parametrize(
    ("topology", "least"),
    [
        *(("square8", 1), ("square4", 2), ("box", 1), ("hexagonal", 2)),
        *(("triangle3", 2), ("triangle12", 1), ("torus8", 1), ("torus4", 2), ("torus", 1)),
        *(("torus_hexagonal", 2), ("torus_triangle3", 2), ("torus_triangle12", 1)),
    ],
)
def test_neighbours_are_the_cells_with_common_corners(topology: str, least: int) -> None:
    shape = (6, 8) if "_" in topology else SHAPE
    table, lines = neighbour_table(shape, topology), outlines(shape, topology)
    for a in range(len(lines.x)):
        near = set(table.neighbours[table.start[a] : table.start[a + 1]].tolist())
        assert near == {b for b in range(len(lines.x)) if b != a and common(lines, a, b) >= least}


@pytest.mark.parametrize("topology", ["square8", "hexagonal", "triangle3", "knight"])
def test_no_cell_covers_the_centre_of_another_and_none_leaves_the_board(topology: str) -> None:
    lines = outlines(SHAPE, topology)
    centres = np.column_stack([lines.x, lines.y])
    between = np.hypot(*(centres[:, None] - centres[None]).transpose(2, 0, 1))
    inner = min(np.hypot(*polygon.T).max() for polygon in lines.polygons)
    assert between[~np.eye(len(between), dtype=bool)].min() > 0.5 * inner
    ends = np.array([corner for cell in range(len(lines.x)) for corner in corners(lines, cell)])
    assert ends.min() >= -1e-6
    assert np.allclose(ends.max(axis=0), (lines.width, lines.height), atol=1e-5)


def test_only_a_board_with_two_sides_and_a_name_has_outlines() -> None:
    for shape, topology in (((3, 3, 3), "cubic6"), ((9,), "table-0123456789abcdef"), ((3, 3), "")):
        with pytest.raises(InputError, match="built-in one of a board with two sides"):
            outlines(shape, topology)
