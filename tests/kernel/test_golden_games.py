"""Outcomes of stored games: they change only with KERNEL_VERSION.

After a deliberate change: raise KERNEL_VERSION and run `python tests/kernel/test_golden_games.py`.
"""

import json
from typing import Any

import pytest

from msdensity.games.boards import Board, Rules
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.players.registry import PLAYERS
from places import DATA

FILE = DATA / "golden_games.json"
GAMES = 200
Case = tuple[str, int, dict[str, str], dict[str, str]]
WEIGHED = (("16x30", 80), ("9x9-torus8", 14), ("8x9-triangle12", 14), ("4x4x4-cubic26", 5))
"""Games with weights: in planes, and with a record for each cell."""

CASES: list[Case] = [
    ("4x4", 5, {}, {}),
    ("8x8", 10, {}, {}),
    ("10x10", 20, {}, {}),
    ("10x10", 20, {"ties": "random"}, {}),
    ("10x10", 20, {}, {"start": "zero"}),
    ("10x10", 20, {}, {"start": "unprotected"}),
    ("10x10", 20, {}, {"first_click": "centre"}),
    ("10x10", 20, {}, {"first_click": "random"}),
    ("16x30", 99, {}, {}),
    ("2x10", 3, {}, {}),
    ("1x20", 4, {}, {}),
    ("8x9-torus8", 12, {}, {}),
    ("8x9-square4", 14, {}, {}),
    ("8x9-torus4", 14, {}, {}),
    ("8x9-hexagonal", 14, {}, {}),
    ("8x9-triangle3", 9, {}, {}),
    ("8x9-triangle12", 14, {}, {}),
    ("8x9-knight", 14, {}, {}),
    ("8x9-torus_hexagonal", 14, {}, {}),
    ("8x10-torus_triangle3", 9, {}, {}),
    ("8x10-torus_triangle12", 16, {}, {}),
    ("8x9-torus_knight", 16, {}, {}),
    ("4x4x4-cubic26", 5, {}, {}),
    ("4x4x4-cubic6", 12, {}, {}),
    ("3x3x2x2-box", 4, {}, {}),
    ("3x4x3-torus", 4, {}, {}),
    ("17x33", 100, {}, {}),  # several tiles
    ("17x33", 90, {"ties": "random"}, {"start": "zero", "first_click": "random"}),
    ("20x20-torus8", 60, {}, {}),
    ("9x40-hexagonal", 70, {}, {}),
    ("33x8-torus4", 70, {}, {"start": "zero"}),
    ("40x40-square4", 400, {}, {"start": "zero"}),
    ("50x50", 375, {}, {"start": "zero", "first_click": "centre"}),
    ("10x10", 20, {}, {"start": "first_zero"}),
    ("10x10", 30, {}, {"start": "first_zero_by_columns"}),  # some boards have no 0
    ("6x7-triangle12", 4, {}, {"start": "first_zero"}),
    ("10x10", 20, {"player": "listing"}, {"start": "first_zero"}),
    *((board, mines, {"player": "conditional"}, {}) for board, mines in WEIGHED),
    *(("10x10", 20, {"player": name}, {}) for name in PLAYERS if name != "weighted"),
    *(("6x7-torus8", 6, {"player": name}, {}) for name in PLAYERS if name != "weighted"),
]


def outcome(case: Case) -> dict[str, int]:
    board, mines, options, rules = case
    parsed = dict(options)
    player = parsed.pop("player", "weighted")
    task = Task(Board.parse(board), mines, player, parsed, Rules(**rules), seed=1)
    return play_batch(task, 0, GAMES)


def case_name(case: Case) -> str:
    board, mines, options, rules = case
    return " ".join([f"{board}/{mines}", *(f"{k}={v}" for k, v in (options | rules).items())])


def stored() -> dict[str, Any]:
    return json.loads(FILE.read_text())


def test_the_stored_games_are_of_this_kernel_version() -> None:
    assert stored()["kernel_version"] == KERNEL_VERSION
    assert set(stored()["games"]) == set(map(case_name, CASES))


@pytest.mark.parametrize("case", CASES, ids=case_name)
def test_outcomes_have_not_changed(case: Case) -> None:
    assert outcome(case) == stored()["games"][case_name(case)]


if __name__ == "__main__":
    games = {case_name(case): outcome(case) for case in CASES}
    FILE.write_text(json.dumps({"kernel_version": KERNEL_VERSION, "games": games}, indent=1) + "\n")
