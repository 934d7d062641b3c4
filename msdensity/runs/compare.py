"""Players on the same boards: who wins which game, and whether the difference is chance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from msdensity.errors import InputError, integer, shown
from msdensity.games.boards import Board, Rules, named_board
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import MAX_SEED, Player, Task, named_player
from msdensity.stats.paired import paired

COMPARE_COLUMNS = (
    "board",
    "mines",
    "first",
    "second",
    "games",
    "both",
    "first_only",
    "second_only",
    "neither",
    "difference",
    "difference_se",
    "z",
    "p_value",
)
"""Columns of `compare`: the 2 x 2 table of wins, and the difference of win rates with its test."""

PART = 100
"""Games of one batch of a checkpoint."""


def wins(task: Task, games: int, keep: Keep = NO_CHECKPOINT) -> NDArray[np.bool_]:
    """Return which of games 0 .. games - 1 of a task are won, an array (games,).

    games: at least 0; keep: a checkpoint. Raises InputError out of range, and for a task that the
    board cannot have.
    """
    integer("games", games, 0, MAX_SEED)
    from msdensity.games.play import play_batch

    def won(first: int, size: int) -> list[int]:
        return [i for i in range(size) if play_batch(task, first + i, 1)["wins"]]

    is_won = np.zeros(games, bool)
    for first in range(0, games, PART):
        size = min(PART, games - first)
        winners = keep(f"won {task.task_id} {first} {size}", partial(won, first, size))
        is_won[[first + i for i in winners]] = True
    return is_won


def compare(
    players: Sequence[Player],
    board: Board | str,
    mines: int,
    games: int,
    seed: int = 0,
    rules: Rules | Sequence[Rules] | None = None,
    keep: Keep = NO_CHECKPOINT,
) -> pd.DataFrame:
    """Return the 2 x 2 tables of wins of every two players on the same boards (COMPARE_COLUMNS).

    players: at least two, each a name, or a name and options; board: a Board, or its name; rules:
    for all players (None: the default ones), or one for each (boards then differ only where a
    protected first click moves mines); games: at least 1; keep: a checkpoint.

    `difference` is the win rate of the first less that of the second, `difference_se` its standard
    error from the pairs; `p_value` is that of McNemar's exact test and `z` the same in standard
    errors, 0 if each wins as many games that the other loses. Raises InputError out of range.
    """
    games = integer("games", games, 1)
    if isinstance(players, str) or not isinstance(players, Iterable):
        raise InputError(
            f"players={shown(players)} must be a list of players, such as ['weighted', 'listing']"
        )
    pairs = [named_player(player) for player in players]
    board = named_board(board)
    if rules is None or isinstance(rules, Rules):
        rules = [rules or Rules()] * len(pairs)
    starts = list(rules) if isinstance(rules, Iterable) else []
    if len(pairs) < 2:
        raise InputError(f"players must hold at least 2 players, not {len(pairs)}")
    if len(starts) != len(pairs):
        raise InputError(f"rules={shown(rules)} must be one for all players or {len(pairs)}")
    tasks = [
        Task(board, mines, name, options, start, seed)
        for (name, options), start in zip(pairs, starts, strict=True)
    ]
    names = [f"{task.label} {task.rules.first_click} {task.rules.start}" for task in tasks]
    won = [wins(task, games, keep) for task in tasks]
    rows = [
        [board.name, mines, names[i], names[j], games, *paired(won[i], won[j])]
        for i, j in combinations(range(len(tasks)), 2)
    ]
    return pd.DataFrame(rows, columns=list(COMPARE_COLUMNS))
