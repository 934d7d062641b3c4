"""Positions through `analyse`: unknown totals, large boards, custom boards, bad input."""

import copy
import math
import pickle
import re
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from brute_force import arrangements, neighbour_lists, random_position

from msdensity import Board, InputError, Task, analyse, play_game
from msdensity.games.analysis import analyse_states
from msdensity.games.configurations import _multiply, count_configurations
from msdensity.kernel.position import CLEAR, reduce_position
from msdensity.kernel.state import MARKED
from msdensity.kernel.topology import neighbour_table

SHAPES = [((3, 4), "square8"), ((4, 3), "torus8"), ((3, 4), "hexagonal"), ((2, 2, 3), "cubic26")]


@pytest.mark.parametrize("shape,topology", SHAPES)
def test_without_a_total_the_clues_alone_decide(shape, topology) -> None:
    rng = np.random.default_rng(5)
    neighbours = neighbour_lists(shape, topology)
    cells = math.prod(shape)
    seen = {"certain": 0, "inconsistent": 0}
    for number in range(60):
        states, numbers, _, _ = random_position(rng, neighbours, cells)
        if number % 3 == 0 and (states == 1).any():
            numbers[rng.choice(np.flatnonzero(states == 1))] += 1
        totals = [arrangements(neighbours, states, numbers, m) for m in range(cells + 1)]
        possible = [m for m, rows in enumerate(totals) if len(rows)]
        result = analyse_states(shape, topology, states, numbers, None)
        assert result.consistent == bool(possible)
        assert np.isnan(result.safety).all()
        if not possible:
            seen["inconsistent"] += 1
            assert (result.mines_range, result.configurations) == (None, 0)
            continue
        assert result.mines_range == (possible[0], possible[-1])
        assert result.configurations is None
        rows = np.vstack([rows for rows in totals if len(rows)])
        unknown = [tuple(map(int, np.unravel_index(c, shape))) for c in np.flatnonzero(states == 0)]
        safe = [cell for cell, column in zip(unknown, rows.T, strict=True) if not column.any()]
        mined = [cell for cell, column in zip(unknown, rows.T, strict=True) if column.all()]
        assert (result.safe, result.mined) == (safe, mined)
        seen["certain"] += len(safe) + len(mined)
    assert min(seen.values()) > 5


def test_single_numbers_and_pairs_decide_only_what_is_certain() -> None:
    rng = np.random.default_rng(6)
    decided = 0
    for number in range(300):
        shape, topology = SHAPES[number % len(SHAPES)]
        table = neighbour_table(shape, topology)
        states, numbers, mines, _ = random_position(
            rng, neighbour_lists(shape, topology), math.prod(shape)
        )
        reduced = states.copy()
        assert reduce_position(table.words, reduced, numbers) == -1
        result = analyse_states(shape, topology, states, numbers, mines)
        for cell in np.flatnonzero(reduced != states):
            place = tuple(map(int, np.unravel_index(cell, shape)))
            assert reduced[cell] in (CLEAR, MARKED)
            assert place in (result.safe if reduced[cell] == CLEAR else result.mined)
            decided += 1
    assert decided > 300


@pytest.mark.parametrize("mines,g", [(1500, 2), (2000, 1), (2000, 3)])
@pytest.mark.parametrize("part", [0.5, 1.0])
def test_a_large_board_with_no_mine_marked_is_counted_exactly(mines, g, part) -> None:
    """Proved marks change only the list of unknown cells in the answer."""
    record = play_game(Task(Board.parse("100x100"), mines, seed=3), g)
    view = record.game(int(part * (len(record.moves) - 1))).view()
    marked = analyse(view, mines)
    plain = analyse([row.replace("F", ".") for row in view], mines)
    assert plain.exact and marked.exact
    assert plain.configurations == marked.configurations
    assert plain.configurations > 0
    flags = {(r, c) for r, row in enumerate(view) for c in range(100) if row[c] == "F"}
    assert len(flags) > 500
    assert set(plain.mined) == set(marked.mined) | flags
    assert plain.safe == marked.safe
    assert plain.mines_range == marked.mines_range
    known = ~np.isnan(marked.safety)
    np.testing.assert_allclose(plain.safety[known], marked.safety[known], rtol=0, atol=1e-12)
    assert np.nansum(1 - plain.safety) == pytest.approx(mines, rel=1e-12)
    layout = record.layout
    assert all(layout[r][c] == "-" for r, c in plain.safe)
    assert all(layout[r][c] == "*" for r, c in plain.mined)


def test_beyond_the_budget_only_sound_answers_are_certain() -> None:
    """A fifth of the cells opened at random in 3D: one component too large to count."""
    rng = np.random.default_rng(8)
    shape, mines = (8, 8, 8), 77
    mined = np.zeros(512, bool)
    mined[rng.permutation(512)[:mines]] = True
    lists = neighbour_lists(shape, "cubic26")
    numbers = np.array([mined[near].sum() for near in lists], np.int64)
    states = (~mined & (rng.random(512) < 0.2)).astype(np.uint8)
    result = analyse_states(shape, "cubic26", states, numbers, mines)
    assert result.consistent and not result.exact
    assert result.configurations is None and result.mines_range is None
    assert len(result.safe) > 10
    assert not any(mined.reshape(shape)[cell] for cell in result.safe)
    assert all(mined.reshape(shape)[cell] for cell in result.mined)
    estimates = result.safety[(states == 0).reshape(shape)]
    assert ((estimates >= 0) & (estimates <= 1)).all()
    assert np.isnan(result.safety[(states == 1).reshape(shape)]).all()


