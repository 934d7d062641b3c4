"""Write a file so that a reader sees the old one or the new one, never a part."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

from msdensity.errors import InputError


@contextlib.contextmanager
def atomic_write(
    path: str | os.PathLike[str], require: Callable[[], None] | None = None
) -> Iterator[TextIO]:
    r"""Yield a text file (UTF-8, "\n") that takes the place of `path` when the block ends.

    The folder of `path` is made if missing. If the block raises, or `require`, which is called
    before the last step, `path` is left as it was and the temporary file beside it is removed.
    Raises OSError, saying what to do, if the folder cannot be written or the disk is full.
    """
    path = Path(path)
    try:
        with _replacing(path, require) as file:
            yield file
    except OSError as error:
        raise told(error, path, "the file is as it was") from error


class Tail:
    """The end of a file that this process alone appends to.

    size: bytes that are to stay; what lies beyond, say of a line that a crash tore, is cut off by
    the first `append`. The file need not be there, its folder has to be.
    """

    def __init__(self, path: str | os.PathLike[str], size: int) -> None:
        self.path = Path(path)
        self.size = size
        self._length = os.path.getsize(path) if os.path.exists(path) else 0

    def append(self, data: bytes) -> None:
        """Add data, on the disk on return.

        Raises OSError, with the file as it was, if the disk is full or fails; InputError, with the
        file as it is, if another process wrote to it meanwhile: one that took this one, which may
        have been frozen for long, for dead.
        """
        descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            self._require(os.fstat(descriptor).st_size, self._length)
            if self._length > self.size:
                os.ftruncate(descriptor, self.size)
                self._length = self.size
            left = memoryview(data)
            while left:
                written = os.write(descriptor, left)
                self._length += written
                left = left[written:]
            os.fsync(descriptor)
            self._require(os.fstat(descriptor).st_size, self._length)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(descriptor, self.size)
                self._length = self.size
            raise told(error, self.path, "all earlier batches are kept") from error
        except KeyboardInterrupt:
            # It may come between a write and its count; who goes on starts from the same size.
            self._length = os.fstat(descriptor).st_size
            raise
        finally:
            os.close(descriptor)
        if self.size == 0:
            sync_folder(self.path.parent)
        self.size = self._length

    def require(self) -> None:
        """Raise InputError if another process wrote to the file since this one did."""
        there = os.path.getsize(self.path) if os.path.exists(self.path) else 0
        self._require(there, self._length)

    def _require(self, there: int, known: int) -> None:
        if there != known:
            raise InputError(
                f"{self.path} has {there} bytes and not {known}: another process wrote to it"
                " meanwhile; run again"
            )


def told(error: OSError, path: str | os.PathLike[str], kept: str) -> OSError:
    """Return the error with the file, what has become of it, and what to do."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    what = "make room" if full else "mend that"
    reason = os.strerror(error.errno or errno.EIO)
    return OSError(error.errno, f"{reason}; {kept}: {what} and run again", os.fspath(path))


@contextlib.contextmanager
def _replacing(path: Path, require: Callable[[], None] | None) -> Iterator[TextIO]:
    path.parent.mkdir(parents=True, exist_ok=True)
    # In the same folder, for os.replace works within one file system only; with the process in
    # its name, so that an orphan still writing cannot mix its bytes with ours.
    temporary = temporary_path(path)
    try:
        with open(temporary, "w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if require is not None:
            require()
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def temporary_path(path: Path) -> Path:
    """Return the name under which this process writes what will become `path`."""
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


def remove_leftovers(path: Path) -> None:
    """Remove temporary files of `path` from killed processes; only for its one writer."""
    for leftover in path.parent.glob(f".{path.name}.*.tmp"):
        leftover.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make a new name in `folder` survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
