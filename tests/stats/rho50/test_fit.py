"""rho50: known curves are recovered, intervals cover, and doubtful fits have warnings."""

import numpy as np
import pytest
from scipy.optimize import curve_fit
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.families.links import CLogLog
from statsmodels.genmod.generalized_linear_model import GLM

from msdensity.errors import InputError
from msdensity.stats.rho50.crossing import isotonic_crossing
from msdensity.stats.rho50.curve import HALF, density_window, information, win_rate_curve
from msdensity.stats.rho50.fit import fit_power, fit_rho50, fit_rho50_rates
from msdensity.stats.rho50.likelihood import deviance, maximise
from sizes import sizes

TRUTH, K, BEND = 0.2141, 3.8, -1.5
DENSITY = np.arange(14, 31) / 100
WINDOW = density_window(TRUTH, K)


def sample(rng, games=20_000, density=DENSITY):
    played = np.full(len(density), games)
    return rng.binomial(played, win_rate_curve(density, TRUTH, K, BEND)), played


def hits(share, runs):
    """Return a share of hits within 4.4 standard deviations: a false alarm of 1e-5."""
    return pytest.approx(share, abs=4.4 * np.sqrt(share * (1 - share) / runs))


def test_the_window_holds_the_given_rates():
    low, high = density_window(TRUTH, K, (0.3, 0.6))
    assert win_rate_curve([low, TRUTH, high], TRUTH, K) == pytest.approx([0.6, 0.5, 0.3])
    assert density_window(0.9, 1)[1] == 1


def test_a_curve_without_noise_is_recovered_from_counts_and_from_rates():
    games = np.full(len(DENSITY), 1e6)
    rate = win_rate_curve(DENSITY, TRUTH, K, BEND)
    fit = fit_rho50(DENSITY, rate * games, games, WINDOW)
    assert (fit.rho50, fit.k, fit.bend) == pytest.approx((TRUTH, K, BEND), rel=1e-8)
    assert fit.deviance == pytest.approx(0, abs=1e-6) and fit.p_value == pytest.approx(1)
    assert fit.crossing.best == pytest.approx(TRUTH, rel=1e-3)
    # A rate with the same variance is the same observation.
    same = fit_rho50_rates(DENSITY, rate, np.sqrt(rate * (1 - rate) / games), WINDOW)
    assert same.interval == pytest.approx(fit.interval) and same.effective
    # A quarter of the variance halves the error.
    better = fit_rho50_rates(DENSITY, rate, np.sqrt(rate * (1 - rate) / games) / 2, WINDOW)
    assert better.error == pytest.approx(fit.error / 2, rel=1e-6)


def test_only_the_window_is_fitted():
    rng = np.random.default_rng(20250101)
    wins, games = sample(rng)
    fit = fit_rho50(DENSITY, wins, games, WINDOW)
    inside = (DENSITY >= WINDOW[0]) & (DENSITY <= WINDOW[1])
    wins[~inside] = 0
    again = fit_rho50(DENSITY, wins, games, WINDOW)
    assert again.rho50 == fit.rho50 and again.interval == fit.interval
    assert fit.points == inside.sum() and fit.outside == (~inside).sum()


def test_profile_bootstrap_and_standard_error_agree_with_many_games():
    rng = np.random.default_rng(20250102)
    wins, games = sample(rng, 100_000)
    fit = fit_rho50(DENSITY, wins, games, WINDOW, replicates=1000, rng=rng)
    # 1000 replicates give a standard deviation to 2.2 % and these quantiles to about 5 %.
    assert fit.bootstrap.error == pytest.approx(fit.error, rel=0.1)
    reach = np.array([fit.interval.low, fit.interval.high]) - fit.rho50
    assert reach == pytest.approx([-1.96 * fit.error, 1.96 * fit.error], rel=0.01)
    boot = np.array([fit.bootstrap.interval.low, fit.bootstrap.interval.high]) - fit.rho50
    assert boot == pytest.approx(reach, rel=0.2)
    assert fit.crossing.low < fit.rho50 < fit.crossing.high
    assert fit.degree == 2 and fit.warnings() == [] and "bootstrap +-" in fit.report()


