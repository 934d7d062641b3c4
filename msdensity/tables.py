"""The tables of the pipeline: every column's name, type and range in one place."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from msdensity.counts import Counts, wilson
from msdensity.errors import InputError, printable, shown
from msdensity.files import atomic_write
from msdensity.kernel.measures import MEASURES, SIGNED
from msdensity.players.registry import label
from msdensity.reading import read_csv
from msdensity.tasks import Board


@dataclass(frozen=True)
class Column:
    """A column: its dtype, whether a value may be missing, and the range of its numbers."""

    dtype: str
    missing: bool = False
    low: float = -np.inf
    high: float = np.inf


_TEXT = Column("str")
_NOTE = Column("str", missing=True)
_COUNT = Column("int64", low=0)
_WHOLE = Column("int64")
_POSITIVE = Column("int64", low=1)
_SIDE = Column("Int64", missing=True, low=1)  # missing on a board without rows and columns
_RATE = Column("float64", low=0, high=1)
_REAL = Column("float64", missing=True)
_ERROR = Column("float64", missing=True, low=0)
_DENSITY = Column("float64", missing=True, low=0, high=1)

MORE_GAMES: set[int] = set()
"""For a number of mines, where a table of this process holds more than were asked for.

For the record of where its results come from: no new run makes the same.
"""

CURVE = ("board", "topology", "player", "first_click", "start", "seed", "kernel_version")
"""The columns that tell one win-rate curve from another."""

WIN_RATE_COLUMNS: dict[str, Column] = {
    "board": _TEXT,
    "p": _SIDE,
    "q": _SIDE,
    "topology": _TEXT,
    "player": _TEXT,
    "first_click": _TEXT,
    "start": _TEXT,
    "seed": _COUNT,
    "kernel_version": _POSITIVE,
    "mines": _POSITIVE,
    "density": _RATE,
    "games": _POSITIVE,
    **{name: _WHOLE if name in SIGNED else _COUNT for name in MEASURES},
    "win_rate": _RATE,
    "win_rate_low": _RATE,
    "win_rate_high": _RATE,
}
"""Raw win rates, one row for each curve and number of mines; the interval is Wilson's, 95 %."""

CORRECTED_COLUMNS: dict[str, Column] = {
    **WIN_RATE_COLUMNS,
    "win_rate_corrected": _RATE,
    "correction_rule": Column("int64", low=0, high=2),
}
"""WIN_RATE_COLUMNS and what the W-correction adds."""

FIT_COLUMNS: dict[str, Column] = {
    "board": _TEXT,
    "p": _SIDE,
    "q": _SIDE,
    "player": _TEXT,
    "b": _REAL,
    "L": Column("float64", missing=True, low=0, high=3),
    "k": _ERROR,
    "Q": _REAL,
    "P": _DENSITY,
    "Q_sd": _ERROR,
    "Q_low": _REAL,
    "Q_high": _REAL,
    "at_bound": _NOTE,
    "note": _NOTE,
}
"""One logistic fit a row: parameters, critical density P, bootstrap spread of Q (95 % interval)."""

EXTRAPOLATION_COLUMNS: dict[str, Column] = {
    "player": _TEXT,
    "topology": _TEXT,
    "a": _REAL,
    "a_se": _ERROR,
    "b": _REAL,
    "b_se": _ERROR,
    "c": _REAL,
    "c_se": _ERROR,
    "q_min": _SIDE,
    "q_max": _SIDE,
    "n": _COUNT,
    "note": _NOTE,
}
"""P = a / (q - b) + c over square boards, one row a player, topology and range of q."""

SERIES_COLUMNS: dict[str, Column] = {
    "player": _TEXT,
    "q_min": _POSITIVE,
    "q_max": _POSITIVE,
    "boards": _POSITIVE,
    "terms": Column("int64", low=1, high=10),
    "scatter": _ERROR,
    "n": Column("int64", low=0, high=9),
    "a": _REAL,
    "a_se": _ERROR,
    "sampling_se": _ERROR,
}
"""P = sum of a_n q^-n over 1 x q boards, one row a player, range of q, number of terms and n."""

B1_COLUMNS: dict[str, Column] = {
    "p": _POSITIVE,
    "q": _POSITIVE,
    "mines": _POSITIVE,
    "player": _TEXT,
    "games": _POSITIVE,
    "wins": _COUNT,
    "win_rate": _RATE,
    "win_rate_low": _RATE,
    "win_rate_high": _RATE,
    "win_rate_corrected": _RATE,
}
"""Table B.1 of paper 001: the win rate of every board and number of mines, one row a player."""

B2_COLUMNS: dict[str, Column] = {
    "p": _POSITIVE,
    "q": _POSITIVE,
    "player": _TEXT,
    "P_published": _DENSITY,
    "P": _DENSITY,
    "Q_sd": _ERROR,
    "P_low": _DENSITY,
    "P_high": _DENSITY,
    "note": _NOTE,
}
"""Table B.2 of paper 001: critical densities, ours beside the published ones, one row a player."""

