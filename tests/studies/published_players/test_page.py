"""The page, its sentences and figures, from tables made small."""

import re
from pathlib import Path

import pandas as pd
import pytest

from msdensity.errors import InputError
from msdensity.files.tables import read_table, write_table
from msdensity.stats.columns import CORRECTED_COLUMNS
from msdensity.stats.paired import p_value
from msdensity.stats.testing import LEVEL
from msdensity.studies.page import render
from msdensity.studies.plot import save_figure
from msdensity.studies.published_players import figure_5 as curves_module
from msdensity.studies.published_players.beliefs.decisions import decisions_table
from msdensity.studies.published_players.beliefs.errors import error_tables
from msdensity.studies.published_players.beliefs.figures import FIGURES as BELIEF_FIGURES
from msdensity.studies.published_players.beliefs.guesses import guess_tables
from msdensity.studies.published_players.columns import TABLES
from msdensity.studies.published_players.curves import play_curves
from msdensity.studies.published_players.density import density_table
from msdensity.studies.published_players.figure_5 import curves_table, points_table
from msdensity.studies.published_players.figures import (
    _look,
    cost_figure,
    density_figure,
    single_point_figure,
)
from msdensity.studies.published_players.formulas import formulas_table
from msdensity.studies.published_players.measures import cost_table, measures_table
from msdensity.studies.published_players.page import PARTS, page, texts, verdicts
from msdensity.studies.published_players.questions import QUESTIONS, pairs_table
from msdensity.studies.published_players.resolution.figures import levels_figure
from msdensity.studies.published_players.resolution.page import resolution_facts
from msdensity.studies.published_players.resolution.results import (
    cost_tables,
    guesses_table,
    place_tables,
)
from msdensity.studies.published_players.results import readings, study_table
from msdensity.studies.published_players.settings import COST_BOARD, Settings, load_settings
from places import ROOT

PUBLISHED = ROOT / "data/published/players.csv"
STUDY = load_settings(
    {
        "study": "players",
        "games": 200,
        "seed": 3,
        "figure_games": 200,
        "zero_games": 50,
        "traced_games": 3,
        "curve_games": 20,
        "cost_games": 200,
        "belief_games": 30,
        "belief_error_games": 10,
        "sides": [3, 4],
        "replicates": 10,
        "resolution_games": 2,
        "resolution_timed_games": 1,
        "tables": {
            "000 5.2": [
                {"player": "naive_single_point", "again": "none", "first_click": "random"},
                {"player": "double_set", "first_click": "random", "role": "test"},
            ],
        },
    }
)
WAYS = ("weighted", "double_set", "csp_report")


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> tuple[dict[str, pd.DataFrame], dict[str, Path], str]:
    """Return the tables, read back from files, the figures and the page made from them."""
    folder = tmp_path_factory.mktemp("players")
    curves = pd.concat([play_curves(w, STUDY, folder).table for w in WAYS], ignore_index=True)
    points = points_table(STUDY)
    tables = {
        "tables": study_table(read_table(PUBLISHED, TABLES["published"]), STUDY),
        "pairs": pairs_table("guessing", 100, 3),
        "measures": pd.concat([measures_table(w, STUDY) for w in WAYS], ignore_index=True),
        "cost": pd.concat([cost_table(w, STUDY) for w in ("weighted", "double_set")]),
        "density": density_table(curves, STUDY.replicates),
        "points": points,
        "point_fits": curves_table(points),
        "formulas": formulas_table(STUDY),
        "belief_decisions": decisions_table(STUDY),
        **guess_tables(STUDY),
        **error_tables(STUDY),
        "resolution_guesses": guesses_table(STUDY),
        **cost_tables(STUDY),
    }
    places = [place_tables(place, STUDY) for place in ("8x8_6", "10x10_15")]
    for name in places[0]:
        tables[name] = pd.concat([each[name] for each in places], ignore_index=True)
    for name, table in tables.items():
        write_table(folder / f"{name}.csv", table, TABLES[name])
    tables = {name: read_table(folder / f"{name}.csv", TABLES[name]) for name in tables}
    write_table(folder / "curves.csv", curves, CORRECTED_COLUMNS)
    curves = read_table(folder / "curves.csv", CORRECTED_COLUMNS)
    density, cost = tables["density"], tables["cost"]
    figures = {
        "single_point": single_point_figure(
            tables["points"], tables["point_fits"], read_table(PUBLISHED, TABLES["published"])
        ),
        "density": density_figure(curves, density),
        "cost": cost_figure(density, cost, *COST_BOARD),
        "decisions": BELIEF_FIGURES["decisions"](tables["belief_decisions"]),
        "calibration": BELIEF_FIGURES["calibration"](tables["belief_guesses"]),
        "difficulty": levels_figure(tables["resolution_levels"]),
    }
    paths = {name: folder / f"{name}.png" for name in figures}
    for name, figure in figures.items():
        save_figure(figure, paths[name])
    return tables, paths, page(tables, STUDY, paths)


