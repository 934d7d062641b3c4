"""The cost of the games of a ledger, noted beside it in `{name}.cpu.csv`: notes, not results.

A note that cannot be written is dropped, and a torn note is skipped.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from msdensity.files.atomic import atomic_write, open_no_link

_HEADER = "task_id,first_game,games,cpu_seconds\n"

Note = tuple[str, int, int, float]
"""task_id, first game, games, CPU seconds."""


def notes_path(ledger: str | os.PathLike[str]) -> Path:
    """Return the file of the notes of a ledger."""
    return Path(ledger).with_suffix(".cpu.csv")


def cpu_seconds(ledger: str | os.PathLike[str]) -> float:
    """Return the CPU seconds of all games ever played for a ledger; 0 without notes."""
    return sum((cpu for *_, cpu in _notes(notes_path(ledger))), 0.0)


def add_notes(ledger: Path, notes: Iterable[Note]) -> None:
    """Add notes."""
    with (
        contextlib.suppress(OSError),
        open(notes_path(ledger), "a", encoding="utf-8", newline="\n", opener=open_no_link) as file,
    ):
        if file.tell() == 0:
            file.write(_HEADER)
        file.writelines(map(_line, notes))


def sum_notes(ledger: Path) -> None:
    """Sum the notes of each task into one."""
    path = notes_path(ledger)
    sums: dict[str, tuple[int, int, float]] = {}
    for task_id, first, games, cpu in _notes(path):
        start, count, seconds = sums.get(task_id, (first, 0, 0.0))
        sums[task_id] = (min(start, first), count + games, seconds + cpu)
    with contextlib.suppress(OSError), atomic_write(path) as file:
        file.write(_HEADER)
        file.writelines(_line((task_id, *note)) for task_id, note in sums.items())


def _line(note: Note) -> str:
    task_id, first_game, games, cpu = note
    return f"{task_id},{first_game},{games},{cpu:.6f}\n"


def _notes(path: Path) -> Iterator[Note]:
    with (
        contextlib.suppress(OSError, ValueError),  # a name that no file can have
        open(path, encoding="utf-8", errors="replace") as file,
    ):
        for line in file:
            fields = line.split(",")
            if len(fields) == 4 and line.endswith("\n"):
                with contextlib.suppress(ValueError):
                    yield fields[0], int(fields[1]), int(fields[2]), float(fields[3])
