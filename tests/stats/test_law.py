"""The law: its table, its limits, the exact strips."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import brentq

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.exact import exact_wins
from msdensity.games.layouts import count_wins
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.stats.law import (
    COEFFICIENTS,
    SERIES,
    expected_guesses,
    law_exponent,
    law_rho50,
    law_terms,
    minus_log_win_rate,
    start_term,
    strip_one_rho50,
    strip_two_win_rate,
)

LN2 = float(np.log(2))

# q, rho50 by the leading terms for the corner start, for the zero start, on the torus: computed
# independently, without lines across.
TABLE = [
    (10, 0.242, 0.269, None),
    (16, 0.225, 0.245, None),
    (64, 0.170, 0.177, 0.235),
    (256, 0.120, 0.122, 0.148),
]


@pytest.mark.parametrize(("q", "corner", "zero", "torus"), TABLE)
def test_rho50_of_the_leading_law(q, corner, zero, torus):
    def leading(start, topology):
        def excess(rho):
            terms = law_terms((q, q), rho, start, topology)
            return sum(COEFFICIENTS[name] * float(value) for name, value in terms.items()) - LN2

        return brentq(excess, 1e-6, 0.9)

    assert leading("corner", "square8") == pytest.approx(corner, abs=5.1e-4)
    assert leading("zero", "square8") == pytest.approx(zero, abs=5.1e-4)
    if torus:
        assert leading("zero", "torus8") == pytest.approx(torus, abs=5.1e-4)
        assert torus == pytest.approx((LN2 / q**2) ** (1 / 6), abs=5.1e-4)


@pytest.mark.parametrize("q", [10, 16, 64, 256])
def test_rho50_has_the_next_orders(q):
    def zero(rho):
        corners = 12 * rho**3 - 8 * rho**4 + (48 + 69) * rho**5 - 189 * rho**6
        return corners + 4 * q * (2 * rho**4 - rho**5 + 4.5 * rho**6) + q**2 * rho**6 - LN2

    assert law_rho50(q, "zero") == pytest.approx(brentq(zero, 1e-6, 0.9))
    assert law_rho50(q) < law_rho50(q, "zero_corner")


def test_there_is_no_limit_above_zero():
    exponents = [law_exponent(q) for q in (64, 128, 512)]
    assert exponents == pytest.approx([0.22, 0.245, 0.28], abs=0.005)
    assert law_exponent(1e9) == pytest.approx(1 / 3, abs=1e-3)
    # A wide board of as many cells is no denser: the bulk decides in the end.
    narrow, square = law_rho50(1e6, aspect=4.0), law_rho50(2e6)
    assert narrow == pytest.approx(square, rel=0.01)


def test_edge_and_bulk_weigh_the_same_near_q_1480():
    q = 1480
    terms = law_terms((q, q), law_rho50(q))
    assert 2 * terms["edge"] == pytest.approx(terms["bulk"], rel=0.02)


def test_every_term_as_written():
    r, n, length = 0.1, 12 * 21, 66
    corner = 3 * r**3 - 2 * r**4 + 12 * r**5 - 47.25 * r**6
    edge, bulk = length * (2 * r**4 - r**5 + 4.5 * r**6), n * r**6
    assert minus_log_win_rate((12, 21), r, "zero") == pytest.approx(
        4 * corner + edge + bulk + 69 * r**5
    )
    wall = 4 * r**3 + 29 * r**4
    assert minus_log_win_rate((12, 21), r, "zero_corner") == pytest.approx(
        3 * corner + edge + bulk + wall
    )
    assert minus_log_win_rate((12, 21), r) - minus_log_win_rate(
        (12, 21), r, "zero_corner"
    ) == pytest.approx(-np.log(1 - (1 - 0.9**3) * r / (r + 0.9**4)) + 4 * r**3 + 26 * r**4 - wall)
    assert minus_log_win_rate((13, 20), r, "zero", "torus8") == pytest.approx(
        260 * r**6 + 69 * r**5
    )
    terms = law_terms((12, 21), r, "corner", next_orders=True)
    assert terms["wall"] == terms["corner_wall"] == terms["lines"] == 0
    assert terms["bulk_next"] == pytest.approx(n * r**7)
    assert set(COEFFICIENTS) == set(terms)
    assert start_term(1e-4) == pytest.approx(3e-8, rel=1e-3)
    assert expected_guesses((12, 21), r) == pytest.approx(
        24 * r**3 + 4 * length * r**4 + 2 * n * r**6
    )
    many = minus_log_win_rate((12, 20), [[0.0, 0.1], [0.2, 0.3]])
    assert many.shape == (2, 2) and many[0, 0] == 0


def test_a_start_on_a_0_in_a_corner_can_be_walled_in_by_two_mines():
    """Every layout of up to three mines on 9 x 9: 13 rho^3, of which 9 are the other corners."""
    board, q = Board((9, 9)), 9
    free = [c for c in range(q * q) if c not in (0, 1, q, q + 1)]
    counts = [count_wins(board, free, k, 0) for k in (1, 2, 3)]
    lost = [c.layouts - c.won for c in counts]
    # The first order of a loss is that of -ln W.
    assert lost == [0, 0, 3 * SERIES["corner"][3] + SERIES["zero_corner start"][3]] == [0, 0, 13]


def test_the_series_of_the_start_is_that_of_small_densities():
    """S + 4 rho^3 + 26 rho^4 is 3 rho^2 + 10 rho^3 + 31.5 rho^4, but for rho^5."""
    r = np.array([0.004, 0.002])
    terms = law_terms((100, 100), r, "corner", next_orders=True)
    series = sum(float(c) * r**k for k, c in SERIES["corner start"].items())
    off = terms["start"] + COEFFICIENTS["start_next"] * terms["start_next"] - series
    assert np.abs(off / r**5).max() < 10
    assert np.abs(off / r**4).max() < 0.1


@pytest.mark.parametrize(
    ("shape", "topology", "rules", "start"),
    [
        ((5, 5), "square8", Rules("centre", "zero"), "zero"),
        ((5, 9), "square8", Rules("centre", "zero"), "zero"),
        ((5, 12), "square8", Rules("corner", "zero"), "zero_corner"),
        ((5, 7), "square8", Rules("corner"), "corner"),
        ((6, 7), "torus8", Rules("centre", "zero"), "zero"),
    ],
)
def test_lines_across_are_all_that_two_mines_can_do(shape, topology, rules, start):
    """In integers: lost layouts of 2 mines = lines of 5 cells, and twice those of 6 on a torus.

    From a safe corner two mines cost more: the lines are the difference to a board 4 cells wide.
    """
    board = Board(shape, topology)
    counts = exact_wins(Task(board, 2, rules=rules))
    lost = counts.layouts - counts.won
    if start == "corner":
        lost -= 3  # its neighbours: the same on 6 x 7, which no two mines cross
        other = exact_wins(Task(Board((6, 7)), 2, rules=rules))
        assert other.layouts - other.won == 3
    law = law_terms(shape, 2 / board.cells, start, topology, fixed_mines=True)["lines"]
    assert float(law) * counts.layouts == pytest.approx(lost)
    assert lost > 0


@pytest.mark.parametrize(("shape", "mines", "lost"), [((6, 7), 3, 240), ((9, 7), 3, 8)])
def test_lines_around_a_torus_in_integers(shape, mines, lost):
    """Of three mines, one may lie beside a line of 6 cells, or all make a line of 9."""
    task = Task(Board(shape, "torus8"), mines, rules=Rules("centre", "zero"))
    counts = exact_wins(task)
    rho = mines / (shape[0] * shape[1])
    law = law_terms(shape, rho, "zero", "torus8", fixed_mines=True)["lines"]
    assert counts.layouts - counts.won == lost == pytest.approx(float(law) * counts.layouts)


@pytest.mark.parametrize(
    ("board", "mines", "start"), [("5x100", 10, "corner"), ("9x9-torus8", 10, "zero")]
)
def test_games_on_boards_with_lines_are_lost_as_the_law_says(board, mines, start):
    """100,000 games, to four errors and 4 % of the law for its next orders; not without lines."""
    board, games = Board.parse(board), 100_000
    rules = Rules("corner") if start == "corner" else Rules("centre", "zero")
    wins = play_batch(Task(board, mines, "weighted", {}, rules, 7), 0, games)["wins"]
    played, error = -np.log(wins / games), np.sqrt(1 / wins - 1 / games)
    terms = (board.shape, mines / board.cells, start, board.topology)
    law = float(minus_log_win_rate(*terms, fixed_mines=True))
    lines = float(law_terms(*terms, fixed_mines=True)["lines"])
    assert abs(played - law) < 4 * error + 0.04 * law < lines / 4
    assert abs(played - (law - lines)) > 20 * error


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