@pytest.mark.parametrize("degree", [1, 2])
def test_the_fit_is_that_of_statsmodels(degree):
    rng = np.random.default_rng(20250103)
    wins, games = sample(rng, 300)
    u = np.log(DENSITY / 0.2)
    columns = np.vander(u, degree + 1, increasing=True)
    values, converged = maximise(columns, wins[None], games[None])
    other = GLM(np.stack([games - wins, wins], 1), columns, family=Binomial(link=CLogLog())).fit(
        tol=1e-12
    )
    assert converged.all() and values[0] == pytest.approx(other.params, rel=1e-6)
    assert deviance(columns @ values[0], wins, games) == pytest.approx(other.deviance, rel=1e-9)
    if degree == 1:
        alpha, k = other.params
        assert fit_power(DENSITY, wins, games) == pytest.approx(
            (0.2 * np.exp((HALF - alpha) / k), k)
        )
    else:
        fit = fit_rho50(DENSITY, wins, games, (0, 1))
        t = np.log(fit.rho50 / 0.2)
        gradient = np.array([1, t, t**2]) * fit.rho50 / (other.params[1] + 2 * other.params[2] * t)
        assert fit.error == pytest.approx(
            np.sqrt(gradient @ other.cov_params() @ gradient), rel=1e-5
        )


def test_the_information_is_that_of_small_steps_of_the_curve():
    games, at = np.full(len(DENSITY), 100.0), np.array([TRUTH, K, BEND])
    rate = win_rate_curve(DENSITY, *at)
    steps = 1e-6 * np.eye(3)
    slopes = [
        (win_rate_curve(DENSITY, *(at + h)) - win_rate_curve(DENSITY, *(at - h))) / 2e-6
        for h in steps
    ]
    wanted = np.einsum("ip,jp,p->ij", slopes, slopes, games / rate / (1 - rate))
    assert information(DENSITY, games, *at) == pytest.approx(wanted, rel=1e-5)


@pytest.mark.statistical
@pytest.mark.parametrize("runs", sizes(300, 1000))
def test_intervals_cover_and_those_of_a_plain_curve_fit_do_not(runs):
    rng = np.random.default_rng(20250104)
    density = np.arange(18, 26) / 100
    covered, plain, p = [], [], []
    for _ in range(runs):
        wins, games = sample(rng, 1000, density)
        fit = fit_rho50(density, wins, games, (0.17, 0.26))
        covered.append(fit.interval.low <= TRUTH <= fit.interval.high)
        p.append(fit.p_value > 0.05)
        best, covariance = curve_fit(win_rate_curve, density[2:7], (wins / games)[2:7], [TRUTH, K])
        plain.append(abs(best[0] - TRUTH) < 1.96 * np.sqrt(covariance[0, 0]))
    assert np.mean(covered) == hits(0.95, runs)
    assert np.mean(p) == hits(0.95, runs)
    assert np.mean(plain) != hits(0.95, runs) and np.mean(plain) < 0.92


@pytest.mark.statistical
@pytest.mark.parametrize("runs,gain", sizes((80, 6.0), (500, 2.6)))
def test_intervals_from_reduced_rates_cover_and_those_from_their_counts_are_too_wide(runs, gain):
    rng, games = np.random.default_rng(20250105), 1000
    density = np.arange(18, 25) / 100
    truth = win_rate_curve(density, TRUTH, K, BEND)
    covered, z, z_wide = [], [], []
    for _ in range(runs):
        rate = truth + rng.normal(0, np.sqrt(truth * (1 - truth) / games / gain))
        error = np.sqrt(rate * (1 - rate) / games / gain)
        fit = fit_rho50_rates(density, rate, error, (0.17, 0.25))
        covered.append(fit.interval.low <= TRUTH <= fit.interval.high)
        counts = fit_rho50(density, rate * games, np.full(7, games), (0.17, 0.25))
        z.append((fit.rho50 - TRUTH) / fit.error)
        z_wide.append((counts.rho50 - TRUTH) / counts.error)
    assert np.mean(covered) == hits(0.95, runs)
    # The mean square of as many standard normals: 4.4 standard deviations, a false alarm of 1e-5.
    spread = 4.4 * np.sqrt(2 / runs)
    assert np.mean(np.square(z)) == pytest.approx(1, abs=spread)
    assert np.mean(np.square(z_wide)) < 1 - spread


@pytest.mark.statistical
@pytest.mark.parametrize("runs", sizes(100, 300))
def test_the_falling_sequence_has_the_interval_that_it_states(runs):
    rng = np.random.default_rng(20250106)
    density = np.arange(17, 27) / 100
    inside = []
    for _ in range(runs):
        ends = isotonic_crossing(density, *sample(rng, 2000, density), replicates=100, rng=rng)
        inside.append(ends.low <= TRUTH <= ends.high)
    # 100 replicates and straight lines between the points: near 95 %, not exactly.
    assert 0.88 < np.mean(inside) <= 1


