"""A position from outside: its analysis, and where it contradicts itself."""

import numpy as np
import pytest

from msdensity.kernel.compiler.jit import compiling
from msdensity.kernel.position import (
    APPROXIMATE,
    BAD_CLUE,
    BAD_COMPONENT,
    BAD_TOTAL,
    EXACT,
    analyse_position,
)
from msdensity.kernel.state import make_workspace
from msdensity.kernel.topology import neighbour_table

STATES = {".": 0, "F": 2, "s": 3}


def analyse(row: str, mines: int, budget: int = 1 << 19):
    """Return (kind, where, safeties, least and most, ranges); `s` is safe, not opened."""
    table = neighbour_table((1, len(row)))
    workspace = make_workspace(table)
    workspace.game["node_budget"] = budget
    states = np.array([STATES.get(c, 1) for c in row], np.uint8)
    numbers = np.array([int(c) if c.isdigit() else 0 for c in row])
    answers = np.full(len(row), np.nan), np.zeros((len(row), 2), np.int64), np.zeros(4, np.int64)
    with compiling(analyse_position):
        kind = analyse_position(table.words, workspace.words, states, numbers, mines, *answers)
    return (*kind, *answers)


def test_an_exact_answer() -> None:
    kind, where, safety, least_most, ranges = analyse(".1...", 2)
    assert (kind, where) == (EXACT, -1)
    # one mine beside the number, one in the two floating cells: 2 * 2 arrangements
    assert safety[[0, 2, 3, 4]] == pytest.approx(0.5)
    assert ranges.tolist() == [1, 1, 1, 1]
    assert least_most[[0, 2, 3, 4]].tolist() == [[0, 1]] * 4


def test_certain_cells_are_safe_or_mined() -> None:
    kind, _, safety, least_most, _ = analyse(".1.2.", 2)
    assert kind == EXACT
    assert safety[[0, 2, 4]].tolist() == [1, 0, 0]
    assert least_most[[0, 2, 4]].tolist() == [[0, 0], [1, 1], [1, 1]]


def test_a_cell_known_to_be_safe_gives_no_information() -> None:
    assert analyse("s1.", 1)[2][2] == 0
    assert analyse("F1.", 1)[2][2] == 1


@pytest.mark.parametrize(
    "row,mines,kind,where",
    [
        (".3.", 2, BAD_CLUE, 1),
        ("F0.", 1, BAD_CLUE, 1),
        (".2.0.", 2, BAD_COMPONENT, None),
        (".1...", 0, BAD_TOTAL, -1),
        (".1...", 4, BAD_TOTAL, -1),
    ],
)
def test_a_contradiction_is_found_at_its_cell(row, mines, kind, where) -> None:
    answer = analyse(row, mines)
    assert answer[0] == kind
    assert where is None or answer[1] == where


def test_beyond_the_budget_the_answer_is_an_estimate() -> None:
    kind, where, safety, _, _ = analyse(".1.1.1.", 2, budget=1)
    assert (kind, where) == (APPROXIMATE, -1)
    assert ((safety[::2] >= 0) & (safety[::2] <= 1)).all()
