"""Safeties and certain cells against every arrangement of small positions."""

import numpy as np
import pytest
from brute_force import arrangements, exact_safety, random_position

from msdensity.games.analysis import analyse_states
from msdensity.kernel.topology import neighbour_table

SHAPES = [
    ((3, 4), "square8"),
    ((4, 4), "square8"),
    ((5, 5), "square8"),
    ((1, 9), "square8"),
    ((2, 9), "square8"),
    ((5, 5), "square4"),
    ((4, 5), "torus8"),
    ((5, 5), "hexagonal"),
    ((4, 5), "triangle12"),
    ((4, 5), "triangle3"),
    ((5, 5), "knight"),
    ((3, 3, 2), "cubic26"),
    ((3, 3, 3), "cubic6"),
]


def neighbour_lists(shape: tuple[int, ...], topology: str) -> list[list[int]]:
    table = neighbour_table(shape, topology)
    return [list(row) for row in np.split(table.neighbours, table.start[1:-1])]


def test_safety_and_certain_cells_equal_brute_force_on_1000_positions() -> None:
    rng = np.random.default_rng(20240503)
    worst = 0.0
    certain = 0
    for number in range(1000):
        shape, topology = SHAPES[number % len(SHAPES)]
        neighbours = neighbour_lists(shape, topology)
        states, numbers, mines, _ = random_position(rng, neighbours, 16)
        rows = arrangements(neighbours, states, numbers, mines)
        unknown = np.flatnonzero(states == 0)
        result = analyse_states(shape, topology, states, numbers, mines)
        assert result.consistent and result.configurations == len(rows) > 0
        exact = exact_safety(rows)
        places = [tuple(map(int, np.unravel_index(c, shape))) for c in unknown]
        assert result.safe == [place for place, s in zip(places, exact, strict=True) if s == 1]
        assert result.mined == [place for place, s in zip(places, exact, strict=True) if s == 0]
        certain += len(result.safe) + len(result.mined)
        flat = result.safety.ravel()
        assert np.isnan(flat[states != 0]).all()
        worst = max([worst, *np.abs(flat[unknown] - np.array(exact, float))])
    assert worst < 1e-12
    assert certain > 1000  # the comparison of certain cells compared something


def test_positions_are_inconsistent_exactly_when_no_arrangement_exists() -> None:
    rng = np.random.default_rng(7)
    seen = {True: 0, False: 0}
    for number in range(400):
        shape, topology = SHAPES[number % len(SHAPES)]
        neighbours = neighbour_lists(shape, topology)
        states, numbers, mines, _ = random_position(rng, neighbours, 12)
        opened = np.flatnonzero(states == 1)
        if not len(opened):
            continue
        numbers[rng.choice(opened)] += rng.choice([-1, 1])
        mines = int(np.clip(mines + rng.integers(-1, 2), 0, len(states)))
        if numbers.min() < 0:
            continue
        rows = arrangements(neighbours, states, numbers, mines)
        result = analyse_states(shape, topology, states, numbers, mines)
        assert result.consistent == (len(rows) > 0)
        assert result.configurations == len(rows)
        assert result.consistent == (result.reason == "")
        seen[result.consistent] += 1
    assert min(seen.values()) > 30


@pytest.mark.parametrize("shape,topology", SHAPES)
def test_mine_probabilities_sum_to_the_mines_left(shape: tuple[int, ...], topology: str) -> None:
    rng = np.random.default_rng(3)
    neighbours = neighbour_lists(shape, topology)
    for _ in range(20):
        states, numbers, mines, _ = random_position(rng, neighbours, len(neighbours))
        left = mines - int((states == 2).sum())
        result = analyse_states(shape, topology, states, numbers, mines)
        assert np.nansum(1 - result.safety) == pytest.approx(left, rel=1e-12, abs=1e-12)
