"""Weights beyond the floating-point range, large boards, many components: against integers.

The reference is a board of small components; their configurations are counted by hand and
multiplied with Python's integers.
"""

import math
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.games.analysis import analyse, analyse_states
from msdensity.games.boards import Board
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.safety import BLOCK, WIDE
from msdensity.kernel.state import MAX_NEIGHBOURS, OPEN, make_workspace
from msdensity.kernel.topology import cached_table

Polynomial = list[int]
"""Numbers of configurations by number of mines, from 0 on."""

CLUES = [(1, 1), (2, 1), (3, 2), (4, 4), (1, 4), (2, 2), (5, 7)]
"""Left and right clue of a tile: 3 x 5 cells, the clues at (1, 1) and (1, 3).

Five cells see only the left clue, three see both, five only the right one.
"""


def tile_ways(left: int, right: int, own: int = 5, shared: int = 3) -> Polynomial:
    """Count the configurations of a tile in which `own` cells see only the left clue."""
    ways = [0] * (left + right + 1)
    for both in range(min(left, right) + 1):
        ways[left + right - both] += (
            math.comb(shared, both) * math.comb(own, left - both) * math.comb(5, right - both)
        )
    return ways


def multiply(a: Polynomial, b: Polynomial) -> Polynomial:
    return np.convolve(np.array(a, object), np.array(b, object)).tolist()


