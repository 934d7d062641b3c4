"""Read and write tables of the pipeline, which are recognised by their header."""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module

import pandas as pd

from msdensity.errors import InputError, check_path, require_kind, shown
from msdensity.files import tables
from msdensity.files.tables import Column
from msdensity.files.text import read_csv
from msdensity.runs.records import record_path, require_as_made, sha256

ROOMS = (
    "stats",
    *("studies.paper", "studies.reproduction", "studies.published_players"),
    *("studies.asymptotics", "studies.densities", "studies.clicks", "studies.patterns"),
    "studies.percolation",
    "studies.topologies",
    "studies.definitions",
    "studies.difficulty",
    "studies.perfect",
)
"""Where the columns of tables are declared, the standard analysis first."""


def known_columns(header: list[str], what: str) -> Mapping[str, Column]:
    """Return the columns of the table of the pipeline that has this header.

    Raises InputError, which names `what`, if there is none.
    """
    for room in ROOMS:
        for columns in import_module(f"msdensity.{room}.columns").TABLES.values():
            needed = [name for name in columns if name in header or not columns[name].optional]
            if needed == header:
                return columns
    raise InputError(f"{what} has the columns {shown(header)}, must have those of a known table")


def read_table(
    path: str | os.PathLike[str], columns: Mapping[str, Column] | None = None
) -> pd.DataFrame:
    """Return the table of a CSV file that the pipeline made, checked.

    columns: those that it must have (None: those of the table that its header names). Raises
    InputError for a file that is no table of the pipeline, for a value that is not allowed, and
    where Snakemake ran for a table that was edited or cut since its rule made it.
    """
    check_path("path", path)
    below = os.path.relpath(path)
    known = not below.startswith("..") and os.path.isfile(record_path(below))
    if known and os.path.isfile(path):
        require_as_made(below, sha256(path))
    if columns is None:
        what = f"table {os.fspath(path)}"
        header = read_csv(path, what, dtype="str", keep_default_na=False)
        columns = known_columns(list(header.columns), what)
    return tables.read_table(path, columns)


def write_table(
    path: str | os.PathLike[str],
    table: pd.DataFrame,
    columns: Mapping[str, Column] | None = None,
) -> None:
    """Write a table of the pipeline as CSV, at once; columns and errors as in `read_table`."""
    check_path("path", path)
    require_kind("table", table, pd.DataFrame, "a DataFrame")
    if columns is None:
        columns = known_columns(list(table.columns), f"table {os.fspath(path)}")
    tables.write_table(path, table, columns)
