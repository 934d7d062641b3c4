"""Finite-size scaling against another program's counts and fits, and against known curves."""

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

from msdensity.studies.percolation.results import fit_of, shuffled
from msdensity.studies.percolation.scaling import (
    CORRECTED,
    FIXED,
    FREE,
    fit_losses,
    fit_scaling,
)
from places import DATA

PUBLISHED = pd.read_csv(DATA / "percolation/fronts.csv").rename(
    columns={"boards": "games", "scaled_density": "u"}
)
"""Counts of another program."""

FITS = {
    ("single", FIXED, 32): (0.20333, 0.00011, 15.8, 28),
    ("single", FIXED, 128): (0.20309, 0.00024, None, None),
    ("single+pair", FIXED, 32): (0.24920, 0.00013, None, None),
    ("single+pair", FIXED, 128): (0.24945, 0.00025, None, None),
    ("complete", FIXED, 32): (0.25208, 0.00007, None, None),
    ("complete", FIXED, 128): (0.25235, 0.00014, None, None),
    ("complete", CORRECTED, 32): (0.25233, 0.00011, None, None),
}
"""What that program fitted: rho_c, its error, deviance and degrees of freedom."""


def counts(rules: str, smallest: int = 32) -> pd.DataFrame:
    return PUBLISHED[(PUBLISHED["rules"] == rules) & (PUBLISHED["side"] >= smallest)]


@pytest.mark.parametrize("rules,model,smallest", FITS)
def test_another_program_fitted_the_same(rules: str, model: str, smallest: int) -> None:
    value, error, deviance, df = FITS[rules, model, smallest]
    fit = fit_of(counts(rules, smallest), model)
    assert fit is not None
    rho_c, rho_c_se = fit.parameter("rho_c")
    assert abs(rho_c - value) < 1.1e-5
    assert abs(rho_c_se - error) < 1.1e-5
    if deviance is not None:
        assert (round(fit.deviance, 1), fit.df) == (deviance, df)
    assert fit.p_value > 0.01
    assert fit.parameter("nu") == ((4 / 3, pytest.approx(np.nan, nan_ok=True)))


@pytest.mark.parametrize("rules", ["single", "single+pair", "complete"])
def test_the_exponent_is_that_of_ordinary_percolation_and_shuffled_sizes_are_rejected(
    rules: str,
) -> None:
    fit = fit_of(counts(rules), FREE)
    assert fit is not None
    nu, error = fit.parameter("nu")
    assert abs(nu - 4 / 3) < 3.3 * error < 0.4
    control = fit_of(shuffled(counts(rules)), FIXED)
    assert control is not None and control.p_value < 1e-100


def drawn(seed: int, nu: float = 4 / 3, b: float = 0.0, games: int = 2000) -> tuple:
    """Return counts of a known curve, with rho_c = .25."""
    rng = np.random.default_rng(seed)
    side = np.repeat([32.0, 64.0, 128.0, 256.0], 9)
    rho = 0.25 + np.tile(np.linspace(-0.25, 0.4, 9), 4) * side ** (-1 / nu)
    u = (rho - 0.25) * side ** (1 / nu)
    share = special.expit(1 - 7 * u + 3 * u**2 - 4 * u**3 + b / side)
    return rho, side, np.full(36, games), rng.binomial(games, share)


@pytest.mark.parametrize("model,b", [(FIXED, 0.0), (FREE, 0.0), (CORRECTED, 6.0)])
def test_errors_are_right(model: str, b: float) -> None:
    """30 fits: the sum of squared pulls is chi-square; 1e-6 for each of the tests."""
    pulls, deviances, df = [], [], 0
    for seed in range(30):
        fit = fit_scaling(*drawn(seed, b=b), model)
        assert fit is not None
        value, error = fit.parameter("rho_c")
        pulls.append((value - 0.25) / error)
        deviances.append(fit.deviance)
        df += fit.df
    assert 5e-7 < stats.chi2.sf(np.square(pulls).sum(), 30) < 1 - 5e-7
    assert 5e-7 < stats.chi2.sf(sum(deviances), df) < 1 - 5e-7
    assert stats.chi2.sf(np.square(np.add(pulls, 2)).sum(), 30) < 1e-6  # rho_c off by two errors


def test_a_wrong_exponent_is_rejected_and_a_free_one_finds_it() -> None:
    wrong = fit_scaling(*drawn(1, nu=1.0), FIXED)
    free = fit_scaling(*drawn(1, nu=1.0), FREE)
    assert wrong is not None and free is not None
    assert wrong.p_value < 1e-6
    assert free.p_value > 1e-3
    assert abs(free.parameter("nu")[0] - 1) < 5 * free.parameter("nu")[1]


def test_too_few_counts_have_no_fit() -> None:
    rho, side, games, crossed = drawn(1)
    assert fit_scaling(rho[:9], side[:9], games[:9], crossed[:9], FIXED) is None
    assert fit_scaling(rho[:18], side[:18], games[:18], crossed[:18], CORRECTED) is None
    assert fit_scaling(rho, side, games, 0 * crossed, FIXED) is None
    assert fit_scaling(rho, side, games, games, FIXED) is None


def test_losses_lie_on_a_straight_line() -> None:
    side = np.array([64.0, 128.0, 256.0, 512.0])
    mean = 0.0957 + 2 * side**-1.75
    values, errors, deviance = fit_losses(side, mean, np.full(4, 1e-4), 1.75)
    assert values == pytest.approx([0.0957, 2.0])
    assert deviance == pytest.approx(0, abs=1e-9) and 0 < errors[0] < 1e-4
    other = fit_losses(side, mean + np.array([0.001, 0, 0, -0.001]), np.full(4, 1e-4), 1.75)
    assert other[2] > 30


def test_another_programs_losses_give_the_same_density() -> None:
    losses = pd.read_csv(DATA / "percolation/zeros.csv").query("side >= 64")
    columns = (losses[name].to_numpy(float) for name in ("side", "mean_density_at_loss", "se"))
    values, errors, deviance = fit_losses(*columns, 1.75)
    assert abs(values[0] - 0.09577) < 1.1e-5 and abs(errors[0] - 0.00004) < 1e-5
    assert deviance < stats.chi2.isf(1e-3, 3)
