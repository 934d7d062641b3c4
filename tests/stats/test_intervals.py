"""The error of a difference of two win rates, beside statsmodels."""

import pytest
from statsmodels.stats.proportion import proportions_ztest

from msdensity.stats.intervals import score_error


@pytest.mark.parametrize(
    "wins, games, other, others", [(468, 1000, 46_000, 100_000), (0, 1000, 70, 1000), (5, 5, 1, 9)]
)
def test_the_score_error_gives_the_z_of_pooled_games(
    wins: int, games: int, other: int, others: int
) -> None:
    z = (wins / games - other / others) / score_error(wins, games, other, others)
    assert z == pytest.approx(proportions_ztest([wins, other], [games, others])[0])


def test_a_player_that_wins_no_game_has_an_error() -> None:
    rate, n = 0.07, 1000
    assert score_error(0, n, rate * n, n) > 0.005
    assert abs(0 - rate) / score_error(0, n, rate * n, n) < 10  # Wald's error of 0 of n is 0
    assert score_error(0, n, 0, n) == 0
