"""Comparing players on the same boards, and published numbers with ours."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy.stats import norm
from statsmodels.stats.proportion import proportions_ztest

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.play import boards_without_zero, play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.measures import MEASURES
from msdensity.runs.compare import compare
from msdensity.stats.intervals import wilson
from msdensity.stats.paired import paired
from msdensity.stats.testing import detectable
from msdensity.studies.published_players.measures import ratio, ratio_interval
from msdensity.studies.published_players.play import (
    estimate,
    interval,
    mines_won_whole,
    play_sets,
)
from msdensity.studies.published_players.results import _verdict, study_table
from msdensity.studies.published_players.settings import SET, Settings, load_settings
from places import ROOT

PUBLISHED = pd.read_csv(ROOT / "data/published/players.csv")


def test_the_pairs_of_two_players_add_up() -> None:
    games = 400
    players = [("double_set", {}), ("weighted", {}), ("weighted", {})]
    table = compare(players, Board((6, 6)), 7, games, seed=2)
    assert (table[["both", "first_only", "second_only", "neither"]].sum(axis=1) == games).all()
    double, itself = table.iloc[0], table.iloc[2]
    task = Task(Board((6, 6)), 7, "weighted", seed=2)
    assert double["both"] + double["second_only"] == play_batch(task, 0, games)["wins"]
    assert double["z"] < -4 and double["p_value"] < 1e-4
    assert itself["first_only"] == itself["second_only"] == 0 and itself["z"] == 0


def test_the_paired_test_by_hand() -> None:
    first = np.array([1, 1, 1, 1, 0, 0, 0, 0], bool)
    second = np.array([1, 0, 0, 0, 1, 0, 0, 0], bool)
    both, one, other, neither, difference, _, z, p_value = paired(first, second)
    assert (both, one, other, neither) == (1, 3, 1, 3)
    assert difference == 0.25
    assert p_value == pytest.approx(0.625)  # binomial(4, 1/2): 2 (1 + 4) / 16
    assert z == pytest.approx(norm.isf(0.3125))


def test_compare_refuses_what_it_cannot_do() -> None:
    with pytest.raises(InputError, match="players must hold at least 2 players, not 1"):
        compare([("weighted", {})], Board((4, 4)), 3, 10)
    with pytest.raises(InputError, match="games=0 must be"):
        compare([("weighted", {})] * 2, Board((4, 4)), 3, 0)


def test_measures_come_from_the_games() -> None:
    task = Task(Board((5, 5)), 5, "single_point", seed=4)  # leaves mines unmarked when it wins
    sets, _ = play_sets(task, 1000)
    sums = dict(zip(MEASURES, sets.sum(axis=0), strict=True))
    assert sums == play_batch(task, 0, 1000)
    value, error = estimate("win_percent", sets, task)
    assert value == pytest.approx(sums["wins"] / 10)
    rate = value / 100
    assert error == pytest.approx(100 * np.sqrt(rate * (1 - rate) / 1000), rel=1)
    value, error = estimate("guesses", sets, task)
    each = np.array([play_batch(task, g, 1)["guesses"] for g in range(1000)])
    assert (value, error) == pytest.approx((1 + each.mean(), each.std(ddof=1) / 1000**0.5))
    whole, error = mines_won_whole(task, 1000)
    marked = estimate("mines_percent", sets, task)[0]
    assert marked < whole < marked + sums["wins"] / 10 and 0 < error < 2
    needed, _ = estimate("needs_guess_percent", sets, task)
    assert needed == pytest.approx(100 - sums["no_guess_wins"] / 10)
    with pytest.raises(InputError, match="measure='luck' must be one of win_percent"):
        estimate("luck", sets, task)
    with pytest.raises(InputError, match="games=150 must be a multiple of 100"):
        play_sets(task, 150)


@pytest.mark.parametrize("printed, games, ours", [(100.0, 1000, 95.0), (0.0, 1000, 4.0)])
def test_a_printed_0_or_100_has_an_error(printed: float, games: int, ours: float) -> None:
    """Its z is that of the pooled games; a Wald error of the printed number is 0."""
    cell = SimpleNamespace(value=printed, decimals=2, games=float(games))
    found = _verdict(cell, "win_percent", ours, 0.2, 10_000)
    counts = [round(ours * 100), round(printed / 100 * games)]
    expected = proportions_ztest(counts, [10_000, games])[0]
    assert found["z"] == pytest.approx(expected, rel=1e-3)
    assert found["published_se"] > 0.1
    assert found["detectable"] == pytest.approx(detectable() * (ours - printed) / found["z"])
    unknown = _verdict(
        SimpleNamespace(value=50.0, decimals=0, games=np.nan), "win_percent", 52, 1, 400
    )
    assert unknown["z"] == pytest.approx(2 / np.hypot(2.5, 1 / np.sqrt(12)))


def test_sets_that_are_all_alike_have_an_error() -> None:
    """Two sets with as many wins: the spread over sets is 0, and no proof of a spread of 0."""
    task = Task(Board((4, 4)), 3, "weighted", seed=1)
    sets = np.zeros((2, len(MEASURES)), np.int64)
    sets[:, MEASURES.index("wins")] = 50
    value, error = estimate("win_percent_set_sd", sets, task)
    assert value == 0 and error == pytest.approx(5 / 2**0.5, rel=0.01)
    cell = SimpleNamespace(value=4.47, decimals=2, games=100_000.0)
    assert _verdict(cell, "win_percent_set_sd", value, error, 200)["verdict"] == "agrees"
    # Many sets: the binomial spread itself, as over sets.
    wins = np.random.default_rng(2).binomial(SET, 0.3, 2000)
    many = np.zeros((2000, len(MEASURES)), np.int64)
    many[:, MEASURES.index("wins")] = wins
    value, error = estimate("win_percent_set_sd", many, task)
    assert abs(value - 100 * (0.3 * 0.7 / SET) ** 0.5) < 3.9 * error
    assert error == pytest.approx(value / np.sqrt(2 * 1999), rel=0.1)


def test_intervals_of_measures() -> None:
    assert interval("win_percent", 100, 0.1, 200) == pytest.approx((98.115, 100), abs=1e-3)
    assert interval("guesses", 3, 0.1, 200) == pytest.approx((2.804, 3.196))
    assert interval("guesses_sd", 3, 0.1, 200) == pytest.approx((1.729, 4.271), abs=1e-3)  # 2 sets
    assert interval("win_percent_set_sd", 0, 3, 200)[0] == 0
    # Games apart from each other: as Wilson's of the games themselves.
    lost = np.repeat([1, 0], [30, 70])
    value, error = ratio(100 * lost, np.ones(100, int))
    low, high = ratio_interval(value, error, 100, True)
    assert (low, high) == pytest.approx([100 * float(end) for end in wilson(30, 100)], abs=0.1)
    assert ratio_interval(0, 0, 100, True)[1] == pytest.approx(100 * float(wilson(0, 100)[1]))
    assert np.isnan(ratio_interval(0, 0, 100, False)).all()
    assert np.isnan(ratio_interval(np.nan, np.nan, 0, True)).all()
    assert ratio_interval(0.1, 0.1, 9, False)[0] == 0  # no less than nothing is missed


def test_every_published_table_is_played_and_verdicts_see_a_wrong_player() -> None:
    study = load_settings(ROOT / "workflow/config/players.yaml")
    assert study.games >= 100_000
    assert study.tables.keys() == set(PUBLISHED["table"])
    assert all(any(v.role == "text" for v in given) for given in study.tables.values())
    beginner = PUBLISHED[(PUBLISHED["table"] == "000 5.2") & (PUBLISHED["board"] == "16x16")]
    variants = [{"player": p, "first_click": "random"} for p in ("double_set", "coupled_subsets")]
    table = study_table(
        beginner, Settings(study="players", games=4000, seed=7, tables={"000 5.2": variants})
    )
    verdicts = table[table["measure"] == "win_percent"].set_index("player")["verdict"]
    assert verdicts["double_set"] == "agrees"  # false alarm 1e-3
    assert verdicts["coupled_subsets"] == "differs"  # negative control
    assert "no_zero" not in table


def test_hinted_games_of_a_published_table_say_how_many_boards_have_no_zero() -> None:
    cell = PUBLISHED[PUBLISHED["table"] == "004 SP"].iloc[:1].assign(board="10x10", mines=30)
    hinted = {"player": "single_point", "first_click": "corner", "start": "first_zero"}
    plain = {"player": "single_point", "first_click": "corner", "start": "safe"}
    given = Settings(study="players", games=1000, seed=7, tables={"004 SP": [hinted, plain]})
    table = study_table(cell, given)
    task = Task(Board((10, 10)), 30, "single_point", {}, Rules(start="first_zero"), 7)
    expected = boards_without_zero(task, 0, 1000)
    assert expected > 0
    assert [*table["no_zero"].fillna(-1)] == [expected, -1]


@pytest.mark.parametrize(
    "changes,message",
    [
        ({"seed": 2**63}, "seed=9223372036854775808 must be"),
        ({"replicates": 10**9}, "replicates=1000000000 must be"),
        ({"sides": 5}, "sides=5 must be a list"),
        ({"sides": []}, r"sides=\[\] must not be empty"),
        ({"sides": [2]}, r"sides\[0\]=2 must be a whole number in 3\.\.100"),
        ({"games": 250}, r"games=250 must be a multiple of 100 in 200\.\."),
        ({"games": 100}, r"games=100 must be a multiple of 100 in 200\.\."),
        ({"tables": None}, "tables=None must be keys and values"),
        ({"tables": {"000 5.1": 5}}, "tables.000 5.1=5 must be a list"),
        ({"tables": {5: []}}, "tables: key 5 must be text"),
        ({"tables": {"000 5.1": [5]}}, r"tables.000 5.1\[0\]=5 must be a player"),
        ({"tables": {"a": [{"player": "weighted"}]}}, "a.0. must have the key 'first_click'"),
        (
            {"tables": {"a": [{"player": "x", "first_click": "corner"}]}},
            "player='x' must be one of",
        ),
        (
            {"tables": {"a": [{"player": "weighted", "first_click": "corner", "rol": "x"}]}},
            r"unknown key 'rol' in tables.a\[0\]: did you mean 'role'\?",
        ),
        (
            {"tables": {"a": [{"player": "weighted", "first_click": "corner", "role": "x"}]}},
            "role='x' must be one of text, test",
        ),
        ({"tables": {"a": [{"player": [], "first_click": "corner"}]}}, r"player=\[\] must be"),
        ({"tables": {"a": [{"player": "weighted", "first_click": []}]}}, r"first_click=\[\] must"),
    ],
)
def test_settings_out_of_range_are_named(changes: dict, message: str) -> None:
    values = yaml.safe_load((ROOT / "workflow/config/players.yaml").read_text(encoding="utf-8"))
    with pytest.raises(InputError, match=message):
        load_settings(values | changes)
