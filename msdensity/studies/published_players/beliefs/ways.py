"""The players of 004 as this part plays them: their options, boards and starts."""

from __future__ import annotations

from collections.abc import Mapping

from msdensity.games.boards import Board, Rules
from msdensity.games.tasks import Task
from msdensity.studies.published_players.settings import CORNER

Player = tuple[str, Mapping[str, str]]
"""A player and its options."""

LBP: Player = ("lbp", {})
LBP_MC: Player = ("lbp_mc", {})
PRIOR: Player = ("lbp_mc", {"prior": "density"})
"""With the odds of a mine that the mines left give, which 004 does not have."""
ALONE: Player = ("lbp_mc", {"prior": "density", "iterations": "0"})
"""The same without messages: marginalization alone."""
EXACT: Player = ("weighted", {})

BOARDS = (("8x8", 10), ("13x15", 40), ("16x30", 99))
"""The boards of 004 (Table 6), with their mines."""

ERROR_BOARDS = (("8x8", 10), ("10x10", 10), ("10x10", 20), ("10x10", 30), ("16x30", 99))
"""Boards on which beliefs are compared with exact safeties."""

AS_004 = Rules("corner", "first_zero")
"""The start under which Tables 7 to 9 fit all players: the first cell that shows 0 is a hint. No
stated safety is exact under it, which is why other parts start in CORNER."""

CHUNK = 100
"""Games between two checkpoints."""


def tasks(
    players: tuple[Player, ...], boards: tuple[tuple[str, int], ...], rules: Rules, seed: int
) -> list[Task]:
    """Return the task of each board and player."""
    return [
        Task(Board.parse(board), mines, name, dict(options), rules, seed)
        for board, mines in boards
        for name, options in players
    ]


def decision_tasks(seed: int) -> list[Task]:
    """Return the tasks of Figure 5, without and with rules of single numbers."""
    never = {"singles": "never"}
    players = (("lbp", never), ("lbp_mc", never), LBP, LBP_MC)
    return tasks(players, BOARDS, AS_004, seed)


def guess_tasks(seed: int) -> dict[str, list[Task]]:
    """Return the tasks whose guesses are counted, by part: Table 10 and the calibration."""
    return {
        "table_10": tasks((LBP, LBP_MC), BOARDS, AS_004, seed),
        "calibration": tasks((LBP, LBP_MC, PRIOR, EXACT), BOARDS, CORNER, seed),
    }


def error_tasks(seed: int) -> list[tuple[Task, list[Task]]]:
    """Return for each of ERROR_BOARDS the exact player's task and the tasks that are judged."""
    judged = (LBP, LBP_MC, PRIOR, ALONE)
    return [
        (
            tasks((EXACT,), (board,), CORNER, seed)[0],
            tasks(judged, (board,), CORNER, seed),
        )
        for board in ERROR_BOARDS
    ]
