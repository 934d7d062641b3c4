"""Play the games of the study: other players at low densities, and boards with lines across."""

from __future__ import annotations

from pathlib import Path

from msdensity.games.boards import Rules
from msdensity.games.tasks import Task
from msdensity.runs.sweep import Played, joined, play_unequal
from msdensity.studies.patterns.settings import Settings

ZERO = Rules("centre", "zero")

LINES_SEED = 1
"""Added to the seed of the study."""


def slope_tasks(settings: Settings) -> dict[str, dict[Task, int]]:
    """Return the games of each task of the slopes, by the name of their ledger."""
    found = {}
    for board in settings.slope_boards:
        mines = sorted({round(density * board.cells) for density in settings.slope_densities})
        for player, games in settings.slope_games.items():
            tasks = [Task(board, m, player, {}, ZERO, settings.seed) for m in mines]
            found[f"{board.name}.{player}.zero"] = dict.fromkeys(tasks, games)
    return found


def line_tasks(settings: Settings) -> dict[str, dict[Task, int]]:
    """Return the games of each task of the lines, by the name of their ledger."""
    found: dict[str, dict[Task, int]] = {}
    for board, mines in settings.line_boards:
        rules = ZERO if board.topology == "torus8" else Rules("corner", "safe")
        task = Task(board, mines, "weighted", {}, rules, settings.seed + LINES_SEED)
        name = f"{board.name}.weighted.lines"
        found.setdefault(name, {})[task] = settings.line_games
    return found


def play_slopes(settings: Settings, ledgers: str, threads: int = 1) -> Played:
    """Play the players at low densities; the table has WIN_RATE_COLUMNS."""
    return _played(slope_tasks(settings), Path(ledgers), threads)


def play_lines(settings: Settings, ledgers: str, threads: int = 1) -> Played:
    """Play the boards with lines across, and those without; the table has WIN_RATE_COLUMNS."""
    return _played(line_tasks(settings), Path(ledgers), threads)


def _played(tasks: dict[str, dict[Task, int]], folder: Path, threads: int) -> Played:
    return joined(
        [
            play_unequal(folder / f"{name}.csv", games, batch=2000, threads=threads)
            for name, games in tasks.items()
        ]
    )
