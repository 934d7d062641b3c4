"""The text's inference: its own example, soundness, and the fast form against the literal one."""

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.games.analysis import analyse
from msdensity.games.boards import Board
from msdensity.games.game import Game
from msdensity.studies.paper.inference import inference_table
from msdensity.studies.paper.tables import FIGURE_3_1
from msdensity.studies.paper.text_inference import (
    Constraint,
    construct_constraints,
    derive_constraints,
    infer,
    infer_fast,
    solve_trivials,
)
from sizes import sizes


def cells(*pairs):
    return frozenset(pairs)


def test_the_example_of_section_3_1():
    found = derive_constraints(*FIGURE_3_1)
    a, b, c, d, e = (1, 0), (0, 0), (0, 1), (0, 2), (0, 3)
    # The system of constraints printed there, with (x, y) turned into (row, column).
    assert found == {
        Constraint(1, cells(a)),
        Constraint(1, cells(c, d, e)),
        Constraint(1, cells(d, e)),
        Constraint(2, cells(a, b, c, d, e)),
    }
    result = infer(*FIGURE_3_1)
    assert (result.safe, result.mined, result.complete) == ((b, c), (a,), True)
    assert Constraint(1, cells(d, e)) in result.constraints


def test_each_algorithm_on_its_own():
    a, b, c = (0, 0), (0, 1), (0, 2)
    whole, part = Constraint(2, cells(a, b, c)), Constraint(1, cells(a, b))
    assert construct_constraints({whole, part}) == {Constraint(1, cells(c))}
    assert construct_constraints({whole, whole}) == set()
    assert solve_trivials({whole, part}) == set()
    assert solve_trivials({Constraint(0, cells(a, b)), Constraint(1, cells(c))}) == {
        Constraint(0, cells(a)),
        Constraint(0, cells(b)),
        Constraint(1, cells(c)),
    }


def positions(count, shape=(4, 4), seed=1):
    """Return (grid, mines) of positions of games with some cells opened at random."""
    rng = np.random.default_rng(seed)
    cells_of = [(r, c) for r in range(shape[0]) for c in range(shape[1])]
    while count:
        mines = int(rng.integers(1, len(cells_of) // 2))
        chosen = {cells_of[i] for i in rng.choice(len(cells_of), mines, replace=False)}
        layout = [
            "".join("*" if (r, c) in chosen else "-" for c in range(shape[1]))
            for r in range(shape[0])
        ]
        game = Game(layout)
        safe = [cell for cell in cells_of if cell not in chosen]
        for i in rng.choice(len(safe), min(4, len(safe)), replace=False):
            game.open(*safe[i])
        if game.status == "playing":
            count -= 1
            yield game.view(), mines


@pytest.mark.parametrize("count", sizes(25, 150))
def test_it_is_sound_and_the_fast_form_finds_the_same(count):
    fewer = 0
    for grid, mines in positions(count):
        exact = analyse(grid, mines)
        for use_global in (False, True):
            literal = infer(grid, mines, global_constraint=use_global)
            fast = infer_fast(grid, mines, global_constraint=use_global, limit=20_000)
            assert literal.complete and fast.complete
            assert (literal.safe, literal.mined) == (fast.safe, fast.mined)
            assert set(literal.safe) <= set(exact.safe)
            assert set(literal.mined) <= set(exact.mined)
            fewer += len(literal.safe) + len(literal.mined) < len(exact.safe) + len(exact.mined)
    assert fewer > count / 30  # weaker than exact inference


@pytest.mark.parametrize("count", sizes(7, 20))
def test_every_constraint_is_true(count):
    for grid, mines in positions(count, seed=3):
        exact = analyse(grid, mines)
        for total, of in infer(grid, mines).constraints:
            # By linearity the expected number of mines is the sum, however the mines lie.
            expected = sum(1 - exact.safety[cell] for cell in of)
            assert expected == pytest.approx(total, abs=1e-9)


def test_the_limit_stops_the_loop_and_says_so():
    # Ten numbers with no neighbour in common: U less any of them are 2^10 constraints.
    grid = ["." * 30, ".1." * 10, "." * 30]
    result = infer(grid, 20, limit=200)
    assert not result.complete
    assert not infer_fast(grid, 20, limit=200).complete
    assert infer(grid, 20, global_constraint=False, limit=200).complete


@pytest.mark.parametrize(
    ("grid", "mines", "message"),
    [
        ([], 1, "rows of one length"),
        (["..", "."], 1, "rows of one length"),
        (["x."], 1, "grid holds 'x'"),
        (["9."], 1, "grid holds '9'"),
        ([".."], 3, "mines=3 must be a whole number in 0..2"),
    ],
)
def test_a_malformed_position_is_refused(grid, mines, message):
    for function in (infer, infer_fast, derive_constraints):
        with pytest.raises(InputError, match=message):
            function(grid, mines)


def test_the_table_counts_what_is_missed():
    table = inference_table([(Board((6, 6)), (5, 9))], 15, seed=2)
    assert table["mines"].tolist() == [5, 9]
    assert (table["missed"] <= table["missed_local"]).all()
    assert (table["missed_local"] <= table["certain"]).all()
    assert (table["missed_local"] > 0).all()
    np.testing.assert_allclose(table["missed_share"], table["missed"] / table["certain"])
    # More games, seen game by game the same: the first 15 are among 20.
    more = inference_table([(Board((6, 6)), (5,))], 20, seed=2)
    assert (more["certain"] > table["certain"].iloc[0]).all()


@pytest.mark.parametrize("grid", [["1..", "..."], ["2."], ["2..2", "...."]])
@pytest.mark.parametrize("inference", [infer, infer_fast])
def test_a_position_that_contradicts_itself_is_refused(inference, grid: list[str]) -> None:
    with pytest.raises(InputError, match=r"grid contradicts itself: \d+ of its cells"):
        inference(grid, 0)


@pytest.mark.parametrize("grid", ["....", None, [1, 2], [["."], ["."]]])
def test_a_grid_is_rows_of_text(grid) -> None:
    with pytest.raises(InputError, match="grid must be"):
        infer(grid, 1)
