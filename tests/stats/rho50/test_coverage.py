"""The 95 % interval of rho50 holds the truth of real win rates in 95 % of studies.

Real curves are of no fitted form. Each study has a pilot, a design and games; hits are binomial, so
limits of 4.4 standard deviations are a false alarm of 1e-5.
"""

import numpy as np
import pytest
from real_curves import Truth, study, truth
from scipy.stats import binom

from msdensity.games.tasks import Setup
from msdensity.runs.measure import measure, pilot, plan_rho50, refine
from msdensity.stats.rho50.curve import win_rate_curve
from msdensity.stats.rho50.design import design
from msdensity.stats.rho50.fit import fit_power, fit_rho50
from msdensity.stats.rho50.fit_object import Rho50Fit
from sizes import sizes

BOARDS = ("8x8", "10x10", "16x16", "32x32")


def fits(board: Truth, error: float, runs: int) -> list[Rho50Fit]:
    rng = np.random.default_rng(20250110)
    made = []
    for _ in range(runs):
        plan, wins = study(rng, board, error)
        made.append(fit_rho50(plan.mines / board.cells, wins, plan.games, plan.window))
    return made


def holds(fit: Rho50Fit, rho50: float) -> bool:
    return fit.interval.low <= rho50 <= fit.interval.high


@pytest.mark.parametrize("name", BOARDS)
def test_the_curves_are_smooth_and_their_truth_is_known(name) -> None:
    board = truth(name)
    assert board.error < 5e-5
    if name != "8x8":  # from many more games of another program, with their errors
        value, error = {"10x10": (0.2152, 2e-4), "16x16": (0.20198, 7e-5)}.get(
            name, (0.18547, 1.2e-4)
        )
        assert abs(board.rho50 - value) < 3.5 * np.hypot(error, board.error)


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("runs", "name", "error"),
    [
        (120, "8x8", 1e-3),
        (120, "16x16", 1e-4),
        *(
            pytest.param(2000, name, error, marks=pytest.mark.campaign)
            for name in BOARDS
            for error in (3e-3, 5e-4, 1e-4)
        ),
    ],
)
def test_intervals_cover_on_real_curves(runs, name, error) -> None:
    """Coverage of .95; the stated error is that of the estimates, and what was asked for."""
    board = truth(name)
    made = fits(board, error, runs)
    hits = sum(holds(fit, board.rho50) for fit in made)
    assert 5e-6 < binom.cdf(hits, runs, 0.95) and binom.sf(hits - 1, runs, 0.95) > 5e-6
    if runs >= 2000:
        assert 0.935 <= hits / runs <= 0.965
    values = np.array([fit.rho50 for fit in made])
    spread = 4.4 / np.sqrt(2 * runs)  # of a standard deviation; its tails are a little longer
    stated = np.sqrt(np.mean([fit.error**2 for fit in made]))
    assert np.std(values - board.rho50) == pytest.approx(stated, rel=1.5 * spread)
    assert 0.8 < stated / error < 1.25


@pytest.mark.statistical
def test_a_curve_without_a_bend_does_not_cover() -> None:
    """The negative control: 16 x 16 with equal games, whose stated error is right by itself."""
    board, runs = truth("16x16"), 200
    rng = np.random.default_rng(20250111)
    plan = design(board.rho50, 4.2, 256, 1e-4, 0)
    games = np.full(len(plan.mines), plan.total // len(plan.mines))
    straight, bent = 0, 0
    for _ in range(runs):
        wins = rng.binomial(games, board.rate(plan.mines))
        rho50, k = fit_power(plan.mines / 256, wins, games)
        slope = k * np.log(2) / 2 / rho50
        error = 1.1 * 0.5 / slope / np.sqrt(games.sum())  # never shorter than the real one
        straight += abs(rho50 - board.rho50) < 1.96 * error
        bent += holds(fit_rho50(plan.mines / 256, wins, games, (0, 1)), board.rho50)
    assert binom.sf(straight, runs, 0.95) > 1 - 1e-9
    assert binom.cdf(bent, runs, 0.95) > 5e-6


@pytest.mark.statistical
@pytest.mark.parametrize("own", [False, True])
@pytest.mark.parametrize(("runs", "games"), sizes((100, 1000), (1000, 1000)))
def test_intervals_cover_on_a_whole_curve_and_in_a_window_of_its_own(own, runs, games) -> None:
    board = truth("10x10")
    mines = np.arange(12, 33)
    rng = np.random.default_rng(20250112)
    window = None if own else (0.16, 0.265)
    hits = 0
    for _ in range(runs):
        wins = rng.binomial(games, board.rate(mines))
        hits += holds(fit_rho50(mines / 100, wins, np.full(len(mines), games), window), board.rho50)
    assert 5e-6 < binom.cdf(hits, runs, 0.95) and binom.sf(hits - 1, runs, 0.95) > 5e-6


@pytest.mark.statistical
@pytest.mark.campaign
@pytest.mark.parametrize("name", ["10x10", "16x16"])
def test_real_studies_cover_from_the_pilot_to_the_reduced_rates(name) -> None:
    """200 studies of other seeds: pilot, design, games, control variate and fit; alarm 1e-4."""
    board, runs = truth(name), 200
    hits, narrow, errors = 0, 0, []
    for seed in range(runs):
        setup = Setup(name, seed=7000 + seed)
        first = refine(setup, pilot(setup), 5e-4, threads=2)
        found = measure(setup, plan_rho50(setup, first, 5e-4), threads=2)
        assert found.best is found.reduced
        hits += holds(found.best, board.rho50)
        narrow += abs(found.best.rho50 - board.rho50) < 0.98 * found.best.error
        errors.append(found.best.error)
    low, high = binom.ppf([5e-5, 1 - 5e-5], runs, 0.95)
    assert low <= hits <= high
    assert narrow < low  # the control: half the error
    assert 0.85 < np.mean(errors) / 5e-4 < 1.15  # what was asked for


def test_a_truth_of_the_fitted_form_is_no_proof() -> None:
    """The simulations above draw from curves that the fit does not have."""
    for name in BOARDS:
        board = truth(name)
        density = np.linspace(0.8, 1.2, 9) * board.rho50
        wanted = board.eta(density)
        t = np.log(density / board.rho50)
        c, k, _ = np.polyfit(t, wanted, 2)
        exact = np.log(-np.log(win_rate_curve(density, board.rho50, k, c)))
        assert np.abs(wanted - exact).max() > 1e-3