def test_a_curve_of_another_shape_is_rejected_in_words():
    density = np.arange(8, 36) / 100
    games = np.full(len(density), 100_000)
    rate = 1 / (1 + np.exp(40 * (density - 0.2)))  # a logistic, which W is not
    fit = fit_rho50(density, np.round(rate * games), games, (0, 1))
    assert fit.p_value < 1e-10 and "the curve is rejected" in fit.report()
    # Errors and interval are longer by the misfit, which here is what moves the estimate.
    right = fit_rho50(density, fit.predict(density) * games, games, (0, 1))
    assert fit.scale > 5 and right.scale == 1
    assert fit.error == pytest.approx(fit.scale * right.error, rel=1e-3)
    length, short = (each.interval.high - each.interval.low for each in (fit, right))
    assert length == pytest.approx(fit.scale * short, rel=0.02)
    assert abs(fit.rho50 - 0.2) < 3 * fit.error


def test_doubtful_fits_have_warnings():
    wins, games = sample(np.random.default_rng(20250107), 2000)
    few = fit_rho50(DENSITY, wins, games, (0.195, 0.225))
    assert "3 points in the window for 3 parameters: the curve is not tested" in few.report()
    outside = fit_rho50(DENSITY, wins, games, (0.235, 0.3))
    assert "lies beyond the densities fitted, 0.24 to 0.3" in outside.no_fit
    assert np.isnan([outside.rho50, outside.error, *outside.interval]).all()
    # Three games for each point do not bound rho50 on either side.
    open_ended = fit_rho50([0.19, 0.2, 0.21, 0.22], [2, 2, 1, 1], [3] * 4, (0, 1))
    assert open_ended.at_bound and "the interval is open" in open_ended.report()
    assert "a point has only" in open_ended.report()
    board = fit_rho50([4 / 16, 5 / 16, 6 / 16], [700, 500, 200], [1000] * 3, (0, 1), cells=16)
    assert "report W(m) itself" in board.report() and "W(5) = 0.5000 (0.4691" in board.report()


@pytest.mark.parametrize(
    ("wins", "window", "words"),
    [
        ([900, 500, 100], (0.6, 0.9), "0 of 3 points lie in the window"),
        ([900, 500, 100], (0.15, 0.25), "1 of 3 points lie in the window"),
        ([1000, 1000, 1000], (0, 1), "all games in the window were won"),
        ([0, 0, 0], (0, 1), "all games in the window were lost"),
        ([100, 500, 900], (0, 1), "the win rates do not fall"),
        ([1000, 1000, 0], (0, 1), "determine no curve"),
    ],
)
def test_points_that_determine_no_curve_give_a_warning(wins, window, words):
    fit = fit_rho50([0.1, 0.2, 0.3], wins, [1000] * 3, window)
    assert words in fit.report() and fit.report().startswith("warning: no fit")
    assert np.isnan([fit.rho50, fit.error, *fit.interval, fit.deviance]).all()


@pytest.mark.parametrize(
    ("wins", "games"), [([5, 0], 10), ([1, 0], 1000), ([1, 0, 0, 0, 0], 1000), ([9, 9, 4, 0], 9)]
)
def test_points_that_can_be_separated_have_no_fit(wins, games):
    rho = [0.1, 0.15, 0.2, 0.25, 0.3][: len(wins)]
    fit = fit_rho50(rho, wins, [games] * len(wins), (0, 1))
    assert "no fit: the points can be separated" in fit.report()
    assert np.isnan([fit.rho50, fit.k, fit.error]).all()
    # Two mixed points give no bend.
    two = fit_rho50([0.1, 0.2, 0.3], [games, games - 1, 1], [games] * 3, (0, 1))
    assert two.degree == 1 and two.bend == two.errors["bend"] == 0 < two.errors["k"]
    # One loss before the fall, or one win behind it, determines a curve.
    overlap = fit_rho50([0.05, *rho], [games - 1, *wins], [games] * (len(wins) + 1), (0, 1))
    assert not overlap.no_fit or "separated" not in overlap.no_fit


def test_any_small_table_has_a_sane_fit_or_none():
    rng = np.random.default_rng(2)
    fitted = 0
    for _ in range(300):
        n = int(rng.integers(2, 7))
        rho = np.sort(rng.choice(np.arange(1, 20), n, replace=False)) / 20
        games = rng.choice([1, 2, 10, 1000], n)
        wins = rng.binomial(games, rng.choice([0, 0.01, 0.5, 1, rng.random()], n))
        fit = fit_rho50(rho, wins, games, (0, 1))
        if fit.no_fit:
            assert np.isnan([fit.rho50, fit.k, fit.error]).all()
            continue
        fitted += 1
        assert 0 < fit.rho50 < 1 and 0 < fit.k < 1000 and 0 < fit.error < np.inf
        assert fit.interval.low <= fit.rho50 <= fit.interval.high
    assert fitted > 30


