"""Count games by what they take, and find the numbers of mines of the wanted win rates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from msdensity.errors import InputError
from msdensity.files.tables import check_table
from msdensity.games.boards import Board, Rules
from msdensity.games.difficulty import COUNTS, GUESSER, class_counts
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Task
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.runs.sweet_spot import find_sweet_spot, solver
from msdensity.studies.difficulty.columns import CLASS_COLUMNS, SPOT_COLUMNS
from msdensity.studies.difficulty.settings import CLASS_SEED, SPOT_SEED, Settings

_BATCH = 100
"""Games of a batch: what a kill costs is less than a second."""


def class_task(settings: Settings, board: Board, rules: Rules, mines: int) -> Task:
    """Return the task whose games are counted."""
    return Task(board, mines, GUESSER, {}, rules, settings.seed + CLASS_SEED)


def play_classes(settings: Settings, part: str, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Count the games of a board (`settings.boards`); return CLASS_COLUMNS. keep: a checkpoint."""
    board = settings.boards()[part]
    rows = []
    for rules in settings.start_rules():
        for mines, games in settings.mines(board, rules).items():
            task = class_task(settings, board, rules, mines)
            counts = _counts(task, games, keep)
            head = [board.name, rules.first_click, rules.start, mines, task.density]
            rows.append([*head, task.seed, KERNEL_VERSION, games, *counts])
    return check_table(pd.DataFrame(rows, columns=[*CLASS_COLUMNS]), CLASS_COLUMNS, "classes")


def _counts(task: Task, games: int, keep: Keep) -> list[int]:
    """Return the sums of COUNTS, through a checkpoint."""
    total: Counter[str] = Counter()
    for first in range(0, games, _BATCH):
        size = min(_BATCH, games - first)
        own = keep(f"classes {task.task_id} {first} {size}", partial(_play, task, first, size))
        total.update(dict(zip(COUNTS, own, strict=True)))
    return [total[name] for name in COUNTS]


def _play(task: Task, first: int, games: int) -> list[int]:
    return list(class_counts(task, first, games).values())


def play_spots(settings: Settings, part: str, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Find the sweet spots of a board (`settings.boards_of_spots`); return SPOT_COLUMNS.

    keep: a checkpoint.
    """
    rows = list(_spots(settings, settings.boards_of_spots()[part], keep))
    return check_table(pd.DataFrame(rows, columns=[*SPOT_COLUMNS]), SPOT_COLUMNS, "spots")


def _spots(settings: Settings, board: Board, keep: Keep) -> Iterator[dict[str, Any]]:
    seed = settings.seed + SPOT_SEED
    for rules in settings.start_rules():
        for by in (*settings.rules, *settings.players):
            setup, outcome = solver(by, board, rules, seed)
            for rate in settings.win_rates:
                place = {"board": board.name, "first_click": rules.first_click}
                head = place | {"start": rules.start, "by": by, "win_rate": rate}
                head |= {"seed": seed, "kernel_version": KERNEL_VERSION}
                try:
                    spot = find_sweet_spot(setup, outcome, rate, settings.error, keep=keep)
                except InputError as none:  # no number of mines has such a win rate
                    yield head | _NOWHERE | {"note": str(none)}
                    continue
                if spot.fit.no_fit:
                    yield head | _NOWHERE | {"games": spot.games, "note": "; ".join(spot.notes)}
                    continue
                ends = {
                    f"{name}{what}": value
                    for name, end in (("below", spot.below), ("above", spot.above))
                    for what, value in zip(("", "_rate", "_rate_se"), end, strict=True)
                }
                yield (
                    head
                    | ends
                    | {
                        "rho": spot.density,
                        "rho_se": spot.error,
                        "mines": spot.mines,
                        "mines_se": spot.mines_error,
                        "closest": spot.closest,
                        "games": spot.games,
                        "p_value": spot.fit.p_value,
                        "note": "; ".join(spot.notes),
                    }
                )


_NOWHERE: dict[str, Any] = {
    **dict.fromkeys(("rho", "rho_se", "mines", "mines_se"), np.nan),
    **dict.fromkeys(("below_rate", "below_rate_se", "above_rate", "above_rate_se"), np.nan),
    "p_value": np.nan,
    **dict.fromkeys(("below", "above", "closest", "games"), 0),
}
