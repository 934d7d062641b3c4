"""Counts add up exactly and only where they may; intervals agree with scipy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from msdensity.errors import InputError
from msdensity.kernel.measures import MEASURES
from msdensity.runs.counts import Counts
from msdensity.stats.intervals import Estimate, wilson, win_rate


def counts(first_game=0, games=10, wins=3, task_id="a"):
    return Counts(task_id, first_game, games, {name: wins for name in MEASURES})


def test_measures_are_read_by_name_in_either_form():
    values = tuple(range(len(MEASURES)))
    by_order = Counts("a", 0, 100, values)
    by_name = Counts("a", 0, 100, dict(reversed(list(zip(MEASURES, values, strict=True)))))
    assert by_order == by_name and hash(by_order) == hash(by_name)
    assert [by_name[name] for name in MEASURES] == list(values)
    with pytest.raises(KeyError):
        by_name["losses"]


@given(st.lists(st.integers(1, 50), min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_any_cut_of_a_run_adds_up_to_the_run(sizes, random):
    wins = [random.randint(0, size) for size in sizes]
    starts = np.cumsum([0, *sizes[:-1]])
    parts = [counts(*part) for part in zip(starts, sizes, wins, strict=True)]
    forward, backward = parts[0], parts[-1]
    for part in parts[1:]:
        forward += part
    for part in reversed(parts[:-1]):
        backward += part
    assert forward == backward == counts(0, sum(sizes), sum(wins))


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (counts(10, task_id="b"), "different tasks"),
        (counts(9), r"games 0\.\.9 and 9\.\.18 of task a overlap"),
        (counts(0), "counted twice"),
        (counts(11), "not adjacent"),
    ],
)
def test_counts_that_do_not_belong_together_are_refused(other, message):
    for left, right in ((counts(), other), (other, counts())):
        with pytest.raises(InputError, match=message):
            left + right


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a", -1, 10, [0] * len(MEASURES)), "first_game=-1 must be at least 0"),
        (("a", 0, 0, [0] * len(MEASURES)), "games=0 must be at least 1"),
        (("a", 0, 10, [0]), "1 values, must have"),
        (("a", 0, 10, [11] * len(MEASURES)), r"wins=11 must be in 0\.\.10"),
        (
            ("a", 0, 10, [-(name == "redrawn") for name in MEASURES]),
            "redrawn=-1 must be at least 0",
        ),
        (("a", 0, 10, {"wins": 1}), "measures must be exactly"),
    ],
)
def test_impossible_counts_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        Counts(*arguments)


@given(st.integers(1, 2000), st.floats(0, 1), st.sampled_from([0.5, 0.95, 0.999]))
def test_wilson_agrees_with_scipy(games, share, confidence):
    wins = round(share * games)
    low, high = wilson([wins], [games], confidence)
    expected = binomtest(wins, games).proportion_ci(confidence, method="wilson")
    np.testing.assert_allclose([low[0], high[0]], [expected.low, expected.high], atol=1e-12)
    assert low[0] <= wins / games + 1e-12 and high[0] >= wins / games - 1e-12


def test_wilson_at_the_ends_and_without_games():
    low, high = wilson([0, 10, 0], [10, 10, 0])
    assert low[0] == 0 and 0 < high[0] < 1
    assert high[1] == 1 and 0 < low[1] < 1
    assert np.isnan([low[2], high[2]]).all()
    assert isinstance(win_rate(3, 10), Estimate)
    assert win_rate(3, 10).low < win_rate(3, 10).best < win_rate(3, 10).high


@pytest.mark.parametrize(
    ("wins", "games", "confidence", "message"),
    [
        (11, 10, 0.95, "wins=11 must be in 0..games=10"),
        (-1, 10, 0.95, "wins=-1"),
        (1, 10, 1.0, "confidence=1.0 must be in"),
    ],
)
def test_wilson_refuses_impossible_input(wins, games, confidence, message):
    with pytest.raises(InputError, match=message):
        wilson(wins, games, confidence)
