"""The control variate: known win rates, less variance, and the alarm for a wrong safety."""

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.measures import PRODUCT_SCALE, Z_SCALE
from msdensity.stats.rho50.control_variate import (
    MAX_GAIN,
    control_coefficients,
    effective_counts,
    reduced_by_halves,
    reduced_win_rate,
    reduced_win_rates,
)
from sizes import sizes

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


def counts(wins, z, products, win_z, games, mines=1):
    """Return sums of games as the kernel counts them."""
    row = {"mines": mines, "games": games, "wins": int(wins)}
    for i in range(3):
        row[f"z{i}"] = round(z[i] * Z_SCALE)
        row[f"win_z{i}"] = round(win_z[i] * PRODUCT_SCALE)
        row |= {f"z{i}_z{j}": round(products[i, j] * PRODUCT_SCALE) for j in range(i, 3)}
    return row


def rows(rng, games, runs, error=0.0):
    """Return `runs` sets of games, as the numbers of mines of a curve that never falls."""
    sums = zip(*play(rng, games, error, runs), strict=True)
    return [counts(*each, games, mines) for mines, each in enumerate(sums)]


@pytest.mark.statistical
@pytest.mark.parametrize("halves", [False, True])
def test_reduced_intervals_cover_and_save_games(halves):
    """Each takes the coefficients of other games: two neighbours, or the other half."""
    rng, runs, games = np.random.default_rng(20250201), 500, 1000
    played = rows(rng, games, runs * (1 + halves))
    if halves:
        reduced = [reduced_by_halves(*each) for each in zip(played[::2], played[1::2], strict=True)]
        games *= 2
    else:
        reduced = reduced_win_rates(played)
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
@pytest.mark.parametrize("runs", sizes(1500, 10_000))
def test_coefficients_of_other_games_leave_no_bias_and_own_ones_do(runs):
    """Games of 6 x 6, 100 at a time, less the plain rates of the same games.

    4.4 standard errors of the mean are a false alarm of 1e-5.
    """
    task, games = Task(Board((6, 6)), 9, seed=1), 100
    played = [
        play_batch(task, games * i, games) | {"mines": i, "games": games} for i in range(runs)
    ]
    own = [reduced_win_rate(row, control_coefficients(row)) for row in played]
    bias = {}
    for name, reduced in (("own", own), ("lent", reduced_win_rates(played))):
        moved = np.array([each.rate.best - each.plain for each in reduced])
        bias[name] = moved.mean() / (moved.std() / np.sqrt(runs))
    assert abs(bias["lent"]) < 4.4 < bias["own"]


LARGE = (
    # mines, games, wins, z, products (z0_z0, z0_z1, z0_z2, z1_z1, z1_z2, z2_z2), win_z of 128 x 128
    (2304, 1104, 582, (-2576024, -13126976, -13126506),
     (22423397, 8086081, 8079084, 7832925, 7829997, 7826983), (14290723, 3666834, 3662961)),
    (2321, 5585, 2799, (-53313968, -12144932, -12098635),
     (106896086, 35479580, 35445038, 35994042, 35979002, 35963960),
     (67683435, 17668146, 17651527)),
    (2322, 16490, 8264, (-16197264, -9510831, -9531275),
     (323200240, 105777743, 105678027, 106455000, 106412297, 106368105),
     (206239116, 53473628, 53422287)),
)  # fmt: skip


def test_where_two_variables_are_nearly_equal_neighbours_gain_the_same():
    """On large boards Z_1 and Z_2 differ by less than their sums are rounded by."""
    names = [f"z{i}_z{j}" for i in range(3) for j in range(i, 3)]
    played = [
        {"mines": m, "games": games, "wins": wins}
        | {f"z{i}": value for i, value in enumerate(z)}
        | dict(zip(names, products, strict=True))
        | {f"win_z{i}": value for i, value in enumerate(win_z)}
        for m, games, wins, z, products, win_z in LARGE
    ]
    gains = [rate.gain for rate in reduced_win_rates(played)]
    assert gains == pytest.approx([2.1, 2.0, 2.0], abs=0.06)


@pytest.mark.statistical
def test_a_safety_off_by_one_percent_is_caught():
    rng = np.random.default_rng(20250202)
    right = reduced_win_rate(rows(rng, 200_000, 1)[0])
    assert abs(right.z) < 4 and not right.safeties_wrong  # a false alarm of 6e-5
    wrong = reduced_win_rate(rows(rng, 200_000, 1, error=0.01)[0])
    assert wrong.z < -4 and wrong.safeties_wrong
    assert "a safety is wrong" in wrong.report() and "a safety is wrong" not in right.report()


