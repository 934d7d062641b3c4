"""McNemar's test: by hand, one test for z and p, and how often it calls equal players different."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import norm

from msdensity.stats.paired import p_value, z_score


@pytest.mark.parametrize("b, c", [(0, 0), (1, 0), (3, 1), (13, 13), (20, 5), (50, 50), (60, 40)])
def test_the_p_value_is_the_sum_of_the_less_likely_outcomes(b: int, c: int) -> None:
    n = b + c
    likely = comb(n, b)
    exact = Fraction(sum(comb(n, i) for i in range(n + 1) if comb(n, i) <= likely), 2**n)
    assert p_value(b, c) == pytest.approx(float(exact), rel=1e-12)
    assert 2 * norm.sf(abs(z_score(b, c))) == pytest.approx(p_value(b, c), rel=1e-9)
    assert z_score(b, c) == -z_score(c, b) or b == c
    assert p_value(b, b) == 1 and z_score(b, b) == 0


def test_a_difference_beyond_any_float_has_a_z() -> None:
    assert p_value(100_000, 0) == 0
    assert z_score(100_000, 0) == pytest.approx(100_000**0.5)


def test_equal_players_are_told_apart_as_often_as_promised() -> None:
    """At 5 %: an exact test is too careful, never too quick; another truth is found."""
    rng = np.random.default_rng(1)
    n = 2000
    equal = np.mean([p_value(b, 80 - b) < 0.05 for b in rng.binomial(80, 0.5, n)])
    other = np.mean([p_value(b, 80 - b) < 0.05 for b in rng.binomial(80, 0.7, n)])
    assert 0.01 < equal < 0.05 + 3.1 * (0.05 * 0.95 / n) ** 0.5  # false alarm .001
    assert other > 0.9
