"""The notebook of fits runs on any study: `test_smoke.py` runs it in Jupyter."""

import json
from pathlib import Path

import pytest

from msdensity.files.tables import write_table
from msdensity.games.boards import Board
from msdensity.games.tasks import Task
from msdensity.runs.sweep import play_table
from msdensity.stats.columns import CORRECTED_COLUMNS, FIT_COLUMNS
from msdensity.stats.correction import w_correction
from msdensity.stats.logistic import fits_table
from places import ROOT


def test_it_runs_on_one_board_and_player_of_a_study(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    folder = Path("data/fresh")
    tasks = [Task(Board((1, 3)), mines) for mines in (1, 2)]
    rates = w_correction(play_table({folder / "ledger/1x3.csv": tasks}, 50).table)
    rates["player"] = "mine:choose"
    write_table(folder / "win_rates.csv", rates, CORRECTED_COLUMNS)
    write_table(folder / "fits.csv", fits_table(rates, 10), FIT_COLUMNS)
    monkeypatch.setenv("MSDENSITY_NAME", "fresh")
    notebook = ROOT / "workflow/notebooks/inspect_fits.ipynb"
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    exec(code.replace("%matplotlib inline\n", ""), {"display": pytest.fail})
    assert "0.00..1.00: P = " in capsys.readouterr().out