@pytest.mark.statistical
def test_on_a_small_board_a_straight_line_crosses_with_the_error_that_it_states():
    """2,000 draws know their spread to 1.6 %; 4.5 of that are a false alarm of 1e-5."""
    density, rate, games = np.array([3, 4, 5, 6]) / 16, np.array([0.9, 0.7, 0.3, 0.1]), 1000
    fit = fit_rho50(density, rate * games, [games] * 4, (0, 1), cells=16)
    assert (fit.points, fit.df, fit.bend) == (2, 0, 0) and fit.rho50 == pytest.approx(4.5 / 16)
    assert fit.k == pytest.approx(fit.rho50 * 0.4 * 16 * 2 / np.log(2))
    wins = np.random.default_rng(20250108).binomial(games, rate, (2000, 4))
    drawn = [fit_rho50(density, won, [games] * 4, (0, 1), cells=16) for won in wins]
    for name in ("rho50", "k"):
        spread = np.std([each.values[name] for each in drawn])
        assert spread == pytest.approx(fit.errors[name], rel=0.072)
    # The curve through all points of a larger board has another error: the negative control.
    large = fit_rho50(density, rate * games, [games] * 4, (0, 1), cells=36)
    assert large.error != pytest.approx(fit.error, rel=0.072)
    # A rate of exactly 1 is no obstacle; rates that do not fall through 1/2 are.
    jump = fit_rho50(density, [1000, 1000, 20, 0], [games] * 4, (0, 1), cells=16)
    assert jump.rho50 == pytest.approx((4 + 0.5 / 0.98) / 16)
    # A rate of exactly 1/2 is where the line crosses, whatever lies before it.
    for before in ([], [4 / 16]):
        at = [*before, 5 / 16, 6 / 16]
        half = fit_rho50(at, [90, 50, 10][-len(at) :], [100] * len(at), (0, 1), cells=16)
        assert half.rho50 == pytest.approx(5 / 16) and half.error > 0.001
    sure = fit_rho50([4 / 16, 5 / 16], [100, 0], [100] * 2, (0, 1), cells=16)
    assert sure.error > 0 and sure.errors["k"] > 0
    assert fit_rho50(density, [900, 800, 700, 600], [games] * 4, (0, 1), cells=16).no_fit


def test_an_own_window_holds_the_points_around_the_crossing():
    """Even where the curve is so steep that no other point lies between .95 and .05."""
    fit = fit_rho50([0.1, 0.2, 0.3, 0.4], [1000, 999, 2, 0], [1000] * 4)
    assert fit.own_window and fit.density.tolist() == [0.2, 0.3] and not fit.no_fit
    assert 0.2 < fit.rho50 < 0.3


def test_a_missing_crossing_is_nan():
    assert np.isnan(isotonic_crossing([0.1, 0.2], [90, 80], [100, 100]).best)
    assert isotonic_crossing([0.1, 0.2, 0.3], [90, 50, 10], [100] * 3).best == 0.2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"density": [0.1, 22, 0.3]}, "density=22 must be in .0, 1.: the number of mines over"),
        ({"density": [0.2, 0.1, 0.3]}, "density=0.1 must be above the one before it, 0.2"),
        ({"density": [0.1, 0.2]}, "must be one"),
        ({"wins": [1, 2, 11]}, "wins=11 must be in 0..games=10"),
        ({"games": [10, 10, 0], "wins": [1, 1, 0]}, "must be above 0"),
        ({"window": (0.3, 0.1)}, r"window=\(0.3, 0.1\) must be two rising densities"),
        ({"confidence": 95}, "confidence=95 must be in"),
        ({"cells": 0}, "cells=0 must be a whole number at least 1"),
        ({"replicates": 1}, "replicates=1 must be 0 or at least 2"),
        ({"replicates": 10}, "rng=None must be a numpy Generator"),
    ],
)
def test_wrong_input_is_named(change, words):
    good = {"density": [0.1, 0.2, 0.3], "wins": [9, 5, 1], "games": [10] * 3, "window": (0, 1)}
    with pytest.raises(InputError, match=words):
        fit_rho50(**(good | change))


def test_wrong_rates_and_pilots_are_named():
    with pytest.raises(InputError, match=r"win_rate=1\.01 at density"):
        fit_rho50_rates([0.1, 0.2], [1.01, 0.5], [0.1, 0.1], (0, 1))
    with pytest.raises(InputError, match="error=0 must be above 0"):
        fit_rho50_rates([0.1, 0.2], [0.9, 0.5], [0.1, 0], (0, 1))
    # Outside the window such a rate is allowed: it is only noise.
    fit = fit_rho50_rates([0.1, 0.18, 0.2, 0.22], [1.01, 0.7, 0.55, 0.4], [0.02] * 4, (0.15, 0.25))
    assert not fit.no_fit and fit.points == 3
    for arguments, words in [
        ((1.2, 3), "rho50=1.2"),
        ((0.2, 0), "k=0"),
        ((0.2, 3, (0.8, 0.2)), "rates="),
    ]:
        with pytest.raises(InputError, match=words):
            density_window(*arguments)
