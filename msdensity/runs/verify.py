"""Replay rows of ledgers from their seeds, and compare them with what is recorded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import numpy as np

from msdensity.errors import InputError, integer
from msdensity.kernel.measures import MEASURES
from msdensity.runs.ledger import COLUMNS, read_rows
from msdensity.runs.rows import Row, contradicting


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
    """The result: ledgers and rows read, rows and games replayed, and rows that differ."""

    ledgers: int
    rows: int
    rows_played: int
    games_played: int
    differences: tuple[Difference, ...]

    @property
    def ok(self) -> bool:
        """Whether every replayed row is the same."""
        return not self.differences

    def report(self) -> str:
        """Return the result in words."""
        lines = [str(difference) for difference in self.differences]
        lines.append(
            f"{self.ledgers} ledgers with {self.rows:,} rows, all checksums right; "
            f"{self.rows_played:,} rows ({self.games_played:,} games) replayed: "
            + ("all the same" if self.ok else f"{len(self.differences)} differ")
        )
        return "\n".join(lines)


_MAX_CHARACTERS = 10_000
"""Characters read of a first line; a ledger's header has fewer."""

_OWN = ("task_id", "options", "kernel_version", "first_game", "certain_single", "check")

PART = 1000
"""Games played at once: Ctrl-C waits for them."""


def _lines(file: TextIO) -> Iterator[str]:
    """Yield the first few lines of a file, cut at _MAX_CHARACTERS."""
    for _ in range(10):
        yield file.readline(_MAX_CHARACTERS)


def ledgers_in(folder: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield the ledgers in a folder and all below it, by name; a ledger itself is one too."""
    header = ",".join(COLUMNS)
    root = Path(folder)
    paths = [root] if os.path.isfile(root) else sorted(root.rglob("*.csv"))
    for path in paths:
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


def verify(folder: str | os.PathLike[str], rows: int = 20, seed: int | None = None) -> Verification:
    """Read every ledger in `folder` and replay a random sample of their rows.

    rows: size of the sample, at least 1 (all rows if there are fewer); rows that contradict each
    other are replayed too; seed: of the sample (None: a new sample every time). All measures must
    be equal. Raises InputError, as `read_ledger` does, for a damaged ledger or one of another
    kernel version, and if there is no ledger at all.
    """
    from msdensity.games.play import play_batch

    integer("rows", rows, 1)
    if seed is not None:
        integer("seed", seed, 0)
    if not os.path.exists(folder):
        raise InputError(f"data={os.fspath(folder)} must be a folder with ledgers, or a ledger")
    recorded: list[Row] = []
    ledgers = 0
    for path in ledgers_in(folder):
        ledgers += 1
        recorded += read_rows(path)
    if not recorded:
        raise InputError(f"data={os.fspath(folder)} holds no ledger with games")
    rng = np.random.default_rng(seed)
    sample = rng.choice(len(recorded), size=min(rows, len(recorded)), replace=False)
    doubtful = {each.place for row, others in contradicting(recorded) for each in (row, *others)}
    chosen = {*sample.tolist(), *(i for i, row in enumerate(recorded) if row.place in doubtful)}
    differences = []
    games = 0
    for i in sorted(chosen):
        row = recorded[i]
        counts, (ledger, line) = row.counts, row.place
        played = dict.fromkeys(MEASURES, 0)
        for first in range(counts.first_game, counts.stop, PART):
            part = play_batch(row.task, first, min(PART, counts.stop - first))
            played = {name: played[name] + part[name] for name in MEASURES}
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
            for name in MEASURES
            if counts[name] != played[name]
        ]
    return Verification(ledgers, len(recorded), len(chosen), games, tuple(differences))
