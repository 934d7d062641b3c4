"""Every player on the same boards: what it wins, guesses, loses and misses, and what it costs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from msdensity.games.boards import Board
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Task
from msdensity.players.registry import PLAYERS
from msdensity.stats.intervals import wilson
from msdensity.studies.published_players.columns import COST_COLUMNS, MEASURE_COLUMNS
from msdensity.studies.published_players.losses import KINDS, TRACE_COLUMNS, trace_games
from msdensity.studies.published_players.play import (
    MEANS,
    SPREADS,
    estimate,
    interval,
    play_sets,
)
from msdensity.studies.published_players.settings import (
    BOARDS,
    CORNER,
    COST_BOARD,
    SET,
    Settings,
)


def measures_table(player: str, settings: Settings, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Return the measures of a player, default options, on BOARDS (MEASURE_COLUMNS).

    From settings.games games: those of `estimate`. From settings.traced_games of them: kinds of
    loss (`lost_..._percent` of lost games), `needless_guess_percent` of guesses at which exact
    inference knew a safe cell, `missed_safe` and `missed_mined` cells per guess. All start in the
    same safe corner. Errors of ratios are from games, because guesses of one game are dependent.
    keep: a checkpoint.
    """
    rows: list[tuple[Any, ...]] = []
    for board, mines in BOARDS:
        task = Task(Board.parse(board), mines, player, {}, CORNER, settings.seed)
        sets, _ = play_sets(task, settings.games, keep)
        for measure in (*MEANS, *SPREADS):
            value, error = estimate(measure, sets, task)
            ends = interval(measure, value, error, settings.games)
            rows.append((player, board, mines, measure, settings.games, value, error, *ends))
        traced = trace_games(task, settings.traced_games, keep)
        for measure, above, below, unit in _ratios(traced, PLAYERS[player].guesses):
            value, error = ratio(unit * above, below)
            ends = ratio_interval(value, error, int((below > 0).sum()), unit == 100)
            games = settings.traced_games
            rows.append((player, board, mines, measure, games, value, error, *ends))
    return pd.DataFrame(rows, columns=list(MEASURE_COLUMNS))


def measured_tables(
    player: str, settings: Settings, keep: Keep = NO_CHECKPOINT
) -> dict[str, pd.DataFrame]:
    """Return the tables `measures` and `cost` of a player. keep: a checkpoint."""
    cost = cost_table(player, settings)
    return {"measures": measures_table(player, settings, keep), "cost": cost}


def _ratios(
    traced: NDArray[np.int64], guesses: bool
) -> list[tuple[str, NDArray[np.int64], NDArray[np.int64], int]]:
    """Return (measure, numerators, denominators, unit) of every measure from traces."""
    column = {name: traced[:, i] for i, name in enumerate(TRACE_COLUMNS)}
    lost = np.sum([column[kind] for kind in KINDS], axis=0)
    kinds = [(f"lost_{kind}_percent", column[kind], lost, 100) for kind in KINDS]
    return [
        *(kinds if guesses else []),
        ("needless_guess_percent", column["needless"], column["guesses"], 100),
        ("missed_safe", column["missed_safe"], column["guesses"], 1),
        ("missed_mined", column["missed_mined"], column["guesses"], 1),
    ]


def ratio(above: NDArray[Any], below: NDArray[Any]) -> tuple[float, float]:
    """Return sum(above) / sum(below) and its standard error from the games; NaN without any.

    above, below: of each game, shape (games,).
    """
    games, total = len(below), below.sum()
    if not total:
        return np.nan, np.nan
    value = above.sum() / total
    spread = ((above - value * below) ** 2).sum()
    return float(value), float(np.sqrt(games / max(games - 1, 1) * spread) / total)


def ratio_interval(value: float, error: float, games: int, percent: bool) -> tuple[float, float]:
    """Return the ends of the 95 % interval of a `ratio`, NaN without any.

    games: those whose `below` is above 0. A share in percent: Wilson's interval of as many
    independent games as have this error, or of all of `games` where every game is alike and the
    error says 0. Else value -+ 1.96 errors, NaN if that has no length.
    """
    if not np.isfinite(value) or not (percent or error > 0):
        return np.nan, np.nan
    if not percent:
        return max(0.0, value - 1.96 * error), value + 1.96 * error
    share = value / 100
    alike = value * (100 - value) / error**2 if error > 0 else games
    low, high = wilson(share * alike, alike)
    return 100 * float(low), 100 * float(high)


def cost_table(player: str, settings: Settings) -> pd.DataFrame:
    """Return CPU microseconds per game of a player, default options (COST_COLUMNS).

    On BOARDS and COST_BOARD, settings.cost_games each, and the board of COST_BOARD over all its
    numbers of mines. CPU times differ from run to run, so they are not in the other tables.
    """
    rows: list[tuple[Any, ...]] = []
    for board, mines in (*BOARDS, COST_BOARD):
        task = Task(Board.parse(board), mines, player, {}, CORNER, settings.seed)
        play_sets(task, SET)  # memory touched for the first time is slow
        seconds = play_sets(task, settings.cost_games)[1]
        rows.append((player, board, mines, settings.cost_games, 1e6 * seconds))
    square = Board.parse(COST_BOARD[0])
    curve = [Task(square, m, player, {}, CORNER, settings.seed) for m in range(1, square.cells)]
    seconds = float(np.mean([play_sets(task, SET)[1] for task in curve]))
    rows.append((player, square.name, pd.NA, SET * len(curve), 1e6 * seconds))
    table = pd.DataFrame(rows, columns=list(COST_COLUMNS))
    return table.astype({"mines": "Int64"})
