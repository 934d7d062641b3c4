"""What the study of first clicks plays, for its plan."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msdensity.files.tables import read_table
from msdensity.games.tasks import Task
from msdensity.runs.plan import Workload, holds, one_by_one
from msdensity.studies.clicks.columns import REPLAY_COLUMNS
from msdensity.studies.clicks.play import layout_task, slope_ledger, slope_tasks
from msdensity.studies.clicks.settings import Settings


def stored(settings: Settings, data: Path) -> Iterator[tuple[Path, Task]]:
    """Yield the path of each ledger that the study may have, with a task of its run."""
    tasks = {
        slope_ledger(data / "ledger", own): slope_tasks(settings, own)[0]
        for own in settings.parts().values()
    }
    yield from tasks.items()


def _replayed(path: Path, task: Task, games: int) -> bool:
    """Whether a table of replays holds so many games of a board, number of mines and seed."""
    if not path.is_file():
        return False
    table = read_table(path, REPLAY_COLUMNS)
    own = table[(table["board"] == task.board.name) & (table["mines"] == task.mines)]
    return int((own["layouts"] * own["replays"]).sum()) == games


def workloads(settings: Settings, data: Path) -> list[Workload]:
    """Return what the study plays; data: the folder data/{name}.

    Games from the corner stand for those from all cells of a map.
    """
    works = []
    for name, own in settings.parts().items():
        there = holds(data / "outcomes" / f"{name}.csv", settings.maps.games)
        games = settings.maps.games * own.board.cells
        task = own.task("corner", settings.seed)
        works.append(Workload("maps", [task], games, played=there, play=one_by_one))
        ledger = slope_ledger(data / "ledger", own)
        tasks = slope_tasks(settings, own)
        works.append(Workload("slopes", tasks, settings.slope_games, [ledger]))
    for board, several in settings.layouts.mines:
        for mines in several:
            games = settings.layouts.games * settings.replays
            task = layout_task(settings, board, mines)
            there = _replayed(data / "replays.csv", task, games)
            works.append(Workload("replays", [task], games, played=there, play=one_by_one))
    return works