def power(a: Polynomial, n: int) -> Polynomial:
    if n == 0:
        return [1]
    half = power(a, n // 2)
    square = multiply(half, half)
    return multiply(square, a) if n % 2 else square


def with_floating(ways: Polynomial, floating: int, mines: int) -> int:
    """Count arrangements of `mines` mines in components with these ways and in floating cells."""
    least = max(0, mines - len(ways) + 1)
    choose = math.comb(floating, least)
    total = 0
    for f in range(least, min(floating, mines) + 1):
        total += ways[mines - f] * choose
        choose = choose * (floating - f) // (f + 1)
    return total


def tiled(rows: int, columns: int, tiles: int) -> tuple[np.ndarray, np.ndarray, list[int]]:
    """Return (states, numbers, counts): the first tiles of a board, each kind equally often."""
    states = np.zeros((rows, columns), np.uint8)
    numbers = np.zeros((rows, columns), np.int64)
    wide = columns // 5
    assert tiles <= wide * (rows // 3)
    for i in range(tiles):
        r, c = 3 * (i // wide) + 1, 5 * (i % wide) + 1
        states[r, [c, c + 2]] = OPEN
        numbers[r, [c, c + 2]] = CLUES[i % len(CLUES)]
    counts = [len(range(kind, tiles, len(CLUES))) for kind in range(len(CLUES))]
    return states.ravel(), numbers.ravel(), counts


def exact_safeties(counts: list[int], floating: int, mines: int) -> tuple[int, np.ndarray, float]:
    """Return (arrangements, safety by kind of tile [left, shared], of a floating cell)."""
    kinds = [tile_ways(*clues) for clues in CLUES]
    powers = [power(ways, n) for ways, n in zip(kinds, counts, strict=True)]
    # Products of the first kinds, and of the last, so that each product is made once.
    first = [*accumulate(powers, multiply, initial=[1])]
    last = [*accumulate(powers[::-1], multiply, initial=[1])][::-1]
    total = with_floating(first[-1], floating, mines)
    answers = np.zeros((len(CLUES), 2))
    for kind, clues in enumerate(CLUES):
        others = multiply(first[kind], last[kind + 1])
        rest = multiply(others, power(kinds[kind], counts[kind] - 1))
        for which, (own, shared) in enumerate(((4, 3), (5, 2))):
            safe_ways = multiply(rest, tile_ways(*clues, own, shared))  # one cell fewer: it is safe
            answers[kind, which] = with_floating(safe_ways, floating, mines) / total
    floats = math.nan
    if floating:
        less = with_floating(first[-1], floating - 1, mines)
        floats = less / total
    return total, answers, floats


# rows, columns, tiles, total number of mines above the least possible
CASES = [
    (100, 100, 8, 1500),  # ten thousand floating cells
    (100, 100, 40, 1),
    (100, 100, 330, 20),
    (100, 100, 530, 500),
    (60, 55, 220, 3),  # nothing floats
    (60, 55, 220, 200),
    (60, 55, 220, 330),
    (1000, 1000, 30, 5_000),  # a million floating cells
    (1000, 1000, 300, 990_000),
]


@pytest.mark.parametrize(
    "rows,columns,tiles,surplus",
    [*CASES[:-2], *(pytest.param(*case, marks=pytest.mark.campaign) for case in CASES[-2:])],
)
def test_hundreds_of_components_equal_products_of_integers(
    rows: int, columns: int, tiles: int, surplus: int
) -> None:
    states, numbers, counts = tiled(rows, columns, tiles)
    ranges = [np.flatnonzero(tile_ways(*clues)) for clues in CLUES]
    least = sum(n * int(r[0]) for n, r in zip(counts, ranges, strict=True))
    most = sum(n * int(r[-1]) for n, r in zip(counts, ranges, strict=True))
    floating = rows * columns - 15 * tiles
    mines = least + surplus
    assert mines <= most + floating
    total, exact, floats = exact_safeties(counts, floating, mines)
    small = rows * columns <= 10_000
    result = analyse_states((rows, columns), "square8", states, numbers, mines)
    assert result.consistent and result.exact
    if small and tiles < 300:  # more would take long
        assert result.configurations == total
    assert tiles < 300 or total > 1e308
    safety = result.safety.ravel()
    wide = columns // 5
    for i in range(tiles):
        corner = 3 * (i // wide) * columns + 5 * (i % wide)
        pair = safety[[corner, corner + 2]]
        assert np.abs(pair - exact[i % len(CLUES)]).max() < 1e-12
        assert safety[corner + 4] == pytest.approx(  # the other side, by symmetry
            1 - (numbers[corner + columns + 3] - 3 * (1 - pair[1])) / 5, abs=1e-12
        )
    if floating:
        assert abs(safety[-1] - floats) < 1e-12
    left = np.nansum(1 - safety)
    assert left == pytest.approx(mines, rel=1e-12)


def test_these_cases_reach_the_limits_that_they_test() -> None:
    width = np.mean([np.ptp(np.flatnonzero(tile_ways(*clues))) for clues in CLUES])
    widths = [tiles * width for *_, tiles, _ in CASES]
    assert min(widths) < WIDE < max(widths)
    assert max(tiles for *_, tiles, _ in CASES) > 2 * BLOCK


def chain(columns: int) -> list[str]:
    """Return three rows in one component: 1 in every other cell of the middle one."""
    middle = "".join("1" if c % 2 else "." for c in range(columns))
    return ["." * columns, middle, "." * columns]


@pytest.mark.parametrize(
    "columns,surplus",
    [
        *((201, surplus) for surplus in (0, 25, 49)),
        *((601, surplus) for surplus in (1, 30, 75, 149)),
        *((1001, surplus) for surplus in (0, 125, 249, 250)),
    ],
)
def test_one_component_of_thousands_of_cells_at_any_total(columns: int, surplus: int) -> None:
    """Each safety is a ratio of two exact integers; floating-point weights would underflow."""
    grid = chain(columns)
    mines = columns // 4 + surplus
    result = analyse(grid, mines)
    assert result.exact and result.mines_range == (columns // 4, columns // 2)
    assert np.nansum(1 - result.safety) == pytest.approx(mines, rel=1e-12)
    for r, c in ((0, 1), (1, 0), (1, columns // 4 * 2), (0, columns // 2), (2, columns - 1)):
        if grid[r][c] == ".":
            flagged = [list(row) for row in grid]
            flagged[r][c] = "F"
            mined = analyse(["".join(row) for row in flagged], mines).configurations
            exact = 1 - Fraction(mined, result.configurations)
            assert abs(result.safety[r, c] - float(exact)) < 1e-12


def test_one_number_on_large_neighbourhoods_at_extreme_densities() -> None:
    for side, axes, clue, mines in (
        (3, 5, 100, 100),
        (3, 5, 242, 242),
        (16, 4, 79, 16**4 - 6),
        (16, 4, 1, 1),
        (3, 6, 300, 300),
    ):
        shape = (side,) * axes
        cells = side**axes
        states = np.zeros(cells, np.uint8)
        middle = int(np.ravel_multi_index((1,) * axes, shape))
        states[middle] = OPEN
        numbers = np.zeros(cells, np.int64)
        numbers[middle] = clue
        near = 3**axes - 1
        result = analyse_states(shape, "box", states, numbers, mines)
        assert result.exact
        flat = result.safety.ravel()
        assert abs(flat[0] - (1 - clue / near)) < 1e-12
        if cells > near + 1:
            assert abs(flat[-1] - (1 - (mines - clue) / (cells - near - 1))) < 1e-12


def test_more_neighbours_than_weights_can_hold_are_an_error() -> None:
    star = [list(range(1, MAX_NEIGHBOURS + 1)), *[[0]] * MAX_NEIGHBOURS]
    states = np.zeros(MAX_NEIGHBOURS + 1, np.uint8)
    states[0] = OPEN
    numbers = np.zeros(MAX_NEIGHBOURS + 1, np.int64)
    numbers[0] = 400
    result = analyse_states((len(star),), star, states, numbers, 400)
    assert abs(result.safety[1] - 0.6) < 1e-12
    larger = [[*star[0], len(star)], *star[1:], [0]]
    with pytest.raises(InputError, match=r"neighbours=1001 of cell 0 must be in 0\.\.1000"):
        analyse_states((len(larger),), larger, np.append(states, 0), np.append(numbers, 0), 400)


@pytest.mark.parametrize("mines", [1, 250_000, 999_999])
def test_a_million_cells_without_a_number(mines: int) -> None:
    cells = np.zeros(10**6)
    result = analyse_states(
        (1000, 1000), "square8", cells.astype(np.uint8), cells.astype(np.int64), mines
    )
    assert np.abs(result.safety - (1 - mines / 10**6)).max() < 1e-12


def test_a_game_on_a_million_cells_ends_within_a_gigabyte() -> None:
    task = Task(Board((1000, 1000)), 100_000, "weighted", {}, seed=1)
    workspace = make_workspace(cached_table((1000, 1000), "square8"))
    sums = play_batch(task, 0, 3, workspace)
    assert sums["approximate"] == 0
    assert sums["opened"] > 100_000
    assert sum(array.nbytes for array in workspace.arrays.values()) < 3 * 2**30  # mostly untouched
