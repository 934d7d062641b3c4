"""Single-point players: the boards of 000, which cells they find, published win rates."""

import numpy as np
import pytest

from msdensity.games.boards import Board, Rules
from msdensity.games.game import play_game
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.batch import thread_workspace
from msdensity.kernel.compiler.jit import entry
from msdensity.kernel.position import set_position
from msdensity.kernel.state import OPEN, UNKNOWN, open_table, open_workspace
from msdensity.kernel.topology import neighbour_table
from msdensity.players.single_point import automaton

FIGURE_5_5 = ("121", "...")
FIGURE_6_1 = ("1.", "1.", "1.")


@entry
def step_automaton(table_words, ws_words, states, numbers, mines):
    """Run the cellular automaton on a position; return how many cells it decided."""
    table = open_table(table_words)
    ws = open_workspace(ws_words)
    set_position(table, ws, states, numbers, mines)
    before = ws.game[0].unknown
    automaton(table, ws)
    return before - ws.game[0].unknown


def decided(rows: tuple[str, ...], mines: int, rule: int) -> int:
    table = neighbour_table((len(rows), len(rows[0])))
    text = "".join(rows)
    states = np.array([UNKNOWN if c == "." else OPEN for c in text], np.uint8)
    numbers = np.array([0 if c == "." else int(c) for c in text], np.int64)
    workspace = thread_workspace(table)
    workspace.option[0] = rule
    return step_automaton(table.words, workspace.words, states, numbers, mines)


@pytest.mark.parametrize("rule", [0, 1])
@pytest.mark.parametrize("rows,mines", [(FIGURE_5_5, 2), (FIGURE_6_1, 1)])
def test_single_points_decide_no_cell_on_the_boards_of_figures_5_5_and_6_1(rows, mines, rule):
    assert decided(rows, mines, rule) == 0


def test_the_general_rule_marks_what_the_one_mine_rule_cannot():
    rows = ("2.", "2.")  # two mines missing, two covered neighbours
    assert decided(rows, 2, 0) == 0
    assert decided(rows, 2, 1) == 2
    assert decided(("11", "1."), 1, 0) == 1  # one missing, one covered: both rules mark it


PLAYS = [
    ("cellular_automaton", {"rule": "one"}),
    ("cellular_automaton", {}),
    ("naive_single_point", {}),
    ("naive_single_point", {"again": "none"}),
    ("naive_single_point", {"again": "neighbours"}),
    ("naive_single_point", {"drawn": "any"}),
    ("double_set", {}),
    ("double_set", {"guessing": "improved"}),
    ("single_point", {}),
]


def task(player: str, options: dict[str, str], board: str = "9x9", mines: int = 12) -> Task:
    return Task(Board.parse(board), mines, player, options, Rules("random", "safe"), seed=6)


def overlooked(player: str, options: dict[str, str], games: int = 60) -> int:
    """Return the number of guesses at which a single-point rule still applied."""
    count = 0
    for g in range(games):
        played = play_game(task(player, options), g)
        for index, move in enumerate(played.moves):
            if move.guess:
                view = played.game(index).view()
                count += any_rule_applies(view)
    return count


def any_rule_applies(view: list[str]) -> bool:
    for r, row in enumerate(view):
        for c, character in enumerate(row):
            if not character.isdigit():
                continue
            near = [
                view[i][j]
                for i in range(max(0, r - 1), min(len(view), r + 2))
                for j in range(max(0, c - 1), min(len(row), c + 2))
            ]
            unknown, label = near.count("."), int(character) - near.count("F")
            if unknown and label in (0, unknown):
                return True
    return False


def test_all_players_except_the_naive_one_apply_the_rules_wherever_they_can():
    for player, options in (*PLAYS[4:5], *PLAYS[6:]):
        assert overlooked(player, options) == 0, (player, options)
    assert overlooked("naive_single_point", {}) > 0  # only the guessed cell is looked at
    assert overlooked("naive_single_point", {"again": "none"}) > 0


def test_an_automaton_never_guesses_and_the_one_mine_rule_solves_less():
    one = play_batch(task(*PLAYS[0]), 0, 4000)
    general = play_batch(task(*PLAYS[1]), 0, 4000)
    assert one["guesses"] == general["guesses"] == 0
    assert 0 < one["wins"] < general["wins"]
    assert one["opened"] < general["opened"]


def rate(player: str, options: dict[str, str], first_click: str, board: str, mines: int, n: int):
    rules = Rules(first_click, "safe")
    sums = play_batch(Task(Board.parse(board), mines, player, options, rules, seed=9), 0, n)
    return sums["wins"] / n


@pytest.mark.statistical
@pytest.mark.parametrize(
    "options,board,mines,printed,agrees",
    [
        ({"drawn": "any"}, "9x9", 10, 0.6495, True),
        ({"drawn": "any"}, "16x16", 40, 0.3079, True),
        ({"drawn": "any"}, "16x30", 99, 0.0051, True),
        ({"again": "none"}, "9x9", 10, 0.6495, False),  # negative control
    ],
)
def test_the_naive_player_wins_as_table_5_1_says(options, board, mines, printed, agrees):
    n = 20_000
    measured = rate("naive_single_point", options, "random", board, mines, n)
    sd = (printed * (1 - printed) * (1 / n + 1 / 100_000)) ** 0.5
    assert (abs(measured - printed) < 3.9 * sd) is agrees  # false alarm 1e-4
