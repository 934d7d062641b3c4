"""What the beliefs of 004 play, for the plan of the study."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from msdensity.games.analysis import analyse_many
from msdensity.games.tasks import Task
from msdensity.runs.plan import Workload, holds, one_by_one
from msdensity.studies.published_players.beliefs.errors import position_errors
from msdensity.studies.published_players.beliefs.traces import believe, trace_guesses
from msdensity.studies.published_players.beliefs.ways import (
    decision_tasks,
    error_tasks,
    guess_tasks,
)
from msdensity.studies.published_players.settings import Settings


def workloads(settings: Settings, data: Path) -> Iterator[Workload]:
    """Yield the games of each table; data: the folder data/{name}."""
    games, compared = settings.belief_games, settings.belief_error_games
    there = holds(data / "beliefs" / "decisions.csv", games)
    for task in decision_tasks(settings.seed):
        yield Workload("decisions", [task], games, played=there, play=one_by_one)
    there = holds(data / "beliefs" / "guesses.csv", games)
    for part, own in guess_tasks(settings.seed).items():
        play = _converge if part == "table_10" else _trace
        for task in own:
            yield Workload("guesses", [task], games, played=there, play=play)
    there = holds(data / "beliefs" / "errors.csv", compared)
    for exact_task, _ in error_tasks(settings.seed):
        yield Workload("beliefs", [exact_task], compared, played=there, play=_compare)


def _trace(task: Task, first_game: int, games: int) -> None:
    for _ in trace_guesses(task, games):
        pass


def _believe_nothing(task: Task) -> None:
    """Compile what no game may need that the plan tries first."""
    unknown = np.zeros((1, task.board.cells), np.uint8)
    believe(task, unknown, unknown.astype(np.int64), 0)
    analyse_many(unknown, unknown, task.mines, shape=task.board.shape)


def _converge(task: Task, first_game: int, games: int) -> None:
    _believe_nothing(task)
    for _, states, numbers in trace_guesses(task, games):
        believe(task, states, numbers, 50)


def _compare(task: Task, first_game: int, games: int) -> None:
    judged = next(own for exact, own in error_tasks(task.seed) if exact == task)
    _believe_nothing(judged[0])
    position_errors(task, judged, games)
