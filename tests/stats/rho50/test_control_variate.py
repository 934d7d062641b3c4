"""The control variate: known win rates, less variance, and the alarm for a wrong safety."""

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.kernel.measures import PRODUCT_SCALE, Z_SCALE
from msdensity.stats.rho50.control_variate import (
    effective_counts,
    reduce_variance,
    reduced_win_rate,
)

LEFT = np.array([1.0, 0.6, 0.2])
"""Share of safe cells still closed at the three guesses of a game."""

LEAST, MOST = 0.6, 1.0
WIN_RATE = ((LEAST + MOST) / 2) ** 3


def play(rng, games, error=0.0, runs=1):
    """Return wins (runs,), and sums of Z, Z Z' and win Z, of games with three guesses each.

    Every safety is uniform between LEAST and MOST; the player states it too high by the share
    `error`.
    """
    safety = rng.uniform(LEAST, MOST, (runs, games, 3))
    safe = rng.random(safety.shape) < safety
    reached = np.concatenate(
        [np.ones((runs, games, 1), bool), np.cumprod(safe, 2)[:, :, :2] > 0], 2
    )
    gain = (safe - safety * (1 + error)) * reached
    z = np.stack([(gain * LEFT**k).sum(2) for k in range(3)], 2)
    won = safe.all(2)
    return (
        won.sum(1),
        z.sum(1),
        np.einsum("rgi,rgj->rij", z, z),
        np.einsum("rg,rgi->ri", won, z),
    )


@pytest.mark.statistical
def test_reduced_intervals_cover_and_save_games():
    rng, runs, games = np.random.default_rng(20250201), 500, 1000
    reduced = [
        reduce_variance(games, *sums) for sums in zip(*play(rng, games, runs=runs), strict=True)
    ]
    best = np.array([one.rate.best for one in reduced])
    error = np.array([one.error for one in reduced])
    # Hits are binomial: 4.4 standard deviations are a false alarm of 1e-5.
    spread = 4.4 * np.sqrt(0.95 * 0.05 / runs)
    covered = [one.rate.low <= WIN_RATE <= one.rate.high for one in reduced]
    assert np.mean(covered) == pytest.approx(0.95, abs=spread)
    assert abs(best.mean() - WIN_RATE) < 4.4 * best.std() / np.sqrt(runs)
    # The promised gain is reached: a variance of 500 values is known to 6.3 %.
    gain = np.mean([one.gain for one in reduced])
    assert WIN_RATE * (1 - WIN_RATE) / games / best.var() == pytest.approx(gain, rel=0.28)
    assert gain > 1.8
    # Negative control: half the error covers too little.
    assert np.mean(np.abs(best - WIN_RATE) < 1.96 * error / 2) < 0.95 - spread


@pytest.mark.statistical
def test_a_safety_off_by_one_percent_is_caught():
    rng = np.random.default_rng(20250202)
    wins, z, products, win_z = (part[0] for part in play(rng, 200_000))
    right = reduce_variance(200_000, wins, z, products, win_z)
    assert abs(right.z) < 4 and not right.safeties_wrong  # a false alarm of 6e-5
    wins, z, products, win_z = (part[0] for part in play(rng, 200_000, error=0.01))
    wrong = reduce_variance(200_000, wins, z, products, win_z)
    assert wrong.z < -4 and wrong.safeties_wrong
    assert "a safety is wrong" in wrong.report() and "a safety is wrong" not in right.report()


def test_whole_numbers_of_a_row_give_the_same_as_floats():
    wins, z, products, win_z = (part[0] for part in play(np.random.default_rng(20250203), 5000))
    row = {"games": 5000, "wins": int(wins)}
    for i in range(3):
        row[f"z{i}"] = round(z[i] * Z_SCALE)
        row[f"win_z{i}"] = round(win_z[i] * PRODUCT_SCALE)
        row |= {f"z{i}_z{j}": round(products[i, j] * PRODUCT_SCALE) for j in range(i, 3)}
    one, other = reduced_win_rate(row), reduce_variance(5000, wins, z, products, win_z)
    assert one.rate == pytest.approx(other.rate, abs=1e-6)
    assert (one.gain, one.z) == pytest.approx((other.gain, other.z), rel=1e-4)
    del row["z1_z2"]
    with pytest.raises(InputError, match="row lacks the measure 'z1_z2'"):
        reduced_win_rate(row)


def test_with_few_wins_the_coefficients_of_a_neighbour_are_used():
    rng = np.random.default_rng(20250204)
    neighbour = reduce_variance(5000, *(part[0] for part in play(rng, 5000)))
    few = [part[0] for part in play(rng, 50)]
    alone = reduce_variance(50, *few)
    assert alone.rate.best == alone.plain and alone.gain == 1 and "plain rate" in alone.note
    borrowed = reduce_variance(50, *few, coefficients=neighbour.coefficients)
    assert not borrowed.own and borrowed.gain > 1.5 and "of a neighbour" in borrowed.report()
    # With enough games, their coefficients are used.
    assert neighbour.own and neighbour.note == ""


def test_games_without_guesses_have_the_plain_rate():
    one = reduce_variance(100, 50, np.zeros(3), np.zeros((3, 3)), np.zeros(3))
    assert one.rate.best == 0.5 and one.gain == 1 and np.isnan(one.z)
    assert not one.safeties_wrong
    won = reduce_variance(100, 100, np.zeros(3), np.zeros((3, 3)), np.zeros(3))
    assert won.rate == (1, 1, 1) and won.error == 0


def test_with_one_guess_at_the_first_move_the_three_variables_are_equal():
    # The guess decides the game: the control variate explains all of the variance, once.
    z = np.r_[np.full(500, 0.5), np.full(500, -0.5)]
    sums = z.sum(), (z**2).sum(), z[:500].sum()
    one = reduce_variance(1000, 500, [sums[0]] * 3, np.full((3, 3), sums[1]), np.full(3, sums[2]))
    assert one.rate.best == pytest.approx(0.5) and one.error == pytest.approx(0, abs=1e-6)
    assert one.coefficients.sum() == pytest.approx(1)


def test_effective_counts_have_the_given_error():
    wins, games = effective_counts([0.5, 0.9], [0.01, 0.01])
    assert games == pytest.approx([2500, 900]) and wins == pytest.approx([1250, 810])
    with pytest.raises(InputError, match="win_rate=1 must be in"):
        effective_counts([1.0], [0.1])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"games": 1}, "games=1 must be at least 2"),
        ({"wins": 101}, "wins=101 must be in 0..games=100"),
        ({"z": [0, 0]}, r"z has shape \(2,\), must be \(3,\)"),
        ({"win_z": [0, 0, np.nan]}, "win_z=.* must be finite"),
        ({"products": [[1, 2, 0], [0, 1, 0], [0, 0, 1]]}, "must be symmetric"),
        ({"products": -np.eye(3)}, "sums of squares of at least 0"),
        ({"confidence": 1}, "confidence=1 must be"),
    ],
)
def test_wrong_input_is_named(change, words):
    good = {"games": 100, "wins": 50, "z": [0] * 3, "products": np.eye(3), "win_z": [0] * 3}
    with pytest.raises(InputError, match=words):
        reduce_variance(**(good | change))
