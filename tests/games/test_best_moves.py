"""The best moves of positions, against an unpruned search and against answers from elsewhere."""

import json
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from brute_force import arrangements, neighbour_lists
from plain_search import Search, shown

import msdensity as md
from msdensity.games.best_moves import best_moves
from places import DATA

CASES = json.loads((DATA / "positions.json").read_text(encoding="utf-8"))["cases"]
ANSWERS = [
    pytest.param(case, reading, id=f"{case['id']}-{reading}")
    for case in CASES
    for reading in ("expected", "expected_ignoring_flags")
    if "optimal" in case.get(reading, ())
]
BOARDS = ("3x4", "4x4", "2x6", "1x9", "3x4-torus8", "4x4-hexagonal", "3x5-knight", "3x4-square4")


@pytest.mark.parametrize(("case", "reading"), ANSWERS)
def test_positions_with_known_answers(case: dict[str, Any], reading: str) -> None:
    topology = case.get("topology", "square8")
    best = best_moves(case["grid"], case["mines"], topology, reading == "expected")
    answer = case[reading]["optimal"]
    assert best.win == Fraction(answer["win"])
    assert best.configurations == int(case[reading]["solutions"])
    assert best.moves == [tuple(cell) for cell in sorted(answer["moves"])]
    values = {(row, column): Fraction(win) for row, column, win in answer["win_by_move"]}
    assert best.win_by_move == values


def random_position(
    rng: np.random.Generator, most: int
) -> tuple[md.Board, list[str], int, np.ndarray, list[list[int]]]:
    """Return (board, grid, mines, layouts, neighbours), with 2 to `most` layouts."""
    while True:
        board = md.Board(str(rng.choice(BOARDS)))
        near = neighbour_lists(board.shape, board.topology)
        mines = int(rng.integers(1, board.cells - 1))
        layout = np.zeros(board.cells, int)
        layout[rng.permutation(board.cells)[:mines]] = 1
        safe = np.flatnonzero(layout == 0)
        opened = rng.permutation(safe)[: rng.integers(0, len(safe))]
        states = np.zeros(board.cells, int)
        states[opened] = 1
        numbers = np.array([layout[list(cells)].sum() for cells in near])
        if len(opened) < board.cells - 12:
            continue
        rows = arrangements(near, states, numbers, mines)
        if not 2 <= len(rows) <= most:
            continue
        layouts = np.zeros((len(rows), board.cells), int)
        layouts[:, states == 0] = rows
        text = np.where(states == 1, numbers.astype(str), ".").reshape(board.shape)
        return board, ["".join(row) for row in text], mines, layouts, near


def agree(seed: int, positions: int, most: int) -> Counter[str]:
    """Compare positions with the unpruned search; return how many were of which kind."""
    rng = np.random.default_rng(seed)
    kinds: Counter[str] = Counter()
    for _ in range(positions):
        board, grid, mines, layouts, near = random_position(rng, most)
        unknown = [c for c in range(board.cells) if "".join(grid)[c] == "."]
        search = Search(shown(near, layouts), unknown)
        best = best_moves(grid, mines, board.topology)
        values = search.of_moves()
        named = {divmod(c, board.q): value for c, value in values.items()}
        assert best.win_by_move == named, (board.name, grid, mines)
        assert best.win == max(values.values())
        assert best.moves == [cell for cell, value in named.items() if value == best.win]
        kinds["all dead"] += search.all_dead()
        certain = [c for c in unknown if not layouts[:, c].any()]
        kinds["safe"] += bool(certain)
        kinds["guess"] += best.win < 1
        safest = (layouts == 0).sum(axis=0)[unknown].max()
        kinds["safest is not best"] += all(
            best.win_by_move[divmod(c, board.q)] < best.win
            for c in unknown
            if (layouts[:, c] == 0).sum() == safest
        )
    return kinds


def test_the_search_agrees_with_an_unpruned_one():
    kinds = agree(seed=1, positions=250, most=16)
    assert kinds["all dead"] > 20 and kinds["safe"] > 20 and kinds["guess"] > 50


@pytest.mark.campaign
def test_the_search_agrees_with_an_unpruned_one_in_5000_positions():
    kinds = agree(seed=2, positions=5000, most=40)
    assert kinds["all dead"] > 400 and kinds["safest is not best"] > 15


def test_where_all_cells_are_dead_one_configuration_is_won():
    """Each 1 leaves two cells that nothing tells apart: a half by a half.

    The safest cells are safe in 2 of the 4 configurations, but their numbers are always the same.
    """
    best = best_moves(["..1...1.."], 5)
    assert (best.win, best.configurations) == (Fraction(1, 4), 4)
    assert best.moves == [(0, 1), (0, 3), (0, 5), (0, 7)]
    assert all(best.win_by_move[0, c] == 0 for c in (0, 4, 8))


def test_a_position_that_cannot_be_searched_is_refused():
    for grid, mines, message in (
        (["1.", ".."], None, "mines=None must be a whole number"),
        (["2.", ".1"], 1, "grid is impossible"),
        (["........"] * 8, 10, "configurations, must have at most 10,000"),
        (["x."], 1, "grid"),
    ):
        with pytest.raises(md.InputError, match=message):
            best_moves(grid, mines)
