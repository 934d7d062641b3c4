"""What the study of paper 001 plays, for its plan."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.games.exact import why_not_exact
from msdensity.games.tasks import Task
from msdensity.kernel.names import OWN_TABLE
from msdensity.runs.config import Config
from msdensity.runs.jobs import ledger_path, ledgers
from msdensity.runs.plan import Workload, holds, one_by_one
from msdensity.studies.paper.first_click import PLACES, first_click_tasks
from msdensity.studies.paper.inference import play_positions

PILOT_GAMES = 1500
"""About how many games a pilot plays on a board."""

PILOT_DENSITY = 0.2
"""The density at which such a game is timed: near W = 1/2 on boards of usual sizes."""


SMALL_EXACT = 16
"""Exact win rates of boards of so many cells take a second at most, and are not in the plan."""


def exact_boards(config: Config) -> list[Board]:
    """Return the boards whose win rates are counted exactly, if the player allows it.

    The process that counts them knows no custom boards.
    """
    small = (board for board in config.boards if board.cells <= config.exact_cells)
    return [board for board in small if not OWN_TABLE.fullmatch(board.topology)]


def count_exactly(task: Task, first_game: int, games: int) -> None:
    """Count the win rate of a task exactly, as one "game" of it."""
    from msdensity.games.exact import exact_wins

    with suppress(InputError):  # a search beyond its budget ends there
        exact_wins(task)


def stored(config: Config, data: Path) -> Iterator[tuple[Path, Task]]:
    """Yield the path of each ledger that the study may have, with a task of its run."""
    for board in config.boards:
        for label, (player, options) in zip(config.labels, config.players, strict=True):
            task = Task(board, 1, player, options, config.rules, config.seed)
            yield ledger_path(data / "ledger", board.name, label), task


def workloads(config: Config, data: Path) -> list[Workload]:
    """Return what a configuration plays, of all its targets; data: the folder data/{name}."""
    found = []
    pilots = holds(data / "pilots.csv", PILOT_GAMES)
    for board in config.boards:
        for player in config.labels:
            tasks = config.tasks_to_play(board, player)
            paths = ledgers(data / "ledger", board.name, player)
            found.append(Workload("sweep", tasks, config.games, paths))
            if board.cells > 2:
                near = min(tasks, key=lambda task: abs(task.density - PILOT_DENSITY))
                found.append(Workload("pilots", [near], PILOT_GAMES, played=pilots))
            counts = board.cells > SMALL_EXACT and board in exact_boards(config)
            if counts and not why_not_exact(tasks[0]):
                whole = config.tasks(board, player)
                counted = (data / "exact.csv").is_file()
                found.append(Workload("exact", whole, 1, played=counted, play=count_exactly))
    if study := config.first_click_study:
        there = holds(data / "first_click.csv", study.games)
        for board, mines in study.mines:
            for place in PLACES:
                tasks = first_click_tasks(board, mines, place, config.seed)
                work = Workload("first_click", tasks, study.games, played=there)
                found.append(replace(work, play=one_by_one))
    if study := config.inference_study:
        there = holds(data / "inference.csv", study.games)
        for board, mines in study.mines:
            tasks = [Task(board, m, seed=config.seed) for m in mines]
            work = Workload("inference", tasks, study.games, played=there, target="inference")
            found.append(replace(work, play=play_positions))
    return found
