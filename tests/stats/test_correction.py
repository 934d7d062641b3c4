"""The W-correction, rule by rule and against the loop of Annex A.2."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from msdensity.errors import InputError
from msdensity.stats.correction import correct, w_correction


def annex(density, win_rate):
    """Correct as the published program: rule one while playing, rule two while loading (55-65)."""
    played, zero = [], False
    for rate in win_rate:
        played.append(0.0 if zero else rate)
        zero = zero or rate == 0
    loaded = []
    for rho, rate in zip(density, played, strict=True):
        loaded.append(0.0 if rho > 0.75 and loaded[-1] < rate else rate)
    return loaded


def spaced(n):
    return np.arange(1, n + 1) / (n + 1)


@given(st.lists(st.sampled_from([0, 0.1, 0.2, 0.5, 0.9, 1]), min_size=1, max_size=30))
def test_the_correction_is_that_of_the_published_loop(rates):
    corrected, rule = correct(spaced(len(rates)), rates)
    assert corrected.tolist() == annex(spaced(len(rates)), rates)
    changed = corrected != np.array(rates)
    assert ((rule > 0) == changed).all() and (corrected[changed] == 0).all()


def test_many_curves_at_once_are_corrected_separately():
    rates = np.random.default_rng(5).integers(0, 6, size=(40, 15)) / 5
    together, rules = correct(spaced(15), rates)
    for curve, corrected, rule in zip(rates, together, rules, strict=True):
        alone = correct(spaced(15), curve)
        assert corrected.tolist() == alone[0].tolist() and rule.tolist() == alone[1].tolist()


@pytest.mark.parametrize(
    ("density", "rates", "corrected", "rule"),
    [
        # Rule one ignores what comes after a zero.
        (spaced(5), [1, 0.5, 0, 0.1, 1], [1, 0.5, 0, 0, 0], [0, 0, 0, 1, 1]),
        # Boards not played after a zero count as zero.
        (spaced(4), [1, 0, np.nan, np.nan], [1, 0, 0, 0], [0, 0, 1, 1]),
        # Rule two acts strictly above three quarters: 2x2 keeps its win rate of 1 at 3 mines.
        ([0.25, 0.5, 0.75], [0.3, 0.3, 1], [0.3, 0.3, 1], [0, 0, 0]),
        ([0.25, 0.5, 0.7501], [0.3, 0.3, 1], [0.3, 0.3, 0], [0, 0, 2]),
        # It compares with the corrected rate before; an equal rate is no rise.
        ([0.7, 0.8, 0.85, 0.9], [0.2, 0.5, 0.4, 0.1], [0.2, 0, 0, 0], [0, 2, 2, 2]),
        ([0.7, 0.8, 0.9], [1, 1, 1], [1, 1, 1], [0, 0, 0]),
    ],
)
def test_both_rules(density, rates, corrected, rule):
    assert [part.tolist() for part in correct(density, rates)] == [corrected, rule]


@pytest.mark.parametrize(
    ("density", "rates", "message"),
    [
        ([0.5, 0.4], [1, 1], "density must increase"),
        ([0, 0.5], [1, 1], "density must increase within"),
        ([0.5], [1, 1], "win_rate has shape"),
        ([0.5], [1.2], r"win_rate=1\.2 must be in"),
        ([0.2, 0.4], [1, np.nan], r"win_rate=nan must be in 0\.\.1 up to its first 0"),
    ],
)
def test_impossible_input_is_refused(density, rates, message):
    with pytest.raises(InputError, match=message):
        correct(density, rates)


def curve(rates, board="2x4", player="weighted"):
    n = len(rates)
    return pd.DataFrame(
        {
            "board": board,
            "topology": "square8",
            "player": player,
            "first_click": "corner",
            "start": "safe",
            "seed": 1,
            "kernel_version": 1,
            "mines": np.arange(1, n + 1),
            "density": spaced(n),
            "win_rate": rates,
        }
    )


def test_a_table_keeps_its_raw_columns_and_rows():
    parts = [curve([1, 0.5, 0.2, 0.6]), curve([1, 0, 0.2, 1], player="other")]
    table = pd.concat(parts, ignore_index=True).sample(frac=1, random_state=1)
    before = table.copy()
    result = w_correction(table)
    pd.testing.assert_frame_equal(table, before)
    pd.testing.assert_frame_equal(result[before.columns], before)
    by_player = result.sort_values("mines").groupby("player")["win_rate_corrected"].agg(list)
    assert by_player["weighted"] == [1, 0.5, 0.2, 0]
    assert by_player["other"] == [1, 0, 0, 0]
    rules = result.sort_values("mines").groupby("player")["correction_rule"].agg(list)
    assert rules["weighted"] == [0, 0, 0, 2] and rules["other"] == [0, 0, 1, 1]


def test_a_curve_with_a_gap_or_a_duplicate_is_refused():
    complete = curve([1, 0.5, 0.2, 0.1])
    with pytest.raises(InputError, match=r"board 2x4.*lacks mines=2, must hold each of 1\.\.4"):
        w_correction(complete.drop(index=1))
    with pytest.raises(InputError, match="holds a number of mines twice"):
        w_correction(pd.concat([complete, complete.tail(1)], ignore_index=True))