def test_a_custom_table_is_the_board_it_describes() -> None:
    grid = [".2..", "....", "2..F", "..2."]
    named = analyse(grid, 5, "torus8")
    custom = analyse(grid, 5, neighbour_lists((4, 4), "torus8"))
    assert named.configurations == custom.configurations > 0
    np.testing.assert_array_equal(named.safety, custom.safety)
    assert analyse(grid, 5).configurations != named.configurations


def test_polynomials_multiply() -> None:
    rng = np.random.default_rng(7)
    for _ in range(50):
        a, b = ([int(x) for x in rng.integers(0, 2**62, rng.integers(1, 9))] for _ in range(2))
        a = [x**3 for x in a]
        product = [0] * (len(a) + len(b) - 1)
        for i, x in enumerate(a):
            for j, y in enumerate(b):
                product[i + j] += x * y
        assert _multiply(a, b) == product


@pytest.mark.parametrize(
    "grid,mines,reason",
    [
        (["3."], 1, r"the 3 at \(0, 0\) cannot be met: it has 0 flagged and 1 unknown neighbours"),
        (["F0"], 1, r"the 0 at \(0, 1\) cannot be met: it has 1 flagged and 0 unknown neighbours"),
        ([".2.1.2."], 3, r"connected with the [12] at \(0, [135]\) cannot all be met"),
        (["1..."], 3, ""),
        (["1..."], 4, "mines=4: the clues and flags allow 1..3"),
        (["FF."], 1, "mines=1: the clues and flags allow 2..3"),
        (["1.1", "..."], 5, "mines=5: the clues and flags allow 1..2"),
        (["....", "....", "....", ".8.."], 3, r"the 8 at \(3, 1\) cannot be met"),
        (["....", "....", "....", ".8.."], None, r"the 8 at \(3, 1\) cannot be met"),
    ],
)
def test_the_reason_says_what_is_wrong(grid, mines, reason) -> None:
    result = analyse(grid, mines)
    assert result.consistent == (reason == "")
    if reason:
        assert re.search(reason, result.reason), result.reason


@pytest.mark.parametrize(
    "call,message",
    [
        (lambda: analyse("..", 0), "grid must be a list of rows"),
        (lambda: analyse([".X"], 0), "grid holds 'X' in row 0, column 1"),
        (lambda: analyse([".."], 3), r"mines=3 must be a whole number in 0\.\.2"),
        (lambda: analyse([".."], 1, "cubic6"), "must have 3 sizes"),
        (lambda: analyse(["..."], 1, shape=(2, 2)), "must have 2 of 2"),
    ],
)
def test_bad_input_is_named(call, message) -> None:
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize(
    "field,call,values",
    [
        (
            "grid must be (rows of one length|a list of rows)",
            lambda grid: analyse(grid, 1),
            [None, 5, "...", [], [""], [None], [b"."], ["..", "."]],
        ),
        (
            "shape=",
            lambda shape: analyse(["..."], 1, shape=shape),
            [5, "x", [None], ["a"], [float("nan")], [[1], 3], (10**5000, 3)],
        ),
        (
            "mines=",
            lambda mines: analyse(["..."], mines),
            [-1, 4, 1.0, True, "1", float("nan"), [], 10**30, 10**5000],
        ),
    ],
)
def test_values_of_a_wrong_type_are_named(field, call, values) -> None:
    for value in values:
        with pytest.raises(InputError, match=field):
            call(value)


SMALL = [".2..", "....", "2..F", "..2."]


@pytest.fixture
def counted(monkeypatch) -> list[int]:
    """Collect each number of configurations that is computed."""
    numbers: list[int] = []

    def count(workspace) -> int:
        numbers.append(count_configurations(workspace))
        return numbers[-1]

    monkeypatch.setattr("msdensity.games.analysis.count_configurations", count)
    return numbers


def test_configurations_are_counted_at_the_first_read(counted) -> None:
    result = analyse(SMALL, 5)
    assert result.exact and result.consistent
    assert not counted
    number = result.configurations
    assert [number] == counted == [result.configurations]
    assert f"configurations={number}," in repr(analyse(SMALL, 5))
    assert f"configurations: {number}\n" in str(analyse(SMALL, 5))
    assert f"{number} configurations" in analyse(SMALL, 5)._repr_html_()
    assert replace(analyse(SMALL, 5), exact=False).configurations == number
    assert len(counted) == 5
    with pytest.raises(FrozenInstanceError):
        result.configurations = 3
    with pytest.raises(AttributeError, match="'Analysis' object has no attribute 'configuration'"):
        result.configuration  # noqa: B018


def test_a_later_analysis_or_change_of_the_arrays_changes_no_count() -> None:
    rng = np.random.default_rng(9)
    lists = neighbour_lists((4, 4))
    expected, results = [], []
    for _ in range(30):
        states, numbers, mines, _ = random_position(rng, lists, 16)
        expected.append(len(arrangements(lists, states, numbers, mines)))
        results.append(analyse_states((4, 4), "square8", states, numbers, mines))
        states[:], numbers[:] = 0, 0
    analyse(["." * 9] * 9, 10)  # another board: the thread has a new workspace
    play_game(Task(Board((4, 4)), 2), 1)
    assert [result.configurations for result in results[::-1]] == expected[::-1]
    assert len(set(expected)) > 10


def test_a_copy_has_the_same_count_in_another_process() -> None:
    result = analyse(SMALL, 5)
    data = pickle.dumps(result)
    assert b"_position" not in data
    for twin in (pickle.loads(data), copy.deepcopy(result)):
        assert vars(twin)["configurations"] == result.configurations > 0
        np.testing.assert_array_equal(twin.safety, result.safety)
    read = "import pickle, sys; print(pickle.load(sys.stdin.buffer).configurations)"
    run = subprocess.run([sys.executable, "-c", read], input=data, capture_output=True, check=True)
    assert int(run.stdout) == result.configurations
