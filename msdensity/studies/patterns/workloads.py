"""What the study of forced guesses plays, for its plan: the games that are dealt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msdensity.games.tasks import Task
from msdensity.runs.plan import Workload
from msdensity.studies.patterns.play import line_tasks, slope_tasks
from msdensity.studies.patterns.settings import Settings


def stored(settings: Settings, data: Path) -> Iterator[tuple[Path, Task]]:
    """Yield the path of each ledger that the study may have, with a task of its run."""
    for name, games in (slope_tasks(settings) | line_tasks(settings)).items():
        yield data / "ledger" / f"{name}.csv", next(iter(games))


def workloads(settings: Settings, data: Path) -> list[Workload]:
    """Return what the study plays, besides given layouts; data: the folder data/{name}."""
    return [
        Workload(what, list(games), max(games.values()), [data / "ledger" / f"{name}.csv"])
        for what, tasks in (
            ("players at low densities", slope_tasks(settings)),
            ("boards with lines", line_tasks(settings)),
        )
        for name, games in tasks.items()
    ]
