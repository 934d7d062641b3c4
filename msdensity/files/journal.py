"""Journal."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from msdensity.errors import InputError
from msdensity.files.atomic import sync_folder, told


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