def test_the_page_holds_every_part(made) -> None:
    assert ">10x10/all<" in made[2]  # CPU time of games with every number of mines
    tables, _, html = made
    assert html.count("<img") == 6
    for words in (
        "What agrees",
        "Improved guessing",
        "Formula 4.4",
        "003 names",
        "rho50",
        "CPU",
        "Table 11",
        "002",
    ):
        assert words in html
    assert page(tables, STUDY, made[1]) == html
    assert "<li>" not in html.partition("</ul>")[2]  # a line that begins with a minus sign


def test_the_verdicts_come_from_the_numbers(made) -> None:
    tables = made[0]["tables"]
    ways = readings(tables)
    text, test = ways.iloc[0], ways.iloc[1]
    # The letter of Algorithm 5.1 wins hardly a game; double set agrees: false alarm 1e-3 a cell.
    assert text["win_agree"] == 1 and test["win_agree"] == test["win_cells"] == 3
    assert test["cells"] == 12 and test["opener"] == "counted"
    (verdict,) = verdicts(tables)
    assert verdict["text"].player == "naive_single_point-again_none"
    assert verdict["better"] and verdict["best"].player == "double_set"
    assert verdict["farthest"]["low"] <= verdict["farthest"]["high"]
    words = " ".join(made[2].split())
    assert "000 5.2: as the text says (naive_single_point-again_none" in words
    assert "; of 1 other readings double_set, random, safe start comes closest: 1" in words
    assert "Every number agrees in: no table." in words
    other = texts(tables[tables["role"] == "test"].assign(role="text"))
    assert (other["win_agree"], other["win_cells"], other["tables"]) == (3, 3, ["000 5.2"])
    nothing = made[0] | {"tables": tables.assign(verdict="differs", z=-9.0)}
    words = " ".join(page(nothing, STUDY, made[1]).split())
    assert "0 of 12 numbers agree, 0 of 3 win rates" in words
    assert "; none of 1 other readings tried agrees in more; on 9x9 all readings win" in words
    (verdict,) = verdicts(tables.assign(verdict="agrees", z=0.0))
    assert verdict["text"].agree == verdict["text"].cells and verdict["farthest"] is None


def test_pairs_in_words_say_who_wins_and_what_becomes_of_the_claim(made) -> None:
    tables, figures, _ = made
    for one, other, says in (
        (30, 2, r"9x9/10, holds: \S+ \S+ safe wins 28\.00 ± \S+ points more than \S+ \S+ safe\."),
        (2, 30, r"9x9/10, contradicted: \S+ \S+ safe wins 28\.00 ± \S+ points fewer than [^.]*\."),
        (
            9,
            10,
            r"9x9/10, not decided: .* wins 1\.00 ± \S+ points fewer than [^,]*, no more than chance"
            r" allows; \d+\.\d+ points would have been found with 90% probability\.",
        ),
    ):
        pairs = tables["pairs"].iloc[:1].assign(both=50, neither=50 - one - other)
        pairs = pairs.assign(first_only=one, second_only=other, difference=(one - other) / 100)
        pairs = pairs.assign(p_value=p_value(one, other))
        html = " ".join(page(tables | {"pairs": pairs}, STUDY, figures).split())
        assert re.search(says, html)
        assert "The 1 pairs are judged together" in html


