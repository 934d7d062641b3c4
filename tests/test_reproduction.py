import math

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.fits import fit_critical_density, logistic
from msdensity.reproduction import (
    RUN_GAMES,
    Paired,
    RunDensity,
    chi_square,
    luck,
    luck_as_printed,
    paired,
    run_density,
)
from msdensity.tasks import Board, Task


def test_section_8_1_prints_0_where_the_luck_is_1_in_15() -> None:
    assert luck_as_printed(16, 14) == 0
    assert luck(16, 14) == pytest.approx(1 / 15, abs=1e-15)
    assert luck_as_printed(16, 15) == luck(16, 15) == 1
    for cells, mines in ((9, 6), (16, 12)):
        guesses = cells - mines - 1
        one_by_one = math.prod((guesses - k) / (cells - 1 - k) for k in range(guesses))
        assert luck(cells, mines) == pytest.approx(one_by_one, rel=1e-12)
    with pytest.raises(InputError, match=r"mines=16 must be in 1\.\.15"):
        luck(16, 16)


def test_z_and_chi_square_by_hand() -> None:
    run = RunDensity(0.20, 0.003, 0.004)
    assert run.z(0.21) == pytest.approx(2)
    assert math.isnan(RunDensity(1.0, 0.0, 0.0).z(1.0))
    total, degrees, p = chi_square([1, -2, math.nan, 0])
    assert (total, degrees) == (5, 3)
    assert p == pytest.approx(0.1718, abs=1e-4)


@pytest.mark.statistical
def test_the_spread_of_a_run_is_that_of_whole_runs_drawn_anew() -> None:
    """From a pool of 16,000 games, against 400 runs from the true curve; seeded."""
    rng = np.random.default_rng(3)
    density = np.arange(1, 36) / 36
    true = logistic(density, 0, 1, 25, 0.22)
    pool = rng.binomial(16_000, true)
    ours = run_density(density, pool, np.full(35, 16_000), 400, rng)
    runs = rng.binomial(RUN_GAMES, true, size=(400, 35)) / RUN_GAMES
    P = [fit_critical_density(density, np.where(np.cumsum(r == 0) > 0, 0, r)).P for r in runs]
    spread = np.std(P, ddof=1)
    # standard error of a standard deviation of n values: 1 / sqrt(2 n) of it; false alarm 1e-4
    assert abs(math.log(ours.sd / spread)) < 3.9 * math.sqrt(1 / 800 + 1 / 800)
    assert abs(ours.mean - np.mean(P)) < 3.9 * math.hypot(ours.mean_sd, spread / 20, ours.sd / 20)
    assert ours.mean_sd == pytest.approx(ours.sd / 4)
    # negative control: the spread of runs of four times the games is told apart
    larger = rng.binomial(4 * RUN_GAMES, true, size=(400, 35)) / (4 * RUN_GAMES)
    P = [fit_critical_density(density, np.where(np.cumsum(r == 0) > 0, 0, r)).P for r in larger]
    assert abs(math.log(ours.sd / np.std(P, ddof=1))) > 3.9 * math.sqrt(1 / 800 + 1 / 800)


def test_paired_games_by_hand() -> None:
    result = Paired(both=40, first_only=9, second_only=1, neither=50, left_out=3)
    assert result.games == 100
    assert result.difference == pytest.approx(-0.08)
    assert result.difference_sd == pytest.approx(math.sqrt((0.10 - 0.0064) / 100))
    assert result.p_value == pytest.approx(22 / 1024)


def test_paired_games_are_on_the_same_boards() -> None:
    first = Task(Board((4, 4)), 4, "weighted", seed=2)
    same = paired(first, first, range(200))
    assert same.first_only == same.second_only == same.left_out == 0
    assert 0 < same.both < 200 == same.games
    other = Task(Board((4, 4)), 4, "weighted", {"ties": "random"}, seed=2)
    mixed = paired(first, other, range(200))
    assert mixed.both + mixed.first_only == same.both
    assert mixed.first_only + mixed.second_only > 0
    with pytest.raises(InputError, match="same board, mines, rules and seed"):
        paired(first, Task(Board((4, 4)), 5, seed=2), range(1))


def test_run_density_refuses_what_it_cannot_use() -> None:
    rng = np.random.default_rng(1)
    with pytest.raises(InputError, match="replicates=1 must be at least 2"):
        run_density([0.5], [1], [2], 1, rng)
    with pytest.raises(InputError, match=r"wins must be in 0\.\.games"):
        run_density([0.5], [3], [2], 2, rng)
    with pytest.raises(InputError, match="games must be above 0"):
        run_density([0.5], [0], [0], 2, rng)
