"""Tables of the study as CSV files."""

from __future__ import annotations

import os

import pandas as pd

from msdensity.files import text as reading
from msdensity.files.atomic import atomic_write

_TEXT = {name: str for name in ("table", "figure", "formula", "question", "player", "board")}


def write_csv(path: str | os.PathLike[str], table: pd.DataFrame) -> None:
    """Write `table` whole or not at all, with the shortest digits that read back the same."""
    with atomic_write(path) as file:
        table.to_csv(file, index=False, lineterminator="\n")


def read_csv(*paths: str | os.PathLike[str]) -> pd.DataFrame:
    """Return the rows of all files, at least one, in one table.

    Raises InputError for a file that cannot be read or is no table.
    """
    parts = [reading.read_csv(path, f"table {os.fspath(path)}", dtype=_TEXT) for path in paths]
    return pd.concat(parts, ignore_index=True) if len(parts) > 1 else parts[0]
