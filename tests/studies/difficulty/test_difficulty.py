"""The study of difficulty: its counts and sweet spots, its tables, figures, page and settings."""

from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.difficulty import CLASSES, COUNTS, class_counts
from msdensity.games.tasks import Task
from msdensity.runs.sweet_spot import sweet_spot
from msdensity.studies.difficulty.columns import TABLES
from msdensity.studies.difficulty.figures import FIGURES
from msdensity.studies.difficulty.page import _most_pairs, _whole, facts, page
from msdensity.studies.difficulty.play import play_classes, play_spots
from msdensity.studies.difficulty.results import joined
from msdensity.studies.difficulty.settings import load_settings
from msdensity.studies.difficulty.workloads import workloads
from msdensity.studies.plot import save_figure

SMALL: dict[str, Any] = {
    "study": "difficulty",
    "seed": 3,
    "starts": {"centre": "zero", "corner": "safe"},
    "games": {"9x9": 120, "5x6": 120},
    "densities": [0.1, 0.2],
    "level_games": 150,
    "spot_boards": ["9x9", "2x9"],
    "win_rates": [0.5, 0.9],
    "rules": ["single", "pairs"],
    "players": ["weighted"],
    "error": 0.02,
}


@pytest.fixture(scope="module")
def settings():
    return load_settings(SMALL)


@pytest.fixture(scope="module")
def tables(settings) -> dict[str, pd.DataFrame]:
    classes = pd.concat([play_classes(settings, board) for board in settings.boards()])
    spots = pd.concat([play_spots(settings, board) for board in settings.boards_of_spots()])
    return joined(classes, spots)


def test_the_tables_hold_the_counts_of_their_games(settings, tables) -> None:
    classes = tables["classes"]
    assert (classes[list(CLASSES)].sum(axis=1) == classes["games"]).all()
    row = classes.query("board == '9x9' and start == 'zero' and mines == 10").iloc[0]
    task = Task("9x9", 10, rules=Rules("centre", "zero"), seed=settings.seed)
    assert {name: row[name] for name in COUNTS} == class_counts(task, 0, 150)
    assert settings.mines(Board((9, 9)), Rules()) == {8: 120, 10: 150, 16: 120}
    shares = tables["shares"]
    assert set(shares["level"]) == {"beginner"} and len(shares) == 2 * len(CLASSES)
    sums = shares.groupby("start")["share"].sum()
    assert sums.to_list() == pytest.approx([1, 1])


def test_the_sweet_spots_are_those_of_the_call(settings, tables) -> None:
    spots = tables["spots"]
    assert len(spots) == 2 * 2 * 3 * 2
    row = spots.query("board == '9x9' and start == 'zero' and by == 'pairs' and win_rate == .5")
    seed = int(row["seed"].iloc[0])
    assert seed != settings.seed  # no game of the counts
    spot = sweet_spot("9x9", 0.5, "pairs", error=0.02, rules=Rules("centre", "zero"), seed=seed)
    assert row["mines"].iloc[0] == spot.mines and row["closest"].iloc[0] == spot.closest
    nowhere = spots[spots["rho"].isna()]
    assert set(nowhere["board"]) == {"2x9"} and (nowhere["note"] != "").all()
    wide = spots[spots["board"] == "9x9"].pivot_table(
        index=["start", "by"], columns="win_rate", values="mines"
    )
    assert (wide[0.9] < wide[0.5]).all()


def test_the_page_says_what_the_tables_hold(settings, tables, tmp_path) -> None:
    drawn = {
        "classes": FIGURES["classes"](tables["classes"]),
        "spots": FIGURES["spots"](tables["spots"]),
    }
    assert drawn.keys() == FIGURES.keys()
    for name, figure in drawn.items():
        save_figure(figure, tmp_path / f"{name}.png")
    made = page(tables, settings, {name: tmp_path / f"{name}.png" for name in drawn})
    known = facts(tables, settings)
    guess = tables["shares"].query("start == 'zero' and hardest == 'guess'")["share"].iloc[0]
    assert known["levels"][0].guess == guess
    assert f"{100 * guess:.1f} ±" in made
    spot = known["spot"]["weighted"][0]
    assert f"{spot.shown} on 9x9" in made and f"{spot.closest:.0f}" in spot.shown
    assert "none" in made and "has no number of mines with win rate" in made
    found = page.finding(tables, settings)
    assert found.startswith("- **What a game takes**") and "**The sweet spot.**" in found


def test_the_page_stands_without_a_level(tables, settings, tmp_path) -> None:
    few = {name: table[table["board"] != "9x9"] for name, table in tables.items()}
    other = settings.model_copy(update={"games": {Board((5, 6)): 120}})
    blank = tmp_path / "blank.png"
    blank.write_bytes(b"")
    figures = dict.fromkeys(FIGURES, blank)
    assert "What is counted" in page(few, other, figures)
    assert "What a game takes" not in page.finding(few, other)


def test_the_plan_counts_the_games(settings, tmp_path) -> None:
    works = workloads(settings, tmp_path)
    counted = sum(work.games * len(work.tasks) for work in works if work.part == "classes")
    assert counted == 2 * (2 * 120 + 150 + 2 * 120)
    assert {work.part for work in works if work.estimate} == {"sweet spots"}
    assert TABLES.keys() == {"classes", "shares", "spots"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"win_rates": [0.99]}, r"win_rate=0\.99 must be in 0\.05\.\.0\.95"),
        ({"rules": ["pair"]}, "must be one of zeros, single, pairs, unit, complete, count"),
        ({"players": ["inference"]}, "must be one of weighted"),
        ({"players": ["weighted", "weighted"]}, "must not hold a value twice"),
        ({"starts": {"middle": "zero"}}, "one of"),
        ({"games": {"0x3": 5}}, "must have sides in"),
        ({"densities": [1.5]}, "must be a number between 0 and 1"),
        ({"sizes": 3}, "unknown key 'sizes'"),
    ],
)
def test_settings_that_are_not_allowed_are_one_error(changes, message) -> None:
    with pytest.raises(InputError, match=message):
        load_settings(SMALL | changes)


def test_two_numbers_are_shown_where_the_error_does_not_tell_them() -> None:
    near = SimpleNamespace(below=19, above=20, closest=19, mines=19.477, mines_se=0.045)
    assert _whole(near) == "19 or 20"
    near.mines = 19.3
    assert _whole(near) == "19"


def test_pairs_are_trained_where_they_are_the_hardest_step_most_often() -> None:
    names = ["board", "mines", "pairs", "games"]
    classes = pd.DataFrame(
        [["9x9", 10, 20, 100], ["9x9", 12, 30, 100], ["5x5", 3, 90, 100], ["16x16", 40, 1, 50]],
        columns=names,
    )
    best = [(row.board, row.mines, row.share) for row in _most_pairs(classes).itertuples()]
    assert best == [("9x9", 12, 0.3), ("16x16", 40, 0.02)]
