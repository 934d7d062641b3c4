"""What the reproduction plays, for its plan."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msdensity.files.tables import read_table
from msdensity.games.boards import Board
from msdensity.games.tasks import Task
from msdensity.runs.jobs import ledger_path
from msdensity.runs.plan import Workload, holds, one_by_one
from msdensity.studies.reproduction.ablation import variants
from msdensity.studies.reproduction.columns import QUOTES_COLUMNS
from msdensity.studies.reproduction.settings import SPOTS, Settings

QUOTES = "data/published/win_rates.csv"

_SHARE = 0.45
"""Numbers of mines up to the first that is never won, as a share of all."""


def stored(settings: Settings, data: Path) -> Iterator[tuple[Path, Task]]:
    """Yield the path of each ledger that the study may have, with a task of its run."""
    for work in _sweeps(settings, data):
        yield work.ledgers[0], work.tasks[0]


def workloads(settings: Settings, data: Path) -> list[Workload]:
    """Return what the study plays; data: the folder data/{name}."""
    return [*_sweeps(settings, data), *_quoted(settings, data), *_ends(settings, data)]


def _sweeps(settings: Settings, data: Path) -> list[Workload]:
    found = []
    for part, boards in settings.parts().items():
        config = settings.config(part)
        for board in boards:
            for player in config.labels:
                path = ledger_path(data / "ledger", board, player)
                found.append(Workload("sweep", config.tasks(board, player), config.games, [path]))
    return found


def _quoted(settings: Settings, data: Path) -> list[Workload]:
    sweep, games = settings.sweep, settings.quoted.games
    there = holds(data / "quoted.csv", games)
    quotes = read_table(QUOTES, QUOTES_COLUMNS)
    return [
        Workload("quoted", [Task(board, m, *player, sweep.rules, sweep.seed)], games, played=there)
        for board, m in zip(quotes["board"], quotes["mines"], strict=True)
        for player in sweep.players
    ]


def _ends(settings: Settings, data: Path) -> list[Workload]:
    found = []
    ablation, sweep = settings.ablation, settings.sweep
    spots = [(Board.parse(name), mines) for name, mines in SPOTS]
    for name, options in variants().items():
        there = holds(data / "ends" / f"{name}.csv", ablation.games)
        for board in dict.fromkeys([*ablation.boards, *(board for board, _ in spots)]):
            last = round(_SHARE * board.cells) if board in ablation.boards else 0
            games = dict.fromkeys(range(1, last + 1), ablation.games)
            for mines in [m for there, m in spots if there == board]:
                games[mines] = max(games.get(mines, 0), ablation.spot_games)
            for each in sorted({*games.values()}):
                tasks = [
                    Task(board, m, "listing", options, sweep.rules, sweep.seed)
                    for m in sorted(games)
                    if games[m] == each
                ]
                found.append(
                    Workload("ends", tasks, each, played=there, play=one_by_one, estimate=last > 0)
                )
    return found
