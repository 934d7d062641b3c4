"""Win rates of the player of the text on well-known boards against an independent prototype."""

from statistics import NormalDist

import pytest

from msdensity.games.boards import Board, Rules
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from sizes import sizes

FALSE_ALARM = 1e-3
"""Of each comparison, two-sided: |z| < 3.29."""

# board, mines, start, win rate of the prototype in % with its 95 % interval; corner start
RATES = [
    ("8x8", 10, "safe", 81.35, 0.24),
    ("9x9", 10, "safe", 91.70, 0.17),
    ("10x10", 20, "safe", 59.58, 0.30),
    ("16x16", 40, "safe", 77.64, 0.37),
    ("16x30", 99, "safe", 38.45, 0.39),
    ("8x8", 10, "zero", 87.59, 0.29),
    ("9x9", 10, "zero", 96.06, 0.17),
    ("16x16", 40, "zero", 84.87, 0.50),
    ("16x30", 99, "zero", 46.07, 0.69),
]


def deviation(wins: int, games: int, percent: float, half_width: float) -> float:
    """Return z of a win count against a rate whose 95 % interval has this half-width."""
    rate = wins / games
    known = half_width / 100 / NormalDist().inv_cdf(0.975)
    return (rate - percent / 100) / (rate * (1 - rate) / games + known**2) ** 0.5


@pytest.mark.statistical
@pytest.mark.parametrize("games", sizes(5000, 100_000))
@pytest.mark.parametrize("board,mines,start,percent,half_width", RATES)
def test_win_rate_is_that_of_the_prototype(
    board: str, mines: int, start: str, percent: float, half_width: float, games: int
) -> None:
    bound = NormalDist().inv_cdf(1 - FALSE_ALARM / 2)
    task = Task(Board.parse(board), mines, "weighted", {}, Rules("corner", start), seed=20240503)
    sums = play_batch(task, 0, games)
    print(f"{board}/{mines} {start}: {sums['wins']} wins in {games} games")
    assert sums["approximate"] == 0
    assert abs(deviation(sums["wins"], games, percent, half_width)) < bound
    # negative control: two more mines give another rate
    task = Task(Board.parse(board), mines + 2, "weighted", {}, task.rules, seed=20240503)
    wins = play_batch(task, 0, 5000)["wins"]
    assert abs(deviation(wins, 5000, percent, half_width)) > bound
