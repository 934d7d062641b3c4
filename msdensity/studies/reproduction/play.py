"""How single games end: what paired comparisons and quoted win rates are made from."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from msdensity.files.tables import Column
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Task
from msdensity.runs.parallel import all_in_threads
from msdensity.stats.paired import REDRAWN

OUTCOME_COLUMNS: dict[str, Column] = {
    "board": Column("str"),
    "mines": Column("int64", low=1),
    "player": Column("str"),
    "ends": Column("str"),
}
"""A task a row; `ends` holds one digit for each game: LOST, WON or REDRAWN."""

PART = 250


def play_ends(
    task: Task, games: int, threads: int = 1, keep: Keep = NO_CHECKPOINT
) -> NDArray[np.uint8]:
    """Return the ends of games 0 .. games - 1 of a task, an array (games,).

    keep: what was played earlier.
    """
    from msdensity.games.play import play_batch

    def ends(first: int, size: int) -> list[int]:
        played = (play_batch(task, g, 1) for g in range(first, first + size))
        return [REDRAWN if sums["redrawn"] else sums["wins"] for sums in played]

    def part(first: int) -> list[int]:
        size = min(PART, games - first)
        return keep(f"ends {task.task_id} {first} {size}", lambda: ends(first, size))

    parts = all_in_threads(part, range(0, games, PART), threads)
    return np.array([end for part in parts for end in part], np.uint8)


def outcome_row(task: Task, ends: NDArray[np.uint8]) -> dict[str, object]:
    """Return a row of OUTCOME_COLUMNS."""
    text = "".join(map(str, ends.tolist()))
    return {"board": task.board.name, "mines": task.mines, "player": task.label, "ends": text}


def read_ends(outcomes: pd.DataFrame) -> dict[tuple[str, int], NDArray[np.uint8]]:
    """Return the ends by (board, mines) from rows of OUTCOME_COLUMNS of one player."""
    return {
        (board, int(mines)): np.frombuffer(ends.encode("ascii"), np.uint8) - ord("0")
        for board, mines, ends in outcomes[["board", "mines", "ends"]].itertuples(index=False)
    }
