"""What the study of large boards plays: its file, its jobs, and what it refuses."""

import copy
from typing import Any

import pytest
import yaml

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.studies.asymptotics.settings import FAMILIES, Precision, load_study, study_from
from places import ROOT

FILE = ROOT / "workflow/config/asymptotics.yaml"


@pytest.fixture
def values() -> dict[str, Any]:
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))


def test_every_board_is_in_one_job(values) -> None:
    study = load_study(FILE)
    for entries, parts in (
        (study.entries, study.parts()),
        (study.low_density.entries, study.density_parts()),
    ):
        assert {e for part in parts.values() for e in part} == set(entries)
        assert sum(map(len, parts.values())) == len(entries)
        assert len(set(entries)) == len(entries)
        assert all(len(part) == 1 or part[0].board.cells <= 2500 for part in parts.values())
    sides = [q for part in study.curve_parts().values() for q in part]
    assert sorted(sides) == sorted(study.curves.small + study.curves.large)
    assert {entry.family for entry in study.entries} == set(FAMILIES)
    assert len({entry.name for entry in study.entries}) == len(study.entries)
    assert 256 in {e.board.q for e in study.entries if e.board.topology == "torus8"}


def test_a_side_more_changes_no_other_job(values) -> None:
    before = study_from(values).parts()
    values["boards"]["corner"]["squares"].append(512)
    after = study_from(values).parts()
    assert set(after) - set(before) == {"512x512.corner"}
    assert all(after[name] == part for name, part in before.items())


def test_games_follow_from_the_precision() -> None:
    precision = Precision(0.01, 10_000, 1e7)
    # (0.2 / 0.01)^2 / 2 = 200 games
    assert precision.games(0.2, 7, 100, gain=2) == 200
    assert precision.games(0.2001, 7, 100, gain=2) == 300  # whole hundreds
    assert Precision(0.005, 10_000, 1e7).games(0.2, 7, 100, gain=2) == 800
    assert precision.games(2.0, 7, 100, gain=2) == 10_000
    assert precision.games(0.9, 7, 10_000, gain=2) == 200  # 1e7 / 70,000 = 143
    assert precision.games(1e-9, 7, 100, gain=2) == 100


def test_low_densities_and_curves_name_their_mines(values) -> None:
    study = study_from(values)
    low = study.low_density
    assert low.mines(Board((64, 64)))[0] == round(low.densities[0] * 4096)
    assert low.mines(Board((4, 4))) == [1, 2]
    assert low.games_of(Board((16, 16))) == low.games
    assert low.games_of(Board((1000, 1000))) == low.most_cells // 10**6 < low.games
    assert study.curves.mines(3) == list(range(1, 9))
    large = study.curves.mines(100)
    assert large == [10_000 // study.curves.steps * i for i in range(1, study.curves.steps)]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("sead",), 1, "keys must be seed, boards"),
        (("name",), "../x", "name='../x' must be letters"),
        (("boards", "edge"), {}, "key 'edge' must be one of corner, zero"),
        (("boards", "corner", "cubes"), [4], "boards.corner: key 'cubes' must be one of squares"),
        (("boards", "corner", "torus"), [32], "boards.corner.torus must be under zero"),
        (("boards", "zero", "strips"), {1: [9]}, "boards.zero.strips must be under corner"),
        (("boards", "corner", "strips", 4), [9], "key 4 must be one of 1, 2, 3"),
        (("boards", "corner", "squares"), [3], "boards.corner.squares=3 must be a whole number"),
        (("boards", "corner", "squares"), 8, "boards.corner.squares=8 must be a list of sides"),
        (("precision", "relative_error"), 0, "precision.relative_error=0 must be a number"),
        (("precision", "most_cells"), "many", "precision.most_cells='many' must be a number"),
        (("precision", "most_games"), 10, "precision.most_games=10 must be a whole number"),
        (("low_density", "fixed"), [0.33], "low_density.fixed=0.33 must be one of"),
        (("low_density", "densities"), [], "must be a list of densities, not empty"),
        (("curves", "small"), [11], r"curves.small=11 must be in 3\.\.10"),
        (("pilot_games",), 10**30, "pilot_games=1000000000000000000000000000000 must be"),
        (("replicates",), 10**9, r"replicates=1000000000 must be a whole number in 2\.\.1000000"),
        (("curves", "steps"), 10**9, r"curves.steps=1000000000 must be"),
        pytest.param(("replicates",), 10**5000, "replicates=.int too long to show.", id="long"),
        pytest.param(("precision", "most_cells"), 10**5000, "most_cells=.int too", id="longer"),
        (("boards", "corner"), "squares", "boards.corner: key 'squares' must be one of"),
        (("pilot_games",), 5, "pilot_games=5 must be a whole number in 20"),
    ],
)
def test_a_wrong_value_is_named(values, path, value, message) -> None:
    changed = copy.deepcopy(values)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(InputError, match=message):
        study_from(changed)


def test_a_file_that_is_no_study_is_one_error(tmp_path) -> None:
    path = tmp_path / "study.yaml"
    for text in ("", "[", "5", "2024-13-45", "\0"):
        path.write_text(text)
        with pytest.raises(InputError, match="study"):
            load_study(path)
    with pytest.raises(InputError, match="No such file"):
        load_study(tmp_path / "none.yaml")
