"""Write a file so that a reader sees the old file or the new one, never a part."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO


@contextlib.contextmanager
def atomic_write(
    path: str | os.PathLike[str], require: Callable[[], None] | None = None
) -> Iterator[TextIO]:
    r"""Yield a text file (UTF-8, "\n") that replaces `path` when the block ends.

    The folder of `path` is made if missing. `require` is called before the last step. If it or the
    block raises, `path` stays as it was and the temporary file beside it is removed. Raises
    OSError, which says what to do, if the folder cannot be written or the disk is full.
    """
    path = Path(path)
    try:
        with _replacing(path, require) as file:
            yield file
    except OSError as error:
        raise explained(error, path, "the file is as it was") from error


def explained(error: OSError, path: str | os.PathLike[str], kept: str) -> OSError:
    """Return the error with the file, its state (`kept`), and what to do."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    what = "make room" if full else "repair that"
    reason = os.strerror(error.errno or errno.EIO)
    return OSError(error.errno, f"{reason}; {kept}: {what} and run again", os.fspath(path))


@contextlib.contextmanager
def _replacing(path: Path, require: Callable[[], None] | None) -> Iterator[TextIO]:
    path.parent.mkdir(parents=True, exist_ok=True)
    # In the same folder, because os.replace works only within one file system. The process id in
    # its name keeps the bytes of an orphan that still writes apart from ours.
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
    """Return the path of the temporary file in which this process writes the new `path`."""
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


def remove_leftovers(path: Path) -> None:
    """Remove temporary files of `path` from killed processes; only its one writer may call this."""
    for leftover in path.parent.glob(f".{path.name}.*.tmp"):
        leftover.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make a new name in `folder` survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
