"""What the study of difficulty plays, for its plan."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msdensity.games.boards import Board, Rules
from msdensity.games.difficulty import class_counts
from msdensity.games.tasks import Task
from msdensity.runs.plan import Workload, holds
from msdensity.runs.sweet_spot import solver
from msdensity.studies.difficulty.play import class_task
from msdensity.studies.difficulty.settings import SPOT_SEED, Settings

_SLOPE = 6.0
"""A win rate falls about so much for each unit of the density near 1/2."""

_MIDDLE, _FEWER = 0.15, 3
"""About where the sweet spots lie; so many times the games of 1/2 give other win rates."""


def stored(settings: Settings, data: Path) -> Iterator[tuple[Path, Task]]:
    """Yield the ledgers that the study may have: none."""
    return iter(())


def workloads(settings: Settings, data: Path) -> list[Workload]:
    """Return what the study plays; data: the folder data/{name}.

    Pilots decide the games of the sweet spots, so until these are found they are a guess.
    """
    works: list[Workload] = []
    for rules in settings.start_rules():
        for name, board in settings.boards().items():
            works += _classes(settings, board, rules, data / f"classes/{name}.csv")
        for name, board in settings.boards_of_spots().items():
            works += _spots(settings, board, rules, data / f"spots/{name}.csv")
    return works


def _classes(settings: Settings, board: Board, rules: Rules, table: Path) -> Iterator[Workload]:
    games = settings.mines(board, rules)
    for each in dict.fromkeys(games.values()):
        tasks = [class_task(settings, board, rules, m) for m, n in games.items() if n == each]
        yield Workload("classes", tasks, each, played=holds(table, each), play=class_counts)


def _spots(settings: Settings, board: Board, rules: Rules, table: Path) -> Iterator[Workload]:
    games = _FEWER * len(settings.win_rates) * max(100, round((0.5 / _SLOPE / settings.error) ** 2))
    mines = max(1, round(_MIDDLE * board.cells))
    for by in (*settings.rules, *settings.players):
        setup, _ = solver(by, board, rules, settings.seed + SPOT_SEED)
        there = table.is_file()
        yield Workload("sweet spots", [setup.task(mines)], games, played=there, estimate=True)
