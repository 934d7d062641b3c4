"""The calls for users: a sweep, rho50, and a comparison of players."""

from pathlib import Path

import pytest

import msdensity as md
from msdensity.runs.measure import measure, pilot, plan_rho50
from msdensity.runs.sweep import play_table
from msdensity.stats.correction import w_correction
from msdensity.stats.rho50.fit_object import Rho50Fit
from places import ROOT


def test_a_sweep_is_what_the_workflow_plays(tmp_path: Path) -> None:
    players = ["weighted", ("weighted", {"ties": "random"})]
    table = md.sweep(["3x3", md.Board("2x4")], games=50, players=players, seed=3)
    tasks = {
        tmp_path / f"{board}{i}.csv": [
            md.Task(board, m, options={"ties": ties}, seed=3)
            for m in range(1, md.Board(board).cells)
        ]
        for board in ("3x3", "2x4")
        for i, ties in enumerate(("ordered", "random"))
    }
    assert table.equals(w_correction(play_table(tasks, 50).table))
    assert not table.equals(md.sweep(["3x3", "2x4"], games=50, players=players, seed=4))


def test_a_folder_keeps_the_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = md.sweep("3x3", games=20, folder=tmp_path / "new" / "ledgers")
    capsys.readouterr()
    assert md.sweep("3x3", games=20, folder=tmp_path / "new" / "ledgers").equals(first)
    assert "nothing to play" in capsys.readouterr().err


def test_rho50_is_the_measurement_of_the_command() -> None:
    setup = md.Setup("6x6", seed=5)
    planned = plan_rho50(setup, pilot(setup, 200), 0.01)
    best = measure(setup, planned).best
    fit = md.rho50("6x6", 0.01, seed=5, pilot_games=200, threads=2)
    assert isinstance(fit, Rho50Fit)
    assert (fit.rho50, fit.error) == (best.rho50, best.error)


def test_rho50_warns_of_an_error_that_is_not_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "wanted error" not in md.rho50("6x6", 0.02, pilot_games=100).report()
    monkeypatch.setattr("msdensity.runs.measure.TOLERANCE", 0.1)
    assert "the wanted error was 0.02" in md.rho50("6x6", 0.02, pilot_games=100).report()


def test_what_the_readme_prints_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    code = text.split("```python\n")[2].partition("```")[0]
    exec(code.replace("games=1000", "games=20").replace("1e-3", "0.05"), {"md": md})
    out = capsys.readouterr().out
    for words in ("win_rate", "\nrho50 = 0.2", "\nfirst_only ", "P  0.1902 +-", "first click\n"):
        assert words in out
    assert "array(" not in out and "..., " not in out and len(out) < 8000


def test_players_are_compared_by_name() -> None:
    table = md.compare(["weighted", ("weighted", {"ties": "random"})], "4x4", 4, 100)
    assert table["games"].tolist() == [100]


def test_every_call_reads_a_board_as_people_write_it() -> None:
    config = {"name": "a", "boards": ["5X8", "Expert"], "games": "1e3"}
    assert md.load_config(config).board_names == ("5x8", "16x30")
    assert md.load_config(config).games == 1000
    assert md.sweep("2 X 2", games=2)["board"].unique() == ["2x2"]
    assert md.compare(["weighted", "weighted"], "2X3", 2, 2)["board"].tolist() == ["2x3"]
    assert md.density("Expert").board == md.Board((16, 30))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: md.sweep("3y3"), "board='3y3' must be rows x columns"),
        (lambda: md.sweep("3x3", players=[3]), "player=3 must be a name, or a name and options"),
        (lambda: md.sweep("3x3", games=0), "games=0 must be"),
        (lambda: md.sweep([]), r"boards=\[\] must name at least one"),
        (lambda: md.sweep(None), "boards=None must name at least one"),
        (lambda: md.sweep("3x3", players=()), r"player=\(\) must be"),
        (lambda: md.sweep("3x3", threads=0), "threads=0 must be"),
        (lambda: md.sweep("3x3", folder="/dev/null/x"), "folder=/dev/null/x cannot be made"),
        (lambda: md.rho50("6x6", "a"), r"error='a' must be in"),
        (lambda: md.rho50("6x6", threads=0), "threads=0 must be"),
        (lambda: md.rho50("6x6", 2), r"error=2 must be in \(0, 1\)"),
        (lambda: md.compare("weighted", "4x4", 4, 100), "players='weighted' must be a list"),
        (lambda: md.density((16, 30)), r"board=\(16, 30\) must be a Board or its name, such as"),
        (lambda: md.Task("8x8", 0.2), "a density is not allowed"),
        (lambda: md.Board("4x4-torus8", "square4"), "topology='square4' must be part of '4x4-tor"),
        (lambda: md.Task("4x", 3), "board='4x' must be rows x columns"),
        (lambda: md.plan("nothing.yaml"), "nothing.yaml"),
    ],
)
def test_bad_input_is_one_error_before_any_game(call, message: str) -> None:
    with pytest.raises(md.InputError, match=message):
        call()


def test_a_board_without_room_for_a_mine_is_named_with_what_is_allowed():
    rules = md.Rules("centre", "zero")
    said = (
        "start=zero must leave a cell for a mine, but with first_click=centre it protects all 4"
        " cells of board 2x2: choose start=safe or unprotected, or a larger board"
    )
    for call in (md.sweep, md.rho50, lambda board, rules: md.density(board, 0.1, rules=rules)):
        with pytest.raises(md.InputError, match=said):
            call("2x2", rules=rules)
    assert md.Task("3x4", 2, rules=rules).mines == 2
    with pytest.raises(md.InputError, match="all 4 cells of board 2x2"):
        md.load_config({"study": "paper", "name": "x", "boards": ["2x2"], "start": "zero"})
