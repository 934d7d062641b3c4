"""The games of a job without a ledger, kept until its results are written.

A kill then costs only the batch that is being played, as with ledgers.
"""

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

from msdensity.files.folders import files_in
from msdensity.files.journal import Journal, Seal, read_bytes
from msdensity.files.lock import is_free
from msdensity.kernel.limits import check_memory

FOLDER = "unfinished"
"""Folder of checkpoints, beside the results."""

WRITE_SECONDS = 0.1
"""Seconds between two writes: a write after each game would cost more than the game."""

MAX_SHARE = 0.05
"""Largest share of the time that writing may take: on a slow disk it is done less often."""

_MAX_DIGITS = 40
"""Digits of a number: a damaged file may hold longer ones, which take long to read."""

_BYTES_READ = 20
"""Bytes of memory needed for each byte of a file that is read."""

_SEAL = Seal(b"\t", lambda text: hashlib.blake2b(text + b"\t", digest_size=4).hexdigest().encode())


class Checkpoint:
    """A `Keep` on the disk: `with Checkpoint(path, version) as keep`.

    A ledger keeps sums of games for good. A checkpoint keeps the numbers of each batch, whatever
    they are, and only until the results are written (`remove_finished`). A torn or damaged line is
    left out, and its batch is played again.

    version: stands for everything but `what` that decides the numbers; it is part of the file's
    name. Batches of other versions are ignored but kept on disk. The file and its folder are made
    when the first batch is played. Several threads may call it. It raises InputError if another
    process has the file, or if it cannot be written; OSError if the disk is full or fails.
    """

    def __init__(self, path: str | os.PathLike[str], version: str) -> None:
        base = Path(path)
        self.path = base.with_name(f"{base.name}.{version}.part")
        self.cpu_seconds_before = 0.0
        """CPU seconds of the batches that an earlier attempt played."""
        lock = base.with_name(base.name + ".lock")
        self._journal = Journal(self.path, lock, f"file {self.path}")
        self._guard = threading.Lock()
        self._entered = self._left = False
        self._found: dict[str, tuple[int, list[int]]] = {}
        self._waiting: list[bytes] = []
        self._next_write = 0.0

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(self, *error: object) -> None:
        with self._guard:
            self._left = True  # a thread that is still at work must not take the lock again
            try:
                self._write()
            finally:
                if self._entered:
                    self._entered = False
                    self._journal.close()

    def __call__(self, what: str, play: Callable[[], Sequence[int]]) -> list[int]:
        with self._guard:
            self._open()
            if what in self._found:
                cpu, numbers = self._found[what]
                self.cpu_seconds_before += cpu / 1e9
                self._found[what] = 0, numbers  # a batch asked for twice cost its time once
                return list(numbers)
        begin = time.thread_time_ns()
        numbers = [int(number) for number in play()]
        line = _line(what, time.thread_time_ns() - begin, numbers)
        with self._guard:
            self._waiting.append(line)
            self._found[what] = 0, numbers
            if time.monotonic() >= self._next_write:
                self._write()
        return list(numbers)

    def _open(self) -> None:
        if self._left:
            raise ValueError("a checkpoint works only inside `with Checkpoint(...) as keep`")
        if self._entered:
            return
        self._journal.open()
        try:
            self._found, size = read(self.path)
            self._journal.start_after(size)
        except BaseException:
            self._journal.close()
            raise
        self._entered = True
        if self._found:
            note = f"resumes with {len(self._found)} batches of an earlier attempt"
            print(f"{self.path.name}: {note}", file=sys.stderr, flush=True)

    def _write(self) -> None:
        if not self._entered or not self._waiting:
            return
        begin = time.monotonic()
        self._journal.append(b"".join(self._waiting))
        self._waiting.clear()
        end = time.monotonic()
        self._next_write = end + max(WRITE_SECONDS, (end - begin) / MAX_SHARE)


def unfinished_path(result: str | os.PathLike[str]) -> Path:
    """Return the path of the checkpoint of a result, for `Checkpoint`."""
    return Path(result).parent / FOLDER / Path(result).name


def remove_finished(folder: str | os.PathLike[str]) -> None:
    """Remove the checkpoints of results that exist, in a folder and below it, also behind links.

    Call it at the end of a run, when none of its jobs is working: until then Snakemake may still
    take a result for incomplete, and make it again. A checkpoint that another run holds stays.
    """
    for lock in list(files_in(folder, ".lock")):
        name = lock.name.removesuffix(".lock")
        if lock.parent.name == FOLDER and (lock.parent.parent / name).is_file() and is_free(lock):
            # What cannot be removed does no harm; the folder stays while others are not finished.
            with contextlib.suppress(OSError):
                for path in (*lock.parent.glob(f"{glob.escape(name)}.*.part"), lock):
                    path.unlink(missing_ok=True)
                lock.parent.rmdir()


def read(path: Path) -> tuple[dict[str, tuple[int, list[int]]], int]:
    """Return CPU nanoseconds and numbers of all good lines, and the bytes up to the last line end.

    Raises InputError if the file cannot be read.
    """

    def check_size(size: int) -> None:
        check_memory(f"file {path} of {size:,} bytes", _BYTES_READ * size)

    data = read_bytes(path, f"file {path}", check_size) or b""
    *lines, torn = data.split(b"\n")
    found: dict[str, tuple[int, list[int]]] = {}
    for line in lines:
        text = _SEAL.text(line)
        if text is not None:
            what, _, numbers = text.partition(b"\t")
            with contextlib.suppress(ValueError):
                cpu, *values = [_number(each) for each in numbers.split(b" ")]
                name = what.decode()
                if line + b"\n" == _line(name, cpu, values):
                    found[name] = cpu, values
    return found, len(data) - len(torn)


def _number(text: bytes) -> int:
    if len(text) > _MAX_DIGITS:
        raise ValueError("more digits than a count has")
    return int(text)


def _line(what: str, cpu: int, numbers: Sequence[int]) -> bytes:
    if not what.isprintable():
        raise ValueError(f"what={what!r} must be one line of text")
    return _SEAL.line(f"{what}\t{' '.join(map(str, [cpu, *numbers]))}".encode())
