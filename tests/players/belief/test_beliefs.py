"""Beliefs of lbp and lbp_mc against the formulas of 004 in fractions, and against brute force."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from brute_force import arrangements, exact_safety, neighbour_lists, random_position
from players.belief import oracle

from msdensity.games.boards import Board, Rules
from msdensity.games.game import play_game
from msdensity.games.tasks import Task
from msdensity.kernel.batch import thread_workspace
from msdensity.kernel.topology import cached_table
from msdensity.players.belief.memory import thread_memory
from msdensity.players.belief.position import believe_position
from msdensity.players.registry import PLAYERS, resolve
from sizes import sizes


def believe(shape, states, numbers, mines, player, options, iterations):
    """Return (converged, beliefs) of a position by the compiled code."""
    table = cached_table(shape, "square8")
    workspace, memory = thread_workspace(table), thread_memory(table)
    chosen = resolve(player, options)
    for i, (key, option) in enumerate(PLAYERS[player].options.items()):
        workspace.option[i] = option.choices.index(chosen[key])
    belief = np.zeros(len(states))
    merges = player == "lbp_mc"
    words = (table.words, workspace.words, memory.words)
    converged, left_out = believe_position(
        *words, states, numbers, mines, merges, iterations, belief
    )
    assert left_out == 0
    return converged, belief


def positions(seed: int, shape: tuple[int, int], count: int, most_unknown: int):
    """Yield positions in which some unknown cell has an opened neighbour."""
    rng = np.random.default_rng(seed)
    near = neighbour_lists(shape)
    while count > 0:
        states, numbers, mines, _ = random_position(rng, near, most_unknown)
        if oracle.opened_with_unknown(near, states):
            count -= 1
            yield near, states, numbers, mines


def assert_same(belief: np.ndarray, expected: dict[int, Fraction]) -> None:
    for c, value in expected.items():
        assert belief[c] == pytest.approx(float(value), abs=1e-9), c
        assert (belief[c] == value) or value not in (0, 1)
        assert belief[c] not in (0, 1) or value in (0, 1)


LBP = [
    ("correct", "sum_product", "mean"),
    ("hard", "sum_product", "mean"),
    ("correct", "boolean", "mean"),
    ("correct", "sum_product", "first"),
    ("hard", "sum_product", "last"),
]
CHOICES = {"first": lambda each: each[0], "last": lambda each: each[-1]}


@pytest.mark.parametrize("count", sizes(20, 300))
@pytest.mark.parametrize("potential,semiring,belief", LBP)
def test_beliefs_are_those_of_the_formulas(potential, semiring, belief, count) -> None:
    options = {"potential": potential, "semiring": semiring, "belief": belief}
    uncertain = 0
    for near, states, numbers, mines in positions(1, (4, 4), count, 9):
        cliques = [
            oracle.configurations(near, states, numbers, clique, potential == "correct")
            for clique in oracle.hard_cliques(near, states)
        ]
        for iterations in range(4):
            each = oracle.marginals(cliques, iterations, boolean=semiring == "boolean")
            expected = oracle.beliefs(each, *([CHOICES[belief]] if belief in CHOICES else []))
            _, found = believe((4, 4), states, numbers, mines, "lbp", options, iterations)
            assert_same(found, expected)
            uncertain += sum(0 < value < 1 for value in expected.values())
            floating = [c for c in np.flatnonzero(states == 0) if not any(states[near[c]] == 1)]
            left = Fraction(int(mines - (states == 2).sum()), int((states == 0).sum()))
            assert found[floating] == pytest.approx(float(1 - left))
            assert np.isnan(found[states != 0]).all()
    assert uncertain > count


@pytest.mark.parametrize("count", sizes(20, 300))
@pytest.mark.parametrize("merge", ["first", "largest"])
@pytest.mark.parametrize("size,prior", [("8", "half"), ("9", "density"), ("12", "half")])
def test_beliefs_of_merged_cliques_are_those_of_the_formulas(merge, size, prior, count) -> None:
    options = {"merge": merge, "clique_size": size, "prior": prior}
    uncertain, reduced = 0, 0
    for near, states, numbers, mines in positions(2, (3, 7), count, 13):
        hard = oracle.hard_cliques(near, states)
        together = oracle.merged(hard, int(size), merge == "largest")
        reduced += len(together) < len(hard)
        cliques = [oracle.configurations(near, states, numbers, c, True) for c in together]
        left = int(mines - (states == 2).sum())
        free = int((states == 0).sum()) - left
        odds = Fraction(left, free) if prior == "density" and free and left else Fraction(1)
        for iterations in (0, 2):
            expected = oracle.beliefs(oracle.marginals(cliques, iterations, odds))
            _, found = believe((3, 7), states, numbers, mines, "lbp_mc", options, iterations)
            assert_same(found, expected)
            uncertain += sum(0 < value < 1 for value in expected.values())
    assert uncertain > count and reduced > count // 4


def solutions(near, states, numbers) -> dict[int, Fraction]:
    """Return the share of the ways to mine the exposed cells in which each of them is free."""
    opened = oracle.opened_with_unknown(near, states)
    exposed = sorted({d for w in opened for d in near[w] if states[d] == 0})
    rows = np.array(list(itertools.product((0, 1), repeat=len(exposed))))
    for w in opened:
        inside = [i for i, c in enumerate(exposed) if c in near[w]]
        known = sum(states[d] == 2 for d in near[w])
        rows = rows[rows[:, inside].sum(axis=1) + known == numbers[w]]
    return dict(zip(exposed, exact_safety(rows), strict=True))


def test_beliefs_are_exact_where_the_clique_graph_has_no_loop() -> None:
    rng = np.random.default_rng(3)
    shape = (2, 12)
    near = neighbour_lists(shape)
    long, wrong_before = 0, 0
    for _ in range(300):
        mined = rng.random(24) < 0.3
        opened = ~mined & (rng.random(24) < 0.2)
        states = np.where(opened, 1, 0).astype(np.uint8)
        numbers = np.array([int(mined[d].sum()) for d in near]) * opened
        cliques = oracle.hard_cliques(near, states)
        if not cliques or oracle.has_loop(cliques) or sum(len(c.cells) for c in cliques) > 16:
            continue
        exact = solutions(near, states, numbers)
        mines = int(mined.sum())
        for options in ({}, {"potential": "hard"}, {"schedule": "sequential"}):
            converged, found = believe(shape, states, numbers, mines, "lbp", options, 10)
            assert_same(found, exact)
            assert 1 <= converged <= len(cliques) + 1
        _, before = believe(shape, states, numbers, mines, "lbp", {}, 0)
        long += len(oracle.edges(cliques)) >= 4
        wrong_before += any(abs(before[c] - float(value)) > 1e-6 for c, value in exact.items())
    assert long >= 10 and wrong_before >= 10


@pytest.mark.parametrize("player", ["lbp", "lbp_mc"])
@pytest.mark.parametrize("count", sizes(60, 1000))
def test_one_clique_of_all_cells_knows_the_number_of_mines(player, count) -> None:
    differ = 0
    for near, states, numbers, mines in positions(4, (4, 5), count, 14):
        exact = exact_safety(arrangements(near, states, numbers, mines))
        expected = dict(zip(np.flatnonzero(states == 0).tolist(), exact, strict=True))
        _, found = believe((4, 5), states, numbers, mines, player, {"all_cells": "on"}, 0)
        assert_same(found, expected)
        _, without = believe((4, 5), states, numbers, mines, player, {}, 3)
        differ += any(abs(without[c] - float(p)) > 0.01 for c, p in expected.items())
    assert differ > count // 4


def test_fifteen_unknown_cells_are_too_many_for_one_clique() -> None:
    states, numbers = np.zeros(16, np.uint8), np.zeros(16, np.int64)
    states[5], numbers[5] = 1, 2  # 15 unknown cells, 7 of them floating
    on = believe((4, 4), states, numbers, 3, "lbp", {"all_cells": "on"}, 0)[1]
    assert on[0] == 6 / 8 and on[15] == 12 / 15  # a mine is left for the 7, but nobody looks
    states[15], numbers[15] = 1, 0
    on = believe((4, 4), states, numbers, 2, "lbp", {"all_cells": "on"}, 0)[1]
    assert on[10] == 1 and on[3] == 1 and on[0] == pytest.approx(5 / 7)


@pytest.mark.parametrize("player", ["lbp", "lbp_mc"])
@pytest.mark.parametrize("guesses", ["frontier", "anywhere"])
def test_a_guess_is_of_the_highest_belief(player, guesses) -> None:
    """Among cells beside opened ones, or all; nothing was certain in any iteration before it."""
    options = {"guesses": guesses}
    task = Task(Board((8, 8)), 14, player, options, Rules("corner", "zero"), seed=2)
    near, count, floating = neighbour_lists((8, 8)), 0, 0
    for g in range(50):
        played = play_game(task, g)
        for i, move in enumerate(played.moves):
            if not move.guess:
                continue
            view = "".join(played.game(i).view())
            states = np.array([{".": 0, "F": 2}.get(c, 1) for c in view], np.uint8)
            numbers = np.array([int(c) if c.isdigit() else 0 for c in view])
            _, found = believe((8, 8), states, numbers, 14, player, options, 3)
            cell = 8 * move.cell[0] + move.cell[1]
            frontier = [c for c in np.flatnonzero(states == 0) if any(states[near[c]] == 1)]
            allowed = frontier if frontier and guesses == "frontier" else states == 0
            assert cell not in frontier or not {0, 1} & set(found[frontier].tolist())
            assert move.safety == found[cell] >= found[allowed].max() - 1e-9
            floating += cell not in frontier
            count += 1
    assert count > 50 and (floating > 5) == (guesses == "anywhere")


def test_3x3_potentials_that_are_satisfied_inside_the_window_are_not_sound() -> None:
    """004, section 4.1.2, on the board .1.: each window with the 1 at its rim claims a mine."""
    near, numbers = neighbour_lists((1, 3)), np.array([0, 1, 0])
    states = np.array([0, 1, 0], np.uint8)
    claims = {}
    for centre in range(3):
        window = {centre, *near[centre]}
        cells = [c for c in sorted(window) if states[c] == 0]
        ways = [
            values
            for values in itertools.product((0, 1), repeat=len(cells))
            if sum(v for c, v in zip(cells, values, strict=True) if c in near[1]) == numbers[1]
        ]
        mined = {c for i, c in enumerate(cells) if all(values[i] for values in ways)}
        claims[centre] = mined
    assert claims == {0: {0}, 1: set(), 2: {2}}  # two mines for certain, where there is one
    for potential in ("correct", "hard"):
        _, found = believe((1, 3), states, numbers, 1, "lbp", {"potential": potential}, 3)
        assert found[[0, 2]].tolist() == [0.5, 0.5]


def test_a_number_that_cannot_be_met_is_reported() -> None:
    table = cached_table((1, 3), "square8")
    workspace, memory = thread_workspace(table), thread_memory(table)
    words = (table.words, workspace.words, memory.words)
    states, numbers, belief = np.array([0, 1, 0], np.uint8), np.array([0, 3, 0]), np.zeros(3)
    assert believe_position(*words, states, numbers, 1, False, 3, belief) == (-1, -1)
    assert np.isnan(belief).all()
