"""2 x q boards: the exact win rates against every layout, played by the real player."""

from fractions import Fraction
from math import comb

import numpy as np
import pandas as pd
import pytest

from msdensity.errors import InputError
from msdensity.files.tables import read_table
from msdensity.games.boards import Board
from msdensity.games.exact import exact_win_rate
from msdensity.stats.law import strip_two_win_rate
from msdensity.studies.asymptotics.strips import (
    exact_table,
    exact_win_rates,
    published_strips_table,
    strips_table,
)
from msdensity.studies.asymptotics.two_rows import (
    most_mines,
    two_row_rho50,
    two_row_win_rates,
    win_polynomial,
)
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS
from places import ROOT
from sizes import sizes


@pytest.mark.parametrize("q", [*range(2, 9), *sizes(9, 12)])
def test_the_win_rate_is_that_of_the_player_over_all_layouts(q: int) -> None:
    """Every number of mines, in whole numbers."""
    rates = two_row_win_rates(q, range(1, 2 * q - 1))
    for m, W in rates.items():
        assert W == exact_win_rate(Board((2, q)), m), m


def test_few_mines_on_longer_boards() -> None:
    for q, most in ((17, 4), (30, 3)):
        for m, W in two_row_win_rates(q, range(1, most + 1)).items():
            assert W == exact_win_rate(Board((2, q)), m)


def test_the_order_of_equally_safe_cells_decides_from_three_mines_on() -> None:
    """q x 2 is the same board with another order of cells, and wins fewer layouts."""
    for m, W in two_row_win_rates(8, range(1, 15)).items():
        other = exact_win_rate(Board((8, 2)), m)
        assert W == other if m < 3 or m > 11 else W > other


def test_one_mine_and_polynomials() -> None:
    for q in (3, 10, 400):
        (W,) = two_row_win_rates(q, [1]).values()
        assert W == Fraction(q, 2 * q - 1) and float(W) == strip_two_win_rate(q)
    assert win_polynomial(1) == [0, 1]
    assert win_polynomial(2) == [-3, Fraction(1, 2), Fraction(1, 2)]
    assert win_polynomial(3) == [-1, Fraction(-11, 3), Fraction(1, 2), Fraction(1, 6)]
    for m in (2, 3):
        coefficients = win_polynomial(m)
        for q in (*range(3 * m - 1, 16), 40):
            won = two_row_win_rates(q, [m])[m] * comb(2 * q - 1, m)
            follows = won == sum(c * q**power for power, c in enumerate(coefficients))
            assert follows == (q >= 3 * m)


def test_rho50_lies_between_one_mine_and_two() -> None:
    for q in (3, 4, 10, 30):
        assert 1 < 2 * q * two_row_rho50(q) < 2
    assert np.isnan(two_row_rho50(2)) and np.isnan(two_row_rho50(401))
    # One mine wins little more than half of the games on a long board.
    assert 2 * 60 * two_row_rho50(60) == pytest.approx(1, abs=0.03)


def test_strips_by_hand() -> None:
    rho50 = pd.DataFrame({"family": "strips", "p": [1, 3], "q": [9, 9], "rho50": [0.33, 0.3]})
    table = strips_table(rho50.assign(error=0.01, law=[0.32, np.nan]))
    assert table["z"].round(9).tolist()[:1] == [1.0] and np.isnan(table["z"].iloc[1])

    def played(p: int, q: int, wins: dict[int, int]) -> pd.DataFrame:
        games = pd.DataFrame({"mines": list(wins), "wins": list(wins.values())})
        return exact_table(games.assign(family="strips", p=p, q=q, games=1000)).set_index("mines")

    # 1 x 6 with 3 mines is won in 4 of 10 layouts, with 5 mines always
    table = played(1, 6, {3: 400, 5: 990})
    assert table.loc[3, ["won", "of", "exact"]].tolist() == ["2", "5", 0.4]
    assert table.loc[3, "z"] == pytest.approx(0) and table.loc[5, "z"] < -10
    assert table["games"].tolist() == [0, 0, 1000, 0, 1000]
    # 2 x 5: 5 of 9 with one mine, and 11 of 36 with two
    table = played(2, 5, {1: 556, 2: 400})
    assert table.loc[[1, 2, 3], "of"].tolist() == ["9", "36", "28"]
    assert abs(table.loc[1, "z"]) < 0.1 and table.loc[2, "z"] > 6
    assert exact_win_rates(2, 5, [9]) == {9: 1}


def test_the_published_fit_says_zero_of_two_rows() -> None:
    printed = read_table(ROOT / "data/published/table_b2.csv", PUBLISHED_COLUMNS)
    table = published_strips_table(printed[printed["q"] <= 6]).set_index(["p", "q"])
    two = table.loc[2].loc[3:]
    assert (two["P"] == 0).all() and (two["L"] == 3).all() and (two["rho50"] > 0.09).all()
    one = table.loc[1].loc[5:]
    assert ((one["P"] - one["published"]).abs() < 0.01).all()


@pytest.mark.parametrize(
    ("q", "mines", "words"),
    [
        (1, 1, r"q=1 must be a whole number in 2\.\.400"),
        (401, 1, r"q=401 must be a whole number in 2\.\.400"),
        (20, 7, r"mines=7 must be a whole number in 1\.\.6"),
        (5, 9, r"mines=9 must be a whole number in 1\.\.8"),
    ],
)
def test_wrong_input_is_named(q: int, mines: int, words: str) -> None:
    with pytest.raises(InputError, match=words):
        two_row_win_rates(q, [mines])


def test_more_mines_are_counted_on_shorter_boards() -> None:
    assert [most_mines(q) for q in (2, 5, 13, 14, 50, 51, 400, 401)] == [2, 8, 24, 6, 6, 4, 4, 0]