FIRST_CLICK_COLUMNS: dict[str, Column] = {
    "board": _TEXT,
    "mines": _POSITIVE,
    "density": _RATE,
    "first_click": _TEXT,
    "neighbours": _COUNT,
    "zero_formula": _RATE,
    "zero_games": _POSITIVE,
    "zeros": _COUNT,
    "zero_low": _RATE,
    "zero_high": _RATE,
    "games": _POSITIVE,
    "wins": _COUNT,
    "win_rate": _RATE,
    "win_rate_low": _RATE,
    "win_rate_high": _RATE,
    "difference": Column("float64", missing=True, low=-1, high=1),
    "difference_se": _ERROR,
}
"""What the first cell is worth, one row a board, number of mines and place of the first cell."""

INFERENCE_COLUMNS: dict[str, Column] = {
    "board": _TEXT,
    "mines": _POSITIVE,
    "density": _RATE,
    "games": _POSITIVE,
    "positions": _COUNT,
    "certain": _COUNT,
    "missed_local": _COUNT,
    "missed": _COUNT,
    "stuck": _COUNT,
    "over_limit": _COUNT,
    "missed_share": _DENSITY,
    "missed_share_se": _ERROR,
}
"""Certain cells that the text's inference misses, one row a board and number of mines."""

PUBLISHED_COLUMNS: dict[str, Column] = {"p": _POSITIVE, "q": _POSITIVE, "P": _DENSITY}
"""A published table of critical densities."""


def require_columns(table: pd.DataFrame, columns: Iterable[str], name: str) -> None:
    """Raise InputError for a table that lacks one of the columns."""
    for column in columns:
        if column not in table.columns:
            raise InputError(f"{name} lacks column {column!r}; must have {','.join(columns)}")


def check_table(table: pd.DataFrame, columns: Mapping[str, Column], name: str) -> pd.DataFrame:
    """Return `table` with the dtypes of `columns`, in their order.

    Raises InputError naming the table, column, value and what is allowed for a column missing or
    unknown, a missing value or one out of range.
    """
    for column in table.columns.symmetric_difference(list(columns)):
        fault = "lacks" if column in columns else "has the unknown"
        raise InputError(f"{name} {fault} column {shown(column)}; must be {','.join(columns)}")
    table = table[list(columns)].copy()
    for column, spec in columns.items():
        values = table[column]
        absent = values.isna() | (values == "" if spec.dtype == "str" else False)
        if not spec.missing and absent.any():
            raise InputError(f"{name}: column {column!r} has a missing value")
        if spec.dtype == "str":
            table[column] = values.astype("str").where(values.notna(), "")
            continue
        try:
            # By way of Int64, which unlike int64 refuses to cut off a fraction.
            whole = values if spec.dtype == "float64" else values.astype("Int64")
            table[column] = whole.astype(spec.dtype)  # type: ignore[call-overload]
        except (TypeError, ValueError, OverflowError) as error:
            reason = shown(str(error))
            raise InputError(f"{name}: column {column!r} must be {spec.dtype}: {reason}") from error
        wrong = values[(values < spec.low) | (values > spec.high)]
        if len(wrong):
            raise InputError(
                f"{name}: {column}={wrong.iloc[0]} must be in {spec.low:g}..{spec.high:g}"
            )
    return table


def read_table(path: str | os.PathLike[str], columns: Mapping[str, Column]) -> pd.DataFrame:
    """Return the table of the CSV file `path`, checked against `columns`; InputError as there."""
    return read_tables([path], columns)


def read_tables(
    paths: Sequence[str | os.PathLike[str]], columns: Mapping[str, Column]
) -> pd.DataFrame:
    """Return the rows of all files (at least one) in one table, checked as by `read_table`."""
    # As text first: only an empty number is missing (a player may be called "NA"), and Python
    # reads back every digit that was written.
    how = {"dtype": "str", "keep_default_na": False}
    parts = [read_csv(p, f"table {os.fspath(p)}", **how) for p in paths]
    text = parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True).fillna("")
    path = os.fspath(paths[0]) + ("" if len(paths) == 1 else f" and {len(paths) - 1} more")
    table = text.copy()
    for name in text.columns.intersection(list(columns)):
        dtype = columns[name].dtype
        if dtype == "str":
            continue
        convert, missing = (float, np.nan) if dtype == "float64" else (_whole, pd.NA)
        numbers = []
        for value in text[name]:
            try:
                # Python alone takes "1_0" and the digits of every script.
                if "_" in value or not value.isascii():
                    raise ValueError("not a number")
                numbers.append(convert(value) if value else missing)
            except ValueError:
                raise InputError(
                    f"{printable(path)}: column {name!r} must be {dtype}, not {shown(value)}"
                ) from None
        table[name] = pd.array(numbers, dtype="float64" if convert is float else "Int64")
    return check_table(table, columns, path)


def _whole(text: str) -> int:
    number = int(text)
    if not -(2**63) <= number < 2**63:
        raise ValueError("not an integer of 64 bits")
    return number


def write_table(
    path: str | os.PathLike[str], table: pd.DataFrame, columns: Mapping[str, Column]
) -> None:
    r"""Write `table` as CSV (UTF-8, "\n", shortest digits that read back the same) at once.

    The table is checked against `columns` first; InputError as there, and `path` is not touched.
    """
    checked = check_table(table, columns, os.fspath(path))
    with atomic_write(path) as file:
        checked.to_csv(file, index=False, lineterminator="\n")


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
