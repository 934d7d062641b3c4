"""The player `inference` and its sets of rules, against plain rules and all arrangements."""

import itertools

import numpy as np
import pytest
from brute_force import neighbour_lists
from plain_rules import closure

from msdensity.games.boards import Board, Rules
from msdensity.games.front import RULES
from msdensity.games.game import play_game
from msdensity.games.play import kernel_task, play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.deal import deal
from msdensity.players.registry import PLAYERS
from sizes import sizes

NO_GUESS_WINS = {
    "single": [2515, 2871, 250, 4],
    "pairs": [6287, 7044, 2022, 642],
    "unit": [6285, 7050, 2034, 669],
    "complete": [6421, 7201, 2146, 710],
}
"""Of games 0 to 19,999 of seed 1 from a safe corner: those that another program counted."""

BOARDS = [("8x8", 10), ("10x10", 15), ("10x10", 20), ("16x30", 99)]


@pytest.mark.parametrize("rules", NO_GUESS_WINS)
def test_so_many_games_need_no_guess(rules: str) -> None:
    tasks = [Task(board, mines, "inference", {"rules": rules}, seed=1) for board, mines in BOARDS]
    sums = [play_batch(task, 0, 20_000) for task in tasks]
    assert [own["wins"] for own in sums] == NO_GUESS_WINS[rules]
    assert [own["no_guess_wins"] for own in sums] == NO_GUESS_WINS[rules]
    assert all(own["guesses"] == 0 for own in sums)


@pytest.mark.parametrize(
    "name,mines,games",
    [
        *sizes(("5x5", 6, 24), ("5x5", 6, 500)),
        ("4x6-hexagonal", 5, 12),
        ("5x5-square4", 5, 12),
        ("4x6-triangle3", 4, 12),
        ("4x6-triangle12", 5, 10),
        ("5x5-knight", 6, 10),
        ("5x5-torus8", 7, 12),
    ],
)
def test_each_set_of_rules_opens_what_plain_rules_open(name: str, mines: int, games: int) -> None:
    """The positions at the end are compared cell by cell."""
    board = Board.parse(name)
    near = neighbour_lists(board.shape, board.topology)
    first = board.cells // 2
    ends: dict[str, list[frozenset[int]]] = {rules: [] for rules in RULES}
    for rules, g in itertools.product(RULES, range(games)):
        task = Task(
            board, mines, "inference", {"rules": rules}, Rules(f"cell:{first}", "zero"), seed=4
        )
        mined, _ = deal(kernel_task(task), g)
        wanted = closure(near, np.flatnonzero(mined).tolist(), [first], rules)
        view = "".join(play_game(task, g).game().view())
        opened = {c for c in range(board.cells) if view[c].isdigit()}
        assert opened == wanted, (rules, g)
        ends[rules].append(frozenset(wanted))
    for weaker, stronger in (
        ("zeros", "single"),
        ("single", "pairs"),
        ("pairs", "complete"),
        ("unit", "complete"),
    ):
        assert all(a <= b for a, b in zip(ends[weaker], ends[stronger], strict=True))
    assert ends["zeros"] != ends["complete"]


def test_it_stops_where_it_would_guess() -> None:
    task = Task("8x8", 8, "inference", seed=3)
    games = [play_game(task, g) for g in range(60)]
    assert {played.status for played in games} == {"won", "stuck"}
    assert not any(move.guess for played in games for move in played.moves)
    assert not PLAYERS["inference"].guesses
