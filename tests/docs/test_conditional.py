"""The command of docs/explanation/conditional.md, and what it says of covariances."""

import importlib.util
from pathlib import Path

import numpy as np

PAGE = Path(__file__).parent.parent.parent / "docs" / "explanation" / "conditional.py"


def test_the_command_measures_gains(monkeypatch, capsys) -> None:
    spec = importlib.util.spec_from_file_location("conditional_page", PAGE)
    assert spec and spec.loader
    page = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(page)
    found = page.measure("16x16", "corner", 0.12, 2000)
    gains = page.gains(found)
    assert gains["weight"] > 1.5 and gains["weight and counts"] > 1.5 * gains["weight"]
    assert abs(page.covariance_z(found)) < 4  # false alarm 6e-5
    # negative control: with the win, Z has a covariance
    wrong = found._replace(weight=np.asarray(found.won))
    assert abs(page.covariance_z(wrong)) > 4
    monkeypatch.setattr(page, "CASES", (("8x8", "corner", 0.15),))
    page.table(10)
    assert "| 8x8, corner | 0.15 | " in capsys.readouterr().out
