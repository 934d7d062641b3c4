"""What the study of percolation plays, for its plan."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from msdensity.files.tables import read_table
from msdensity.files.text import read_csv
from msdensity.games.boards import Board
from msdensity.games.front import front_task, play_fronts, zero_losses
from msdensity.games.tasks import Task
from msdensity.runs.plan import Play, Workload, holds
from msdensity.studies.percolation.columns import ZERO_COLUMNS
from msdensity.studies.percolation.play import play_ends
from msdensity.studies.percolation.settings import (
    GAME_SEED,
    ZERO_SEED,
    FrontPart,
    GamePart,
    Settings,
)


def stored(settings: Settings, data: Path) -> Iterator[tuple[Path, Task]]:
    """Yield the ledgers that the study may have: none."""
    return iter(())


def _fronts(part: FrontPart, task: Task, first: int, boards: int) -> None:
    place = part.topology, part.side, task.mines, part.rules, task.seed
    play_fronts(*place, first=first, boards=boards)


def _zeros(side: int, task: Task, first: int, boards: int) -> None:
    zero_losses(side, task.seed, first=first, boards=boards)


def _lost(path: Path, side: int, boards: int) -> bool:
    """Whether a table holds so many boards of a side."""
    if not path.is_file():
        return False
    table = read_table(path, ZERO_COLUMNS)
    return int(table.loc[table["side"] == side, "boards"].sum()) == boards


def _holds(table: Path, games: int, **place: object) -> bool:
    """Whether a table of a job has rows of so many games of a part."""
    if not holds(table, games):
        return False
    own = read_csv(table, f"table {table}")
    for name, value in {**place, "games": games}.items():
        own = own[own[name] == value]
    return len(own) > 0


def workloads(settings: Settings, data: Path) -> list[Workload]:
    """Return what the study plays; data: the folder data/{name}.

    Boards of ordinary percolation are no games of a task; they take seconds.
    """
    works = []
    for name, parts in settings.front_parts().items():
        for part in parts:
            topology, rules, side = part
            own = settings.fronts[topology]
            each = [
                front_task(topology, side, mines, rules, settings.seed)
                for mines in own.mines(rules, side)
            ]
            games = own.boards(rules)[side]
            there = _holds(data / f"fronts/{name}.csv", games, rules=rules, side=side)
            play: Play = partial(_fronts, part)
            works.append(Workload("fronts", each, games, played=there, play=play))
    for side, boards in sorted(settings.zeros.items()):
        options = {"rules": "zeros"}
        task = Task(Board((side, side)), 1, "inference", options, seed=settings.seed + ZERO_SEED)
        there = _lost(data / "zeros.csv", side, boards)
        works.append(Workload("zeros", [task], boards, played=there, play=partial(_zeros, side)))
    for name, several in settings.game_parts().items():
        for rules, side in several:
            tasks = [
                GamePart(rules, side).task(mines, settings.seed + GAME_SEED)
                for mines in settings.games.mines(side)
            ]
            games = settings.games.games[side]
            there = _holds(data / f"games/{name}.csv", games, rules=rules, side=side)
            works.append(Workload("games", tasks, games, played=there, play=play_ends))
    return works
