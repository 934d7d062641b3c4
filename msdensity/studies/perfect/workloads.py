"""What the study of perfect play counts, searches and plays, for its plan."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msdensity.games.boards import Board
from msdensity.games.tasks import Task
from msdensity.runs.plan import Workload, holds
from msdensity.studies.perfect.play import STARTS, counted, is_counted, optimum
from msdensity.studies.perfect.settings import RULES, Settings

_SEARCHED = ("optimal", {"ties": "ordered"})
"""Stands for perfect play in the plan."""


def stored(settings: Settings, data: Path) -> Iterator[tuple[Path, Task]]:
    """Yield the ledgers that the study may have: none."""
    return iter(())


def workloads(settings: Settings, data: Path) -> list[Workload]:
    """Return what the study plays; data: the folder data/{name}.

    A search, or the count of all layouts of a number of mines, is one game.
    """
    works = []
    for part, boards in settings.parts().items():
        for board in boards:
            there = (data / f"optima/{part}.csv").is_file()
            tasks = _not_known(settings, board)
            works.append(Workload("optima", tasks, 1, played=there, play=_search))
            there = (data / f"exact/{part}.csv").is_file()
            for player in settings.counted().values():
                tasks = settings.tasks(board, player)
                works.append(Workload("exact", tasks, 1, played=there, play=_count))
    for part, boards in settings.click_parts().items():
        there = (data / f"clicks/{part}.csv").is_file()
        for board in boards:
            # About the cells that no symmetry makes equal, from each start.
            orbits = len(STARTS) * -(-board.cells // (2 if board.p == 1 else 4))
            tasks = _not_known(settings, board)
            clicks = Workload("clicks", tasks, orbits, played=there, play=_search, estimate=True)
            works.append(clicks)
    for name, board in settings.ladder().items():
        table = data / f"ladder/{name}.played.csv"
        for player in settings.others().values():
            every = settings.tasks(board, player)
            exact = [task for task in every if is_counted(task, settings.exact_layouts)]
            games = [task for task in every if not is_counted(task, settings.exact_layouts)]
            if exact:
                there = (data / f"ladder/{name}.counted.csv").is_file()
                works.append(Workload("ladder", exact, 1, played=there, play=_count))
            if games:
                there = holds(table, settings.games)
                works.append(Workload("ladder", games, settings.games, played=there))
    return works


def _not_known(settings: Settings, board: Board) -> list[Task]:
    """Return the tasks of perfect play on a board without those whose search takes long."""
    known = settings.known.get(board, ())
    return [task for task in settings.tasks(board, _SEARCHED) if task.mines not in known]


def _search(task: Task, first: int, games: int) -> None:
    for _ in range(games):
        optimum(task.board, task.mines, RULES)


def _count(task: Task, first: int, games: int) -> None:
    for _ in range(games):
        counted(task)
