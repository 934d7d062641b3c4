"""The first number is 0 as often as Lemma 3 says; the table compares with the corner."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.runs.sweep import play_table
from msdensity.studies.paper.first_click import (
    PLACES,
    count_zeros,
    first_click_table,
    first_click_tasks,
    probability_of_zero,
)

FALSE_ALARM = 1e-4


def test_the_formula_counts_layouts():
    for start, allowed in (("unprotected", range(9)), ("safe", range(1, 9))):
        for mines in range(4):
            layouts = list(combinations(allowed, mines))
            zeros = sum(not {0, 1, 3, 4} & set(layout) for layout in layouts)  # a corner of 3x3
            expected = zeros / len(layouts)
            assert probability_of_zero(9, 3, mines, start) == pytest.approx(expected)


def test_fewer_neighbours_are_better():
    for mines in range(1, 30):
        corner, edge, inner = (probability_of_zero(64, k, mines) for k in (3, 5, 8))
        assert corner > edge > inner  # Proposition 7


@pytest.mark.statistical
@pytest.mark.parametrize(("place", "neighbours"), list(zip(PLACES, (3, 5, 8, 8), strict=True)))
def test_games_show_0_as_often_as_the_formula_says(place, neighbours):
    (task,) = first_click_tasks(Board((6, 7)), [7], place, seed=12)
    games = 3000
    zeros = count_zeros(task, games)
    expected = probability_of_zero(42, neighbours, 7)
    assert binomtest(zeros, games, expected).pvalue > FALSE_ALARM
    other = probability_of_zero(42, neighbours - 1, 7)  # negative control
    assert binomtest(zeros, games, other).pvalue < FALSE_ALARM


def test_the_table_compares_with_the_corner(tmp_path):
    tasks = {
        tmp_path / f"{place}.csv": first_click_tasks(Board((5, 5)), [4, 6], place, seed=3)
        for place in PLACES
    }
    table = first_click_table(play_table(tasks, 200).table, 50)
    assert table["first_click"].tolist() == [*PLACES, *PLACES]
    assert table["neighbours"].tolist() == [3, 5, 8, 8] * 2
    assert table["difference"].isna().tolist() == [True, False, False, False] * 2
    for _, rows in table.groupby("mines"):
        rates = rows["win_rate"].to_numpy()
        np.testing.assert_allclose(rows["difference"].iloc[1:], rates[1:] - rates[0])
        errors = np.sqrt((rates * (1 - rates))[1:] / 200 + rates[0] * (1 - rates[0]) / 200)
        np.testing.assert_allclose(rows["difference_se"].iloc[1:], errors)
    assert (table["zeros"] <= 50).all() and isinstance(table, pd.DataFrame)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 0, 0), "cells=0"),
        ((9, 9, 1), "neighbours=9"),
        ((9, 3, 9), "mines=9"),
        ((9, 3, 1, "zero"), "start='zero' must be safe or unprotected"),
    ],
)
def test_impossible_input_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        probability_of_zero(*arguments)
