"""Replay rows of ledgers from their seeds, and compare all results with what they come from."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

import numpy as np

from msdensity.errors import InputError, OwnFileError, check_path, integer
from msdensity.files.folders import files_in
from msdensity.kernel.measures import MEASURES
from msdensity.kernel.names import OWN_TABLE
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.runs.audit import MAX_SHOWN, Audit, audit
from msdensity.runs.ledger import COLUMNS, read_rows
from msdensity.runs.progress import Progress
from msdensity.runs.records import FOLDER
from msdensity.runs.rows import Row, contradicting, contradiction
from msdensity.runs.versions import SAME_SINCE


@dataclass(frozen=True)
class Difference:
    """A row that differs when replayed: the measure, its recorded value and the replayed value."""

    ledger: str
    line: int
    mines: int
    first_game: int
    games: int
    measure: str
    recorded: int
    played: int

    def __str__(self) -> str:
        return (
            f"{self.ledger}, line {self.line}: mines={self.mines}, games {self.first_game}.."
            f"{self.first_game + self.games - 1}: {self.measure} is {self.recorded} in the ledger, "
            f"{self.played} when replayed"
        )


@dataclass(frozen=True)
class Verification:
    """The result: ledgers and rows read, rows and games replayed, and rows that differ.

    too_long: rows of the sample that were not replayed, because they hold more than MAX_GAMES
    games; audit: what was compared besides; skipped: why each ledger was skipped whose player or
    board is of a file that is not here or has changed; others: of each other version of the kernel
    that version, its rows, and how many of them were replayed.
    """

    ledgers: int
    rows: int
    rows_played: int
    games_played: int
    differences: tuple[Difference, ...]
    too_long: int
    audit: Audit
    skipped: tuple[str, ...] = ()
    others: tuple[tuple[int, int, int], ...] = ()

    @property
    def ok(self) -> bool:
        """Whether all ledgers were looked at and all agrees."""
        return not (self.differences or self.audit.faults or self.skipped)

    def report(self) -> str:
        """Return the result in words."""
        lines = [*map(str, self.differences), *self.audit.faults]
        lines.append(
            f"{self.ledgers} ledgers with {self.rows:,} rows, all checksums right; "
            f"{self.rows_played:,} rows ({self.games_played:,} games) replayed: "
            + (f"{len(self.differences)} differ" if self.differences else "all the same")
        )
        lines.append(
            f"{self.audit.rows:,} rows of {self.audit.tables} tables compared with the ledgers, "
            f"{self.audit.results} files with their records: "
            + (f"{len(self.audit.faults)} faults" if self.audit.faults else "no fault")
        )
        if not self.audit.results:
            lines.append(
                "No record of these files was found, so edits of what does not follow from ledgers"
                " would not be seen, nor a board that was removed from every table: run this where"
                " Snakemake runs, or give --records."
            )
        if self.rows_played < self.rows:
            percent = 100 * self.rows_played / self.rows
            lines.append(
                f"An edited row with a right checksum is found with a chance of {percent:.2g}% by"
                " this sample; --all replays every row."
            )
        if self.too_long:
            lines.append(
                f"{self.too_long} rows hold more than {MAX_GAMES:,} games and were not replayed;"
                " --all replays them too."
            )
        for version, rows, replayed in self.others:
            same = SAME_SINCE.get(version, ())
            what = ", ".join(name for name in MEASURES if name in same)
            lines.append(
                f"{rows:,} rows are of kernel_version={version}, not of this {KERNEL_VERSION}: "
                + (f"{replayed:,} were replayed, for {what} alone" if same else "none was replayed")
            )
        if self.skipped:
            lines += [f"skipped: {reason}" for reason in self.skipped[:MAX_SHOWN]]
            lines.append(
                f"{len(self.skipped)} ledgers skipped, because their player or board is not here:"
                " run this in the folder of your files; --board names the file of a board"
            )
        return "\n".join(lines)


_MAX_CHARACTERS = 10_000
"""Characters read of a first line; a ledger's header has fewer."""

_OWN = ("task_id", "options", "kernel_version", "first_game", "certain_single", "check")

MAX_GAMES = 10_000_000
"""A row with more games is replayed only if all rows are: it takes minutes to hours."""

PART = 1000
"""Games played at once: Ctrl-C waits for them."""


def _lines(file: TextIO) -> Iterator[str]:
    """Yield the first few lines of a file, cut at _MAX_CHARACTERS."""
    for _ in range(10):
        yield file.readline(_MAX_CHARACTERS)


