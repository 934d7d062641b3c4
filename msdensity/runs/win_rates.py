"""Win rates."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pandas as pd

from msdensity.errors import InputError
from msdensity.files.tables import check_table
from msdensity.games.boards import Board
from msdensity.kernel.measures import MEASURES
from msdensity.players.registry import label
from msdensity.runs.counts import Counts
from msdensity.stats.columns import WIN_RATE_COLUMNS
from msdensity.stats.intervals import wilson

MORE_GAMES: set[int] = set()
"""For a number of mines, where a table of this process holds more than were asked for.

For the record of where its results come from: no new run makes the same.
"""


def win_rate_table(
    ledgers: pd.DataFrame | Iterable[pd.DataFrame],
    games: int,
    task_ids: Iterable[str] | None = None,
) -> pd.DataFrame:
    """Return the raw win rates (WIN_RATE_COLUMNS) of the tasks in one or more ledgers.

    games: the target, a minimum: a row of a ledger cannot be split, so of every task all games
    from game 0 on without a gap are used, even if they are more. Games behind a gap (left by a
    larger run that was interrupted) are not, so that they cannot depend on the interruption.
    task_ids: the tasks that must be there, if given; others are then left out.

    Rows are sorted by board, player and mines. Raises InputError if a task has fewer games than
    the target, if rows of one task overlap, or if a task of `task_ids` is missing.
    """
    if games < 1:
        raise InputError(f"games={games} must be at least 1")
    frames = [ledgers] if isinstance(ledgers, pd.DataFrame) else list(ledgers)
    if not frames or not sum(map(len, frames)):
        raise InputError(f"the ledger is empty: every task must have {games} games")
    rows = pd.concat([frame for frame in frames if len(frame)], ignore_index=True)
    if task_ids is not None:
        wanted = set(task_ids)
        lacking = sorted(wanted - set(rows["task_id"]))
        if lacking:
            raise InputError(
                f"{len(lacking)} of {len(wanted)} tasks, the first {lacking[0]}, have 0 games; "
                f"each must have {games}: top up the ledger first"
            )
        rows = rows[rows["task_id"].isin(wanted)]

    records = [_record(task, games) for _, task in rows.groupby("task_id", sort=False)]
    table = pd.DataFrame.from_records(records)
    low, high = wilson(table["wins"], table["games"])
    MORE_GAMES.update(int(n) for n in table["games"] if n > games)
    table["win_rate"] = table["wins"] / table["games"]
    table["win_rate_low"] = low
    table["win_rate_high"] = high
    order = ["topology", "p", "q", "board", "player", "first_click", "start", "seed", "mines"]
    table = table.sort_values(order, ignore_index=True)
    return check_table(table, WIN_RATE_COLUMNS, "win-rate table")


def _record(task: pd.DataFrame, games: int) -> dict[str, Any]:
    """Return one row of the win-rate table, without its rates, from the ledger rows of a task."""
    batches = [
        Counts(
            row["task_id"],
            row["first_game"],
            row["games"],
            tuple(row[name] for name in MEASURES),
        )
        for row in task.sort_values("first_game").to_dict("records")
    ]
    facts = task.iloc[0]
    total = None
    for batch in batches:
        if total is None and batch.first_game == 0:
            total = batch
        elif total is not None and batch.first_game <= total.stop:
            total += batch  # refuses an overlap
    played = 0 if total is None else total.games
    if total is None or played < games:
        raise InputError(
            f"task {facts['task_id']} (board {facts['board']}, mines {facts['mines']}, player "
            f"{facts['player']}) has {played} games from game 0 on, must have {games}: "
            "top up the ledger first"
        )
    board = Board.parse(facts["board"])
    two_sides = len(board.shape) == 2
    return {
        "board": board.name,
        "p": board.p if two_sides else pd.NA,
        "q": board.q if two_sides else pd.NA,
        "topology": board.topology,
        "player": label(facts["player"], _options(facts["options"])),
        "first_click": facts["first_click"],
        "start": facts["start"],
        "seed": facts["seed"],
        "kernel_version": facts["kernel_version"],
        "mines": facts["mines"],
        "density": facts["mines"] / board.cells,
        "games": total.games,
        **dict(zip(MEASURES, total.measures, strict=True)),
    }


def _options(text: object) -> dict[str, str]:
    """Return a player's options from their text in a ledger, a JSON object."""
    return dict(json.loads(text)) if isinstance(text, str) else {}
