"""Exact optimal win probabilities, against values from elsewhere and against an unpruned search."""

import csv
import itertools
from fractions import Fraction

import pytest
from brute_force import neighbour_lists, selections
from plain_search import Search, shown

import msdensity as md
from msdensity.games.exact import exact_wins
from msdensity.games.layouts import play_layouts_by
from msdensity.games.symmetries import symmetries
from places import DATA
from sizes import sizes

with open(DATA / "optimal_win_probability.csv", encoding="utf-8", newline="") as file:
    GOLDEN = list(csv.DictReader(file))


def plain(
    near: list[list[int]], mines: int, cells: list[int], start: str = "safe"
) -> dict[int, Fraction]:
    """Return the chance to win after each first click, by the unpruned search."""
    board = range(len(near))
    values = {}
    for first in cells:
        kept = {first, *near[first]} if start == "zero" else {first}
        layouts = selections(len(near), mines)
        allowed = layouts[layouts[:, sorted(kept)].sum(axis=1) == 0]
        if len(allowed):
            search = Search(shown(near, allowed), list(board))
            everything = frozenset(range(len(allowed)))
            won = sum(map(search.value, search.parts(everything, first)))
            total = len(layouts) if start == "unprotected" else len(allowed)
            values[first] = Fraction(won, total)
    return values


@pytest.mark.parametrize("step", sizes(10, 1))
def test_values_found_by_another_program(step):
    assert len(GOLDEN) == 405
    for row in GOLDEN[::step]:
        start, first_click = row["first_click_rule"].split("_")
        value = md.optimal_win_probability(
            f"{row['p']}x{row['q']}", int(row["m"]), first_click, start
        )
        assert value == Fraction(int(row["win_num"]), int(row["win_den"])), row


@pytest.mark.parametrize("start", ["safe", "zero", "unprotected"])
@pytest.mark.parametrize(
    "name", ["3x3", "2x5", "3x3-torus8", "3x4-knight", "3x3-hexagonal", "2x2x2-cubic6", "wheel"]
)
def test_every_start_topology_and_first_click(name, start):
    wheel = [[1, 2, 3, 4, 5, 6], *([0, 1 + (i - 1) % 6, 1 + (i + 1) % 6] for i in range(6))]
    board = md.Board.from_neighbours(wheel) if name == "wheel" else md.Board(name)
    near = neighbour_lists(board.shape, board.topology)
    cells = list(range(board.cells))
    for mines in (1, 3):
        values = plain(near, mines, cells, start)
        if not values:  # the start protects the whole board
            with pytest.raises(md.InputError, match="mines="):
                md.optimal_win_probability(board, mines, "best", start)
            continue
        for c, value in values.items():
            assert md.optimal_win_probability(board, mines, f"cell:{c}", start) == value
        best = md.optimal_win_probability(board, mines, "best", start)
        assert best == max(values.values())
        if len(values) == board.cells:
            mean = sum(values.values()) / board.cells
            assert md.optimal_win_probability(board, mines, "random", start) == mean


def test_the_symmetries_are_all_permutations_that_keep_the_neighbours():
    for name, fixed, count in (("3x3", None, 8), ("3x3", 0, 2), ("2x3", None, 16), ("2x2", 1, 6)):
        near = neighbour_lists(md.Board(name).shape)
        found = symmetries(near, fixed)
        assert found[0] == list(range(len(near)))
        every = [
            list(image)
            for image in itertools.permutations(range(len(near)))
            if fixed in (None, image[fixed or 0])
            and all({image[d] for d in near[c]} == set(near[image[c]]) for c in range(len(near)))
        ]
        assert len(found) == count
        assert sorted(found) == sorted(every)


def test_a_board_with_more_symmetries_than_are_used_has_the_same_value():
    """No cell has a neighbour: of 8 cells, 7 are opened after the first, with 3 mines."""
    board = md.Board.from_neighbours([[]] * 8)
    assert len(symmetries([[]] * 8)) == 64
    assert md.optimal_win_probability(board, 3) == Fraction(1, 35)


CUSTOM = md.Board.from_neighbours([[1], [0, 2], [1], []])


def test_what_cannot_be_solved_is_refused():
    for arguments, message in (
        (("3x3", 9), "mines=9 must be a whole number in 0..8"),
        (("3x3", 1, "corner", "first_zero"), "start=first_zero must be safe, zero or unprotected"),
        (("9x9", 10), "cells=81 of board 9x9 must be in 1..64"),
        (("6x6", 10), "layouts, must have at most 6,000,000"),
        (("3x3", 1, "middle"), "first_click='middle' must be one of"),
        ((CUSTOM, 1, "centre"), "first_click=centre must be corner .* on a custom board"),
        (("2x2", 1, "best", "zero"), "mines=1 must be a whole number in 0..0"),
    ):
        with pytest.raises(md.InputError, match=message):
            md.optimal_win_probability(*arguments)
    with pytest.raises(md.InputError, match="budget=3 must be larger: the search is not done"):
        md.optimal_win_probability("4x4", 5, budget=3)


@pytest.mark.parametrize("name", ["3x3", "2x5", "3x4-hexagonal"])
def test_no_player_wins_more_layouts_than_the_best_one(name):
    """Every layout is played. `optimal` is the best player, and so is `end_game` on 100 layouts."""
    board = md.Board(name)
    worse = 0
    for first in range(board.cells):
        free = [c for c in range(board.cells) if c != first]
        for mines in range(1, board.cells - 1):
            layouts = list(itertools.combinations(free, mines))
            rules = md.Rules(f"cell:{first}")
            best = md.optimal_win_probability(board, mines, rules.first_click) * len(layouts)
            weighted = exact_wins(md.Task(board, mines, rules=rules)).won
            assert weighted <= best
            worse += weighted < best
            assert play_layouts_by(board, layouts, first, "optimal")[:, 0].sum() == best
            won = play_layouts_by(board, layouts, first, "end_game")[:, 0].sum()
            assert won == best if len(layouts) <= 100 else won <= best
    assert worse  # the optimum is no bound that every player reaches
