"""Z_k: the outcomes of guesses minus their safeties, a test of the safeties in every run."""

import math

import pytest

from msdensity.games.boards import Board, Rules
from msdensity.games.game import play_game
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.measures import PRODUCT_SCALE, Z_SCALE
from sizes import sizes

TASKS = (
    Task(Board.parse("10x10"), 20, seed=11),
    Task(Board.parse("10x10"), 20, "weighted", {"ties": "random"}, seed=11),
    Task(Board.parse("16x30"), 99, rules=Rules(start="zero"), seed=12),
    Task(Board.parse("8x8"), 12, rules=Rules(start="unprotected"), seed=13),
    Task(Board.parse("9x9-torus8"), 16, seed=14),
    Task(Board.parse("9x9-hexagonal"), 18, seed=15),
    Task(Board.parse("4x4x4-cubic26"), 8, seed=16),
    Task(Board.parse("1x30"), 5, seed=17),
)
FALSE_ALARM = 4  # |z| beyond it: 6e-5 for each task


def z_score(sums: dict[str, int], games: int, wrong: float = 0.0) -> float:
    """Return mean / error of Z_0 if every stated safety were too high by the share `wrong`."""
    mean, square = sums["z0"] / Z_SCALE / games, sums["z0_z0"] / PRODUCT_SCALE / games
    survived = (sums["guesses"] - (games - sums["wins"])) / games
    stated = survived - mean
    return (mean - wrong * stated) / math.sqrt((square - mean**2) / games)


@pytest.mark.statistical
@pytest.mark.parametrize("games", sizes(5000, 60_000))
@pytest.mark.parametrize("task", TASKS, ids=lambda task: f"{task.board.name}-{task.label}")
def test_guesses_survive_as_often_as_stated(task: Task, games: int) -> None:
    sums = play_batch(task, 0, games)
    assert sums["guesses"] > games / 10
    assert abs(z_score(sums, games)) < FALSE_ALARM


@pytest.mark.statistical
def test_a_safety_off_by_one_percent_is_caught() -> None:
    games = 60_000
    sums = play_batch(TASKS[0], 0, games)
    assert abs(z_score(sums, games)) < FALSE_ALARM
    for wrong in (0.01, -0.01):
        assert abs(z_score(sums, games, wrong)) > FALSE_ALARM


@pytest.mark.parametrize("task", [TASKS[0], TASKS[3], TASKS[4]], ids=lambda t: t.board.name)
def test_the_sums_are_those_of_the_moves(task: Task) -> None:
    games = 60
    sums = play_batch(task, 0, games)
    safe = task.board.cells - task.mines
    expected = dict.fromkeys(("z0", "z1", "z2", "z0_z1", "z2_z2", "win_z1"), 0.0)
    for number in range(games):
        played = play_game(task, number)
        closed, z = safe, [0.0, 0.0, 0.0]
        for move in played.moves:
            lost = move is played.moves[-1] and played.status != "won"
            if move.guess or (move is played.moves[0] and task.rules.start == "unprotected"):
                surprise = (not lost) - move.safety
                z = [z[k] + surprise * (closed / safe) ** k for k in range(3)]
            closed -= move.safety > 0 and not lost
        for k in range(3):
            expected[f"z{k}"] += z[k]
        expected["z0_z1"] += z[0] * z[1]
        expected["z2_z2"] += z[2] * z[2]
        expected["win_z1"] += z[1] * (played.status == "won")
    for name, value in expected.items():
        scale = PRODUCT_SCALE if "_" in name else Z_SCALE
        assert sums[name] / scale == pytest.approx(value, abs=games / scale), name


def test_a_player_without_exact_safeties_states_none() -> None:
    sums = play_batch(Task(Board.parse("6x6"), 6, "double_set", seed=1), 0, 200)
    assert sums["guesses"] > 0
    assert not any(value for name, value in sums.items() if "z" in name)
