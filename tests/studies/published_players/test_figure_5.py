"""Fits of Figures 5.3 and 5.4 of 000, and its formulas 4.2 to 4.4."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from msdensity.errors import InputError
from msdensity.kernel.measures import MEASURES
from msdensity.studies.published_players import figure_5 as curves
from msdensity.studies.published_players.figure_5 import (
    POINT_COLUMNS,
    curves_table,
    exponential_percent,
    logistic_percent,
)
from msdensity.studies.published_players.formulas import (
    formula_4_2,
    formula_4_3,
    formula_4_4,
    formulas_table,
)
from msdensity.studies.published_players.settings import Settings


def drawn(figure: str, x: np.ndarray, percent: np.ndarray, games: int) -> pd.DataFrame:
    """Return points with binomial wins at the given percentages."""
    wins = np.random.default_rng(8).binomial(games, percent / 100)
    points = pd.DataFrame({"x": x, "wins": wins, "win_percent": 100 * wins / games})
    points = points.assign(figure=figure, player="any", games=games)
    return points.reindex(columns=list(POINT_COLUMNS))


@pytest.mark.statistical
def test_fits_find_the_parameters_of_drawn_points() -> None:
    density, cells = np.arange(1, 31) / 81, np.arange(4, 21) ** 2
    points = pd.concat(
        [
            drawn("5.3", density, logistic_percent(density, 0.14, 38), 5000),
            drawn("5.4", cells, exponential_percent(cells, 42, 700), 5000),
        ]
    )
    table = curves_table(points).set_index("parameter")
    for name, truth in {"rho": 0.14, "k": 38, "A": 42, "n": 700}.items():
        row = table.loc[name]
        assert abs(row["value"] - truth) < 4 * row["se"]  # false alarm 6e-5 each
        assert row["chi2"] < row["degrees"] + 5 * np.sqrt(2 * row["degrees"])
    wrong = curves_table(drawn("5.3", density, np.linspace(95, 5, 30), 5000))
    assert wrong["chi2"].iloc[0] > 10 * wrong["degrees"].iloc[0]  # negative control


def test_a_figure_that_000_does_not_have() -> None:
    points = drawn("5.5", np.array([0.1, 0.2, 0.3]), np.array([90, 50, 10]), 100)
    with pytest.raises(InputError, match=r"figure='5.5' must be one of 5.3, 5.4"):
        curves_table(points)


def test_points_hold_the_printed_boards(monkeypatch) -> None:
    played = []

    def play_sets(task, games, keep):
        played.append((task.board.name, task.mines))
        return np.ones((2, len(MEASURES)), int), 0.0

    monkeypatch.setattr(curves, "play_sets", play_sets)
    points = curves.points_table(
        Settings(study="players", games=200, seed=1, figure_games=200, tables={})
    )
    assert {("9x9", 10), ("16x16", 40)} <= set(played)
    assert len(points) == len(played) == 2 * (30 + 20)


def test_formulas_against_every_layout() -> None:
    # 2x3, 2 mines, the corner with its 3 neighbours: the first 4 of 6 cells are free in 1 of 15.
    layouts = list(combinations(range(6), 2))
    free = sum(min(layout) >= 4 for layout in layouts) / len(layouts)
    assert formula_4_2(6, 3, 2) == pytest.approx(free)
    assert formula_4_4(6, 4, 2) == pytest.approx(free)
    assert formula_4_4(6, 3, 2) == pytest.approx(3 / 15)  # with k neighbours for k squares
    assert formula_4_3(6, 3, 2) == pytest.approx((2 / 3) ** 4)
    assert formula_4_2(6, 5, 2) == 0
    with pytest.raises(InputError, match=r"mines=7 must be a whole number in 0\.\.6"):
        formula_4_2(6, 3, 7)


@pytest.mark.statistical
def test_formulas_against_dealt_games() -> None:
    table = formulas_table(
        Settings(study="players", games=200, seed=11, zero_games=1500, tables={})
    )
    right = table[
        table["formula"].isin(["4.4, k + 1 squares"]) | (table["formula"] == "001, Lemma 3")
    ]
    assert len(right) == 18 and (right["verdict"] == "agrees").all()  # false alarm 2 %
    off = table[table["formula"] == "4.4, k squares"]
    assert (off["verdict"] == "differs").sum() > 5  # negative control