def test_the_rate_is_the_textbook_regression_with_lent_coefficients():
    rng = np.random.default_rng(20250203)
    z = rng.normal(0, 0.3, (500, 3))
    won = rng.random(500) < 0.5 + 0.4 * z[:, 0]
    row = counts(won.sum(), z.sum(0), z.T @ z, z[won].sum(0), 500)
    lent = np.array([0.3, 0.1, -0.2])
    found = reduced_win_rate(row, lent)
    corrected = won - z @ lent
    assert found.rate.best == pytest.approx(corrected.mean(), abs=1e-6)
    assert found.error == pytest.approx(corrected.std(ddof=1) / np.sqrt(500), rel=1e-4)
    assert found.gain == pytest.approx(won.var() / corrected.var(), rel=1e-4)
    wanted = np.linalg.lstsq(np.c_[np.ones(500), z], won, rcond=None)[0][1:]
    assert control_coefficients(row) == pytest.approx(wanted, rel=1e-3)
    del row["z1_z2"]
    with pytest.raises(InputError, match="counts lack the measure 'z1_z2'"):
        reduced_win_rate(row)


def test_each_row_takes_the_coefficients_around_it_and_never_its_own():
    played = rows(np.random.default_rng(20250204), 2000, 4)
    played = [row | {"mines": mines} for row, mines in zip(played, (10, 11, 14, 20), strict=True)]
    own = [control_coefficients(row) for row in played]
    lent = [own[1], (own[0] * 3 + own[2]) / 4, (own[1] * 6 + own[3] * 3) / 9, own[2]]
    for row, coefficients, found in zip(played, lent, reduced_win_rates(played), strict=True):
        assert found.rate == pytest.approx(reduced_win_rate(row, coefficients).rate)
        assert found.rate.best != pytest.approx(
            reduced_win_rate(row, own[0]).rate.best, abs=1e-9
        ) or (row is played[1])
    few = played[0] | {"wins": 29, "win_z0": 0, "win_z1": 0, "win_z2": 0}
    assert "fewer than 30" in reduced_win_rates([few, played[1]])[0].note
    alone = reduced_win_rates(played[:1])[0]
    assert alone.rate.best == alone.plain and alone.gain == 1 and "no other games" in alone.report()
    with pytest.raises(InputError, match=r"mines=.* must rise"):
        reduced_win_rates(played[::-1])


def test_games_without_guesses_have_the_plain_rate():
    nothing = counts(50, [0] * 3, np.zeros((3, 3)), [0] * 3, 100)
    assert control_coefficients(nothing) is None
    one = reduced_win_rates([nothing, nothing | {"mines": 2}])[0]
    assert one.rate.best == 0.5 and one.gain == 1 and np.isnan(one.z) and not one.safeties_wrong
    won = reduced_by_halves(nothing | {"wins": 100}, nothing | {"wins": 100})
    assert won.rate == (1, 1, 1) and won.error == 0 and won.games == 200
    assert reduced_by_halves({}, nothing).games == 100


def test_with_one_guess_at_the_first_move_the_three_variables_are_equal():
    # The guess decides the game: the control variate explains all of the variance, once.
    z = np.r_[np.full(500, 0.5), np.full(500, -0.5)]
    sums = z.sum(), (z**2).sum(), z[:500].sum()
    row = counts(500, [sums[0]] * 3, np.full((3, 3), sums[1]), np.full(3, sums[2]), 1000)
    one = reduced_win_rate(row, control_coefficients(row))
    assert one.rate.best == pytest.approx(0.5) and one.error == pytest.approx(0, abs=1e-6)
    assert one.gain == MAX_GAIN  # the ratio to a variance of 0 says nothing
    assert control_coefficients(row).sum() == pytest.approx(1)


def test_effective_counts_have_the_given_error():
    wins, games = effective_counts([0.5, 0.9], [0.01, 0.01])
    assert games == pytest.approx([2500, 900]) and wins == pytest.approx([1250, 810])
    with pytest.raises(InputError, match="win_rate=1 must be in"):
        effective_counts([1.0], [0.1])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"games": 1}, "games=1 must be a whole number at least 2"),
        ({"wins": 101}, "wins=101 must be in 0..games=100"),
        ({"win_z2": np.nan}, "win_z0=nan must be finite"),
        ({"z1_z1": -(10**9)}, "sums of squares of at least 0"),
        ({"z0": 10**9}, "z0 is too large for the sums of squares"),
        ({"win_z1": 10**9}, "win_z1 is too large for the sums of squares"),
        ({"guesses": -5}, "guesses=-5 must be a whole number at least 0"),
    ],
)
def test_wrong_input_is_named(change, words):
    good = counts(50, [0] * 3, np.eye(3), [0] * 3, 100)
    with pytest.raises(InputError, match=words):
        reduced_win_rate(good | change)


def test_wrong_coefficients_are_named():
    good = counts(50, [0] * 3, np.eye(3), [0] * 3, 100)
    with pytest.raises(InputError, match=r"coefficients has shape \(2,\), must be \(3,\)"):
        reduced_win_rate(good, [0, 0])
    with pytest.raises(InputError, match="confidence=1 must be in"):
        reduced_win_rate(good, [0] * 3, confidence=1)
