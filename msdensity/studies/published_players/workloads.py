"""What the study of published players plays, for its plan."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, product
from pathlib import Path

from msdensity.files.tables import read_table
from msdensity.games.boards import Board, Rules
from msdensity.games.tasks import Task
from msdensity.kernel.names import FIRST_ZEROS
from msdensity.players.registry import PLAYERS
from msdensity.runs.jobs import ledger_path
from msdensity.runs.plan import Workload, holds, one_by_one
from msdensity.studies.paper.first_click import count_zeros
from msdensity.studies.published_players.beliefs.workloads import workloads as beliefs
from msdensity.studies.published_players.columns import PUBLISHED_COLUMNS
from msdensity.studies.published_players.curves import curve_tasks
from msdensity.studies.published_players.figure_5 import point_tasks
from msdensity.studies.published_players.formulas import PLACES
from msdensity.studies.published_players.losses import trace_games
from msdensity.studies.published_players.questions import QUESTIONS
from msdensity.studies.published_players.resolution.workloads import resolution_workloads
from msdensity.studies.published_players.results import OTHER_COUNTS
from msdensity.studies.published_players.settings import (
    BOARDS,
    CORNER,
    COST_BOARD,
    SET,
    Settings,
)

PUBLISHED = "data/published/players.csv"


def stored(settings: Settings, data: Path) -> Iterator[tuple[Path, Task]]:
    """Yield the path of each ledger that the study may have, with a task of its run."""
    for work in _curves(settings, data):
        yield work.ledgers[0], work.tasks[0]


def workloads(settings: Settings, data: Path) -> list[Workload]:
    """Return what the study plays; data: the folder data/{name}."""
    parts = (_tables, _pairs, _measures, _curves, _points, _formulas, beliefs, resolution_workloads)
    return [work for part in parts for work in part(settings, data)]


def _tables(settings: Settings, data: Path) -> Iterator[Workload]:
    published = read_table(PUBLISHED, PUBLISHED_COLUMNS)
    for name, variants in settings.tables.items():
        own = published[published["table"] == name]
        there = holds(data / "tables" / f"{name.replace(' ', '_')}.csv", settings.games)
        # These measures are counted from games one by one as well.
        again = own.loc[own["measure"].isin(OTHER_COUNTS) & (own["measure"] != "guesses"), "board"]
        for variant in variants:
            for board, cells in own.groupby("board", sort=False):
                mines = int(cells["mines"].iloc[0])
                task = variant.task(Board.parse(str(board)), mines, settings.seed)
                yield Workload("tables", [task], settings.games, played=there)
                if task.rules.start in FIRST_ZEROS:
                    yield Workload("tables", [task], settings.games, played=there, play=_deal)
                if board in {*again}:
                    yield Workload("tables", [task], settings.games, played=there, play=one_by_one)


def _pairs(settings: Settings, data: Path) -> Iterator[Workload]:
    seed = settings.seed
    for question, asked in QUESTIONS.items():
        there = holds(data / "pairs" / f"{question}.csv", settings.games)
        for board, m in asked.boards:
            for player, options, rules in asked.ways:
                task = Task(Board.parse(board), m, player, options, rules, seed)
                yield Workload("pairs", [task], settings.games, played=there, play=one_by_one)


def _measures(settings: Settings, data: Path) -> Iterator[Workload]:
    for player in PLAYERS:
        table, cost = (data / kind / f"{player}.csv" for kind in ("measures", "cost"))
        there, timed = holds(table, settings.games), holds(cost, settings.cost_games)
        traced = holds(table, settings.traced_games)
        for name, m in (*BOARDS, COST_BOARD):
            task = Task(Board.parse(name), m, player, {}, CORNER, settings.seed)
            if (name, m) in BOARDS:
                yield Workload("measures", [task], settings.games, played=there)
                yield Workload("traces", [task], settings.traced_games, played=traced, play=_trace)
            yield Workload("cost", [task], SET + settings.cost_games, played=timed)
        curve = curve_tasks(player, Board.parse(COST_BOARD[0]).p, settings.seed)
        yield Workload("cost", curve, SET, played=timed)


def _curves(settings: Settings, data: Path) -> Iterator[Workload]:
    for player in PLAYERS:
        for side in settings.sides:
            tasks = curve_tasks(player, side, settings.seed)
            path = ledger_path(data / "ledger", tasks[0].board.name, player)
            yield Workload("curves", tasks, settings.curve_games, [path])


def _points(settings: Settings, data: Path) -> Iterator[Workload]:
    there = holds(data / "points.csv", settings.figure_games)
    tasks = [task for _, task in point_tasks(settings.seed)]
    by_label = sorted(tasks, key=lambda task: (task.label, task.board.shape, task.mines))
    for _, own in groupby(by_label, key=lambda task: (task.label, task.board)):
        yield Workload("points", [*own], settings.figure_games, played=there)


def _formulas(settings: Settings, data: Path) -> Iterator[Workload]:
    there = holds(data / "formulas.csv", settings.zero_games)
    for name, m in BOARDS:
        for place, start in product(PLACES, ("unprotected", "safe")):
            task = Task(Board.parse(name), m, "weighted", {}, Rules(place, start), settings.seed)
            yield Workload("formulas", [task], settings.zero_games, played=there, play=_deal)


def _trace(task: Task, first_game: int, games: int) -> None:
    trace_games(task, games)


def _deal(task: Task, first_game: int, games: int) -> None:
    count_zeros(task, games)
