"""Layouts played one by one: exact win rates, and the sets of mines that hang together."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

import msdensity as md
from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.exact import exact_wins
from msdensity.games.layouts import (
    count_wins,
    play_clusters,
    play_layouts,
    play_layouts_by,
    walls,
)
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.studies.patterns.losses import reach
from msdensity.studies.patterns.orders import neighbours


def links(board: Board, steps: int) -> list[frozenset[int]]:
    return reach(neighbours(board), steps)


def test_the_win_rate_of_5x5_with_two_mines_is_29_of_30() -> None:
    """4 lines across have 2 layouts each of 120, and half of these are lost."""
    board = Board((5, 5))
    spared = {12, *neighbours(board)[12]}
    found = count_wins(board, [c for c in range(25) if c not in spared], 2, 12)
    assert (found.layouts, found.won) == (120, 116)
    rate = md.exact_win_rate(board, 2, "weighted", "centre", "zero")
    assert rate == Fraction(found.won, found.layouts) == Fraction(29, 30)
    assert found.no_guess_won == 112


@pytest.mark.parametrize("q", [3, 4, 5, 8, 13])
def test_two_rows_with_one_mine(q: int) -> None:
    """The mine shares its column with a cell that no number tells from it (q / (2q - 1))."""
    assert md.exact_win_rate(Board((2, q)), 1) == Fraction(q, 2 * q - 1)


@pytest.mark.parametrize(
    "board, mines, rules",
    [
        (Board((3, 4)), 3, Rules("corner")),
        (Board((4, 5)), 4, Rules("corner")),
        (Board((5, 5), "torus8"), 7, Rules("centre", "zero")),
        (Board((4, 6), "hexagonal"), 4, Rules("cell:7")),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_dealt_games_are_won_at_the_exact_rate(board: Board, mines: int, rules: Rules) -> None:
    """20,000 games, five standard errors: one false alarm in 1.7 million, each case."""
    task, games = Task(board, mines, "weighted", {}, rules, 5), 20_000
    exact = float(exact_wins(task).win_rate)
    error = (exact * (1 - exact) / games) ** 0.5
    assert abs(play_batch(task, 0, games)["wins"] / games - exact) < 5 * error
    other = float(exact_wins(replace(task, mines=mines - 1)).win_rate)
    assert abs(other - exact) > 10 * error  # a mine fewer would be seen


def test_all_layouts_are_those_that_are_given() -> None:
    board = Board((4, 4))
    layouts = np.array(list(combinations(range(1, 16), 3)))
    ends = play_layouts(board, layouts, 0)
    counts = count_wins(board, range(1, 16), 3, 0)
    assert (counts.layouts, counts.won) == (comb(15, 3), ends[:, 0].sum())
    assert counts.no_guess_won == ((ends[:, 0] == 1) & (ends[:, 1] == 0)).sum()
    # The mined first cell is no start, and neither is a board without a large opening.
    assert play_layouts(board, [[0, 1, 2]], 0).tolist() == [[-1, 0]]
    assert play_layouts(board, [[5, 6, 9]]).tolist() == [[-1, 0]]


@pytest.mark.parametrize("mines, steps, sets", [(4, 2, 2974), (4, 3, 23_800)])
def test_no_four_mines_in_the_open_force_a_guess(mines: int, steps: int, sets: int) -> None:
    """How many sets there are agrees with another program."""
    board = Board((26, 26))
    counted, forced = play_clusters(board, links(board, steps), 13 * 26 + 13, mines)
    assert counted == sets
    assert len(forced) == 0


@pytest.mark.campaign
@pytest.mark.parametrize("mines, steps, sets", [(5, 2, 51_870), (5, 3, 830_688), (6, 2, 937_064)])
def test_of_six_mines_in_the_open_two_sets_force_a_guess(mines: int, steps: int, sets: int) -> None:
    board = Board((31, 31))
    counted, forced = play_clusters(board, links(board, steps), 15 * 31 + 15, mines)
    assert counted == sets
    assert len(forced) == (2 if mines == 6 else 0)
    assert forced[:, -2:].sum(axis=0).tolist() == ([1, 2] if mines == 6 else [0, 0])


def test_five_mines_on_square4_force_a_guess_in_four_ways() -> None:
    """One of two diagonal cells, either way, with four flags; half of the games are lost."""
    board = Board((25, 25), "square4")
    counted, forced = play_clusters(board, links(board, 3), 12 * 25 + 12, 5)
    assert counted == 55_584
    assert forced[:, -2:].tolist() == [[0, 1], [1, 1], [0, 1], [1, 1]]


def test_walls_enclose_the_start() -> None:
    board = Board((13, 13), "torus8")
    first = 6 * 13 + 6
    near = links(board, 3)
    assert len(walls(board, near, first, 3)) == 0
    found = walls(board, near, first, 4)
    rows, columns = np.divmod(found, 13)
    for own in (rows, columns):
        assert ((own < 6).any(axis=1) & (own > 6).any(axis=1)).all()
    # Around a single 0: all 4-sets of the 16 cells two steps away that leave none of the 8 a 0.
    ring = [c for c in near[first] if max(abs(c // 13 - 6), abs(c % 13 - 6)) == 2]
    around = [
        chosen
        for chosen in combinations(sorted(ring), 4)
        if all(
            any(max(abs(a // 13 - b // 13), abs(a % 13 - b % 13)) == 1 for a in chosen)
            for b in neighbours(board)[first]
        )
    ]
    assert set(around) <= {tuple(wall) for wall in found.tolist()}
    assert 0 < len(around) < len(found)


@pytest.mark.parametrize(
    "call, what",
    [
        (lambda: play_layouts(Board((3, 3)), [[1, 1]]), "different cells"),
        (lambda: play_layouts(Board((3, 3)), [[1, 9]]), "different cells"),
        (lambda: play_layouts(Board((3, 3)), [1, 2]), "rows of equally many cells"),
        (lambda: play_layouts(Board((3, 3)), [[1, 2], [3]]), "rows of equally many cells"),
        (lambda: play_layouts(Board((3, 3)), [["a", "b"]]), "different cells"),
        (lambda: play_layouts(Board((3, 3)), [[1.5, 2]]), "different cells"),
        (lambda: play_layouts(Board((3, 3)), [[2**32 + 1, 2]]), "different cells"),
        (lambda: count_wins(Board((5, 5)), [1, 2], 3, 0), "mines=3"),
        (lambda: count_wins(Board((5, 5)), [1, 99], 1, 0), "different cells"),
        (lambda: play_clusters(Board((3, 3)), [frozenset()] * 9, 9, 2), "root=9"),
        (lambda: play_clusters(Board((3, 3)), [frozenset()] * 9, 0, 0), "mines=0"),
        (lambda: play_clusters(Board((3, 3)), [frozenset()] * 8, 0, 2), "links must be 9 sets"),
        (lambda: play_clusters(Board((3, 3)), [frozenset({9})] * 9, 0, 2), "links must be 9"),
        (lambda: walls(Board((3, 3)), [frozenset()] * 9, 99, 2), "first=99"),
        (lambda: play_layouts(Board((3, 3)), [[1, 2]], 9), "first=9"),
    ],
)
def test_wrong_values_are_named(call: object, what: str) -> None:
    with pytest.raises(InputError, match=what):
        call()  # type: ignore[operator]


def test_any_player_plays_a_given_layout_as_if_it_were_dealt() -> None:
    """The layouts of dealt games are played again; another layout ends otherwise."""
    board, mines, first = Board((6, 6)), 9, 0
    for player in ("weighted", "listing"):  # without random choices
        task = Task(board, mines, player, {}, Rules("corner", "safe"), 11)
        games = [md.play_game(task, g) for g in range(40)]
        layouts = [np.flatnonzero([c == "*" for c in "".join(game.layout)]) for game in games]
        won = [game.status == "won" for game in games]
        again = play_layouts_by(board, layouts, first, player)
        assert again[:, 0].tolist() == won and 3 < sum(won) < 37
        assert play_layouts_by(board, layouts[::-1], first, player)[:, 0].tolist() != won
    ends = play_layouts(board, layouts, first)
    assert ends.tolist() == play_layouts_by(board, layouts, first, "weighted").tolist()
    # and no protection of a cell is left behind for dealt games
    dealt = play_batch(Task(board, mines, "weighted", {}, Rules("corner", "safe"), 11), 0, 40)
    assert dealt["wins"] == ends[:, 0].sum()


def test_a_random_player_plays_a_layout_differently_each_time() -> None:
    """Of four hidden cells in a corner one is a mine, and the first of them tells nothing of the
    other three: 1/4 + 1/4 1/3 of the games are lost. Elsewhere the rules find two mines."""
    board = Board((9, 9))
    (wins, guesses), (none, _) = play_layouts_by(
        board, [[10, 20], [0, 40]], 80, "single_point", games=3000
    )
    assert abs(wins / 3000 - 2 / 3) < 4 * (2 / 9 / 3000) ** 0.5 and guesses > 3000
    assert none == 3000
    with pytest.raises(InputError, match="no mine on the first click, cell 10"):
        play_layouts_by(board, [[0, 10]], 10)
