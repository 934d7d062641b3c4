"""What an unfinished job has played, kept until its results are written: a kill costs no more."""

from __future__ import annotations

import contextlib
import glob
import hashlib
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from msdensity.errors import InputError
from msdensity.files.journal import Tail
from msdensity.files.lock import Lock

FOLDER = "unfinished"
"""Beside the results."""

WRITE_SECONDS = 0.1
"""How often what is new is made safe: once for each game would cost more than the game."""

MOST_SHARE = 0.05
"""Of the time, for that: it is done less often where the disk is slow."""

_MOST_DIGITS, _MOST_BYTES = 40, 10**6
"""Of a number, and of a line: a damaged file may be one endless line."""


class Unfinished:
    """A `Keep` on the disk: `with Unfinished(path, version) as keep`.

    Where a ledger sums games up for good, this keeps what each batch gave, whatever that is, and
    only until the results are there (`remove_finished`). A line that a crash tore or that was
    damaged is left out, and played again.

    version: of all that decides the numbers beside `what`, which becomes part of the file's name:
    what other versions played is neither believed nor thrown away. The file and its folder are
    made when the first batch is played. Several threads may call it. It raises InputError if
    another process has the file, or it cannot be written; OSError if the disk is full or fails.
    """

    def __init__(self, path: str | os.PathLike[str], version: str) -> None:
        self._base = Path(path)
        self.path = Path(f"{os.fspath(path)}.{version}.part")
        self.cpu_seconds_before = 0.0
        """Of the batches that were there, and not played again."""
        self._lock: Lock | None = None
        self._guard = threading.Lock()
        self._there: dict[str, tuple[int, list[int]]] = {}
        self._waiting: list[bytes] = []
        self._tail: Tail | None = None
        self._next_write = 0.0

    def __enter__(self) -> Unfinished:
        return self

    def __exit__(self, *error: object) -> None:
        with self._guard:
            try:
                self._write()
            finally:
                if self._lock is not None:
                    self._lock.release()
                    self._lock = None

    def __call__(self, what: str, play: Callable[[], Sequence[int]]) -> list[int]:
        with self._guard:
            self._open()
            there = self._there.get(what)
            if there is not None:
                cpu, numbers = there
                self.cpu_seconds_before += cpu / 1e9
                self._there[what] = 0, numbers  # a batch asked for twice cost its time once
                return list(numbers)
        begin = time.thread_time_ns()
        numbers = [int(number) for number in play()]
        line = _line(what, time.thread_time_ns() - begin, numbers)
        with self._guard:
            self._waiting.append(line)
            self._there[what] = 0, numbers
            if time.monotonic() >= self._next_write:
                self._write()
        return list(numbers)

    def _open(self) -> None:
        if self._lock is not None:
            return
        lock = Lock(self._base.with_name(self._base.name + ".lock"), f"file {self.path}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock.take()
        except OSError as error:
            raise InputError(f"file {self.path} cannot be written: {error.strerror}") from error
        try:
            self._there, size = read(self.path)
            self._tail = Tail(self.path, size)
        except BaseException:
            lock.release()
            raise
        self._lock = lock
        if self._there:
            found = f"{len(self._there)} batches of an earlier attempt are there"
            print(f"{self.path.name}: {found}", file=sys.stderr, flush=True)

    def _write(self) -> None:
        if self._lock is None or self._tail is None or not self._waiting:
            return
        begin = time.monotonic()
        self._lock.require()
        self._tail.append(b"".join(self._waiting))
        self._waiting.clear()
        end = time.monotonic()
        self._next_write = end + max(WRITE_SECONDS, (end - begin) / MOST_SHARE)


def unfinished_path(result: str | os.PathLike[str]) -> Path:
    """Return where a job keeps what it played for a result, to be given to `Unfinished`."""
    return Path(result).parent / FOLDER / Path(result).name


def remove_finished(folder: str | os.PathLike[str]) -> None:
    """Remove what was kept for results that are there, in a folder and all below it.

    For the end of a run, when nobody is at work: a result that was just written may still count as
    incomplete, and be made again.
    """
    for lock in sorted(Path(folder).rglob(f"{FOLDER}/*.lock")):
        name = lock.name.removesuffix(".lock")
        if (lock.parent.parent / name).is_file():
            # What cannot be removed does no harm; the folder stays while others are not finished.
            with contextlib.suppress(OSError):
                for path in (*lock.parent.glob(f"{glob.escape(name)}.*.part"), lock):
                    path.unlink(missing_ok=True)
                lock.parent.rmdir()


def read(path: Path) -> tuple[dict[str, tuple[int, list[int]]], int]:
    """Return CPU nanoseconds and numbers of all good lines, and the bytes to the last one's end.

    Raises InputError if there is something that cannot be read.
    """
    found: dict[str, tuple[int, list[int]]] = {}
    size = place = 0
    try:
        with open(path, "rb") as file:
            for line in iter(lambda: file.readline(_MOST_BYTES), b""):
                place += len(line)
                if not line.endswith(b"\n"):
                    continue
                size = place
                what, _, rest = line.partition(b"\t")
                numbers = rest.partition(b"\t")[0]
                with contextlib.suppress(ValueError):
                    cpu, *values = [_number(text) for text in numbers.split(b" ")]
                    name = what.decode()
                    if line == _line(name, cpu, values):
                        found[name] = cpu, values
    except FileNotFoundError:
        return {}, 0
    except OSError as error:
        raise InputError(f"file {path} cannot be read: {error.strerror}") from error
    return found, size


def _number(text: bytes) -> int:
    if len(text) > _MOST_DIGITS:
        raise ValueError("more digits than a count has")
    return int(text)


def _line(what: str, cpu: int, numbers: Sequence[int]) -> bytes:
    if not what.isprintable():
        raise ValueError(f"what={what!r} must be one line of text")
    text = f"{what}\t{' '.join(map(str, [cpu, *numbers]))}\t".encode()
    return text + hashlib.blake2b(text, digest_size=4).hexdigest().encode() + b"\n"
