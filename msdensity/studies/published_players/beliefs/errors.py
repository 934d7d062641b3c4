"""Beliefs of the players of 004 beside exact safeties, and the position of its Table 11."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import ndimage

from msdensity.games.boards import Board
from msdensity.games.tasks import Task
from msdensity.studies.published_players.beliefs.columns import ERROR_COLUMNS, POSITION_COLUMNS
from msdensity.studies.published_players.beliefs.traces import believe, trace_guesses
from msdensity.studies.published_players.beliefs.ways import error_tasks
from msdensity.studies.published_players.measures import ratio
from msdensity.studies.published_players.settings import Settings

DISTANCES = ("1", "2", "3 or more")
"""Steps from the nearest opened cell; cells at 1 step are beside a number."""

SAME = 1e-9
"""Beliefs as close as this are equal, as for the players."""

GRID = (".2.", "...", "1.1")
"""The position of Table 11 of 004, "the one shown at the top"."""

CELLS = {
    "top left": (0, 0),
    "top right": (0, 2),
    "middle left": (1, 0),
    "centre": (1, 1),
    "middle right": (1, 2),
    "bottom middle": (2, 1),
}
"""Its unknown cells."""

TOTALS = (2, 3)
"""Its two numbers of mines."""


def _measured(
    exact: NDArray[np.float64], belief: NDArray[np.float64], distance: NDArray[np.int64]
) -> Iterator[tuple[str, int, float, float, float]]:
    """Yield (distance, cells, sum of |errors|, sum of errors, largest) of one position."""
    error = belief - exact
    for k, name in enumerate(DISTANCES, 1):
        own = error[(distance == k) if k < len(DISTANCES) else (distance >= k)]
        if len(own):
            size = np.abs(own)
            yield name, len(own), float(size.sum()), float(own.sum()), float(size.max())


def regret(exact: NDArray[np.float64], belief: NDArray[np.float64]) -> float:
    """Return the best exact safety less that of the cell chosen by belief, the mean of equals."""
    return float(exact.max() - exact[belief >= belief.max() - SAME].mean())


def position_errors(
    exact_task: Task, judged: list[Task], games: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the errors and the regret of beliefs at the guesses of the exact player.

    exact_task: of `weighted`, whose games 0 .. games - 1 are played; judged: tasks of players of
    004 on this board. The first table has a row for each position, player and distance (player,
    game, distance, cells, sum_abs, sum, largest), the second for each position and player (player,
    game, regret: the exact safety of the best cell beside a number less that of the one chosen).
    Positions beyond the budget of exact counting, or without a cell beside a number, are left out.
    """
    from msdensity.games.analysis import analyse_many

    errors: list[tuple[Any, ...]] = []
    regrets: list[tuple[Any, ...]] = []
    shape = exact_task.board.shape
    for each, states, numbers in trace_guesses(exact_task, games):
        if not len(each):
            continue
        answer = analyse_many(states, numbers, exact_task.mines, shape=shape)
        distances = [
            ndimage.distance_transform_cdt(state.reshape(shape) != 1, "chessboard").ravel()
            for state in states
        ]
        beliefs = [
            (task.label, believe(task, states, numbers, int(task.options["iterations"]))[1])
            for task in judged
        ]
        for i, game in enumerate(each["game"].tolist()):
            unknown = states[i] == 0
            distance = distances[i][unknown]
            if not answer.exact[i] or not (distance == 1).any():
                continue
            exact = answer.safety[i].ravel()[unknown]
            near = distance == 1
            for label, belief in beliefs:
                own = belief[i][unknown]
                errors += [(label, game, *row) for row in _measured(exact, own, distance)]
                regrets.append((label, game, regret(exact[near], own[near])))
    names = ["player", "game", "distance", "cells", "sum_abs", "sum", "largest"]
    return (
        pd.DataFrame(errors, columns=names),
        pd.DataFrame(regrets, columns=["player", "game", "regret"]),
    )


def errors_table(settings: Settings) -> pd.DataFrame:
    """Return errors of beliefs on ERROR_BOARDS (ERROR_COLUMNS).

    At the guesses of the exact player in settings.belief_error_games games: mean_abs_error, bias
    (belief less safety) and max_error of cells by distance, the regret of a guess beside a number,
    and by how much it is more than that of the last player, position by position (`regret_more`).
    Errors are over games.
    """
    games = settings.belief_error_games
    rows: list[tuple[Any, ...]] = []
    for exact_task, judged in error_tasks(settings.seed):
        errors, regrets = position_errors(exact_task, judged, games)
        last = regrets.loc[regrets["player"] == judged[-1].label, "regret"].to_numpy()
        for task in judged:
            mine = regrets[regrets["player"] == task.label]
            if not len(mine):
                continue
            where = (task.label, task.board.name, task.mines, games, len(mine))
            for distance in DISTANCES:
                own = errors[(errors["player"] == task.label) & (errors["distance"] == distance)]
                if not len(own):
                    continue
                here = (*where, distance, int(own["cells"].sum()))
                for measure, column in (("mean_abs_error", "sum_abs"), ("bias", "sum")):
                    rows.append((*here, measure, *_over_games(own, column, own["cells"])))
                rows.append((*here, "max_error", own["largest"].max(), *3 * (np.nan,)))
                if distance == DISTANCES[0]:
                    one = pd.Series(1, mine.index)
                    rows.append((*here, "regret", *_over_games(mine, "regret", one)))
                    more = mine.assign(regret=mine["regret"].to_numpy() - last)
                    if task is not judged[-1]:
                        rows.append((*here, "regret_more", *_over_games(more, "regret", one)))
    return pd.DataFrame(rows, columns=list(ERROR_COLUMNS))


def _over_games(
    own: pd.DataFrame, column: str, weights: pd.Series[Any]
) -> tuple[float, float, float, float]:
    """Return the mean of a column, its error over games and its 95 % interval."""
    sums = own[["game"]].assign(above=own[column], below=weights).groupby("game").sum()
    value, error = ratio(sums["above"].to_numpy(), sums["below"].to_numpy())
    return value, error, value - 1.96 * error, value + 1.96 * error


def position_table() -> pd.DataFrame:
    """Return what is known of the position of Table 11 (POSITION_COLUMNS).

    Exact safeties ("exact"), and beliefs of `lbp_mc` with one clique of all cells, and without.
    """
    from msdensity.games.analysis import analyse

    states = np.array([[c != "." for c in "".join(GRID)]], np.uint8)
    numbers = np.array([[int(c) if c.isdigit() else 0 for c in "".join(GRID)]], np.int64)
    rows = []
    for mines in TOTALS:
        answer = analyse(GRID, mines)
        found = {"exact": answer.safety}
        for options in ({"all_cells": "on"}, {}):
            task = Task(Board((3, 3)), mines, "lbp_mc", options)
            found[task.label] = believe(task, states, numbers, 3)[1].reshape(3, 3)
        for player, safety in found.items():
            for name, cell in CELLS.items():
                rows.append((mines, player, answer.configurations, name, float(safety[cell])))
    return pd.DataFrame(rows, columns=list(POSITION_COLUMNS))


def error_tables(settings: Settings) -> dict[str, pd.DataFrame]:
    """Return the tables `belief_errors` and `belief_position`."""
    return {"belief_errors": errors_table(settings), "belief_position": position_table()}
