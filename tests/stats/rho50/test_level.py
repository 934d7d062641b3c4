"""Densities of any win rate: intervals hold the truth of real boards, whose curves are no model."""

from typing import Any, NamedTuple

import numpy as np
import pytest
from real_curves import PILOT_GAMES, PILOT_SPREAD, Truth, truth
from scipy.optimize import brentq
from scipy.stats import binom

from msdensity.errors import InputError
from msdensity.runs.measure import REFINED
from msdensity.stats.rho50.curve import check_rate, information, win_rate_curve
from msdensity.stats.rho50.design import FINE, Design, design
from msdensity.stats.rho50.fit import fit_power
from msdensity.stats.rho50.fit_object import Rho50Fit
from msdensity.stats.rho50.level import (
    as_played,
    cost,
    exponent,
    powered,
    powered_window,
    unpowered,
)
from msdensity.stats.rho50.measurement import fit_share
from sizes import sizes


class Law(NamedTuple):
    """Win rates of a sum of powers of the density, as by the law of forced guesses."""

    cells: int = 480
    rho50: float = 0.2
    powers: tuple[tuple[float, int], ...] = ((50, 3), (800, 5), (5e4, 9))

    def eta(self, density: Any) -> Any:
        """Return ln(-ln W)."""
        return np.log(sum(a * density**power for a, power in self.powers))

    def rate(self, mines: Any) -> Any:
        """Return W of numbers of mines."""
        return np.exp(-np.exp(self.eta(np.asarray(mines) / self.cells)))


def place(board: Truth | Law, rate: float) -> float:
    """Return the density at which the truth has a win rate."""
    wanted = np.log(-np.log(rate))
    return float(brentq(lambda rho: board.eta(rho) - wanted, 0.55 * board.rho50, 1.4 * board.rho50))


def plan(rho: float, k: float, cells: int, error: float, rate: float) -> Design:
    rates = powered_window(rate, error / rho, FINE)
    return as_played(design(rho, k, cells, error, 0, rates=rates), rate)


def study(rng: np.random.Generator, board: Truth | Law, rate: float, error: float) -> Rho50Fit:
    """Return the fit of a study with a refined pilot, as `runs.measure` makes it."""
    rho, k = place(board, rate) * (1 + 0.05 * rng.standard_normal()), 4.0
    mines = np.unique(np.rint(rho * PILOT_SPREAD * board.cells).astype(int))
    games = np.full(len(mines), int(PILOT_GAMES * max(cost(rate), 1)) // len(mines))
    if curve := fit_power(mines / board.cells, rng.binomial(games, board.rate(mines)), games):
        rho, k = curve[0] * exponent(rate) ** (-1 / curve[1]), curve[1]
    for wanted in (REFINED * error, error):
        planned = plan(rho, k, board.cells, wanted, rate)
        wins = rng.binomial(planned.games, board.rate(planned.mines))
        density = planned.mines / board.cells
        fit = fit_share(density, wins, planned.games, planned.window, board.cells, rate)
        rho, k = (rho, k) if fit.no_fit else (fit.rho50, fit.k)
    return fit


def slow(*case: Any) -> Any:
    return pytest.param(*case, marks=pytest.mark.campaign)


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("board", "rate", "runs"),
    [
        *sizes((truth("10x10"), 0.9, 25), (truth("10x10"), 0.9, 500)),
        *(slow(board, rate, 150) for board in (truth("10x10"), Law()) for rate in (0.25, 0.75)),
        slow(Law(), 0.9, 150),
    ],
    ids=lambda value: f"{value.cells}" if hasattr(value, "cells") else None,
)
def test_intervals_of_95_percent_hold_the_truth(board: Truth | Law, rate: float, runs: int) -> None:
    """False alarm 2e-5 for each; control: the truth of a rate .02 away is held too seldom."""
    error = 1e-3
    rho, other = place(board, rate), place(board, rate - 0.02)
    rng = np.random.default_rng([20270801, runs, round(100 * rate)])
    fits = [study(rng, board, rate, error) for _ in range(runs)]
    assert not any(fit.no_fit for fit in fits)
    hits, wrong = (
        sum(fit.interval.low <= at <= fit.interval.high for fit in fits) for at in (rho, other)
    )
    assert binom.cdf(hits, runs, 0.95) > 1e-5
    assert binom.sf(hits - 1, runs, 0.95) > 1e-5
    assert binom.cdf(wrong, runs, 0.95) < 1e-5
    assert np.mean([fit.error for fit in fits]) == pytest.approx(error, rel=0.2)


@pytest.mark.parametrize("rate", [0.05, 0.3, 0.5, 0.8, 0.95])
def test_a_design_has_the_games_that_its_error_takes(rate: float) -> None:
    """Fisher information of wins at W, with the density of the rate, k and bend unknown."""
    rho, k, error = 0.2, 4.0, 1e-4
    planned = plan(rho, k, 10_000, error, rate)
    density = planned.mines / 10_000
    assert planned.rates == pytest.approx(win_rate_curve(density, rho, k) ** (1 / exponent(rate)))
    rho50 = rho * exponent(rate) ** (1 / k)
    assert win_rate_curve(rho, rho50, k) == pytest.approx(rate)
    covariance = np.linalg.inv(information(density, planned.games, rho50, k))
    # ln of the density of the rate by (rho50, k, bend): t is ln(rho / rho50).
    t = np.log(rho / rho50)
    gradient = rho * np.array([1 / rho50, -t / k, -(t**2) / k])
    assert np.sqrt(gradient @ covariance @ gradient) == pytest.approx(error, rel=0.01)


def test_powers_go_forth_and_back() -> None:
    rates, errors = np.array([0.1, 0.5, 0.97]), np.array([0.01, 0.02, 0.003])
    for rate in (0.05, 0.5, 0.9):
        assert rate ** exponent(rate) == pytest.approx(0.5)
        there = powered(rates, errors, rate)
        step = 1e-6
        slope = (powered(rates + step, errors, rate)[0] - there[0]) / step
        assert there[1] == pytest.approx(slope * errors, rel=1e-3)
        back = unpowered(*there, rate)
        assert back[0] == pytest.approx(rates) and back[1] == pytest.approx(errors)
    assert exponent(0.5) == cost(0.5) == 1.0


def test_a_count_of_no_loss_is_fitted_too() -> None:
    games = np.full(4, 500)
    fit = fit_share(
        np.array([0.05, 0.1, 0.12, 0.14]), [500, 470, 440, 400], games, (0, 1), 100, 0.9
    )
    assert 0.1 < fit.rho50 < 0.14


@pytest.mark.parametrize("rate", [0, 1, 0.04, 0.96, float("nan"), "half", None])
def test_a_win_rate_out_of_range_is_refused(rate: object) -> None:
    with pytest.raises(InputError, match="win_rate="):
        check_rate(rate)
