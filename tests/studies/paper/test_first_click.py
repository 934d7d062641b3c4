"""The first number is 0 as often as Lemma 3 says; the table compares with the corner."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.games.play import play_batch
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


def test_the_table_compares_with_the_corner_game_by_game():
    games = 400
    table = first_click_table([(Board((5, 5)), [6, 4])], games, 50, seed=3, threads=2)
    assert table["first_click"].tolist() == [*PLACES, *PLACES]
    assert table["mines"].tolist() == [4] * 4 + [6] * 4
    assert table["neighbours"].tolist() == [3, 5, 8, 8] * 2
    assert table["difference"].isna().tolist() == [True, False, False, False] * 2
    assert (table["zeros"] <= 50).all()
    for mines, rows in table.groupby("mines"):
        corner, *others = (first_click_tasks(Board((5, 5)), [mines], p, 3)[0] for p in PLACES)
        won = [
            np.array([play_batch(task, g, 1)["wins"] for g in range(games)])
            for task in (corner, *others)
        ]
        assert rows["wins"].tolist() == [int(each.sum()) for each in won]
        for ends, (_, row) in zip(won[1:], list(rows.iterrows())[1:], strict=True):
            gain = ends - won[0]
            assert row["difference"] == pytest.approx(gain.mean())
            assert row["difference_se"] == pytest.approx(gain.std() / games**0.5, rel=0.02)
            assert row["p_value"] == pytest.approx(
                binomtest(int((gain > 0).sum()), int((gain != 0).sum())).pvalue
            )
            apart = np.hypot(ends.std(), won[0].std()) / games**0.5
            assert row["error_ratio"] == pytest.approx(gain.std() / games**0.5 / apart, rel=0.02)
            assert row["error_ratio"] < 0.95  # the same boards: independent samples would give 1


def test_boards_are_the_same_from_every_place_and_a_kept_game_is_not_played_again(tmp_path):
    kept: dict[str, list[int]] = {}

    def keep(what, play):
        if what not in kept:
            kept[what] = list(play())
        return kept[what]

    first = first_click_table([(Board((4, 4)), [3])], 150, 20, seed=1, keep=keep)
    count = len(kept)
    again = first_click_table([(Board((4, 4)), [3])], 150, 20, seed=1, keep=keep)
    pd.testing.assert_frame_equal(first, again)
    assert len(kept) == count


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
