"""Compare results with what they come from: tables with ledgers, and files with their records."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import pandas as pd

from msdensity.errors import InputError
from msdensity.files.folders import files_in
from msdensity.files.text import read_csv
from msdensity.kernel.measures import MEASURES
from msdensity.runs.records import FOLDER, read_record, sha256
from msdensity.runs.rows import Row, by_task, merge

_WHICH = ("board", "player", "first_click", "start", "seed", "kernel_version", "mines")
_SUMS = ("games", *MEASURES)

_BOARD = re.compile(r"[0-9]+(x[0-9]+)+(-[a-z0-9]+)?")
"""How the name of a run's ledger begins: with its board."""

Sums = dict[tuple[Any, ...], dict[str, Row]]
"""What identifies a row of a table -> the folder of the ledgers -> the sum of its games there."""

MAX_SHOWN = 5
"""Faults of one table that are shown; the rest is a number."""


@dataclass(frozen=True)
class Audit:
    """tables: tables whose counts were compared with ledgers; rows: their rows; results: files
    compared with their records; faults: what does not agree, a sentence each."""

    tables: int
    rows: int
    results: int
    faults: tuple[str, ...]


def audit(
    folder: str | os.PathLike[str],
    ledgers: Sequence[Path],
    rows: Sequence[Row],
    records: str | os.PathLike[str] = FOLDER,
    own_files: bool = True,
) -> Audit:
    """Compare the results in a folder with its ledgers, and with the records of how they were made.

    ledgers: those in the folder; rows: of these; records: the folder of the records, which need not
    exist; own_files: whether the ledgers of the user's own players and boards could be read, else
    rows of tables that name such are not compared. Every row of a table that holds counts must be
    the sum of the games in the ledgers of one folder; studies that play the same games keep them
    apart. A file must have the bytes that its record names, and so must each file that it was made
    from.
    """
    sums: Sums = defaultdict(dict)
    for place, inside in groupby(sorted(rows, key=_place), key=_place):
        for own in by_task(inside):
            with suppress(InputError):  # rows that contradict each other are replayed and named
                for row in merge(own):
                    if row.counts.first_game == 0:
                        sums[_key(row)][place] = row
    faults = [
        f"{place} holds games of board {name}, which its name does not say"
        for place, name in _misnamed(rows)
    ]
    tables = compared = 0
    known = set(ledgers)
    for path in files_in(folder, ".csv"):
        if path in known or path.name.endswith(".cpu.csv"):
            continue
        table = _counts(path)
        if table is not None and not own_files:
            named = table["player"].str.contains(":") | table["board"].str.contains("-table-")
            table = table[~named]
        if table is not None:
            tables, compared = tables + 1, compared + len(table)
            faults += _table_faults(path, table, sums)
    results, more = _record_faults(folder, Path(records))
    return Audit(tables, compared, results, (*faults, *more))


def _place(row: Row) -> str:
    return os.path.dirname(row.place[0])


def _study(folder: Path) -> str:
    """Return the name of the folder of a study, that below the last `data`; "" if there is none."""
    after = folder.parts[::-1][: folder.parts[::-1].index("data")] if "data" in folder.parts else ()
    return after[-1] if after else ""


def _key(row: Row) -> tuple[Any, ...]:
    task = row.task
    rules = (task.rules.first_click, task.rules.start)
    return (task.board.name, task.label, *rules, task.seed, row.kernel_version, task.mines)


def _misnamed(rows: Iterable[Row]) -> Iterator[tuple[str, str]]:
    named = dict.fromkeys((row.place[0], row.task.board.name) for row in rows)
    for place, board in named:
        said = Path(place).name.partition(".")[0]
        if _BOARD.fullmatch(said) and said != board:
            yield place, board


def _counts(path: Path) -> pd.DataFrame | None:
    """Return the columns that name and count games as text; None if the file has others."""
    try:
        head = read_csv(path, f"table {path}", dtype="str", nrows=0)
        if not {*_WHICH, *_SUMS} <= set(head.columns):
            return None
        table = read_csv(path, f"table {path}", dtype="str", keep_default_na=False)
    except InputError:  # no table of the pipeline
        return None
    return table[[*_WHICH, *_SUMS]]


def _table_faults(path: Path, table: pd.DataFrame, sums: Sums) -> Iterator[str]:
    """Yield the rows of a table that are not the sums of the ledgers."""
    found = 0
    lines = (table.index + 2).tolist()
    for line, values in zip(lines, table.to_numpy().tolist(), strict=True):
        which, counts = values[: len(_WHICH)], values[len(_WHICH) :]
        fault = _row_fault(path, which, counts, sums)
        if fault:
            found += 1
            if found <= MAX_SHOWN:
                yield f"{path}, line {line}: {fault}"
    if found > MAX_SHOWN:
        yield f"{path}: {found - MAX_SHOWN} more rows"


def _row_fault(path: Path, which: list[str], counts: list[str], sums: Sums) -> str:
    try:
        key = (*which[:4], *map(int, which[4:]))
        numbers = [int(value) for value in counts]
    except ValueError:
        return "a count is no whole number"
    # Ledgers of another study do not vouch for a table.
    held = {
        place: [row.counts.games, *row.counts.measures]
        for place, row in sums.get(key, {}).items()
        if _study(Path(place)) == _study(path.parent)
    }
    if not held:
        return "no ledger holds its games"
    if numbers in held.values():
        return ""
    nearest = max(held, key=lambda place: len(os.path.commonpath([place, str(path)])))
    name, value, count = next(
        each for each in zip(_SUMS, numbers, held[nearest], strict=True) if each[1] != each[2]
    )
    return f"{name} is {value} in the table, {count} in the ledgers"


def _record_faults(folder: str | os.PathLike[str], records: Path) -> tuple[int, list[str]]:
    """Return how many files have records, and what does not agree with these."""
    if not os.path.isdir(records):
        return 0, []
    results, faults = 0, []
    hashes: dict[str, str | None] = {}

    def now(path: str) -> str | None:
        if path not in hashes:
            hashes[path] = sha256(path) if os.path.isfile(path) else None
        return hashes[path]

    for place in files_in(records, ".json"):
        name = os.path.relpath(place, records).removesuffix(".json")
        # The figures of a study are beside its data.
        also = name.replace("figures/", "data/", 1) if name.startswith("figures/") else name
        if not any(_inside(each, folder) for each in (name, also)) or now(name) is None:
            continue
        try:
            record = read_record(place)
        except InputError as error:  # one of them must not hide what is wrong elsewhere
            faults.append(str(error))
            continue
        results += 1
        if now(name) != record["sha256"]:
            faults.append(f"{name} was changed since rule {record['rule']} made it")
        faults += [
            f"{name} was made from another {path}: run Snakemake again"
            for path, was in record["inputs"].items()
            if now(path) not in (None, was)
        ]
    return results, faults


def _inside(name: str, folder: str | os.PathLike[str]) -> bool:
    """Whether a file is in a folder, by its name or where links lead."""
    for real in (os.path.abspath, os.path.realpath):
        path, root = real(name), real(folder)
        if path == root or path.startswith(root.rstrip(os.sep) + os.sep):
            return True
    return False
