"""Exact win rates: every layout played one by one, plain fractions, and games of other programs."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
import pytest
from brute_force import neighbour_lists
from scipy import stats
from targets import TARGETS, printed, usable

import msdensity as md
from msdensity.games.exact import exact_wins, why_not_exact
from msdensity.games.layouts import play_layouts_by
from msdensity.players.registry import PLAYERS, label, resolve, what_draws
from places import DATA
from sizes import sizes

RANDOM, IMPROVED = {"ties": "random"}, {"guessing": "improved"}
FALSE_ALARM = 1e-4
CAMPAIGN = pytest.mark.campaign
WHEEL = [[1, 2, 3, 4, 5, 6], *([0, 1 + (i - 1) % 6, 1 + (i + 1) % 6] for i in range(6))]


def board_of(name: str) -> md.Board:
    return md.Board.from_neighbours(WHEEL) if name == "wheel" else md.Board(name)


def one_by_one(task: md.Task, firsts: list[int]) -> Fraction:
    """Return the win rate of all layouts, each played from the start; firsts: the first clicks."""
    board, rules = task.board, task.rules
    near = neighbour_lists(board.shape, board.topology)
    rates = []
    for first in firsts:
        kept = {first, *near[first]} if rules.start == "zero" else {first}
        free = range(board.cells)
        if rules.start in ("safe", "zero"):
            free = [c for c in free if c not in kept]
        by_click = defaultdict(list)
        for mined in combinations(free, task.mines):
            click = first
            if rules.start.startswith("first_zero"):
                order = np.arange(board.cells).reshape(board.shape)
                scan = (order if rules.start == "first_zero" else order.T).ravel().tolist()
                zeros = (c for c in scan if not {c, *near[c]} & set(mined))
                click = next(zeros, 0)
            if click not in mined:
                by_click[click].append(mined)
        player = (task.player, task.options)
        won = [play_layouts_by(board, rows, c, player)[:, 0].sum() for c, rows in by_click.items()]
        rates.append(Fraction(int(sum(won)), comb(len(free), task.mines)))
    return sum(rates, Fraction(0)) / len(rates)


EVERY = [
    ("3x4", 3, "weighted", {}, "corner", "safe"),
    ("3x4", 4, "end_game", {}, "centre", "unprotected"),
    ("3x4-hexagonal", 4, "listing", {}, "cell:5", "safe"),
    ("3x4-torus4", 3, "listing", {"no_mine_count": "off"}, "corner", "safe"),
    ("3x4-knight", 3, "inference", {}, "corner", "safe"),
    ("wheel", 3, "weighted", {}, "corner", "first_zero"),
    ("3x4", 3, "weighted", {}, "corner", "first_zero"),
    ("3x5", 3, "weighted", {}, "corner", "first_zero_by_columns"),
    ("4x4", 3, "inference", {"rules": "single"}, "random_corner", "zero"),
    ("2x2x3-cubic6", 4, "cellular_automaton", {"rule": "one"}, "random", "safe"),
    ("4x4", 5, "weighted", {}, "random", "zero"),
    ("8x8", 2, "weighted", {}, "corner", "safe"),
]
"""Every start, some first clicks and topologies, players that never draw."""


@pytest.mark.parametrize("name,mines,player,options,click,start", EVERY)
def test_every_layout_played_one_by_one_is_won_as_often(
    name: str, mines: int, player: str, options: dict[str, str], click: str, start: str
) -> None:
    board = board_of(name)
    task = md.Task(board, mines, player, options, md.Rules(click, start))
    clicks = {
        "corner": [0],
        "centre": [6],
        "cell:5": [5],
        "random_corner": [0, 3, 12, 15],
        "random": list(range(board.cells)),
    }
    rate = one_by_one(task, clicks[click])
    assert exact_wins(task).win_rate == rate
    assert 0 < rate < 1


def test_the_last_of_64_cells_is_a_bit_too() -> None:
    """The only mine shares its column with a cell that no number tells from it."""
    for ties in ("ordered", "random"):
        assert md.exact_win_rate("2x32", 1, ("weighted", {"ties": ties})) == Fraction(32, 63)


OPTIONS = [
    (name, options)
    for name, player in PLAYERS.items()
    for options in (
        {},
        *({key: v} for key, o in player.options.items() for v in o.choices if v != o.default),
    )
]


def test_the_registry_says_which_players_draw_at_random() -> None:
    """Those that never draw end a layout in the same way in each of 4 games, the others do not."""
    free = np.arange(1, 16)
    rng = np.random.default_rng(3)
    layouts = [sorted(rng.choice(free, 4, replace=False).tolist()) for _ in range(30)]
    for name, options in OPTIONS:
        ends = play_layouts_by(md.Board("4x4"), layouts, 0, (name, options), games=4)
        draws = bool(what_draws(name, resolve(name, options)))
        # On 16 cells `optimal` knows the best of all moves, and never draws a tie.
        assert (ends % 4 != 0).any() == (draws and name != "optimal"), label(name, options)


def misfit(cells: list[tuple[md.Task, int, int]], *, more_mines: int = 0) -> tuple[float, int]:
    """Return (p value, terms) of a chi-square of wins in games against the exact win rates.

    cells: (task, games, wins). A cell counts if 10 wins and 10 losses or more are expected; those
    with win rate 0 or 1 are compared exactly. more_mines: takes the rate of so many more.
    """
    chi2, terms = 0.0, 0
    for task, games, wins in cells:
        mines = min(task.mines + more_mines, task.board.cells - 1)
        rate = exact_wins(replace(task, mines=mines)).win_rate
        if rate in (0, 1):
            assert wins == games * rate or more_mines
        elif games * min(rate, 1 - rate) >= 10:
            chi2 += float((wins - games * rate) ** 2 / (games * rate * (1 - rate)))
            terms += 1
    return float(stats.chi2.sf(chi2, terms)), terms


def golden(name: str, most: int, options: dict[str, str]) -> list[tuple[md.Task, int, int]]:
    """Return the counts of another program on all boards of so many cells at most."""
    table = pd.read_csv(DATA / "golden" / f"win_counts_{name}.csv").query("p * q <= @most")
    player = "listing" if name == "listing" else "weighted"
    return [
        (md.Task(md.Board((p, q)), m, player, options), games, wins)
        for p, q, m, games, wins in table.itertuples(index=False)
    ]


@pytest.mark.statistical
@pytest.mark.parametrize("most", sizes(12, 20))
def test_counts_of_other_programs_agree_with_the_exact_rates(most: int) -> None:
    """Two programs on all their boards of so many cells; each control takes the wrong player."""
    text, listing = golden("text", most, {}), golden("listing", most, {})
    for cells in (text, listing):
        p_value, terms = misfit(cells)
        assert terms > 30 and p_value > FALSE_ALARM
    assert misfit(golden("text", most, RANDOM))[0] < FALSE_ALARM
    swapped = [(replace(task, player="weighted", options={}), n, w) for task, n, w in listing]
    assert misfit(swapped)[0] < FALSE_ALARM


PLAYED = [
    ("weighted", {}),
    ("weighted", RANDOM),
    ("end_game", {}),
    ("listing", {}),
    ("inference", {}),
    ("cellular_automaton", {}),
    ("single_point", {}),
    ("double_set", IMPROVED),
]


@pytest.mark.statistical
@pytest.mark.parametrize(
    "boards,step,games", sizes((("3x4",), 3, 1000), (("4x4", "4x5", "5x5"), 2, 20_000))
)
def test_games_are_won_at_the_exact_rates(boards: tuple[str, ...], step: int, games: int) -> None:
    """All players that can be counted, on boards that are dealt; one mine more would be seen."""
    cells = []
    for name in boards:
        for mines in range(2, 5 if name == "5x5" else 7, step):
            for i, (player, options) in enumerate(PLAYED):
                rules = (md.Rules(), md.Rules("random"), md.Rules("corner", "unprotected"))[i % 3]
                task = md.Task(name, mines, player, options, rules, seed=mines)
                if why_not_exact(task):
                    continue
                cells.append((task, games, md.play_batch(task, 0, games)["wins"]))
    p_value, terms = misfit(cells)
    assert terms > 0.6 * len(cells) and p_value > FALSE_ALARM
    assert misfit(cells, more_mines=1)[0] < FALSE_ALARM
    if games < 10_000:  # too few to tell the rules of ties apart
        return
    ties = [cell for cell in cells if cell[0].player == "weighted"]
    other = {"ordered": {"ties": "random"}, "random": {"ties": "ordered"}}
    swapped = [(replace(t, options=other[t.options["ties"]]), n, w) for t, n, w in ties]
    assert misfit(swapped)[0] < FALSE_ALARM


@pytest.mark.parametrize("name", sizes("3x4", "4x5"))
def test_no_player_wins_more_than_the_best_of_all(name: str) -> None:
    worse = 0
    for mines in range(1, md.Board(name).cells, 1 if name == "3x4" else 3):
        best = md.optimal_win_probability(name, mines)
        for player in PLAYED:
            if why_not_exact(md.Task(name, mines, *player)):
                continue
            rate = md.exact_win_rate(name, mines, player)
            assert rate <= best
            worse += rate < best
        assert md.exact_win_rate(name, mines, "optimal") == best
    assert worse > md.Board(name).cells


def test_boards_that_a_player_gives_up_are_left_out() -> None:
    assert exact_wins(md.Task("4x4-torus8", 6, "listing")).layouts == comb(15, 6) - 2


@CAMPAIGN
def test_boards_are_given_up_as_often_in_games() -> None:
    """Another board is dealt, up to a geometric number; 5 standard errors, 1 in 1.7 million."""
    task = md.Task("4x4-torus8", 5, "listing", {"depth_limit": "off"}, seed=1)
    found, games = exact_wins(task), 4000
    assert found.layouts == comb(15, 5) - 25
    again = 25 / comb(15, 5)
    played = md.play_batch(task, 0, games)
    expected = games * again / (1 - again)
    assert abs(played["redrawn"] - expected) < 5 * games**0.5 * again**0.5 / (1 - again)
    assert expected > 5 * games**0.5 * again**0.5 / (1 - again)  # none would be seen
    rate = float(found.win_rate)
    assert abs(played["wins"] - games * rate) < 5 * (games * rate * (1 - rate)) ** 0.5


def test_what_cannot_be_counted_is_refused_before_work_starts() -> None:
    for arguments, message in (
        (("4x4", 3, "equation"), "player=equation must not draw at random"),
        (("4x5", 3, "double_set"), "cells=20 of board 4x5 must be at most 16 for double_set"),
        (("4x4", 3, ("end_game", RANDOM)), "ties=random of player end_game must not draw"),
        (("4x4", 3, ("weighted", RANDOM), "corner", "first_zero"), "start=first_zero must be safe"),
        (("9x9", 10), "cells=81 of board 9x9 must be at most 64"),
        (("6x6", 10), "mines=10 of board 6x6 gives 183,579,396 layouts, must be at most 6,000,000"),
        (("4x4", 13, "weighted", "corner", "zero"), "mines=13 must be a whole number in 1..12"),
        (("4x4", 16), "mines=16 must be in 1..15"),
    ):
        with pytest.raises(md.InputError, match=message):
            md.exact_win_rate(*arguments)
    with pytest.raises(md.InputError, match="budget=3 must be larger: the search is not done"):
        md.exact_win_rate("4x4", 5, ("weighted", RANDOM), budget=3)
    with pytest.raises(md.InputError, match="budget=0 must be"):
        md.exact_win_rate("4x4", 5, budget=0)
    with pytest.raises(md.InputError, match="task=None must be a Task"):
        why_not_exact(None)
    assert why_not_exact(md.Task("4x4", 3)) == ""
    assert "lbp" in why_not_exact(md.Task("4x4", 3, "lbp"))
    assert "of weighted, single_point and double_set" in why_not_exact(md.Task("4x4", 3, "lbp"))


@pytest.mark.parametrize("first_click", ["corner", "random"])
@pytest.mark.parametrize("board", ["3x4", "2x5-torus8"])
def test_the_limit_is_of_the_layouts_that_the_zero_start_leaves(
    monkeypatch, board, first_click
) -> None:
    monkeypatch.setattr("msdensity.games.exact.MAX_LAYOUTS", 30)
    tasks = [md.Task(board, m, rules=md.Rules(first_click, "zero")) for m in range(1, 5)]
    cells = md.Board(board).cells
    near = {(3, 4): 4, (2, 5): 6}[md.Board(board).shape]  # fewest that a first click protects
    fits = [comb(cells - near, task.mines) <= 30 for task in tasks]
    assert [not why_not_exact(task) for task in tasks] == fits
    for task in tasks:
        if comb(cells - near, task.mines) > 30:
            with pytest.raises(md.InputError, match=f"{comb(cells - near, task.mines)} layouts"):
                exact_wins(task)
    monkeypatch.undo()
    assert not why_not_exact(md.Task("5x6", 9, rules=md.Rules("corner", "zero")))
    assert "10,015,005 layouts" in why_not_exact(md.Task("5x6", 9))


TARGET = """
import msdensity as md
for player in (
    "weighted", "end_game", ("weighted", {"ties": "random"}), "inference", "single_point"
):
    print(*(md.exact_win_rate("4x4", m, player) for m in range(1, 16)))
"""


@CAMPAIGN
def test_the_counts_are_the_same_for_every_target() -> None:
    here = printed(TARGET, None)
    assert len(here) == 75 and len(set(here)) > 30
    for target in TARGETS:
        assert printed(TARGET, usable(target)) == here
