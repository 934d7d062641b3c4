"""What the study of forced guesses plays, for its plan: no game that is dealt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msdensity.games.tasks import Task
from msdensity.runs.plan import Workload
from msdensity.studies.patterns.settings import Settings


def stored(settings: Settings, data: Path) -> Iterator[tuple[Path, Task]]:
    """Yield the ledgers that the study may have: none."""
    return iter(())


def workloads(settings: Settings, data: Path) -> list[Workload]:
    """Return what the study plays: given layouts alone, which are no games of a task."""
    return []
