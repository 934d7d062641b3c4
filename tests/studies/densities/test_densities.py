"""The study of densities: what it plays, what it makes of the games, and the table it ships."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

import msdensity as md
from msdensity.cli import main
from msdensity.errors import InputError
from msdensity.games.tasks import Setup
from msdensity.studies.densities.columns import DENSITY_COLUMNS
from msdensity.studies.densities.figures import squares_figure
from msdensity.studies.densities.known import (
    ESTIMATE,
    MEASURED,
    MIN_ROWS,
    NAMES,
    TABLE,
    density,
    interpolate,
    known_table,
    left_out,
)
from msdensity.studies.densities.page import page
from msdensity.studies.densities.play import curve_mines, play_board
from msdensity.studies.densities.results import density_row, density_table, squares_of
from msdensity.studies.densities.settings import load_settings
from msdensity.studies.plot import save_figure
from places import ROOT
from sizes import sizes

QUICK = {
    "study": "densities",
    "seed": 5,
    "boards": ["3x3"],
    "error": 0.02,
    "most_games": 1000,
    "steps": 20,
}


@pytest.fixture(scope="module")
def known() -> pd.DataFrame:
    return known_table()


def test_the_package_ships_the_boards_of_the_paper_the_levels_and_squares_to_64(known) -> None:
    boards = set(known["board"])
    assert {f"{p}x{q}" for p in range(1, 11) for q in range(p, 11)} - {"1x1"} <= boards
    assert {"8x8", "9x9", "16x16", "16x30"} <= boards
    assert {f"{q}x{q}" for q in range(2, 65)} <= boards
    assert TABLE.stat().st_size <= 200_000
    assert TABLE.with_suffix(".csv.json").exists()  # where it comes from
    large = known[known["p"] >= 3]
    for name in NAMES:
        assert large[name].notna().all() and (large[f"{name}_se"] > 0).all()
        assert (large.loc[large["p"] * large["q"] >= 36, f"{name}_se"] < 0.001).all()
    assert (large["no_guess"] < large["rho50"]).all()


def test_squares_agree_with_independent_values(known) -> None:
    """rho50 of two boards from many more games of another program, with its standard errors."""
    row = known.set_index("board")
    for board, value, error in (("16x16", 0.20198, 7e-5), ("32x32", 0.18547, 1.2e-4)):
        spread = np.hypot(row.loc[board, "rho50_se"], error)
        assert abs(row.loc[board, "rho50"] - value) < 3.5 * spread
        assert abs(row.loc["8x8", "rho50"] - value) > 10 * spread


@pytest.mark.statistical
@pytest.mark.parametrize("runs", sizes(5, 24))
def test_new_games_agree_with_the_table_and_their_errors_cover(known, tmp_path, runs) -> None:
    """Runs of 6 x 6; false alarms 1 in 1,000 for each density (chi-square of z)."""
    seeds, (low, high) = range(runs), chi2.ppf([0.0005, 0.9995], runs)
    settings = load_settings(QUICK | {"boards": ["6x6"], "error": 0.01})
    made = [
        density_row(
            play_board(settings, Setup(md.Board("6x6"), seed=4 * s), tmp_path / str(s)).table, 40
        )
        for s in seeds
    ]
    row = known.set_index("board").loc["6x6"]
    for name in NAMES:
        values = np.array([each[name] for each in made])
        spread = np.hypot([each[f"{name}_se"] for each in made], row[f"{name}_se"])
        chi_square = float((((values - row[name]) / spread) ** 2).sum())
        assert low < chi_square < high, (name, chi_square)
        shifted = float((((values - 1.2 * row[name]) / spread) ** 2).sum())
        assert shifted > high


def test_a_curve_holds_every_number_of_mines_or_steps_of_the_density() -> None:
    assert curve_mines(Setup(md.Board("4x5")), 20) == list(range(1, 20))
    steps = curve_mines(Setup(md.Board("20x20")), 20)
    assert steps == [20 * i for i in range(1, 20)]


def test_a_table_depends_on_its_games_alone(tmp_path) -> None:
    """Played at once, or first with a larger error and then more: the same bytes."""
    settings, rough = load_settings(QUICK), load_settings(QUICK | {"error": 0.05})
    setup = Setup(md.Board("3x3"), seed=5)
    at_once = play_board(settings, setup, tmp_path / "a", threads=2)
    play_board(rough, setup, tmp_path / "b")
    later = play_board(settings, setup, tmp_path / "b")
    assert not later.more_games
    pd.testing.assert_frame_equal(at_once.table, later.table)
    table = density_table(at_once.table, 10)
    assert list(table.columns) == list(DENSITY_COLUMNS) and table["seed"].tolist() == [5]


def test_a_board_of_the_table_and_its_transpose_have_one_row(known) -> None:
    row = known.set_index("board").loc["16x30"]
    for board in ("16x30", "30x16", "expert"):
        found = density(board)
        assert (found.kind, found.values["rho50"]) == (MEASURED, row["rho50"])
        assert found.errors["P"] == row["P_se"]
        assert f"{row['rho50']:.4f} +- " in found.report() and f"seed {row['seed']}" in found.source


@pytest.mark.parametrize("step", sizes(12, 4))
def test_what_lies_between_is_an_estimate_with_the_error_of_leaving_out(step, known) -> None:
    """Each board inside, from the others: at most 1 in 10 is more than 2 errors away."""
    found = density("20x25")
    assert found.kind == ESTIMATE and "estimate" in found.report()
    low, high = (density(board).values["rho50"] for board in ("25x25", "20x20"))
    assert low < found.values["rho50"] < high
    inside = known[(known["p"] >= MIN_ROWS) & (known["q"] > 10)]
    z = []
    for board in inside["board"][::step]:
        try:
            guess = interpolate(md.Board(board), known[known["board"] != board])
        except InputError:  # at the rim
            continue
        truth = inside.set_index("board").loc[board]
        z += [(guess.values[name] - truth[name]) / guess.errors[name] for name in NAMES]
    assert len(z) > 120 // step
    assert np.mean(np.abs(z) > 2) < 0.1


def test_leaving_out_is_exact_on_a_plane() -> None:
    places = np.array([[0, 0], [1, 0], [0, 1], [1, 1], [0.4, 0.3]])
    known = places @ [2.0, 3.0]
    assert left_out(places, known, 4) == pytest.approx(0)
    assert left_out(places, np.add(known, [0, 0, 0, 0, 0.5]), 4) == pytest.approx(-0.5)
    assert np.isnan(left_out(places, known, 0))


@pytest.mark.parametrize(("board", "error"), sizes(("16x16", 0.01), ("20x25", 0.001)))
def test_an_error_measures_the_board_now(board, error, known) -> None:
    """Within 5 errors: of few games the error itself is known to a third only."""
    found = density(board, error, seed=11, threads=2)
    listed = density(board)
    assert found.kind == MEASURED and "seed 11" in found.source
    for name in NAMES:
        assert 0 < found.errors[name] < 2 * error
        spread = np.hypot(found.errors[name], listed.errors[name])
        assert abs(found.values[name] - listed.values[name]) < 5 * spread
        assert abs(found.values[name] - 1.5 * listed.values[name]) > 5 * spread


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["1000x1000"], "or a board of 4 to 64 rows and columns"),
        (["1x50"], "board=1x50 must be in the table of densities, or"),
        (["3x45"], "give an error, such as --error 1e-3"),
        (["8x8", "--seed", "5"], "seed=5 must be left out"),
        (["4x4x4-cubic26"], "must have two sides"),
        (["8x8-torus8"], "give an error"),
        (["8x8", "--player", "listing"], "player=listing, first_click=corner, start=safe must be"),
        (["8x8", "--start", "zero"], "start=zero must be weighted, corner and safe"),
        (["8x8", "--error", "2"], "error=2.0 must be a number between 0 and 1"),
        (["4x4x4-cubic26", "--error", "0.1"], "must have two sides"),
    ],
)
def test_a_board_without_an_answer_is_one_error(capsys, words, message) -> None:
    assert main(["density", *words]) == 2
    err = capsys.readouterr().err
    assert message in err and err.count("\n") == 1


def test_the_command_prints_a_row_in_words_and_as_json(capsys) -> None:
    assert main(["density", "expert"]) == 0
    assert capsys.readouterr().out == f"{density('16x30')}\n" == density("16x30").report() + "\n"
    assert main(["density", "expert", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["board"], facts["kind"]) == ("16x30", MEASURED)
    assert facts["values"] == density("16x30").values
    assert main(["density", "1x2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["values"]["rho50"] is None


def test_a_board_without_a_density_says_none() -> None:
    for board in ("2x2", "1x3", "2x16"):  # P with an error of .49, clipped to 1, clipped to 0
        found = density(board)
        assert np.isnan(found.values["P"]) and np.isnan(found.errors["P"])
        assert [note for note in found.notes if note.startswith("P: ")] == [
            "P: the win rates do not determine it inside (0, 1)"
        ]
    assert np.isnan(found.values["no_guess"]) and found.values["rho50"] > 0
    assert "no_guess  none " in found.report() and "       P  none " in found.report()


@pytest.mark.parametrize("board", ["2x2", "1x2", "2x20"])
def test_a_board_without_one_of_the_densities_is_measured_too(board) -> None:
    found = density(board, 0.02, seed=1)
    assert np.isnan(found.values["no_guess"]) and np.isnan(found.errors["no_guess"])
    assert "no_guess  none " in found.report()


def test_squares_are_boards_without_another_topology(known) -> None:
    tori = known[known["board"] == "9x9"].assign(board="9x9-torus8")
    assert squares_of(pd.concat([tori, known.head(0)])).empty
    assert squares_of(known)["board"].tolist() == [f"{q}x{q}" for q in range(2, 65)]
    save = squares_figure(tori)  # a page without squares has a figure that says so
    assert "no square board" in save.axes[0].texts[0].get_text()


def test_a_folder_keeps_the_games_of_a_board(tmp_path, capsys) -> None:
    argv = ["density", "3x3", "--error", "0.05", "--folder", str(tmp_path)]
    assert main(argv) == 0
    first = capsys.readouterr().out
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.csv")}
    assert len([path for path in kept if "cpu" not in path.name]) == 4
    assert main(argv) == 0 and capsys.readouterr().out == first
    assert kept == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.csv")}
    assert main(["density", "3x3", "--folder", str(tmp_path)]) == 2
    assert "must be left out, or come with --error" in capsys.readouterr().err


def test_an_error_that_is_not_reached_is_a_warning(monkeypatch) -> None:
    """100 games for each number of mines cannot give P an error of .002."""
    monkeypatch.setattr("msdensity.studies.densities.known.MOST_GAMES", 100)
    found = density("4x4", 0.002, seed=1)
    assert found.errors["P"] > 0.0025
    assert f"P: the error is {found.errors['P']:.2g}, the wanted error was 0.002" in found.report()
    assert "rho50: the error" not in found.report()


def test_the_readme_says_what_the_table_says(known) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.partition("```text\n")[2].partition("```")[0] == density("expert").report() + "\n"
    square = known[(known["p"] == known["q"]) & (known["q"] >= 8)]
    assert (square["rho50"] - square["P"]).between(0, 0.005).all()
    assert f"table of {len(known)} boards" in text


@pytest.mark.parametrize(
    ("sides", "words"), [(1, "Fewer than two squares"), (2, "From 8x8 to 9x9")]
)
def test_the_page_compares_two_squares_or_none(known, tmp_path, sides, words) -> None:
    table = known[(known["p"] == known["q"]) & known["q"].between(8, 7 + sides)]
    picture = tmp_path / "squares.png"
    save_figure(squares_figure(table), picture)
    text = page(
        {"densities": table},
        load_settings(ROOT / "workflow/config/densities.yaml"),
        {"squares": picture},
    )
    assert words in text and "on 1 squares" not in text