def test_the_statements_of_002_are_judged_by_the_numbers(made) -> None:
    tables, figures, _ = made
    coverage, guesses = tables["resolution_coverage"], tables["resolution_guesses"]
    added = coverage["method"] == "added by resolution"

    def words(**changed: pd.DataFrame) -> str:
        told = {"resolution": resolution_facts(tables | changed), "level": LEVEL}
        return " ".join(render(PARTS[1], told, figures).split())

    none = coverage.assign(found=coverage["found"].mask(added, 0))
    some = coverage.assign(found=coverage["found"].mask(added, 3))
    assert "resolution finds none of" in words(resolution_coverage=none)
    assert f"finds 6 of {some['certain'][added][:2].sum()} certain cells more, on 2 of 2" in words(
        resolution_coverage=some
    )
    assert "right conclusions of all methods, 0 were false" in words()
    for points, says in (
        (5.0, "surely more on 2 of 2 boards, surely fewer on 0"),
        (-5.0, "fewer on 2"),
    ):
        sure = coverage.assign(beside_text=points, beside_text_se=0.1)
        assert says in words(resolution_coverage=sure)
    unsure = words(resolution_coverage=coverage.assign(beside_text=5.0, beside_text_se=2.0))
    assert unsure.count("surely more on 0 of 2 boards, surely fewer on 0, else not decided") == 2
    known = guesses.assign(needless=1, percent=50.0, low=40.0, high=60.0)
    assert "at this share of its guesses: 50 (40 to 60) % on 8x8/10," in words(
        resolution_guesses=known
    )
    assert "Not decided: at none of its guesses" in words(
        resolution_guesses=guesses.assign(needless=0, percent=0.0, low=0.0, high=9.0)
    )


def test_no_share_has_an_interval_without_length(made) -> None:
    tables, _, html = made
    shares = tables["measures"]["measure"].str.endswith("_percent")
    shares &= tables["measures"]["value"].notna() & ~tables["measures"]["measure"].str.startswith(
        ("area", "mines")
    )
    own = tables["measures"][shares]
    assert (own["low"] < own["high"]).all() and own["low"].min() >= 0 and own["high"].max() <= 100
    assert own["value"].isin([0, 100]).any()  # these are the ones that had none
    assert "± 0.00 " not in html and "± 0.000<" not in html


def test_every_question_has_players_boards_and_a_source() -> None:
    assert all(len(q.ways) > 1 and q.boards and q.source and q.claim for q in QUESTIONS.values())
    with pytest.raises(InputError, match="question='who' must be one of double_set"):
        pairs_table("who", 10, 1)


def test_no_two_players_look_alike() -> None:
    looks = [(look["color"], look["marker"]) for look in map(_look, range(14))]
    assert len(set(looks)) == 14


def test_figures_refuse_empty_tables(made) -> None:
    tables = made[0]
    with pytest.raises(InputError, match="density table has 0 rows"):
        cost_figure(tables["density"][:0], tables["cost"], *COST_BOARD)
    with pytest.raises(InputError, match="board=9x9/11 must be one of"):
        cost_figure(tables["density"], tables["cost"], "9x9", 11)
    with pytest.raises(InputError, match=r"figure='5.9' must be one of"):
        from msdensity.studies.published_players.figures import plot_points

        plot_points(None, tables["points"], tables["point_fits"], "5.9")  # type: ignore[arg-type]


def test_a_part_of_a_study() -> None:
    part = STUDY.only("000 5.2")
    assert isinstance(part, Settings) and part.tables == STUDY.tables
    with pytest.raises(InputError, match="table='000 9' must be one of"):
        STUDY.only("000 9")
    assert curves_module.FIGURES.keys() == {"5.3", "5.4"}
