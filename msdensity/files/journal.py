"""Files of lines with check values that one process appends to; a line is safe once it is appended.

A killed process leaves at most one incomplete line, at the end. Any other line that does not match
its check value was edited or damaged.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from msdensity.errors import InputError
from msdensity.files.atomic import atomic_write, explained, open_no_link, sync_folder
from msdensity.files.lock import Lock


@dataclass(frozen=True)
class Seal:
    """The end of each line of a format: the separator, then the check value of the text before."""

    separator: bytes
    check: Callable[[bytes], bytes]

    def line(self, text: bytes) -> bytes:
        """Return the line, with its end."""
        return text + self.separator + self.check(text) + b"\n"

    def text(self, line: bytes) -> bytes | None:
        """Return the text of a line without its end; None if it does not match its check value."""
        text, _, check = line.rpartition(self.separator)
        return text if check == self.check(text) else None


def read_bytes(path: Path, what: str, check_size: Callable[[int], None]) -> bytes | None:
    """Return the bytes of a regular file, None if there is none.

    what: the file in messages; check_size: raises InputError if the file is too large.
    Raises InputError if it cannot be read.
    """
    try:
        status = os.stat(path)
        # A pipe would make us wait, and a device may have no end.
        if not stat.S_ISREG(status.st_mode):
            kind = errno.EISDIR if stat.S_ISDIR(status.st_mode) else errno.EINVAL
            raise OSError(kind, os.strerror(kind) if kind == errno.EISDIR else "No regular file")
        check_size(status.st_size)
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{what} cannot be read: {error.strerror}") from error


class Journal:
    """A file that only this process appends to, under a lock.

    path: of the file; its folder is made if missing; lock: path of the lock; what: the file in
    messages. Call `open`, then `start_after` the bytes that were read, then `append` and `replace`;
    `close` at the end.
    """

    def __init__(self, path: Path, lock: Path, what: str) -> None:
        self.path, self._what = path, what
        self._lock = Lock(lock, what)
        self._size = self._length = 0

    def open(self) -> None:
        """Take the lock. Raises InputError if another process has it, or nothing can be written."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._lock.take()
            try:
                # Now, before any game is played for it.
                if self.path.exists():
                    os.close(open_no_link(self.path, os.O_WRONLY | os.O_APPEND))
            except BaseException:
                self._lock.release()
                raise
        except OSError as error:
            raise InputError(f"{self._what} cannot be written: {error.strerror}") from error

    def start_after(self, size: int) -> None:
        """Keep the first `size` bytes; the first `append` cuts off the incomplete rest."""
        self._size, self._length = size, self._bytes()

    def close(self) -> None:
        """Release the lock."""
        self._lock.release()

    def append(self, data: bytes) -> None:
        """Append data; it is on the disk on return.

        Raises OSError if the disk is full or fails; the file is then as it was. Raises InputError
        if another process writes the file now, because this one was frozen so long that it seemed
        dead; the file is then left alone. After Ctrl-C the file keeps what was written.
        """
        self._lock.require()
        descriptor = open_no_link(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            self._require_length(os.fstat(descriptor).st_size)
            if self._length > self._size:
                os.ftruncate(descriptor, self._size)
                self._length = self._size
            left = memoryview(data)
            while left:
                written = os.write(descriptor, left)
                self._length += written
                left = left[written:]
            os.fsync(descriptor)
            self._require_length(os.fstat(descriptor).st_size)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.ftruncate(descriptor, self._size)
                self._length = self._size
            raise explained(error, self.path, "all earlier batches are kept") from error
        except KeyboardInterrupt:
            # It may come between a write and its count; a later `append` starts from the same size.
            self._length = os.fstat(descriptor).st_size
            raise
        finally:
            os.close(descriptor)
        if self._size == 0:
            sync_folder(self.path.parent)
        self._size = self._length
        self._lock.require()

    def replace(self, data: bytes) -> None:
        """Replace the whole file by data; the old file stays until the new one is on the disk."""
        self.require()
        with atomic_write(self.path, self.require) as file:
            file.write(data.decode())
        self._size = self._length = len(data)

    def require(self) -> None:
        """Raise InputError if another process has the lock, or wrote to the file meanwhile."""
        self._lock.require()
        self._require_length(self._bytes())

    @property
    def empty(self) -> bool:
        """Whether no byte of the file is kept."""
        return self._size == 0

    def _bytes(self) -> int:
        return os.path.getsize(self.path) if os.path.exists(self.path) else 0

    def _require_length(self, length: int) -> None:
        if length != self._length:
            raise InputError(
                f"{self.path} has {length} bytes and not {self._length}: another process wrote to"
                " it meanwhile; run again"
            )
