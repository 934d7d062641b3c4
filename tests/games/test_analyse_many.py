"""`analyse_many` is `analyse` of each position, bit for bit."""

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from brute_force import neighbour_lists

from msdensity import InputError, Task, analyse, analyse_many, play_game
from msdensity.games.analysis import Analyses, Analysis, analyse_states
from msdensity.kernel.batch import thread_workspace
from msdensity.kernel.state import MARKED, NODE_BUDGET, OPEN, UNKNOWN
from msdensity.kernel.topology import cached_table
from places import DATA

CASES = json.loads((DATA / "positions.json").read_text(encoding="utf-8"))["cases"]
EXPERT = (16, 30)


def same(found: Analyses, i: int, one: Analysis) -> bool:
    """Return whether position i has the answers of its own analysis."""
    safe, mined = (
        list(map(tuple, np.argwhere(mask[i]).tolist())) for mask in (found.safe, found.mined)
    )
    answers = (bool(found.consistent[i]), found.reason[i], safe, mined, bool(found.exact[i]))
    return (
        answers == (one.consistent, one.reason, one.safe, one.mined, one.exact)
        and tuple(found.mines_range[i].tolist()) == (one.mines_range or (-1, -1))
        and found.safety[i].tobytes() == one.safety.tobytes()
    )


