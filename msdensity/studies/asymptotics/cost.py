"""What the study plays and what it costs, roughly."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pandas as pd

from msdensity.files.tables import check_table
from msdensity.games.boards import Board
from msdensity.stats.rho50.design import MIN_GAMES
from msdensity.studies.asymptotics.columns import PLAN_COLUMNS
from msdensity.studies.asymptotics.settings import RIVAL, Curves, Entry, Precision, Settings

ASSUMED_GAIN = 2.0
"""Variance ratio of the control variate that games are counted with; the real one is 2 to 3."""

_CELL_SECONDS, _GAME_SECONDS = 3e-9, 5e-6
"""A rule of thumb for a game of a board, measured on one machine."""

_LISTING_SECONDS = 1e-6
"""The same for a cell of the paper's program."""


def game_seconds(cells: int, listing: bool = False) -> float:
    """Return about how many CPU seconds a game takes; listing: by the paper's program."""
    return _GAME_SECONDS + (_LISTING_SECONDS if listing else _CELL_SECONDS) * cells


def games_of(points: pd.DataFrame, precision: Precision, board: Board) -> dict[int, int]:
    """Return the games by number of mines of a board. points: its POINT_COLUMNS."""
    total = precision.games(float(points["unit_error"].iloc[0]), board.cells, ASSUMED_GAIN)
    return {
        int(m): max(math.ceil(share * total), MIN_GAMES)
        for m, share in zip(points["mines"], points["share"], strict=True)
    }


def won_mines(side: int, curves: Curves) -> list[int]:
    """Return about those numbers of mines of a curve that are played: up to the first never won.

    That is at twice the density where W = 1/2.
    """
    mines = curves.mines(side)
    return mines[: len(mines) * (45 if side in curves.small else 30) // 100]


def plan_table(points: pd.DataFrame, settings: Settings) -> pd.DataFrame:
    """Return what the study plays and what it costs, roughly (PLAN_COLUMNS).

    points: POINT_COLUMNS. Also prints the plan, before anything is played.
    """
    precision, low = settings.precision, settings.low_density
    rows: list[dict[str, Any]] = []

    def add(part: str, entry: Entry, count: int, games: int, error: float = np.nan) -> None:
        rows.append(
            {
                "games_of": part,
                "board": entry.board.name,
                "rule": entry.rule,
                "points": count,
                "games": games,
                "expected_error": error,
                "cpu_seconds": games * game_seconds(entry.board.cells, part == RIVAL),
            }
        )

    for entry in settings.entries:
        own = points[(points["board"] == entry.board.name) & (points["rule"] == entry.rule)]
        games = sum(games_of(own, precision, entry.board).values())
        error = float(own["unit_error"].iloc[0]) / math.sqrt(games * ASSUMED_GAIN)
        add("rho50", entry, len(own), games, error)
    for entry in low.entries:
        count = len(low.mines(entry.board))
        add("low density", entry, count, count * low.games_of(entry.board))
        count = len(low.conditional.mines(entry.board))
        add("conditional", entry, count, count * low.conditional.games_of(entry.board))
    for part, whole in (("curves", settings.curves), ("listing", settings.listing)):
        for side in (*whole.small, *whole.large):
            count = len(won_mines(side, whole))
            add(part, Entry(Board((side, side)), "corner"), count, count * whole.games)
    plan = check_table(pd.DataFrame(rows), PLAN_COLUMNS, "plan")
    for stream in (sys.stdout, sys.stderr):
        print(report_plan(plan), file=stream, flush=True)
    return plan


def report_plan(plan: pd.DataFrame) -> str:
    """Return the plan in words."""
    lines = [
        f"{'part':>12} {'board':>16} {'start':>7} {'m':>4} {'games':>11} {'error':>8} {'CPU s':>8}"
    ]
    row: Any
    for row in plan.itertuples():
        error = f"{row.expected_error:.2%}" if np.isfinite(row.expected_error) else ""
        lines.append(
            f"{row.games_of:>12} {row.board:>16} {row.rule:>7} {row.points:>4} {row.games:>11,} "
            f"{error:>8} {row.cpu_seconds:>8.1f}"
        )
    total = plan["cpu_seconds"].sum()
    games = plan["games"].sum()
    lines.append(
        f"{games:,} games, about {total:,.0f} CPU seconds: {total / 120:.0f} min on 2 cores"
    )
    return "\n".join(lines)
