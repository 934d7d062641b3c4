"""Folders and files may have any name that the system allows."""

from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure

from msdensity import Board, Task, load_config, save_figure, top_up
from msdensity.cli import main
from msdensity.errors import InputError
from msdensity.files.tables import read_table, write_table
from msdensity.runs.ledger import read_ledger
from msdensity.runs.verify import verify
from msdensity.runs.win_rates import ledger_table
from msdensity.studies import page as kit
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS

NAMES = ("two words", "Größe-Ω-雷", " .hidden 'quoted' \"twice\"", "new\nline", "a%20b#?*[x]")


@pytest.fixture(params=NAMES)
def folder(request, tmp_path: Path) -> Path:
    return tmp_path / request.param / request.param


def test_ledgers(folder: Path, capsys) -> None:
    path = folder / "3x3 Ω.csv"
    tasks = [Task(Board((3, 3)), mines) for mines in (1, 2)]
    assert top_up(tasks, 20, path) == 40
    assert top_up(tasks, 20, path) == 0
    assert [row.counts.games for row in read_ledger(path).rows] == [20, 20]
    assert len(ledger_table(path)) == 2
    assert verify(folder).ok and verify(path).ok
    assert main(["verify", str(folder)]) == 0
    assert "2 rows" in capsys.readouterr().out


def test_tables(folder: Path) -> None:
    path = folder / "table é.csv"
    table = pd.DataFrame({"p": [1, 2], "q": [3, 4], "P": [0.25, 0.5]})
    write_table(path, table, PUBLISHED_COLUMNS)
    pd.testing.assert_frame_equal(read_table(path, PUBLISHED_COLUMNS), table)


def test_configurations_and_positions(folder: Path, capsys) -> None:
    folder.mkdir(parents=True)
    (folder / "own Ω.json").write_text("[[1], [0]]")
    path = folder / "config é.yaml"
    path.write_text("name: a\nboards: [3x3]\n", encoding="utf-8")
    assert load_config(path).board_names == ("3x3",)
    assert Board.parse(str(folder / "own Ω.json")).cells == 2
    (folder / "grid é.txt").write_text(".1.\n")
    assert main(["analyse", str(folder / "grid é.txt"), "--mines", "1"]) == 0
    assert "configurations: 2" in capsys.readouterr().out


def test_figures_and_pages(folder: Path) -> None:
    figure = Figure()
    figure.subplots().plot([1, 2])
    save_figure(figure, folder / "figure é.png", folder / "figure é.pdf")
    assert (folder / "figure é.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "figure é.pdf").read_bytes().startswith(b"%PDF")
    page = kit._markdown().render("![x](name)", {"figures": {"name": folder / "figure é.png"}})
    assert "data:image/png;base64" in page


LONG = "a" * 300
"""Too many characters for the name of a file."""


@pytest.mark.parametrize(
    "words",
    [
        ["play", "--board", f"{LONG}.json", "--mines", "1", "--games", "1"],
        ["analyse", LONG, "--mines", "3"],
        ["plan", f"{LONG}.yaml"],
        ["plan", "CONFIG", "--data", LONG],
        ["verify", LONG],
        ["verify", ".", "--board", f"{LONG}.json"],
        ["provenance", LONG],
        ["provenance", "FILE", "--records", LONG],
        ["provenance", "ALMOST"],
    ],
    ids=lambda words: " ".join(words).replace(LONG, "LONG"),
)
def test_a_name_too_long_for_a_file_is_one_clear_error(
    words: list[str], tmp_path: Path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)
    config = tmp_path / "config.yaml"
    config.write_text("{name: x, games: 1, seed: 1, boards: [2x2], players: [{player: weighted}]}")
    almost = tmp_path / ("a" * 253)  # .json does not fit behind it
    almost.write_text("")
    names = {"CONFIG": str(config), "FILE": str(config), "ALMOST": str(almost)}
    # A command that may find no file answers without an error.
    status = 0 if "CONFIG" in words else 2
    assert main([names.get(word, word) for word in words]) == status
    lines = capsys.readouterr().err.splitlines(keepends=True)
    err = "".join(line for line in lines if not line.startswith("compiling "))  # a new machine
    assert err.startswith(f"msdensity {words[0]}: ") == (status == 2)
    assert err.count("\n") == (status == 2)


@pytest.mark.parametrize("path", [f"{LONG}.csv", f"{LONG}/3x3.weighted.csv"])
def test_a_ledger_name_that_is_too_long_is_an_error(path: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="File name too long"):
        top_up([Task(Board((3, 3)), 1)], 5, tmp_path / path)


def test_a_configuration_name_that_is_too_long_is_an_error() -> None:
    with pytest.raises(InputError, match=r"^name='aaa.* must be letters, digits, - and _, at most"):
        load_config({"name": LONG, "boards": ["2x2"], "seed": 1, "games": 1})
    with pytest.raises(InputError, match=r"boards\[0\]: table .* no such file"):
        load_config({"name": "x", "boards": [f"{LONG}.json"], "seed": 1, "games": 1})
