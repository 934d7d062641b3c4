"""Tables of the study as CSV files."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence

import pandas as pd

from msdensity.errors import InputError
from msdensity.files import atomic_write
from msdensity.reading import read_text

_TEXT = {name: str for name in ("table", "figure", "formula", "question", "player", "board")}


def write_csv(path: str | os.PathLike[str], table: pd.DataFrame) -> None:
    """Write `table` whole or not at all, with the shortest digits that read back the same."""
    with atomic_write(path) as file:
        table.to_csv(file, index=False, lineterminator="\n")


def read_csv(*paths: str | os.PathLike[str]) -> pd.DataFrame:
    """Return the rows of all files, at least one, in one table.

    Raises InputError for a file that cannot be read or is no table.
    """
    parts: Sequence[pd.DataFrame] = [_read(path) for path in paths]
    return pd.concat(parts, ignore_index=True) if len(parts) > 1 else parts[0]


def _read(path: str | os.PathLike[str]) -> pd.DataFrame:
    what = f"table {os.fspath(path)}"
    text = read_text(path, what)
    try:
        table = pd.read_csv(io.StringIO(text), dtype=_TEXT)
    except (ValueError, OverflowError) as error:  # pandas' own errors are ValueErrors
        reason = " ".join(str(error).split())
        raise InputError(f"{what} must be CSV: {reason}") from None
    if not isinstance(
        table.index, pd.RangeIndex
    ):  # pandas took what is left over for names of rows
        raise InputError(f"{what} must have as many columns in every row as names in the first")
    return table
