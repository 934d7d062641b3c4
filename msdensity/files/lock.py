"""One writer at a time, across processes and hosts."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import socket
import sys
import threading
import time
from pathlib import Path

from msdensity.errors import InputError
from msdensity.files.atomic import open_no_link

BEAT_SECONDS = 5.0
"""How often the holder of a lock gives a sign of life: it sets the time of the lock file."""

SILENT_SECONDS = 30.0
"""Without a sign of life for this long, a holder on another host counts as dead."""

# The errors of a file system without locks, or without locks between hosts.
_NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)


class Lock:
    """The right to write a file, held between `take` and `release`.

    The system's lock (flock) ends with the process that holds it, even a killed one. On some shared
    file systems it holds on one host only; so the file also names its holder, and other hosts look
    for its sign of life. `require` tells a holder that was stopped for long whether another host
    has taken the lock.

    what: the locked thing in messages.
    """

    def __init__(self, path: str | os.PathLike[str], what: str) -> None:
        self.path, self._what = Path(path), what
        self._me = f"process {os.getpid()} on {socket.gethostname()}\n".encode()
        self._descriptor = -1
        self._done = threading.Event()
        self._beats: threading.Thread | None = None

    def take(self) -> None:
        """Take the lock; InputError if another process has it, OSError if it cannot be written.

        If the file names a process of another host that may be dead, wait up to SILENT_SECONDS for
        its sign of life.
        """
        self._descriptor = open_no_link(self.path, os.O_RDWR | os.O_CREAT)
        try:
            self._flock()
            self._outwait_other_hosts()
            self._write(self._me)
            self._done.clear()
            name = f"holds {self.path}"
            self._beats = threading.Thread(target=self._beat, name=name, daemon=True)
            try:
                self._beats.start()
            except RuntimeError as error:
                raise OSError(errno.EAGAIN, f"{error}, see `ulimit -u`") from error
        except BaseException:
            os.close(self._descriptor)
            raise

    def require(self) -> None:
        """Raise InputError unless the lock is still ours."""
        holder = self._holder()[0]
        if not holder:
            raise InputError(f"{self._what}: its lock {self.path} was removed by others; run again")
        if holder != self._me:
            raise self._refusal(holder)

    def release(self) -> None:
        """Release the lock; the file stays.

        If it were removed, two processes could lock two files of the same name.
        """
        self._done.set()
        if self._beats is not None:
            self._beats.join(BEAT_SECONDS)  # so that no sign of life comes after the release
        with contextlib.suppress(OSError):
            if self._holder()[0] == self._me:
                self._write(b"")
        os.close(self._descriptor)

    def _flock(self) -> None:
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise self._refusal(self._holder()[0]) from None
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise

    def _beat(self) -> None:
        # By path: the descriptor may be closed, and its number may belong to another file.
        while not self._done.wait(BEAT_SECONDS):
            with contextlib.suppress(OSError):
                os.utime(self.path, follow_symlinks=False)

    def _outwait_other_hosts(self) -> None:
        holder, last = self._holder()
        here = _host(self._me)
        # We hold the system's lock, so a holder on this host is gone.
        if not holder or _host(holder) == here:
            return
        print(
            f"{self._what} was being written by {_text(holder)}: waiting {SILENT_SECONDS:.0f} s"
            " for a sign of life",
            file=sys.stderr,
            flush=True,
        )
        # Compare the file's time with itself, not with our clock: the clocks of two hosts differ.
        # Count looks, not seconds: while the file server is silent, the holder cannot give a sign.
        pause = min(1.0, SILENT_SECONDS / 10)
        for _ in range(round(SILENT_SECONDS / pause)):
            time.sleep(pause)
            now, beat = self._holder()
            if not now:
                return
            if (now, beat) != (holder, last):
                raise self._refusal(now)

    def _holder(self) -> tuple[bytes, int]:
        """Return the text of the file and its time; (b"", 0) if it is gone."""
        return _read(self.path)

    def _write(self, text: bytes) -> None:
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, text, 0)
        os.fsync(self._descriptor)  # otherwise other hosts see it seconds later

    def _refusal(self, holder: bytes) -> InputError:
        return InputError(
            f"{self._what} is being written by {_text(holder) or 'another process'}: wait for it"
            " or stop it"
        )


def is_free(path: Path) -> bool:
    """Whether no process holds the lock of this file, as far as this host can see."""
    holder, _ = _read(path)
    try:
        descriptor = open_no_link(path, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno in _NO_LOCKS and not holder
    finally:
        os.close(descriptor)
    return not holder or _host(holder) == socket.gethostname().encode()


def _read(path: Path) -> tuple[bytes, int]:
    try:
        # Open it again: only then does a shared file system show what other hosts wrote.
        with open(path, "rb", opener=open_no_link) as file:
            return file.read(1000), os.fstat(file.fileno()).st_mtime_ns
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ELOOP):
            raise
        return b"", 0


def _host(holder: bytes) -> bytes:
    return holder.partition(b"\n")[0].rpartition(b" on ")[2]


def _text(holder: bytes) -> str:
    return holder.decode(errors="replace").partition("\n")[0].strip()
