"""A position from outside: its analysis, and where it contradicts itself."""

import numpy as np
import pytest

from msdensity.kernel.compiler.jit import compiling
from msdensity.kernel.position import (
    APPROXIMATE,
    BAD_CLUE,
    BAD_COMPONENT,
    BAD_TOTAL,
    CLEAR,
    EXACT,
    analyse_positions,
)
from msdensity.kernel.state import MARKED, OPEN, make_workspace
from msdensity.kernel.topology import neighbour_table

STATES = {".": 0, "F": 2, "s": 3}


def analyse(row: str, mines: int, budget: int = 1 << 19):
    """Return (kind, where, safeties, states, ranges of mines); `s` is safe, not opened."""
    table = neighbour_table((1, len(row)))
    workspace = make_workspace(table)
    workspace.game["node_budget"] = budget
    states = np.array([[STATES.get(c, 1) for c in row]], np.uint8)
    numbers = np.array([[int(c) if c.isdigit() else 0 for c in row]])
    safety, outcome = np.zeros((1, len(row))), np.zeros((1, 6), np.int64)
    with compiling(analyse_positions):
        analyse_positions(
            table.words, workspace.words, states, numbers, np.array([mines]), safety, outcome
        )
    kind, where, *ranges = outcome[0].tolist()
    return kind, where, safety[0], states[0], ranges


def test_an_exact_answer() -> None:
    kind, where, safety, states, ranges = analyse(".1...", 2)
    assert (kind, where) == (EXACT, -1)
    # one mine beside the number, one in the two floating cells: 2 * 2 arrangements
    assert safety[[0, 2, 3, 4]] == pytest.approx(0.5)
    assert np.isnan(safety[1])
    assert ranges == [1, 3, 1, 1]  # on the board; in the floating cells
    assert states.tolist() == [0, 1, 0, 0, 0]


def test_certain_cells_are_safe_or_mined() -> None:
    kind, _, safety, states, ranges = analyse(".1.2.", 2)
    assert kind == EXACT
    assert safety[[0, 2, 4]].tolist() == [1, 0, 0]
    assert states.tolist() == [CLEAR, OPEN, MARKED, OPEN, MARKED]
    assert ranges == [2, 2, 0, 0]


def test_floating_cells_are_certain_if_the_others_take_all_mines_or_leave_no_room() -> None:
    assert analyse(".1...", 1)[3].tolist() == [0, 1, 0, CLEAR, CLEAR]
    assert analyse(".1...", 3)[3].tolist() == [0, 1, 0, MARKED, MARKED]


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
    kind, where, safety, states, ranges = analyse(".1.1.1.", 2, budget=1)
    assert (kind, where) == (APPROXIMATE, -1)
    assert (states.tolist(), ranges) == ([0, 1, 0, 1, 0, 1, 0], [-1] * 4)
    assert ((safety[::2] >= 0) & (safety[::2] <= 1)).all()
