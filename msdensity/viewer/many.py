"""Many games in the background: wins, guesses and kinds of loss while they are played."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.state import FIRST, FLOATING_GUESS, GUESS, LOST, MINED, Memory, make_workspace
from msdensity.kernel.topology import board_table
from msdensity.stats.intervals import win_rate
from msdensity.studies.published_players.losses import KINDS, kind_of_end
from msdensity.viewer.limits import SECONDS

MOST_BARS = 20
"""Games with at least as many guesses share the last bar."""

STUCK = "stuck"
"""The player stopped instead of guessing."""


def many_games(task: Task, first: int, games: int) -> Iterator[dict[str, Any]]:
    """Play games first .. first + games - 1; yield what they add up to, ten times a second.

    Kinds of loss are those of `kind_of_loss` for topology square8; on other boards a loss has no
    kind. Raises InputError as `play_batch`.
    """
    workspace = make_workspace(board_table(task.board.shape, task.board.topology), recording=True)
    guesses: Counter[int] = Counter()
    kinds = dict.fromkeys((*KINDS, STUCK), 0)
    named = task.board.topology == "square8"
    wins, played, busy = 0, 0, 0.0
    while played < games:
        begin = now = time.perf_counter()
        while played < games and now - begin < SECONDS:
            sums = play_batch(task, first + played, 1, workspace)
            played += 1
            wins += sums["wins"]
            guesses[sums["guesses"]] += 1
            if not sums["wins"]:
                stuck = workspace.game[0]["status"] != LOST
                if stuck or named:
                    kinds[STUCK if stuck else kind_of_last(workspace, task.board.shape)] += 1
            now = time.perf_counter()
        busy += now - begin
        rate = win_rate(wins, played)
        most = min(max(guesses), MOST_BARS)
        yield {
            "kind": "many",
            "games": played,
            "wins": wins,
            "rate": rate.best,
            "low": rate.low,
            "high": rate.high,
            "per_second": played / busy,
            "labels": [*map(str, range(most)), f"{most}{' or more' * (most == MOST_BARS)}"],
            "guesses": [
                *(guesses[i] for i in range(most)),
                sum(count for i, count in guesses.items() if i >= most),
            ],
            "kinds": {name: n for name, n in kinds.items() if name != STUCK or n},
            "note": _note(task, named, played == games),
        }


def _note(task: Task, named: bool, done: bool) -> str:
    interval = "The interval is Wilson's, of 95 %."
    kinds = "" if named else " Kinds of loss are defined for topology square8 only."
    return f"{task.title}. {interval}{kinds}{'' if done else ' Playing ...'}"


def kind_of_last(workspace: Memory, shape: tuple[int, ...]) -> str:
    """Return the kind of the lost game that a recording workspace holds."""
    trace = workspace.trace[: workspace.game[0]["trace"]][:-1]
    cell, reason, safety = (trace[name] for name in ("cell", "reason", "safety"))
    marked = (safety == 0.0) & ~np.isin(reason, [FIRST, GUESS, FLOATING_GUESS])
    cells = len(workspace.cell)
    opened, unknown = np.zeros(cells, bool), np.ones(cells, bool)
    opened[cell[~marked]] = True
    unknown[cell] = False
    numbers = workspace.cell["number"].astype(np.int64)
    safe = (workspace.cell["flags"] & MINED) == 0
    return kind_of_end(
        opened.reshape(shape), unknown.reshape(shape), numbers.reshape(shape), safe.reshape(shape)
    )
