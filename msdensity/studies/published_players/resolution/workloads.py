"""What the part on 002 plays, for the plan of the study."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msdensity.games.boards import Board
from msdensity.games.tasks import Task
from msdensity.runs.plan import Workload, holds
from msdensity.studies.published_players.resolution.methods import (
    GUESSED,
    GUESSERS,
    PLACES,
    SIZES,
    TIMED,
)
from msdensity.studies.published_players.resolution.positions import count_games
from msdensity.studies.published_players.resolution.results import place_task, trace_guesses
from msdensity.studies.published_players.settings import CORNER, Settings


def resolution_workloads(settings: Settings, data: Path) -> Iterator[Workload]:
    """Yield what is played; data: the folder data/{name}."""
    games, timed, seed = settings.resolution_games, settings.resolution_timed_games, settings.seed
    there = holds(data / "resolution_guesses.csv", games)
    cost = holds(data / "resolution_sizes.csv", timed)
    for board, mines in PLACES:
        task = place_task(board, mines, seed)
        part = data / "resolution_coverage" / f"{board}_{mines}.csv"
        yield Workload("002 positions", [task], games, played=holds(part, games), play=_count)
        yield Workload("002 cost", [task], timed, played=cost, play=_count)
    for options in GUESSERS.values():
        for board, mines in GUESSED:
            task = Task(Board.parse(board), mines, "resolution", options, CORNER, seed)
            yield Workload("002 guesses", [task], games, played=there, play=_trace)
    for name, options in TIMED.values():
        for board, mines in SIZES:
            task = Task(Board.parse(board), mines, name, options, CORNER, seed)
            yield Workload("002 cost", [task], timed, played=cost)


def _count(task: Task, first_game: int, games: int) -> None:
    count_games(task, games)


def _trace(task: Task, first_game: int, games: int) -> None:
    trace_guesses(task, games)
