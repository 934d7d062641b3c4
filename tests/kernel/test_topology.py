"""Neighbours by the definition of each geometry, cell by cell."""

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.kernel.names import WRAPPED
from msdensity.kernel.topology import (
    add_lone_cells,
    cached_table,
    first_cells,
    neighbour_table,
    outlines,
)


def beside(topology: str, a: np.ndarray, b: np.ndarray, shape: tuple[int, ...]) -> bool:
    step = np.abs(a - b)
    if topology.startswith("torus"):
        step = np.minimum(step, np.array(shape) - step)
    if topology in ("square4", "torus4", "cubic6"):
        return step.sum() == 1
    if topology == "knight":
        return sorted(step) == [1, 2]
    if topology == "hexagonal":  # odd rows are shifted half a cell to the right
        x = np.array([a[1] + a[0] % 2 / 2, b[1] + b[0] % 2 / 2])
        return (step[0], abs(x[0] - x[1])) in ((0, 1), (1, 0.5))
    return step.max() == 1


@pytest.mark.parametrize(
    "topology,shape",
    [
        ("square8", (3, 4)),
        ("square4", (3, 4)),
        ("torus8", (4, 5)),
        ("torus4", (4, 5)),
        ("hexagonal", (4, 4)),
        ("knight", (4, 5)),
        ("cubic6", (2, 3, 4)),
        ("cubic26", (3, 3, 3)),
        ("box", (2, 3, 2, 2)),
        ("torus", (4, 4, 4)),
    ],
)
def test_neighbours_are_the_cells_one_step_away(topology: str, shape: tuple[int, ...]) -> None:
    table = neighbour_table(shape, topology)
    cells = np.indices(shape).reshape(len(shape), -1).T
    for c, a in enumerate(cells):
        near = [d for d, b in enumerate(cells) if d != c and beside(topology, a, b, shape)]
        assert table.neighbours[table.start[c] : table.start[c + 1]].tolist() == near


@pytest.mark.parametrize("topology,ring", WRAPPED.items())
def test_wrapped_boards_are_alike_everywhere(topology: str, ring: str) -> None:
    shape = (8, 12)
    near, inside = (
        [set(own.tolist()) for own in np.split(table.neighbours, table.start[1:-1])]
        for table in (neighbour_table(shape, ring), neighbour_table(shape, topology))
    )
    assert {len(own) for own in near} == {max(map(len, inside))}
    assert all(c in near[d] for c, own in enumerate(near) for d in own)
    cells = np.arange(96).reshape(shape)[2:-2, 2:-2].ravel()
    assert all(near[c] == inside[c] for c in cells)
    assert any(near[c] != inside[c] for c in range(96))
    # From every cell the rings look the same two steps on, a row or a column apart in pairs.
    grid = np.arange(96).reshape(shape)
    for axis in (0, 1):
        moved = np.roll(grid, -2, axis).ravel()
        assert all({moved[d] for d in own} == near[moved[c]] for c, own in enumerate(near))


@pytest.mark.parametrize("make", [neighbour_table, Board, outlines])
def test_a_wrapped_board_whose_cells_do_not_fit_is_refused(make) -> None:
    for topology in ("torus_triangle3", "torus_triangle12"):
        for shape in ((8, 9), (9, 8)):
            with pytest.raises(InputError, match=f"{topology} must have even sides"):
                make(shape, topology)
    with pytest.raises(InputError, match="board=9x8-torus_hexagonal must have an even number of"):
        make((9, 8), "torus_hexagonal")
    make((8, 9), "torus_hexagonal")
    make((9, 9), "torus_knight")


def test_triangles_touch_three_others_by_sides_and_twelve_by_corners() -> None:
    for topology, most in (("triangle3", 3), ("triangle12", 12)):
        degrees = np.diff(neighbour_table((6, 8), topology).start)
        assert degrees.max() == most and degrees.reshape(6, 8)[3, 4] == most


def test_cells_by_number_of_neighbours_then_by_index() -> None:
    assert neighbour_table((2, 3)).by_degree.tolist() == [0, 2, 3, 5, 1, 4]
    assert np.diff(add_lone_cells(neighbour_table((2, 2)), 2).start).tolist() == [3] * 4 + [0] * 2


def test_first_clicks_by_name() -> None:
    cells = np.arange(12).reshape(3, 4)
    expected = {
        "corner": [0],
        "centre": [cells[1, 2]],
        "cell:7": [7],
        "random": range(12),
        "random_corner": [0, 3, 8, 11],
        "random_edge": [1, 2, 4, 7, 9, 10],
        "random_interior": [5, 6],
    }
    for name, chosen in expected.items():
        assert first_cells((3, 4), name).tolist() == list(chosen), name


def test_a_table_is_made_once() -> None:
    assert cached_table((3, 4), "square8") is cached_table((3, 4), "square8")
