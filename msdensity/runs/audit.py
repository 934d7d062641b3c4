"""Compare results with what they come from: tables with ledgers, and files with their records."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from msdensity.kernel.names import FIRST_CLICKS
from msdensity.players.registry import PLAYERS
from msdensity.runs.records import FOLDER, read_record, sha256
from msdensity.runs.rows import Row, by_task, merge
from msdensity.runs.versions import BESIDE

_WHICH = ("board", "player", "first_click", "start", "seed", "kernel_version", "mines")
_SUMS = ("games", *MEASURES)

_BOARD = re.compile(r"[0-9]+(x[0-9]+)+(-[a-z0-9]+)?")
"""How the name of a run's ledger begins: with its board."""

_ENDING = re.compile(r"(\.from[0-9]+)?(\.kernel[0-9]+)?\.csv$")
"""How the name of a ledger ends."""

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
    apart. No row may be there twice. A table without a record must have all numbers of mines of
    its curves that these ledgers hold, and all curves of the tables in the folder of its name. A
    file must have the bytes that its record names, and so must each file that it was made from.
    """
    results, record_faults, as_made = _record_faults(folder, Path(records))
    sums: Sums = defaultdict(dict)
    for place, inside in groupby(sorted(rows, key=_place), key=_place):
        for own in by_task(inside):
            with suppress(InputError):  # rows that contradict each other are replayed and named
                for row in merge(own):
                    if row.counts.first_game == 0:
                        sums[_key(row)][place] = row
    faults = [
        f"{place} holds games of {what}, which its name does not say"
        for place, what in _misnamed(rows)
    ]
    tables: dict[Path, pd.DataFrame] = {}
    known = set(ledgers)
    for path in files_in(folder, ".csv"):
        if path in known or path.name.endswith(".cpu.csv"):
            continue
        table = _counts(path)
        if table is not None and not own_files:
            named = table["board"].str.contains("-table-")
            named |= table["player"].str.contains(":")
            table = table[~named]
        if table is not None:
            tables[path] = table
            faults += _table_faults(path, table, sums)
    for path, table in tables.items():
        if os.path.realpath(path) not in as_made:  # else its record says what it is made of
            faults += [*_lacking_mines(path, table, sums), *_lacking_curves(path, tables)]
    compared = sum(map(len, tables.values()))
    return Audit(len(tables), compared, results, (*faults, *record_faults))


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
    """Yield ledgers with what they hold and their names, BOARD.WORD.csv, contradict.

    The word may be the player or the place of the first click, or of another kind.
    """
    for place, row in {row.place[0]: row for row in rows}.items():
        task, version = row.task, row.kernel_version
        board, _, word = _ENDING.sub("", Path(place).name).partition(".")
        beside = BESIDE.search(place)
        if beside and int(beside["version"]) != version:
            yield place, f"kernel_version {version}"
        if _BOARD.fullmatch(board) and board != task.board.name:
            yield place, f"board {task.board.name}"
        if word in FIRST_CLICKS and word != task.rules.first_click:
            yield place, f"first_click {task.rules.first_click}"
        if word.partition("-")[0] in PLAYERS and word not in (task.player, task.label):
            yield place, f"player {task.label}"


def _counts(path: Path) -> pd.DataFrame | None:
    """Return the columns that name and count games as text; None if the file has others."""
    try:
        head = read_csv(path, f"table {path}", dtype="str", nrows=0)
        columns = [*_WHICH, *_SUMS]
        if {*columns} <= {*head.columns}:
            table = read_csv(path, f"table {path}", dtype="str", keep_default_na=False)
            return table[columns]
    except InputError:  # no table of the pipeline
        pass
    return None


def _table_faults(path: Path, table: pd.DataFrame, sums: Sums) -> Iterator[str]:
    """Yield the rows of a table that are there twice, or are not the sums of the ledgers."""
    found = 0
    twice = table.duplicated(list(_WHICH))
    lines = (table.index + 2).tolist()
    for line, again, values in zip(lines, twice, table.to_dict("records"), strict=True):
        facts = {str(name): str(value) for name, value in values.items()}
        fault = "the row is there twice" if again else _row_fault(path, facts, sums)
        if fault:
            found += 1
            if found <= MAX_SHOWN:
                yield f"{path}, line {line}: {fault}"
    if found > MAX_SHOWN:
        yield f"{path}: {found - MAX_SHOWN} more rows"


def _row_fault(path: Path, facts: dict[str, str], sums: Sums) -> str:
    try:
        known: dict[str, Any] = {name: facts[name] for name in _WHICH}
        known |= {name: int(known[name]) for name in ("seed", "kernel_version", "mines")}
        numbers = {name: int(facts[name]) for name in _SUMS}
    except ValueError:
        return "a count is no whole number"
    # Ledgers of another study do not vouch for a table.
    held = {
        place: dict(zip(_SUMS, (row.counts.games, *row.counts.measures), strict=True))
        for place, row in sums.get(tuple(known.values()), {}).items()
        if _study(Path(place)) == _study(path.parent)
    }
    if not held:
        return "no ledger holds its games"
    if any(numbers.items() <= counts.items() for counts in held.values()):
        return ""
    nearest = max(held, key=lambda place: len(os.path.commonpath([place, str(path)])))
    name = next(name for name in numbers if numbers[name] != held[nearest][name])
    return f"{name} is {numbers[name]} in the table, {held[nearest][name]} in the ledgers"


def _curves(table: pd.DataFrame) -> Iterator[tuple[tuple[str, ...], pd.DataFrame]]:
    """Yield the curves of a table with what names them; none if its columns do not."""
    which = list(_WHICH[:-1])
    if {*which} <= {*table.columns}:
        for curve, rows in table.groupby(which, sort=False):
            yield tuple(map(str, curve)), rows


def _lacking_mines(path: Path, table: pd.DataFrame, sums: Sums) -> Iterator[str]:
    """Yield the numbers of mines of each curve that only the ledgers hold, with as many games."""
    games: dict[tuple[str, tuple[str, ...]], dict[int, int]] = defaultdict(dict)
    for key, places in sums.items():
        for place, row in places.items():
            if _study(Path(place)) == _study(path.parent):
                games[place, tuple(map(str, key[:-1]))][key[-1]] = row.counts.games
    for curve, own in _curves(table):
        with suppress(ValueError):  # a count that is no number has a fault of its own
            mines, least = {*map(int, own["mines"])}, min(map(int, own["games"]))
            for (_, name), held in games.items():
                if name != curve or not mines <= held.keys():
                    continue
                lacking = sorted(m for m in held.keys() - mines if held[m] >= least)
                if lacking:
                    shown = ", ".join(map(str, lacking[:MAX_SHOWN]))
                    more = f" and {len(lacking) - MAX_SHOWN} more" * (len(lacking) > MAX_SHOWN)
                    yield (
                        f"{path}, board {curve[0]}, player {curve[1]}: lacks mines={shown}{more},"
                        " which the ledgers hold"
                    )
                    break


def _lacking_curves(path: Path, tables: Mapping[Path, pd.DataFrame]) -> Iterator[str]:
    """Yield the curves that a joined table lacks: win_rates.csv holds the rows of win_rates/."""
    own = {curve for curve, _ in _curves(tables[path])}
    for part, table in tables.items():
        if part.parent == path.with_suffix(""):
            for curve, _ in _curves(table):
                if curve not in own:
                    yield f"{path} lacks board {curve[0]}, player {curve[1]}, which {part} holds"


def _record_faults(
    folder: str | os.PathLike[str], records: Path
) -> tuple[int, list[str], set[str]]:
    """Return how many files have records, what does not agree with these, and which files do.

    Files are named by their real paths.
    """
    if not os.path.isdir(records):
        return 0, [], set()
    results, faults, as_made = 0, [], set()
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
        else:
            as_made.add(os.path.realpath(name))
        faults += [
            f"{name} was made from another {path}: run Snakemake again"
            for path, was in record["inputs"].items()
            if now(path) not in (None, was)
        ]
        faults += [
            f"{name} was made from {path}, which is gone"
            for path in record["inputs"]
            if now(path) is None and _inside(path, folder)
        ]
    return results, faults, as_made


def _inside(name: str, folder: str | os.PathLike[str]) -> bool:
    """Whether a file is in a folder, by its name or where links lead."""
    for real in (os.path.abspath, os.path.realpath):
        path, root = real(name), real(folder)
        if path == root or path.startswith(root.rstrip(os.sep) + os.sep):
            return True
    return False
