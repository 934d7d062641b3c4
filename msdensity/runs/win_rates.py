"""Tables of ledgers: their rows, and the win rates of these."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pandas as pd

from msdensity.errors import InputError, check_path, integer
from msdensity.files.tables import check_table
from msdensity.games.play import boards_without_zero
from msdensity.games.tasks import Task
from msdensity.kernel.limits import MAX_GAMES
from msdensity.kernel.measures import MEASURES
from msdensity.kernel.names import FIRST_ZEROS
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.runs.ledger import COLUMNS, read_together, task_facts
from msdensity.runs.rows import Row, by_task, merge
from msdensity.runs.verify import ledgers_in
from msdensity.stats.columns import WIN_RATE_COLUMNS
from msdensity.stats.intervals import wilson

_TEXT = ("task_id", "board", "topology", "player", "options", "first_click", "start")


def ledger_table(*paths: str | os.PathLike[str]) -> pd.DataFrame:
    """Return the merged rows of ledgers as a table with their COLUMNS except `check`.

    Rows of any kernel version are read; the version is a column. Several ledgers are read as one
    set of rows. Raises InputError as `read_ledger` does.
    """
    rows, _ = read_together(paths, True)
    lines = [(*task_facts(row.task, row.kernel_version), *row.counts.numbers) for row in rows]
    table = pd.DataFrame(lines, columns=list(COLUMNS[:-1]))
    return table.astype({name: "str" if name in _TEXT else "int64" for name in table.columns})


def stored_win_rates(
    data: str | os.PathLike[str], games: int = 1, kernel_version: int = KERNEL_VERSION
) -> pd.DataFrame:
    """Return the raw win rates (WIN_RATE_COLUMNS) of the ledgers in a folder, or of one ledger.

    games: the minimum for each task, as in `win_rate_table`; kernel_version: whose games count;
    those of others are left out. Raises InputError as `win_rate_table` and `read_ledger` do, and
    if there is no game of that version.
    """
    check_path("data", data)
    integer("games", games, 1, MAX_GAMES)
    integer("kernel_version", kernel_version, 1)
    if not os.path.exists(data):
        raise InputError(f"data={os.fspath(data)} must be a folder with ledgers, or a ledger")
    rows, _ = read_together(ledgers_in(data), True)
    own = [row for row in rows if row.kernel_version == kernel_version]
    if not own:
        there = ", ".join(map(str, sorted({row.kernel_version for row in rows}))) or "none"
        raise InputError(
            f"kernel_version={kernel_version} must be one that played the ledgers in"
            f" data={os.fspath(data)}: {there}"
        )
    return win_rate_table(own, games)


def win_rate_table(
    rows: Iterable[Row], games: int, tasks: Iterable[Task] | None = None
) -> pd.DataFrame:
    """Return the raw win rates (WIN_RATE_COLUMNS) of tasks, from rows of one or more ledgers.

    games: the minimum for each task. A row cannot be split, so all games from game 0 on without a
    gap are used, even if they are more. Games behind a gap (left by a larger run that was
    interrupted) are not used, so that the table cannot depend on the interruption. Games that start
    at the first 0 are dealt again, to count `no_zero`. tasks: if given,
    these must be in the rows, and others are left out.

    Rows are sorted by board, player and mines. Raises InputError if a task has fewer games than
    the target, or rows contradict each other.
    """
    if games < 1:
        raise InputError(f"games={games} must be at least 1")
    by_id = {own[0].counts.task_id: own for own in by_task(rows)}
    wanted = list(by_id if tasks is None else dict.fromkeys(task.task_id for task in tasks))
    if not wanted:
        raise InputError(f"the ledger is empty: every task must have {games} games")
    lacking = sorted(set(wanted) - set(by_id))
    if lacking:
        raise InputError(
            f"{len(lacking)} of {len(wanted)} tasks, the first {lacking[0]}, have 0 games; "
            f"each must have {games}: top up the ledger first"
        )
    table = pd.DataFrame.from_records([_record(by_id[task_id], games) for task_id in wanted])
    low, high = wilson(table["wins"], table["games"])
    table["win_rate"] = table["wins"] / table["games"]
    table["win_rate_low"] = low
    table["win_rate_high"] = high
    order = ["topology", "p", "q", "board", "player", "first_click", "start", "seed", "mines"]
    table = table.sort_values(order, ignore_index=True)
    return check_table(table, WIN_RATE_COLUMNS, "win-rate table")


def _record(rows: list[Row], games: int) -> dict[str, Any]:
    """Return one row of the win-rate table, without its rates, from the rows of a task."""
    merged = merge(rows)
    row = merged[0]
    task, counts, board = row.task, row.counts, row.task.board
    played = counts.games if counts.first_game == 0 else 0
    if played < games:
        waiting = sum(each.counts.games for each in merged) - played
        behind = f", and {waiting} behind a gap" if waiting else ""
        raise InputError(
            f"task {counts.task_id} (board {board.name}, mines {task.mines}, player {task.player})"
            f" has {played} games from game 0 on{behind}, must have {games}: top up the ledger"
            " first"
        )
    two_sides = len(board.shape) == 2
    no_zero = {}
    if task.rules.start in FIRST_ZEROS:
        no_zero = {"no_zero": boards_without_zero(task, 0, counts.games)}
    return {
        "board": board.name,
        "p": board.p if two_sides else pd.NA,
        "q": board.q if two_sides else pd.NA,
        "topology": board.topology,
        "player": task.label,
        "first_click": task.rules.first_click,
        "start": task.rules.start,
        "seed": task.seed,
        "kernel_version": row.kernel_version,
        "mines": task.mines,
        "density": task.mines / board.cells,
        "games": counts.games,
        **dict(zip(MEASURES, counts.measures, strict=True)),
        **no_zero,
    }
