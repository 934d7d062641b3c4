"""What the study of definitions plays, for its plan."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msdensity.files.text import read_csv
from msdensity.games.tasks import Task
from msdensity.runs.plan import Play, Workload, holds
from msdensity.studies.definitions.play import PARTS, clicks_of_games, games_of, play_sums
from msdensity.studies.definitions.settings import GUESSER, Part, Settings


def stored(settings: Settings, data: Path) -> Iterator[tuple[Path, Task]]:
    """Yield the ledgers that the study may have: none."""
    return iter(())


def _holds(table: Path, side: int, games: int) -> bool:
    """Whether a table has rows of so many games on boards of a side."""
    if not holds(table, games):
        return False
    found = read_csv(table, f"table {table}")
    return bool(((found["side"] == side) & (found["games"] == games)).any())


def workloads(settings: Settings, data: Path) -> list[Workload]:
    """Return what the study plays; data: the folder data/{name}."""
    works = []

    def add(name: str, table: str, part: Part, games: int, play: Play | None) -> None:
        tasks = [part.task(mines, settings.seed) for mines in settings.mines(part.side)]
        for each in PARTS:
            n = games_of(each, games)
            there = _holds(data / table, part.side, n)
            works.append(Workload(name, tasks, n, played=there, play=play))

    for side, games in sorted(settings.games.items()):
        for part in settings.parts(side):
            add("games", f"games/{side}.csv", part, games, play_sums)
    for side, boards in sorted(settings.layouts.items()):
        add("layouts", "layouts.csv", Part(GUESSER, "zero", side), boards, clicks_of_games)
    for side, games in sorted(settings.timed.items()):
        add("cost", "cost.csv", Part(GUESSER, "zero", side), games, None)
    return works