def read(grid: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return (states, numbers) of a grid, character by character."""
    kinds = {".": UNKNOWN, "F": MARKED}
    states = np.array([[kinds.get(c, OPEN) for c in row] for row in grid])
    numbers = np.array([[int(c, 36) if c not in ".F" else 0 for c in row] for row in grid])
    return states, numbers


def boards() -> dict[Any, list[Any]]:
    """Return the positions of the reference by board."""
    found = defaultdict(list)
    for case in CASES:
        if "grid" in case:
            found[case["rows"], case["cols"], case.get("topology", "square8")].append(case)
    return found


@pytest.mark.parametrize("known", [True, False])
def test_the_positions_of_each_board_of_the_reference(known: bool) -> None:
    shared = 0
    for (*_, topology), cases in boards().items():
        states, numbers = map(np.array, zip(*(read(case["grid"]) for case in cases), strict=True))
        mines = [case["mines"] for case in cases] if known else None
        found = analyse_many(states, numbers, mines, topology)
        for i, case in enumerate(cases):
            one = analyse(case["grid"], case["mines"] if known else None, topology)
            assert same(found, i, one), case["id"]
        shared += len(cases) > 1
    assert shared > 5


def expert_positions(count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (states, numbers, mines) of games half way, a few of them with wrong numbers."""
    rng = np.random.default_rng(11)
    positions: list[tuple[np.ndarray, np.ndarray]] = []
    task = Task("16x30", 99, seed=12)
    g = 0
    while len(positions) < count:
        played = play_game(task, g)
        g += 1
        if len(played.moves) < 40:
            continue
        states, numbers = played.game(int(rng.integers(20, len(played.moves)))).known()
        states[(states == MARKED) & (rng.random(480) < rng.choice([0, 0.5, 1]))] = UNKNOWN
        if rng.random() < 0.2:
            numbers[rng.choice(np.flatnonzero(states == OPEN))] += 1
        positions.append((states, numbers))
    mines = rng.choice([99, 99, 99, 60, 100, 200], count)
    return (*map(np.array, zip(*positions, strict=True)), mines)


@pytest.fixture
def small_budget() -> Iterator[None]:
    """Let a component have so few states that no position is counted before the simple rules."""
    game = thread_workspace(cached_table(EXPERT, "square8")).game
    game["node_budget"] = 12
    yield
    game["node_budget"] = NODE_BUDGET


def check_experts() -> tuple[list[Analysis], Analyses]:
    states, numbers, mines = expert_positions(40)
    found = analyse_many(states, numbers, mines, shape=EXPERT)
    alone = [
        analyse_states(EXPERT, "square8", s, n, m)
        for s, n, m in zip(states, numbers, mines, strict=True)
    ]
    assert all(same(found, i, one) for i, one in enumerate(alone))
    assert not same(found, 0, alone[1])
    impossible = ~found.consistent
    assert np.isnan(found.safety[impossible]).all()
    assert not (found.safe | found.mined)[impossible].any()
    reasons = " ".join(found.reason)
    for words in ("cannot be met", "cannot all be met", "clues and flags allow"):
        assert words in reasons
    return alone, found


def test_positions_of_games_and_impossible_ones() -> None:
    _, found = check_experts()
    assert found.consistent.sum() > 10 and found.exact.all()
    assert found.safety.shape == found.safe.shape == found.mined.shape == (40, *EXPERT)


def test_positions_beyond_the_budget(small_budget: None) -> None:
    _, found = check_experts()
    approximate = found.consistent & ~found.exact
    assert approximate.sum() > 5 and (found.consistent & found.exact).sum() > 5
    assert (found.mines_range[approximate] == -1).all()


def test_a_count_after_simple_rules_made_the_position_small(small_budget: None) -> None:
    alone, _ = check_experts()
    exact = [one.configurations for one in alone]
    thread_workspace(cached_table(EXPERT, "square8")).game["node_budget"] = NODE_BUDGET
    usual, _ = check_experts()
    pairs = [(n, one.configurations) for n, one in zip(exact, usual, strict=True) if n]
    assert len(pairs) > 10 and all(number == other for number, other in pairs)


def test_layers_are_a_board_like_any_other() -> None:
    rng = np.random.default_rng(8)
    shape, mines = (6, 6, 6), 40
    lists = neighbour_lists(shape, "cubic26")
    states, numbers = np.zeros((3, 216), np.int64), np.zeros((3, 216), np.int64)
    for i in range(3):
        mined = np.zeros(216, bool)
        mined[rng.permutation(216)[:mines]] = True
        numbers[i] = [mined[near].sum() for near in lists]
        states[i] = ~mined & (rng.random(216) < 0.2)
    flat = analyse_many(states, numbers, mines, "cubic26", shape=shape)
    boards = states.reshape(3, *shape), numbers.reshape(3, *shape)
    for found in (
        flat,
        analyse_many(*boards, mines, "cubic26"),
        analyse_many(*boards, mines, lists, shape=shape),
    ):
        for i in range(3):
            one = analyse_states(shape, "cubic26", states[i], numbers[i], mines)
            assert same(found, i, one)


def test_any_kind_of_whole_numbers_in_any_order_is_read_and_none_is_changed() -> None:
    states, numbers, mines = expert_positions(5)
    found = analyse_many(states, numbers, mines, shape=EXPERT)
    for kind, order in ((np.int16, "F"), (np.float64, "C"), (np.uint16, "F")):
        arrays = [np.array(a, kind, order=order) for a in (states, numbers, mines)]
        for array in arrays:
            array.flags.writeable = False
        again = analyse_many(*arrays, shape=EXPERT)
        np.testing.assert_array_equal(again.safety, found.safety)
    before = states.copy()
    analyse_many(states, numbers, mines, shape=EXPERT)
    assert (states == before).all()


def test_no_position_is_an_empty_answer() -> None:
    found = analyse_many(np.zeros((0, 2, 3)), np.zeros((0, 2, 3)), 1)
    assert found.safety.shape == (0, 2, 3) and found.reason == ()
    assert found.mines_range.shape == (0, 2)


ONE = {"states": [[[1, 0]]], "numbers": [[[1, 0]]], "mines": 1}


@pytest.mark.parametrize(
    "change,message",
    [
        ({"states": [[[1, 3]]]}, r"states=3 must be in 0\.\.2"),
        ({"states": [[[-1, 0]]]}, r"states=-1 must be in 0\.\.2"),
        ({"states": [[["x", "."]]]}, r"states=\[\[\['x', '.'\]\]\] must be numbers"),
        ({"states": [1, 0]}, r"states has shape \(2,\), must be \(n, rows, columns\)"),
        ({"states": np.zeros((3, 0))}, r"states has shape \(3, 0\), must be .* one cell each"),
        ({"numbers": [[[-1, 0]]]}, r"numbers=-1 must be in 0\.\.1000"),
        ({"numbers": [[[1001, 0]]]}, r"numbers=1001 must be in 0\.\.1000"),
        ({"numbers": [[[1.5, 0]]]}, r"numbers=1\.5 must be a whole number"),
        ({"numbers": [[1]]}, r"numbers has shape \(1, 1\), must be \(1, 1, 2\) or \(1, 2\)"),
        ({"mines": 3}, r"mines=3 must be in 0\.\.2"),
        ({"mines": [-1]}, r"mines=-1 must be in 0\.\.2"),
        ({"mines": [1, 1]}, r"mines has shape \(2,\), must be one number or \(1,\)"),
        ({"mines": "x"}, "mines='x' must be numbers"),
        ({"mines": 2**70}, r"mines=1180591620717411303424 must be less than 2\^63 in size"),
        ({"mines": 1j}, "mines=1j must be numbers"),
        ({"topology": "cubic6"}, r"shape=\(1, 2\) must have 3 sizes"),
        ({"shape": (3, 1)}, r"states has shape \(1, 1, 2\), must be \(1, 3, 1\) or \(1, 3\)"),
        ({"shape": "ab"}, "shape='ab' must be sides"),
    ],
)
def test_bad_input_is_named(change: dict[str, Any], message: str) -> None:
    assert analyse_many(**ONE).safe.tolist() == [[[False, False]]]
    with pytest.raises(InputError, match=message):
        analyse_many(**ONE | change)


def test_numbers_of_covered_cells_are_not_used() -> None:
    found = analyse_many([[[1, 0]]], [[[1, -5]]], 1)
    assert found.mined.tolist() == [[[False, True]]]


def test_values_are_checked_in_arrays_of_any_type() -> None:
    """Whole numbers that fit into 64 bits are not read as floats first; no mask hides a value."""
    good = np.array([[[1, 0]]])
    expected = analyse_many(good, good, 1).mined
    for dtype in ("u1", "i2", ">i8", "u8", "f4", "O"):
        assert np.array_equal(
            analyse_many(good.astype(dtype), good.astype(dtype), 1).mined, expected
        )
        bad = (3 * good).astype(dtype)
        for states in (bad, np.ma.masked_equal(bad, 3)):
            with pytest.raises(InputError, match=r"states=3\S* must be in 0\.\.2"):
                analyse_many(states, good, 1)
