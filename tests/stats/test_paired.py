"""McNemar's test: by hand, one test for z and p, and how often it calls equal players different."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from scipy.stats import multinomial, norm

from msdensity.stats.paired import difference_error, p_value, pair, z_score


@pytest.mark.parametrize("b, c", [(0, 0), (1, 0), (3, 1), (13, 13), (20, 5), (50, 50), (60, 40)])
def test_the_p_value_is_the_sum_of_the_less_likely_outcomes(b: int, c: int) -> None:
    n = b + c
    likely = comb(n, b)
    exact = Fraction(sum(comb(n, i) for i in range(n + 1) if comb(n, i) <= likely), 2**n)
    assert p_value(b, c) == pytest.approx(float(exact), rel=1e-12)
    assert 2 * norm.sf(abs(z_score(b, c))) == pytest.approx(p_value(b, c), rel=1e-9)
    assert z_score(b, c) == -z_score(c, b) or b == c
    assert p_value(b, b) == 1 and z_score(b, b) == 0


def test_z_goes_on_where_p_is_too_small_for_a_float() -> None:
    assert p_value(1060, 0) > 0 == p_value(1080, 0)
    near, beyond, far = (z_score(b, 0) for b in (1060, 1080, 100_000))
    log_p = float(2 * norm.logsf(beyond) / 2 + np.log(2))
    assert log_p == pytest.approx(-1079 * np.log(2), rel=1e-12)  # both players' tails
    assert near < beyond < far == -z_score(0, 100_000)
    assert beyond / near == pytest.approx((1080 / 1060) ** 0.5, rel=1e-3)


@pytest.mark.parametrize("chances", [(0.0, 0.03), (0.02, 0.1), (0.3, 0.3)])
def test_the_error_of_a_difference_covers(chances: tuple[float, float]) -> None:
    """All outcomes of 60 games: the 95 % interval is never far too short; Wald's is."""
    n, (p, q) = 60, chances
    b, c = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    kept = b + c <= n
    b, c = b[kept], c[kept]
    chance = multinomial.pmf(np.stack([b, c, n - b - c], axis=1), n, [p, q, 1 - p - q])
    ours = [difference_error(int(one), int(other), n) for one, other in zip(b, c, strict=True)]
    wald = np.sqrt(((b + c) / n - ((b - c) / n) ** 2) / n)

    def coverage(error: np.ndarray) -> float:
        return float(chance[abs((b - c) / n - (p - q)) <= 1.96 * np.asarray(error)].sum())

    assert 0.93 < coverage(np.array(ours)) < 1
    if p == 0:
        assert coverage(wald) < 0.93  # negative control: no interval without a difference
    assert difference_error(0, 0, n) > 0 == wald[0]


def test_pairs_are_worth_what_their_correlation_says() -> None:
    rng = np.random.default_rng(4)
    common = rng.random(20_000)
    first, second = (
        (0.6 * common + 0.4 * rng.random(20_000) < level).astype(np.uint8) for level in (0.5, 0.52)
    )
    found = pair(first, second)
    apart = np.hypot(first.std(), second.std()) / 20_000**0.5
    expected = (second.astype(float) - first).std() / 20_000**0.5
    assert found.difference_se == pytest.approx(expected, rel=1e-3)
    assert found.error_ratio == pytest.approx(expected / apart, rel=1e-3)
    assert found.error_ratio < 0.8
    mixed = pair(first, rng.permutation(second))  # negative control: other boards
    assert mixed.error_ratio == pytest.approx(1, abs=0.03)


def test_equal_players_are_told_apart_as_often_as_promised() -> None:
    """At 5 %: an exact test is too careful, never too quick; another truth is found."""
    rng = np.random.default_rng(1)
    n = 2000
    equal = np.mean([p_value(b, 80 - b) < 0.05 for b in rng.binomial(80, 0.5, n)])
    other = np.mean([p_value(b, 80 - b) < 0.05 for b in rng.binomial(80, 0.7, n)])
    assert 0.01 < equal < 0.05 + 3.1 * (0.05 * 0.95 / n) ** 0.5  # false alarm .001
    assert other > 0.9
