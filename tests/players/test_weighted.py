"""The player of the text against the win counts of an independent reproduction."""

import numpy as np
import pandas as pd
import pytest
from two_samples import compare_counts

from msdensity.games.boards import Board
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from places import DATA

GOLDEN = DATA / "golden"
FALSE_ALARM = 1e-3
GAMES = 4000
SMALL = [(3, 3), (4, 4), (5, 5), (6, 6)]


def golden_counts(name: str, p: int, q: int) -> np.ndarray:
    """Return (m, games, wins) rows of a board."""
    table = pd.read_csv(GOLDEN / f"{name}.csv").query("p == @p and q == @q")
    return table[["m", "games", "wins"]].to_numpy()


def our_counts(p: int, q: int, games: int, **options: str) -> np.ndarray:
    tasks = [Task(Board((p, q)), m, "weighted", options, seed=2024) for m in range(1, p * q)]
    return np.array([(t.mines, games, play_batch(t, 0, games)["wins"]) for t in tasks])


@pytest.mark.statistical
@pytest.mark.parametrize("p,q", SMALL)
def test_win_counts_agree_with_the_text_and_not_with_the_listing(p: int, q: int) -> None:
    ours = our_counts(p, q, GAMES)
    text = compare_counts(ours, golden_counts("win_counts_text", p, q))
    assert text.exact_rows_agree
    assert text.degrees >= 5
    assert text.p_value > FALSE_ALARM, text
    listing = compare_counts(ours, golden_counts("win_counts_listing", p, q))  # negative control
    assert listing.p_value < FALSE_ALARM, listing


@pytest.mark.statistical
def test_random_ties_play_worse_than_ordered_ones_on_10x10_with_20_mines() -> None:
    """59.3 against 55.8 % in the independent reproduction; here on the same boards."""
    games = 4000
    rates = {}
    for ties, rate in (("ordered", 0.593), ("random", 0.558)):
        task = Task(Board((10, 10)), 20, "weighted", {"ties": ties}, seed=5)
        rates[ties] = play_batch(task, 0, games)["wins"] / games
        sd = (rate * (1 - rate) / games + 0.0025**2) ** 0.5
        assert abs(rates[ties] - rate) < 3.9 * sd  # false alarm 1e-4
    assert rates["ordered"] > rates["random"]
