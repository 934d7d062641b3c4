"""Figure 5 of 004: how often a decision is made at once, after an iteration, or by a guess."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Task
from msdensity.studies.published_players.beliefs.columns import DECISION_COLUMNS
from msdensity.studies.published_players.beliefs.ways import CHUNK, decision_tasks
from msdensity.studies.published_players.measures import ratio, ratio_interval
from msdensity.studies.published_players.settings import Settings

DECISIONS = ("marginalization", "1st iteration", "2nd iteration", "3rd iteration", "guess")
"""Where a decision is made (004, section 4.2, steps 3 to 6)."""


def count_decisions(task: Task, games: int, keep: Keep = NO_CHECKPOINT) -> NDArray[np.int64]:
    """Return how many of DECISIONS each of games 0 .. games - 1 of a task takes, (games, 5).

    task: of `lbp` or `lbp_mc` with at most three iterations. A decision opens and marks all cells
    that are certain, or is a guess; rules of single numbers that come before are none. keep: a
    checkpoint.
    """
    chunks = []
    for first in range(0, games, CHUNK):
        count = min(CHUNK, games - first)
        what = f"decisions {task.task_id} {first} {count}"
        chunks.append(np.array(keep(what, partial(_count, task, first, count)), np.int64))
    return np.concatenate(chunks).reshape(games, len(DECISIONS))


def _count(task: Task, first: int, count: int) -> list[int]:
    from msdensity.games.play import play_batch
    from msdensity.kernel.topology import cached_table
    from msdensity.players.belief.memory import GUESS, thread_memory

    tally = thread_memory(cached_table(task.board.shape, task.board.topology)).tally
    numbers: list[int] = []
    for g in range(first, first + count):
        tally[:] = 0
        play_batch(task, g, 1)
        numbers += tally[[0, 1, 2, 3, GUESS]].tolist()
    return numbers


def decisions_table(settings: Settings, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Return the decisions of `lbp` and `lbp_mc` on the boards of 004 (DECISION_COLUMNS).

    settings.belief_games games each, without rules of single numbers before the cliques, as 004
    plays, and with them. Errors are over games. keep: a checkpoint.
    """
    rows = []
    for task in decision_tasks(settings.seed):
        counts = count_decisions(task, settings.belief_games, keep)
        total = counts.sum(axis=1)
        for decision, own in zip(DECISIONS, counts.T, strict=True):
            value, error = ratio(100 * own, total)
            ends = ratio_interval(value, error, int((total > 0).sum()), True)
            where = (task.label, task.board.name, task.mines, len(counts))
            rows.append((*where, decision, int(own.sum()), value, error, *ends))
    return pd.DataFrame(rows, columns=list(DECISION_COLUMNS))
