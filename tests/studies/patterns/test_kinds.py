"""Pairs of layouts with equal and unequal numbers of mines, and walled-in cells."""

import numpy as np
import pytest
from scipy.stats import poisson

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.stats.law import walled_in_cells, walled_in_share
from msdensity.studies.patterns.differences import differences, kinds
from msdensity.studies.patterns.orders import neighbours

SIDE = 25
MIDDLE = SIDE * (SIDE // 2) + SIDE // 2


@pytest.mark.parametrize(
    ("topology", "most", "found"),
    [
        ("square4", 6, {5: (2, 1), 6: (3, 2)}),
        ("square8", 7, {6: (1, 0), 7: (2, 0)}),
    ],
)
def test_the_kinds_in_the_open(topology: str, most: int, found: dict) -> None:
    """square4: 2 + u pairs of five mines, 3 + 2 u of six; square8: no unequal pair."""
    near = neighbours(Board((SIDE, SIDE), topology))
    assert kinds(differences(near, most, [MIDDLE])) == found


def test_the_share_of_unequal_pairs_is_that_of_a_walled_in_mine_among_free_ones() -> None:
    """The mean of K / (K + 1) of a Poisson K, and its limits."""
    free = np.arange(200)
    for mean in (1e-6, 0.05, 0.8, 7.0, 60.0):
        expected = (poisson.pmf(free, mean) * free / (free + 1)).sum()
        assert walled_in_share(mean) == pytest.approx(expected, rel=1e-9)
    assert walled_in_share([0.0, 9e-5, 1.1e-4, 1e9]) == pytest.approx(
        [0, 4.49987e-5, 5.4998e-5, 1], rel=1e-5
    )
    assert walled_in_cells([4, 4, 3, 2], 0.1) == pytest.approx(0.0112)
    assert walled_in_cells(np.full(10_000, 4), 0.1) == pytest.approx(1)
    for wrong in (lambda: walled_in_share(-1.0), lambda: walled_in_cells([-1], 0.1)):
        with pytest.raises(InputError, match="must be at least 0"):
            wrong()


@pytest.mark.campaign
def test_the_law_of_torus4_needs_the_share() -> None:
    """-ln W of 64 x 64 at .1, with u between 0 and 1; without u, and with u = 1, it is rejected.

    4 standard errors: a false alarm once in 16,000.
    """
    side, mines, games = 64, 410, 100_000
    cells, rho = side**2, mines / side**2
    task = Task(Board((side, side), "torus4"), mines, "weighted", {}, Rules("centre", "zero"), 3)
    wins = play_batch(task, 0, games)["wins"]
    x, error = -np.log(wins / games), np.sqrt(1 / wins - 1 / games)

    def law(u: float) -> float:
        chance = [np.prod((mines - np.arange(k)) / (cells - 5 - np.arange(k))) for k in (5, 6)]
        return cells * ((2 + u) * chance[0] + (1 + 2 * u) * chance[1])

    u = float(walled_in_share(walled_in_cells(np.full(cells, 4), rho)))
    assert 0.15 < u < 0.2 and x - law(0) > 4 * error and law(1) - x > 4 * error
