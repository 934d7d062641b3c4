"""What an unfinished job has played, kept until its results are written: a kill costs no more."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

from msdensity.errors import InputError
from msdensity.files import append
from msdensity.lock import Lock

Keep = Callable[[str, Callable[[], Sequence[int]]], list[int]]
"""keep(what, play) -> the whole numbers that `play` gives, of an earlier attempt if there are any.

what: one line of text that says all that decides the numbers, in this version of the sources.
"""

WRITE_SECONDS = 0.1
"""How often what is new is made safe: once for each game would cost more than the game."""

_MOST_DIGITS, _MOST_BYTES = 40, 10**6
"""Of a number, and of a line: a damaged file may be one endless line."""


def forget(what: str, play: Callable[[], Sequence[int]]) -> list[int]:
    """Play, and keep nothing: the `Keep` of who needs no checkpoint."""
    return [int(number) for number in play()]


class Unfinished:
    """A `Keep` on the disk: `with Unfinished(path, sources) as keep`.

    Where a ledger sums games up for good, this keeps what each batch gave, whatever that is, and
    only until the job is done: then `discard` removes the file. A line that a crash tore, that was
    damaged, or that other sources wrote is left out, with all that follow it, and played again.

    sources: of the program, as `provenance.code_version` names them. The file and its folder are
    made when the first batch is played. Several threads may call it. Then, InputError if another
    process has the file, or it cannot be written; OSError if the disk is full or fails.
    """

    def __init__(self, path: str | os.PathLike[str], sources: str) -> None:
        self.path = Path(path)
        self.cpu_seconds_before = 0.0
        """Of the batches that were there, and not played again."""
        self._header = f"msdensity {sources}\n".encode()
        self._lock: Lock | None = None
        self._guard = threading.Lock()
        self._there: dict[str, tuple[int, list[int]]] = {}
        self._waiting: list[bytes] = []
        self._size = 0
        self._written = 0.0

    def __enter__(self) -> Unfinished:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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
            if time.monotonic() - self._written >= WRITE_SECONDS:
                self._write()
        return numbers

    def discard(self) -> None:
        """Remove the file: the results that it was for are written."""
        with self._guard:
            self._waiting.clear()
            self.path.unlink(missing_ok=True)

    def _open(self) -> None:
        if self._lock is not None:
            return
        lock = Lock(self.path.with_name(self.path.name + ".lock"), f"file {self.path}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lock.take()
        except OSError as error:
            raise InputError(f"file {self.path} cannot be written: {error.strerror}") from error
        self._lock = lock
        self._there, self._size = read(self.path, self._header)
        if not self._size:
            self._waiting.append(self._header)

    def _write(self) -> None:
        if self._lock is None or not self._waiting:
            return
        self._lock.require()
        self._size = append(self.path, self._size, b"".join(self._waiting))
        self._waiting.clear()
        self._written = time.monotonic()


def read(path: Path, header: bytes) -> tuple[dict[str, tuple[int, list[int]]], int]:
    """Return CPU nanoseconds and numbers of all whole lines after the header, and their bytes."""
    found: dict[str, tuple[int, list[int]]] = {}
    try:
        with open(path, "rb") as file:
            if file.readline(len(header)) != header:
                return {}, 0
            size = len(header)
            for line in iter(lambda: file.readline(_MOST_BYTES), b""):
                what, _, rest = line.partition(b"\t")
                numbers = rest.partition(b"\t")[0]
                try:
                    cpu, *values = [_number(text) for text in numbers.split(b" ")]
                    name = what.decode()
                    if line != _line(name, cpu, values):
                        break
                except ValueError:
                    break
                found[name] = cpu, values
                size += len(line)
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
