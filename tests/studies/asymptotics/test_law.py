"""The law: its table, its limits, the exact strips."""

from fractions import Fraction

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.studies.asymptotics.law import (
    COEFFICIENTS,
    NEXT_TERMS,
    expected_guesses,
    law_exponent,
    law_rho50,
    law_terms,
    minus_log_win_rate,
    start_term,
    strip_one_rho50,
    strip_two_win_rate,
)

# q, rho50 for the corner start, for the zero start, on the torus: computed independently.
TABLE = [
    (8, 0.249, 0.281, None),
    (10, 0.242, 0.269, None),
    (16, 0.225, 0.245, None),
    (32, 0.198, 0.210, 0.296),
    (64, 0.170, 0.177, 0.235),
    (128, 0.144, 0.148, 0.187),
    (256, 0.120, 0.122, 0.148),
    (512, 0.099, 0.100, 0.118),
]


@pytest.mark.parametrize(("q", "corner", "zero", "torus"), TABLE)
def test_rho50_of_the_law(q, corner, zero, torus):
    assert law_rho50(q) == pytest.approx(corner, abs=5.1e-4)
    assert law_rho50(q, "zero") == pytest.approx(zero, abs=5.1e-4)
    assert law_rho50(q) < law_rho50(q, "zero_corner") < 1.05 * law_rho50(q, "zero")
    if torus:
        assert law_rho50(q, "zero", "torus8") == pytest.approx(torus, abs=5.1e-4)
        assert law_rho50(q, "zero", "torus8") == pytest.approx((np.log(2) / q**2) ** (1 / 6))


def test_there_is_no_limit_above_zero():
    exponents = [law_exponent(q) for q in (16, 64, 128, 512)]
    assert exponents == pytest.approx([0.17, 0.23, 0.25, 0.28], abs=0.005)
    assert law_exponent(1e9) == pytest.approx(1 / 3, abs=1e-3)
    # A wide board of as many cells is no denser: the bulk decides in the end.
    narrow, square = law_rho50(1e6, aspect=4.0), law_rho50(2e6)
    assert narrow == pytest.approx(square, rel=0.01)


def test_edge_and_bulk_weigh_the_same_near_q_1480():
    q = 1480
    terms = law_terms((q, q), law_rho50(q))
    assert 2 * terms["edge"] == pytest.approx(terms["bulk"], rel=0.02)


def test_every_term_as_written():
    r, n, length = 0.1, 12 * 20, 64
    assert minus_log_win_rate((12, 20), r, "zero") == pytest.approx(
        12 * r**3 + 2 * length * r**4 + n * r**6
    )
    assert minus_log_win_rate((12, 20), r, "zero_corner") == pytest.approx(
        9 * r**3 + 2 * length * r**4 + n * r**6
    )
    assert minus_log_win_rate((12, 20), r) - minus_log_win_rate(
        (12, 20), r, "zero_corner"
    ) == pytest.approx(-np.log(1 - (1 - 0.9**3) * r / (r + 0.9**4)))
    assert minus_log_win_rate((12, 20), r, "zero", "torus8") == pytest.approx(n * r**6)
    assert np.isnan([COEFFICIENTS[name] for name in NEXT_TERMS]).all()
    terms = law_terms((12, 20), r, "corner", next_orders=True)
    assert (terms["start_next"], terms["wall"]) == (pytest.approx(r**3), 0)
    assert terms["bulk_next"] == pytest.approx(n * r**7)
    assert start_term(1e-4) == pytest.approx(3e-8, rel=1e-3)
    assert expected_guesses((12, 20), r) == pytest.approx(
        24 * r**3 + 4 * length * r**4 + 2 * n * r**6
    )
    many = minus_log_win_rate((12, 20), [[0.0, 0.1], [0.2, 0.3]])
    assert many.shape == (2, 2) and many[0, 0] == 0


def test_a_fixed_number_of_mines_makes_chance_meetings_rarer():
    free, fixed = (law_terms((32, 32), 0.1, fixed_mines=f) for f in (False, True))
    m, n = 102.4, 1024 - 1  # the first cell is no mine
    for name, k in (("corner", 3), ("edge", 4), ("bulk", 6)):
        exact = np.prod([(m - i) / (n - i) for i in range(k)])
        assert fixed[name] / free[name] == pytest.approx(exact / 0.1**k)
    none = np.prod([(n - m - i) / (n - i) for i in range(3)])
    r = (m - 1) / (n - 3)
    assert fixed["start"] == pytest.approx(-np.log(1 - (1 - none) * r / (r + (1 - r) ** 4)))
    zero = law_terms((32, 32), 0.1, "zero", fixed_mines=True, next_orders=True)
    assert zero["wall"] == pytest.approx(np.prod([(m - i) / (1024 - 9 - i) for i in range(5)]))
    far = [law_terms((10**4, 10**4), 0.1, fixed_mines=f) for f in (False, True)]
    for name in ("start", "corner", "edge", "bulk"):
        assert far[1][name] == pytest.approx(far[0][name], rel=1e-4)


def test_strips():
    for q in (5, 50, 400):
        rho = strip_one_rho50(q)
        assert (rho * q - 1) * rho == pytest.approx(np.log(2))
    assert strip_one_rho50(50) * 50**0.5 == pytest.approx(0.906, abs=1e-3)
    assert strip_one_rho50(400) * 400**0.5 == pytest.approx(0.858, abs=1e-3)
    for q in (3, 4, 100):
        # Of 2q - 1 places the one beside the first cell is always found, every other half the time.
        assert strip_two_win_rate(q) == float((1 + Fraction(2 * q - 2, 2)) / (2 * q - 1))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: minus_log_win_rate((2, 9), 0.1), r"p=2 must be in 3\.\.1000000000000"),
        (lambda: law_rho50(1e100), r"must be in 3\.\.1000000000000"),
        (lambda: minus_log_win_rate((9, 9), 1.0), "density=1 must be in"),
        (lambda: minus_log_win_rate((9, 9), 0.1, "centre"), "start='centre' must be one of corner"),
        (lambda: law_rho50(9, "corner", "torus8"), "start='corner' must be zero on a torus"),
        (lambda: law_rho50(9, "zero", "hexagonal"), "topology='hexagonal' must be one of"),
        (lambda: law_rho50(9, aspect=0.5), "aspect=0.5 must be at least 1"),
        (lambda: strip_one_rho50(2), "q=2 must be at least 3"),
    ],
)
def test_wrong_input_is_named(call, words):
    with pytest.raises(InputError, match=words):
        call()
