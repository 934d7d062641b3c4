"""Tables as CSV files, read, checked and written by the type and range of each column."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from msdensity.errors import InputError, printable, require_kind, shown
from msdensity.files.atomic import atomic_write
from msdensity.files.text import read_csv

DIGITS = 6
"""Significant digits of a number that is written: far finer than its error, and far coarser than
the rounding errors of a sum or a logarithm, which differ from CPU to CPU."""

NOISE = 1e-12
"""A number below this is written as 0."""


@dataclass(frozen=True)
class Column:
    """A column: its dtype, whether a value may be missing, and the range of its numbers.

    optional: whether a table may lack the column. exact: whether its numbers are written with all
    digits, because they are the same on every CPU: quotients of whole numbers. noise: a number
    below this is written as 0; 0 for p values.
    """

    dtype: str
    missing: bool = False
    low: float = -np.inf
    high: float = np.inf
    optional: bool = False
    exact: bool = False
    noise: float = NOISE


def required(columns: Mapping[str, Column]) -> list[str]:
    """Return the names of the columns that a table must have."""
    return [name for name, column in columns.items() if not column.optional]


def require_columns(table: pd.DataFrame, columns: Iterable[str], name: str) -> None:
    """Raise InputError for a table that lacks a column that is not optional."""
    columns = required(columns) if isinstance(columns, Mapping) else list(columns)
    for column in columns:
        if column not in table.columns:
            raise InputError(f"{name} lacks column {column!r}; must have {','.join(columns)}")


def check_table(table: pd.DataFrame, columns: Mapping[str, Column], name: str) -> pd.DataFrame:
    """Return `table` with the dtypes of `columns`, in their order.

    Raises InputError for a missing or unknown column, a missing value or one out of range; it names
    the table, the column, the value and what is allowed.
    """
    require_kind(name, table, pd.DataFrame, "a DataFrame")
    require_kind("columns", columns, Mapping, "a dictionary from names to Columns")
    columns = {n: spec for n, spec in columns.items() if n in table or not spec.optional}
    for column in table.columns[table.columns.duplicated()]:
        raise InputError(f"{name} has column {shown(column)} twice; must be {','.join(columns)}")
    for column in table.columns.symmetric_difference(list(columns)):
        fault = "lacks" if column in columns else "has the unknown"
        raise InputError(f"{name} {fault} column {shown(column)}; must be {','.join(columns)}")
    table = table[list(columns)].copy()
    for column, spec in columns.items():
        values = table[column]
        if isinstance(values.dtype, pd.CategoricalDtype):
            table[column] = values = values.astype(values.cat.categories.dtype)
        elif values.dtype == object and values.map(pd.api.types.is_list_like).any():
            raise InputError(f"{name}: column {column!r} must be {spec.dtype}, holds a list")
        if values.dtype == spec.dtype in ("int64", "float64") and _in_range(
            values.to_numpy(), spec
        ):
            continue
        absent = values.isna() | (values == "" if spec.dtype == "str" else False)
        if not spec.missing and absent.any():
            raise InputError(f"{name}: column {column!r} has a missing value")
        if spec.dtype == "str":
            table[column] = values.astype("str").where(values.notna(), "")
            continue
        numeric = pd.api.types.is_numeric_dtype(values)
        if not numeric and values.map(lambda value: isinstance(value, str)).any():
            raise InputError(f"{name}: column {column!r} must be {spec.dtype}, is text")
        try:
            # First Int64, which unlike int64 does not cut off a fraction.
            exact = values.astype("float64" if spec.dtype == "float64" else "Int64")
            table[column] = exact.astype(spec.dtype)  # type: ignore[call-overload]
        except (TypeError, ValueError, OverflowError) as error:
            reason = shown(str(error))
            raise InputError(f"{name}: column {column!r} must be {spec.dtype}: {reason}") from error
        wrong = exact[(exact < spec.low) | (exact > spec.high)]
        if len(wrong):
            raise InputError(
                f"{name}: {column}={wrong.iloc[0]} must be in {spec.low:g}..{spec.high:g}"
            )
    check_rows(table, name)
    return table


_ROUNDING = 1e-9
"""Of a quotient of two numbers of the same row."""

_FRACTION = r"[0-9]{1,300}/[1-9][0-9]{0,299}"

_BOARD = r"[\w.-]+"
"""Names of boards; they are parts of file names."""

_SIDES = re.compile(r"([1-9][0-9]{0,8}(?:x[1-9][0-9]{0,8})*)(?:-.*)?")
"""Names of boards that begin with their sides."""

_CURVE = {"board", "player", "first_click", "start", "seed", "kernel_version", "mines"}
"""Columns of a table with a row for each number of mines of a curve."""


def check_rows(table: pd.DataFrame, name: str) -> None:
    """Raise InputError for a row whose columns contradict each other, by their usual names.

    Also for a number of mines that a curve has twice. The columns have the types of `check_table`.
    """
    has = set(table.columns)
    rules: list[tuple[str, str, pd.Series]] = []
    if {"wins", "games"} <= has:
        rules.append(("wins", "at most games", table["wins"] > table["games"]))
        if "win_rate" in has:
            rate, allowed = table["wins"] / table["games"], "wins / games"
            if "exact" in has:
                exact = table["exact"]
                wrong = (exact != "") & ~exact.str.fullmatch(_FRACTION).astype(bool)
                rules.append(("exact", "a fraction such as 3/8, or empty", wrong))
                rate = exact.where(~wrong, "").map(quotient).fillna(rate)
                allowed += ", or exact"
            away = (table["win_rate"] - rate).abs()
            rules.append(("win_rate", allowed, away > _ROUNDING))
    if {"win_rate", "win_rate_corrected"} <= has:
        corrected, raw = table["win_rate_corrected"], table["win_rate"]
        by_rule = table["correction_rule"] if "correction_rule" in has else corrected == 0
        wrong = (corrected - raw.where(by_rule == 0, 0)).abs() > _ROUNDING
        rules.append(("win_rate_corrected", "win_rate, or 0 by rule 1 or 2", wrong))
    for low in (column for column in table.columns if column.endswith("_low")):
        high = low.removesuffix("low") + "high"
        if high in has:
            rules.append((low, f"at most {high}", table[low] > table[high]))
    if {"mines", "p", "q"} <= has:
        beyond = table["mines"] >= table["p"] * table["q"]
        rules.append(("mines", "below p x q", beyond.fillna(False).astype(bool)))
    if "board" in has:
        wrong = ~table["board"].str.fullmatch(_BOARD).fillna(False)
        rules.append(("board", "the name of a board", wrong & (table["board"] != "")))
        rules += _rules_of_sides(table)
    if _CURVE <= has:
        names = [c for c in table.select_dtypes(exclude="number").columns if c != "note"]
        twice = table.duplicated([*names, "seed", "kernel_version", "mines"])
        rules.append(("mines", "in one row of its board, player, start and seed", twice))
    for column, allowed, broken in rules:
        if broken.any():
            row = int(np.flatnonzero(broken)[0])
            value = table[column].iloc[row]
            text = shown(value) if isinstance(value, str) else value
            raise InputError(f"{name}: row {row + 1}: {column}={text} must be {allowed}")


def quotient(fraction: str) -> float:
    """Return the value of a fraction such as 3/8, NaN of an empty text; of more digits the same."""
    if not fraction:
        return math.nan
    above, below = map(int, fraction.split("/"))
    return above / below


def _rules_of_sides(table: pd.DataFrame) -> list[tuple[str, str, pd.Series]]:
    """Return the rules of `check_rows` that follow from the sides in the name of each board."""
    matches = {name: _SIDES.fullmatch(name) for name in table["board"].unique()}
    sides = {name: [int(n) for n in m[1].split("x")] for name, m in matches.items() if m}
    rules = []
    if {"p", "q"} <= {*table.columns}:
        pairs = zip(table["board"], table["p"], table["q"], strict=True)
        other = [
            board in sides and not pd.isna(p) and not pd.isna(q) and sides[board] != [p, q]
            for board, p, q in pairs
        ]
        rules.append(("board", "p x q", pd.Series(other, table.index, dtype=bool)))
    if {"mines", "density"} <= {*table.columns}:
        cells = table["board"].map({name: float(math.prod(n)) for name, n in sides.items()})
        away = (table["density"] - table["mines"].astype(float) / cells.astype(float)).abs()
        rules.append(("density", "mines / cells of the board", away > _ROUNDING))
    return rules


def _in_range(numbers: NDArray[Any], spec: Column) -> bool:
    """Return whether all numbers are there and in range, by numpy: pandas takes ten times as long.

    False also for missing numbers, which only the slower checks of `check_table` tell apart.
    """
    return bool(((numbers >= spec.low) & (numbers <= spec.high)).all())


def read_table(path: str | os.PathLike[str], columns: Mapping[str, Column]) -> pd.DataFrame:
    """Return the table of the CSV file `path`; InputError as `check_table` with `columns`."""
    return read_tables([path], columns)


def read_tables(
    paths: Sequence[str | os.PathLike[str]], columns: Mapping[str, Column]
) -> pd.DataFrame:
    """Return the rows of all files (at least one) in one table, checked as by `read_table`."""
    require_kind("columns", columns, Mapping, "a dictionary from names to Columns")
    # Read as text first: only an empty number is missing (a player may be called "NA"), and
    # Python's conversion keeps every digit.
    how = {"dtype": "str", "keep_default_na": False}
    parts = [read_csv(p, f"table {os.fspath(p)}", **how) for p in paths]
    text = parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True).fillna("")
    path = os.fspath(paths[0]) + ("" if len(paths) == 1 else f" and {len(paths) - 1} more")
    table = text.copy()
    for name in text.columns.intersection(list(columns)):
        dtype = columns[name].dtype
        if dtype == "str":
            continue
        convert, missing = (float, np.nan) if dtype == "float64" else (_to_integer, pd.NA)
        numbers = []
        for value in text[name]:
            try:
                # Python would accept "1_0" and the digits of every script.
                if "_" in value or not value.isascii():
                    raise ValueError("not a number")
                numbers.append(convert(value) if value else missing)
            except ValueError:
                raise InputError(
                    f"{printable(path)}: column {name!r} must be {dtype}, not {shown(value)}"
                ) from None
        table[name] = pd.array(numbers, dtype="float64" if convert is float else "Int64")
    return check_table(table, columns, path)


def _to_integer(text: str) -> int:
    number = int(text)
    if not -(2**63) <= number < 2**63:
        raise ValueError("not an integer of 64 bits")
    return number


def write_table(
    path: str | os.PathLike[str], table: pd.DataFrame, columns: Mapping[str, Column]
) -> None:
    r"""Write `table` as CSV (UTF-8, "\n"), atomically.

    Numbers are rounded to DIGITS significant digits, unless their column is exact; so the bytes are
    the same on every CPU. `check_table` comes first; if it raises InputError, `path` is untouched.
    """
    checked = as_written(table, columns, os.fspath(path))
    with atomic_write(path) as file:
        checked.to_csv(file, index=False, lineterminator="\n")


def as_written(table: pd.DataFrame, columns: Mapping[str, Column], name: str) -> pd.DataFrame:
    """Return `table` with the numbers that `write_table` writes; InputError as `check_table`."""
    checked = check_table(table, columns, name)
    for each in checked.columns:
        column = columns[each]
        if column.dtype == "float64" and not column.exact:
            checked[each] = [rounded(value, column.noise) for value in checked[each]]
    return checked


def rounded(value: float, noise: float = NOISE) -> float:
    """Return a number with DIGITS significant digits, and 0 for one below `noise`."""
    return 0.0 if abs(value) < noise else float(f"{value:.{DIGITS}g}")
