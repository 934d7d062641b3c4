"""The command of docs/explanation/approximation.md, and what it says of the estimates."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

PAGE = Path(__file__).parent.parent.parent / "docs" / "explanation" / "approximation.py"

RELAXATION = {"10x10": 0.0233, "5x5x5-torus": 0.0191}
"""Mean absolute error of a safety at forced estimates, of kernel version 3, 2000 and 249 positions
of an independent program."""


@pytest.fixture(scope="module")
def page() -> ModuleType:
    spec = importlib.util.spec_from_file_location("approximation", PAGE)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def mean_error(page: ModuleType, name: str, mines: int, games: int, beliefs: bool) -> list[float]:
    """Return the mean absolute error over all exposed cells, and its standard error over games."""
    at = page.Position(name, mines, page.FULL)
    near = np.split(at.table.neighbours, at.table.start[1:-1])
    sums = []
    for game in range(games):
        total = cells = 0.0
        for safety in page.guesses(at, game, page.by_kernel):
            exposed = (at.numbers == page.COVERED) & [(at.numbers[d] >= 0).any() for d in near]
            estimate = at.estimated(page.FORCED)[0]
            if beliefs:
                marked = np.where(at.numbers == page.COVERED, page.COVERED, -2)
                numbers = np.where(at.numbers >= 0, at.numbers, marked)
                estimate = page.box_beliefs(at.table, numbers, int(at.facts[0]))
            if exposed.any() and not at.facts[2]:
                total += np.abs(estimate - safety)[exposed].sum()
                cells += exposed.sum()
        sums.append((total, cells))
    total, cells = np.array(sums).T
    mean = total.sum() / cells.sum()
    return [mean, np.std(total - mean * cells, ddof=1) / cells.mean() / np.sqrt(games)]


def test_in_two_dimensions_the_estimates_are_those_of_version_3(page: ModuleType) -> None:
    mean, se = mean_error(page, "10x10", 20, 200, beliefs=False)
    assert abs(mean - RELAXATION["10x10"]) < 4 * se
    mean, se = mean_error(page, "10x10", 20, 100, beliefs=True)
    assert mean - RELAXATION["10x10"] > 4 * se  # box LBP is further off than the tolerance


def test_messages_bring_estimates_nearer_on_the_torus(page: ModuleType) -> None:
    mean, se = mean_error(page, "5x5x5-torus", 12, 20, beliefs=False)
    assert mean + 4 * se < RELAXATION["5x5x5-torus"]


@pytest.mark.parametrize(("name", "mines"), [("5x5x5-torus", 12), ("5x5x5-cubic26", 19)])
def test_a_position_has_the_same_estimates_however_it_came_about(
    page: ModuleType, name: str, mines: int
) -> None:
    at = page.Position(name, mines, page.FULL)
    compared = 0
    for game in range(40):
        for safety in page.guesses(at, game, page.by_kernel):
            if at.facts[2]:
                estimate, exact = at.estimated(page.FULL)
                if exact:  # the boxes were in another order, and the states within the budget
                    continue
                covered = at.numbers == page.COVERED
                assert estimate[covered] == pytest.approx(safety[covered], abs=1e-9)
                compared += 1
    assert compared > 20


def test_the_beliefs_of_a_chain_are_exact(page: ModuleType) -> None:
    """A row of cells: 1 in every second; two mines or three."""
    position = page.Position("1x7", 2, page.FULL)
    covered = page.COVERED
    numbers = np.array([covered, 1, covered, 1, covered, 1, covered])
    safety = page.box_beliefs(position.table, numbers, 2)
    # * - * - and - * - * alternate: the safeties of both arrangements are one half
    assert safety[numbers == covered] == pytest.approx(0.5, abs=1e-12)


def test_the_command_measures_and_compares(page: ModuleType, tmp_path, monkeypatch, capsys) -> None:
    boards = (("4x4x4-torus", 8, 2, 1), ("8x8", 14, page.FORCED, 1))
    monkeypatch.setattr(page, "BOARDS", boards)
    path = tmp_path / "x.json"
    page.play(str(path), 16)
    found = json.loads(path.read_text())
    assert [len(row["won"]["kernel"]) for row in found.values()] == [16, 16]
    page.table(found, found)
    printed = capsys.readouterr().out
    assert printed.count("| 4x4x4-torus/8 | ") >= 2 and "+0 -0, p = 1" in printed
