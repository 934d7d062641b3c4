"""What the study of large boards plays: its file, its jobs, and what it refuses."""

import copy
from typing import Any

import pytest
import yaml

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.studies.asymptotics.settings import FAMILIES, Precision, load_settings
from places import ROOT

FILE = ROOT / "workflow/config/asymptotics.yaml"


@pytest.fixture
def values() -> dict[str, Any]:
    return yaml.safe_load(FILE.read_text(encoding="utf-8"))


def test_every_board_is_in_one_job(values) -> None:
    study = load_settings(FILE)
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


def test_a_new_side_changes_no_other_job(values) -> None:
    before = load_settings(values).parts()
    values["boards"]["corner"]["squares"].append(512)
    after = load_settings(values).parts()
    assert set(after) - set(before) == {"512x512.corner"}
    assert all(after[name] == part for name, part in before.items())


def test_games_follow_from_the_precision() -> None:
    precision = Precision(relative_error=0.01, most_games=10_000, most_cells=1e7)
    # (0.2 / 0.01)^2 / 2 = 200 games
    assert precision.games(0.2, 100, gain=2) == 200
    assert precision.games(0.2001, 100, gain=2) == 300  # whole hundreds
    assert precision.model_copy(update={"relative_error": 0.005}).games(0.2, 100, gain=2) == 800
    assert precision.games(2.0, 100, gain=2) == 10_000
    assert precision.games(0.9, 70_000, gain=2) == 200  # 1e7 / 70,000 = 143
    assert precision.games(1e-9, 100, gain=2) == 100


def test_low_densities_and_curves_name_their_mines(values) -> None:
    study = load_settings(values)
    low = study.low_density
    assert low.mines(Board((64, 64)))[0] == round(low.densities[0] * 4096)
    assert low.mines(Board((4, 4))) == [1, 2]
    assert low.games_of(Board((16, 16))) == low.games
    assert low.games_of(Board((1000, 1000))) == 100 * -(-low.most_cells // 10**8) < low.games
    assert study.curves.mines(3) == list(range(1, 9))
    large = study.curves.mines(100)
    assert large == [10_000 // study.curves.steps * i for i in range(1, study.curves.steps)]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("precision", "most_gamess"), 1, "'most_gamess' in precision: did you mean 'most_games'"),
        (("boards", "edge"), {}, "unknown key 'edge' in boards: the keys are corner, zero"),
        (("boards", "corner", "cubes"), [4], "'cubes' in boards.corner: did you mean"),
        (("boards", "corner", "torus"), [32], "unknown key 'torus' in boards.corner"),
        (("boards", "zero", "strips"), {1: [9]}, "unknown key 'strips' in boards.zero"),
        (("boards", "corner", "strips", 4), [9], "strips: key 4 must be a whole number in 1..3"),
        (("boards",), {}, r"boards=\{\} must hold at least one board"),
        (
            ("boards", "corner", "squares"),
            [3],
            r"boards.corner.squares\[0\]=3 must be a whole number",
        ),
        (("precision", "most_cells"), float("nan"), "precision.most_cells=nan must be a number"),
        (("precision", "most_cells"), float("inf"), "precision.most_cells=inf must be a number"),
        (("precision", "most_cells"), True, "precision.most_cells=True must be a number"),
        (("precision", "relative_error"), 0, "precision.relative_error=0 must be a number"),
        (("precision", "most_cells"), "many", "precision.most_cells='many' must be a number"),
        (("precision", "most_games"), 10, "precision.most_games=10 must be a whole number"),
        (
            ("low_density", "fixed"),
            [0.33],
            r"low_density.fixed=\[0.33\] must be among densities=\[",
        ),
        (("low_density", "densities"), [], r"low_density.densities=\[\] must not be empty"),
        (("curves", "small"), [11], r"curves.small\[0\]=11 must be a whole number in 3\.\.10"),
        (("pilot_games",), 10**30, "pilot_games=1000000000000000000000000000000 must be"),
        (("replicates",), 10**9, r"replicates=1000000000 must be a whole number in 2\.\.1000000"),
        (("curves", "steps"), 10**9, r"curves.steps=1000000000 must be"),
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
        load_settings(changed)