def ledgers_in(folder: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield the ledgers in a folder and all below it, by name; a ledger itself is one too."""
    header = ",".join(COLUMNS)
    for path in files_in(folder, ".csv"):
        if not os.path.isfile(path):
            continue
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                first = next((line for line in _lines(file) if line.strip()), "")
        except OSError as error:
            raise InputError(f"file {path} cannot be read: {error.strerror}") from error
        # A ledger with a damaged header must give an error, not be skipped.
        if first.rstrip("\n") == header or (
            not path.name.endswith(".cpu.csv")
            and (_looks_like_a_header(first) or os.path.exists(f"{path}.lock"))
        ):
            yield path


def _looks_like_a_header(start: str) -> bool:
    """Whether a line is the header of a ledger: it has most of the columns only ledgers have."""
    names = start.lower()
    return names.startswith("task_id,") or sum(name in names for name in _OWN) > len(_OWN) // 2


def _rows_to_replay(path: Path) -> list[Row]:
    """Return the rows of a ledger; OwnFileError if its player or board is not here."""
    from msdensity.kernel.topology import neighbour_table

    rows = read_rows(path)
    for board in {row.task.board for row in rows}:
        if OWN_TABLE.fullmatch(board.topology):
            try:
                neighbour_table(board.shape, board.topology)
            except OwnFileError as error:
                raise OwnFileError(f"ledger {path}: {error}") from error
    return rows


def verify(
    folder: str | os.PathLike[str],
    rows: int | None = 20,
    seed: int | None = None,
    *,
    records: str | os.PathLike[str] = FOLDER,
    log: TextIO | None = None,
) -> Verification:
    """Read every ledger in `folder`, replay a random sample of their rows, and `audit` all results.

    rows: size of the sample, at least 1 (all rows if there are fewer; None: all); rows that
    contradict each other are replayed too; seed: of the sample (None: a new sample every time);
    records: folder of the records; log: where progress goes (None: nowhere). All measures must be
    equal. A sample leaves out rows of more than MAX_GAMES games. A ledger whose player or board is
    of a file that is not here, or has changed, is skipped. Rows of another version of the kernel
    are replayed for what this version counts the same (`SAME_SINCE`). Raises InputError, as
    `read_ledger` does, for a damaged ledger, and if there is neither a game nor a record.
    """
    from msdensity.games.play import play_batch

    check_path("data", folder)
    check_path("records", records)
    if rows is not None:
        integer("rows", rows, 1)
    if seed is not None:
        integer("seed", seed, 0)
    if not os.path.exists(folder):
        raise InputError(f"data={os.fspath(folder)} must be a folder with ledgers, or a ledger")
    recorded: list[Row] = []
    ledgers = list(ledgers_in(folder))
    skipped: list[OwnFileError] = []
    for path in ledgers:
        try:
            recorded += _rows_to_replay(path)
        except OwnFileError as error:
            skipped.append(error)
    if skipped and not recorded:
        raise skipped[0]
    if not recorded:
        alone = audit(folder, ledgers, [], records)
        if not alone.results:  # a study that deals no game has records of its results
            raise InputError(f"data={os.fspath(folder)} holds no ledger with games")
        return Verification(len(ledgers), 0, 0, 0, (), 0, alone)
    rng = np.random.default_rng(seed)
    can = [i for i, row in enumerate(recorded) if _compared(row)]
    size = len(can) if rows is None else min(rows, len(can))
    sample = rng.choice(can, size=size, replace=False) if can else np.array([], int)
    doubts = contradicting(recorded)
    doubtful = {each.place for row, others in doubts for each in (row, *others)}
    chosen = {*sample.tolist(), *(i for i in can if recorded[i].place in doubtful)}
    too_long = {i for i in chosen if recorded[i].counts.games > MAX_GAMES and rows is not None}
    chosen -= too_long
    differences = []
    games = 0
    progress = Progress("verify", sum(recorded[i].counts.games for i in chosen), log)
    for i in sorted(chosen):
        row = recorded[i]
        counts, (ledger, line) = row.counts, row.place
        played = dict.fromkeys(MEASURES, 0)
        for first in range(counts.first_game, counts.stop, PART):
            part = play_batch(row.task, first, min(PART, counts.stop - first))
            played = {name: played[name] + part[name] for name in MEASURES}
            progress.add(min(PART, counts.stop - first))
        games += counts.games
        differences += [
            Difference(
                ledger,
                line,
                row.task.mines,
                counts.first_game,
                counts.games,
                name,
                counts[name],
                played[name],
            )
            for name in _compared(row, played)
            if counts[name] != played[name]
        ]
    versions = Counter(row.kernel_version for row in recorded)
    replayed = Counter(recorded[i].kernel_version for i in chosen)
    checked = audit(folder, ledgers, recorded, records, own_files=not skipped)
    # A replay may agree with both sides of these.
    old = [contradiction(*each) for each in doubts if each[0].kernel_version != KERNEL_VERSION]
    return Verification(
        len(ledgers) - len(skipped),
        len(recorded),
        len(chosen),
        games,
        tuple(differences),
        len(too_long),
        replace(checked, faults=(*old, *checked.faults)),
        tuple(map(str, skipped)),
        tuple((v, n, replayed[v]) for v, n in sorted(versions.items()) if v != KERNEL_VERSION),
    )


def _compared(row: Row, played: Mapping[str, int] | None = None) -> list[str]:
    """Return the measures that a replay by this version must give again; none: no replay.

    played: what the replay gave. Two versions may differ where a position is beyond the budget of
    exact counting in one of them.
    """
    if row.kernel_version == KERNEL_VERSION:
        return list(MEASURES)
    if played and (row.counts["approximate"] or played["approximate"]):
        return []
    return [name for name in MEASURES if name in SAME_SINCE.get(row.kernel_version, ())]
