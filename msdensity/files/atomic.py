"""Write a file so that a reader sees the old file or the new one, never a part."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO


def open_no_link(path: str | os.PathLike[str], flags: int) -> int:
    """Return the descriptor of a file; OSError if its name is a link.

    In a folder that others can write, a link could lead our writes to any file of ours.
    """
    try:
        return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        raise OSError(errno.ELOOP, "It is a link; remove it", os.fspath(path)) from None


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
    reason = error.strerror or os.strerror(errno.EIO)
    return OSError(error.errno, f"{reason}; {kept}: {what} and run again", os.fspath(path))


@contextlib.contextmanager
def _replacing(path: Path, require: Callable[[], None] | None) -> Iterator[TextIO]:
    path.parent.mkdir(parents=True, exist_ok=True)
    # In the same folder, because os.replace works only within one file system. The process id in
    # its name keeps the bytes of an orphan that still writes apart from ours.
    temporary = temporary_path(path)
    try:
        temporary.unlink(missing_ok=True)
        descriptor = open_no_link(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        with open(descriptor, "w", encoding="utf-8", newline="\n") as file:
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
