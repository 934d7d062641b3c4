"""The published tables of 000, 003 and 004 beside the same players here, one verdict per cell."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from msdensity.errors import InputError
from msdensity.files.tables import check_table
from msdensity.games.boards import Board
from msdensity.games.play import NO_CHECKPOINT, Keep, boards_without_zero
from msdensity.games.tasks import Task
from msdensity.kernel.names import FIRST_ZEROS
from msdensity.stats.intervals import score_error
from msdensity.stats.testing import DIFFERS, detectable, detectable_student, student_z
from msdensity.studies.published_players.columns import STUDY_COLUMNS
from msdensity.studies.published_players.play import (
    OF_GAMES,
    SHARES,
    estimate,
    interval,
    mines_won_whole,
    play_sets,
)
from msdensity.studies.published_players.settings import SET, Settings

OTHER_COUNTS = {"guesses": "guesses_without_opener", "mines_percent": "mines_percent_won_whole"}
"""Measures that the texts do not define, each with another way to count it."""


def study_table(
    published: pd.DataFrame,
    settings: Settings,
    keep: Keep = NO_CHECKPOINT,
    table: str | None = None,
) -> pd.DataFrame:
    """Return every published number beside that of each variant of its table (STUDY_COLUMNS).

    published: PUBLISHED_COLUMNS; keep: a checkpoint; table: the only one to play (None:
    all). z has the errors of both sides; only ours if the authors do not state their games. For
    shares of games it is the score test, of the pooled games or of the printed share. Numbers that
    can be counted in two ways (OTHER_COUNTS) are compared with both. Raises InputError for a table
    of the study that is not published.
    """
    rows: list[dict[str, Any]] = []
    played = (settings.only(table) if table else settings).tables
    for name, variant in [(name, each) for name, ways in played.items() for each in ways]:
        own = published[published["table"] == name]
        if not len(own):
            raise InputError(f"tables: {name!r} must be one of {set(published['table'])}")
        for board_name in own["board"].unique():
            cells = own[own["board"] == board_name]
            mines = int(cells["mines"].iloc[0])
            task = variant.task(Board.parse(board_name), mines, settings.seed)
            sets, _ = play_sets(task, settings.games, keep)
            no_zero = {}
            if task.rules.start in FIRST_ZEROS:
                count = partial(_no_zero, task, settings.games)
                no_zero = {"no_zero": keep(f"no zero {task.task_id} {settings.games}", count)[0]}
            for cell in cells.itertuples():
                printed = str(cell.measure)
                for measure in filter(None, (printed, OTHER_COUNTS.get(printed))):
                    if measure == "mines_percent_won_whole":
                        value, error = mines_won_whole(task, settings.games, keep)
                    else:
                        value, error = estimate(measure, sets, task)
                    row = {
                        "table": name,
                        "player": task.label,
                        "first_click": task.rules.first_click,
                        "start": task.rules.start,
                        "role": variant.role,
                        "board": board_name,
                        "mines": mines,
                        "games": settings.games,
                        "measure": measure,
                        "published": cell.value,
                        "ours": value,
                        "ours_se": error,
                    }
                    ends = interval(measure, value, error, settings.games)
                    row |= dict(zip(("ours_low", "ours_high"), ends, strict=True))
                    found = _verdict(cell, measure, value, error, settings.games)
                    rows.append(row | found | no_zero)
    return check_table(pd.DataFrame(rows), STUDY_COLUMNS, "study table")


def _no_zero(task: Task, games: int) -> list[int]:
    return [boards_without_zero(task, 0, games)]


def joined_tables(
    *,
    tables: pd.DataFrame,
    pairs: pd.DataFrame,
    measures: pd.DataFrame,
    cost: pd.DataFrame,
    curves: pd.DataFrame,
    density: pd.DataFrame,
) -> dict[str, pd.DataFrame]:
    """Return the tables of all jobs by name: each already holds the rows of its jobs."""
    return {
        "tables": tables,
        "pairs": pairs,
        "measures": measures,
        "cost": cost,
        "curves": curves,
        "density": density,
    }


def _verdict(cell: Any, measure: str, value: float, error: float, games: int) -> dict[str, Any]:
    """Return the published number's error, z, what its test would find, and the verdict."""
    rounding = 10.0**-cell.decimals / np.sqrt(12)
    stated = np.isfinite(cell.games)
    sampling = error / np.sqrt(cell.games / games) if stated else 0.0
    total = np.hypot(error, sampling)
    if measure in SHARES:
        rate = cell.value / 100
        if stated:
            total = 100 * score_error(value / 100 * games, games, rate * cell.games, cell.games)
        else:
            total = 100 * np.sqrt(rate * (1 - rate) / games)
    total, theirs = np.hypot(total, rounding), np.hypot(sampling, rounding)
    z = (value - cell.value) / total if total > 0 else np.nan
    shift = detectable()
    if measure not in OF_GAMES:  # the error is from the spread over sets, which may be few
        degrees = games // SET - 1
        z, shift = student_z(z, degrees), detectable_student(degrees)
    return {"published_se": theirs, "z": z, "detectable": shift * total, "verdict": verdict(z)}


def verdict(z: float) -> str:
    """Return "differs" if |z| reaches DIFFERS, else "agrees" (also if there is no z)."""
    return "differs" if abs(z) >= DIFFERS else "agrees"


def readings(table: pd.DataFrame) -> pd.DataFrame:
    """Return how each way to play fits its published table, one row per way.

    table: STUDY_COLUMNS. Columns: table, player, first_click, start, role; cells, the printed
    numbers; agree, those that do, in either way to count (OTHER_COUNTS); win_agree and
    win_cells, win % only; worst_win_z, the z of win % farthest from 0; opener, how guesses agree in
    most cells: "counted", "not counted", or "" where none are printed or neither does better.
    """
    rows = []
    keys = ["table", "player", "first_click", "start", "role"]
    for names, way in table.groupby(keys, sort=False):
        agrees = way["verdict"] == "agrees"
        win = way["measure"] == "win_percent"
        counted = agrees[way["measure"] == "guesses"].to_numpy()
        without = agrees[way["measure"] == "guesses_without_opener"].to_numpy()
        named = way["measure"].replace({other: name for name, other in OTHER_COUNTS.items()})
        printed = agrees.groupby([way["board"], named]).any()
        better = {1: "counted", 0: "", -1: "not counted"}
        z = way.loc[win, "z"].to_numpy()
        rows.append(
            dict(zip(keys, names, strict=True))
            | {
                "cells": len(printed),
                "agree": int(printed.sum()),
                "win_cells": int(win.sum()),
                "win_agree": int(agrees[win].sum()),
                "worst_win_z": float(z[np.abs(z).argmax()]) if len(z) else np.nan,
                "opener": better[int(np.sign(int(counted.sum()) - int(without.sum())))],
            }
        )
    return pd.DataFrame(rows)
