"""How fast: run with `pytest tests/benchmarks --benchmark-enable`; otherwise each plays once.

Compare runs with pytest-benchmark's own `--benchmark-save` and `--benchmark-compare`. On a busy
machine look at the minimum, at ratios within one run, or at counts of instructions, which do not
depend on what else runs: `python tests/benchmarks/scaling.py instructions`.
"""

import numpy as np
import pytest

from benchmarks.scaling import exponent
from msdensity.cli.bench import BOARDS
from msdensity.games.analysis import analyse, analyse_many
from msdensity.games.boards import Board, Rules
from msdensity.games.exact import exact_win_rate
from msdensity.games.game import Game, play_game
from msdensity.games.optimal import optimal_win_probability
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.topology import neighbour_table

GAMES = {"8x8": 2000, "16x30": 300}


@pytest.mark.parametrize("board,mines", BOARDS[:7], ids=[f"{b}/{m}" for b, m in BOARDS[:7]])
def test_games(benchmark, board: str, mines: int) -> None:
    games = GAMES.get(board, 100)
    task = Task(Board.parse(board), mines, seed=1)
    play_batch(task, 0, 1)
    sums = benchmark(play_batch, task, 0, games)
    assert 0 < sums["wins"] <= games


@pytest.mark.parametrize("player", ["weighted", "end_game"])
def test_exact_end_games(benchmark, player: str) -> None:
    """The difference is what best play from at most 100 layouts on costs a game."""
    task = Task(Board((16, 30)), 99, player, seed=1)
    play_batch(task, 0, 1)
    assert benchmark(play_batch, task, 0, 2000)["wins"] > 0


@pytest.mark.parametrize("board,mines", [("4x4", 6), ("4x5", 6), ("5x5", 5)])
def test_an_optimal_win_probability(benchmark, board: str, mines: int) -> None:
    assert 0 < benchmark(optimal_win_probability, board, mines) < 1


@pytest.mark.parametrize(
    "board,mines,player,options",
    [
        ("4x5", 6, "weighted", {}),
        ("4x5", 6, "weighted", {"ties": "random"}),
        ("4x5", 6, "listing", {}),
        ("5x5", 8, "inference", {}),
    ],
)
def test_an_exact_win_rate(
    benchmark, board: str, mines: int, player: str, options: dict[str, str]
) -> None:
    assert 0 < benchmark(exact_win_rate, board, mines, (player, options)) < 1


@pytest.mark.parametrize("start", ["safe", "zero"])
def test_a_large_board(benchmark, start: str) -> None:
    task = Task(Board((200, 200)), 4000, rules=Rules(start=start), seed=1)
    play_batch(task, 0, 1)
    assert benchmark(play_batch, task, 0, 2)["opened"] > 0


def test_a_neighbour_table(benchmark) -> None:
    table = benchmark(neighbour_table, (200, 200), "square8")
    assert len(table.neighbours) == 2 * (4 * 200 * 200 - 3 * 2 * 200 + 2)


def test_an_analysis(benchmark) -> None:
    played = play_game(Task(Board((16, 30)), 99, seed=1), 3)
    grid = played.game(len(played.moves) - 1).view()
    found = benchmark(analyse, [row.replace("*", ".") for row in grid], 99)
    assert found.consistent


def test_many_analyses(benchmark) -> None:
    task = Task(Board((16, 30)), 99, seed=1)
    played = [play_game(task, g) for g in range(40)]
    games = [p.game(len(p.moves) // 2) for p in played if len(p.moves) > 40]
    states, numbers = map(np.array, zip(*(game.known() for game in games), strict=True))
    found = benchmark(analyse_many, states, numbers, 99, shape=(16, 30))
    assert len(games) > 20 and found.consistent.all()


def test_a_game_by_hand(benchmark) -> None:
    layout = ["*" + "-" * 99] + ["-" * 100] * 99

    def play() -> str:
        game = Game(layout)
        game.open(99, 99)
        return game.status

    assert benchmark(play) == "won"


def test_the_exponent_is_that_of_the_data() -> None:
    rows = [{"q": q, "density": 0.1, "ns_opened": 100.0 * (q * q) ** 0.03} for q in (10, 100, 1000)]
    assert exponent(rows, 0.1) == pytest.approx(1.03)
    assert np.isfinite(exponent(rows[:2], 0.1))
