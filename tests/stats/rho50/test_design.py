"""The design: the fit has the error that it promises."""

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.stats.rho50.curve import win_rate_curve
from msdensity.stats.rho50.design import FLANK, design, shares
from msdensity.stats.rho50.fit import fit_rho50


def test_the_design_of_the_10x10_board():
    plan = design(0.2141, 3.8, 100, 1e-4, 1e-5)
    assert plan.mines.tolist() == list(range(18, 25))  # adjacent, around 21.4
    assert ((plan.rates > 0.2) & (plan.rates < 0.8)).all()
    # Most games at 21 and 22, more at 21, which is nearer to 21.41.
    share = plan.games / plan.total
    assert share[[3, 4]].sum() == pytest.approx(1 - FLANK * 5 / 7, rel=1e-3)
    assert share[3] > share[4] > 5 * share[0] and np.ptp(plan.games[[0, 1, 2, 5, 6]]) == 0
    assert plan.error == pytest.approx(1e-4, rel=1e-3) and plan.error <= 1e-4
    # With all games at W = 1/2 and k known, a few less would be enough.
    slope = 0.347 * 3.8 / 0.2141
    least = (0.5 / (1e-4 * slope)) ** 2
    assert least < plan.total < 1.5 * least
    assert plan.cpu_seconds == pytest.approx(plan.total * 1e-5)
    # A game costs more with more mines: 1 us for each.
    dear = design(0.2141, 3.8, 100, 1e-4, {10: 10e-6, 60: 60e-6})
    assert dear.cpu_seconds == pytest.approx(dear.games @ dear.mines * 1e-6)
    assert plan.warnings() == [] and "18 (" in plan.report()


def test_the_fit_has_the_error_that_was_promised():
    plan = design(0.2141, 3.8, 100, 3e-4, 0)
    density = plan.mines / 100
    wins = win_rate_curve(density, 0.2141, 3.8) * plan.games
    fit = fit_rho50(density, wins, plan.games, plan.window)
    assert fit.points == len(plan.mines)
    assert fit.error == pytest.approx(plan.error, rel=1e-3)


def test_a_control_variate_saves_games_and_half_the_error_costs_four_times():
    plain = design(0.2, 4, 256, 2e-4, 1)
    less = design(0.2, 4, 256, 2e-4, 1, gain=2.5)
    assert less.games == pytest.approx(plain.games / 2.5, rel=1e-2)
    assert design(0.2, 4, 256, 1e-4, 1).games == pytest.approx(4 * plain.games, rel=1e-2)
    # Few games at the flanks do not reach the 30 wins and losses that the control variate needs.
    small = design(0.2, 4, 256, 8e-4, 1, gain=2.5)
    assert (small.games * np.minimum(small.rates, 1 - small.rates) >= 29).all()
    assert small.games[0] < design(0.2, 4, 256, 8e-4, 1).games[0]


@pytest.mark.parametrize("gain", [1.0, 1.5, 3.0, 100.0])
def test_the_promised_error_is_kept_whatever_the_gain(gain):
    """With and without enough games for the control variate, on 300 random boards."""
    rng = np.random.default_rng(20250113)
    for _ in range(300):
        cells = int(rng.integers(36, 1000))
        rho50, k = rng.uniform(0.08, 0.3), rng.uniform(1, 5)
        error = rho50 * 10 ** rng.uniform(-3.5, -1.5)
        plan = design(rho50, k, cells, error, 0, gain=gain)
        assert plan.error < 1.05 * error or len(plan.mines) < 3
        with_it = (plan.games * np.minimum(plan.rates, 1 - plan.rates) >= 29.9).all()
        alone = design(rho50, k, cells, error, 0)
        assert with_it or (plan.games == alone.games).all()


def test_shares_are_those_of_a_straight_line_between_two_points():
    assert shares(np.array([10]), 10.0).tolist() == [1]
    share = shares(np.array([10, 20, 30, 40]), 22.5)
    assert share == pytest.approx(FLANK / 4 + (1 - FLANK) * np.array([0, 0.75, 0.25, 0]))
    for outside, nearest in ((5.0, 0), (45.0, 3)):
        share = shares(np.array([10, 20, 30, 40]), outside)
        assert share.sum() == pytest.approx(1) and share.argmax() == nearest


def test_on_a_large_board_the_mines_are_spread():
    plan = design(0.12, 4.4, 65536, 5e-4, 1)
    flanks = np.setdiff1d(plan.mines, [7864, 7865])  # rho50 is at 7864.3
    assert len(plan.mines) == 9 and len(flanks) == 7 and np.ptp(np.diff(flanks)) == 0
    assert plan.rates[0] > 0.75 and plan.rates[-1] < 0.25 and (plan.rates >= 0.2).all()


@pytest.mark.parametrize("cells", [2, 4, 9, 16, 25])
def test_a_small_board_is_warned_about(cells):
    plan = design(0.3, 2, cells, 0.01, 0)
    assert plan.mines[0] >= 1 and plan.mines[-1] < cells
    assert "report W(m) itself" in plan.report()
    assert plan.window[0] <= plan.mines[0] / cells and plan.window[1] >= plan.mines[-1] / cells


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rho50": 0}, "rho50=0 must be in"),
        ({"k": -1}, "k=-1 must be in"),
        ({"cells": 1}, "cells=1 must be at least 2"),
        ({"error": 1e-300}, "error=1e-300 must be at least"),
        ({"error": 1e-9}, "error=1e-09 must be at least"),
        ({"error": 0}, "error=0 must be above 0"),
        ({"gain": 0}, "gain=0 must be above 0"),
        ({"seconds_per_game": -1}, "seconds_per_game=-1 must be at least 0"),
        ({"rates": (0.5, 1.5)}, "rates="),
    ],
)
def test_wrong_input_is_named(change, words):
    good = {"rho50": 0.2, "k": 4, "cells": 100, "error": 1e-3, "seconds_per_game": 1}
    with pytest.raises(InputError, match=words):
        design(**(good | change))
