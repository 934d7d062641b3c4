"""Neighbours by the definition of each geometry, cell by cell."""

import numpy as np
import pytest

from msdensity.kernel.topology import add_lone_cells, cached_table, first_cells, neighbour_table


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
