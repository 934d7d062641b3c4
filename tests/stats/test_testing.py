"""What a test would find, beside statsmodels and simulated tests; claims judged together."""

import numpy as np
import pytest
from scipy.stats import chi2, norm, t
from statsmodels.stats.power import TTestPower, zt_ind_solve_power

from msdensity.errors import InputError
from msdensity.stats.testing import (
    DIFFERS,
    LEVEL,
    POWER,
    detectable,
    detectable_student,
    holm,
    student_z,
)


@pytest.mark.parametrize("level, power", [(LEVEL, POWER), (0.05, 0.8), (0.01, 0.5)])
def test_one_number_is_found_as_statsmodels_says(level: float, power: float) -> None:
    expected = zt_ind_solve_power(nobs1=1, alpha=level, power=power, ratio=0)
    assert detectable(1, level, power) == pytest.approx(expected, rel=1e-6)


def test_the_limit_of_z_is_that_of_the_level() -> None:
    assert norm.isf(LEVEL / 2) == pytest.approx(DIFFERS, abs=1e-3)


@pytest.mark.parametrize("numbers", [1, 6, 42])
def test_a_deviation_is_found_as_often_as_promised(numbers: int) -> None:
    rng = np.random.default_rng(numbers)
    n, level, power = 4000, 0.01, 0.9
    shift = detectable(numbers, level, power)

    def share(deviation: float) -> float:
        z = rng.normal(deviation, 1, (n, numbers))
        return float(((z**2).sum(axis=1) > chi2.isf(level, numbers)).mean())

    limit = 3.9 * (power * (1 - power) / n) ** 0.5  # false alarm 1e-4
    assert abs(share(shift) - power) < limit
    assert share(0.8 * shift) < power - limit  # negative control
    assert share(0) < level + 3.9 * (level / n) ** 0.5


@pytest.mark.parametrize("degrees", [1, 9, 999])
def test_a_t_of_few_samples_is_called_different_as_often_as_promised(degrees: int) -> None:
    for value in (0.5, -3.0, 40.0):
        z = student_z(value, degrees)
        assert 2 * norm.sf(abs(z)) == pytest.approx(2 * t.sf(abs(value), degrees), rel=1e-9)
        assert np.sign(z) == np.sign(value) and abs(z) < abs(value)
    assert student_z(-1e9, 999) < -30  # beyond any float's p-value
    rng = np.random.default_rng(degrees)
    x = rng.normal(0, 1, (4000, min(degrees, 50) + 1))
    ts = x.mean(axis=1) / x.std(axis=1, ddof=1) * x.shape[1] ** 0.5
    calls = [abs(student_z(value, x.shape[1] - 1)) > 1.96 for value in ts]
    limit = 3.9 * (0.05 * 0.95 / 4000) ** 0.5
    assert abs(np.mean(calls) - 0.05) < limit
    if degrees < 99:  # negative control: as if the error were known
        assert (abs(ts) > 1.96).mean() > 0.05 + limit


def test_what_a_t_test_finds_is_about_that_of_statsmodels() -> None:
    exact = TTestPower().solve_power(nobs=100, alpha=LEVEL, power=POWER) * 10
    assert detectable_student(99) == pytest.approx(exact, rel=0.01)
    assert detectable_student(10**6) == pytest.approx(detectable(), rel=1e-4)


def test_claims_together_by_hand() -> None:
    assert holm([0.01, 0.04, 0.02]) == pytest.approx([0.03, 0.04, 0.04])
    assert holm([0.2, 1e-5]) == pytest.approx([0.2, 2e-5])
    assert holm([]).shape == (0,)


def test_what_no_test_can_be_is_refused() -> None:
    for wrong in ((0, 0.01, 0.9), (1, 0.9, 0.9), (1, 0, 0.5), (1, 0.1, 1)):
        with pytest.raises(InputError, match="must be at least 1 and 0 <"):
            detectable(*wrong)
