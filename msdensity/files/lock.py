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

BEAT_SECONDS = 5.0
"""How often the holder of a lock gives a sign of life, in the time of its file."""

SILENT_SECONDS = 30.0
"""After how long without one the holder on another host counts as dead."""

# What a file system says that knows no locks, or not between hosts.
_NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)


class Lock:
    """The right to write a file, held between `take` and `release`.

    The system's lock (flock) goes with the process that holds it, even a killed one. Some shared
    file systems keep it to one host; so the file also names its holder, whose sign of life other
    hosts look for. A holder that was stopped for so long that another host has taken the lock
    finds out by `require`.

    what: the thing that is locked, for messages.
    """

    def __init__(self, path: str | os.PathLike[str], what: str) -> None:
        self.path, self._what = Path(path), what
        self._me = f"process {os.getpid()} on {socket.gethostname()}\n".encode()
        self._descriptor = -1
        self._done = threading.Event()
        self._beats: threading.Thread | None = None

    def take(self) -> None:
        """Take the lock; raise InputError if another process has it, OSError if it cannot be kept.

        Where the file names a process of another host that may be dead, wait for its sign of life
        for up to SILENT_SECONDS.
        """
        self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            self._flock()
            self._outwait_other_hosts()
            self._write(self._me)
        except BaseException:
            os.close(self._descriptor)
            raise
        self._done.clear()
        name = f"holds {self.path}"
        self._beats = threading.Thread(target=self._beat, name=name, daemon=True)
        self._beats.start()

    def require(self) -> None:
        """Raise InputError unless the lock is still ours."""
        holder = self._holder()[0]
        if not holder:
            raise InputError(f"{self._what}: its lock {self.path} was removed by others; run again")
        if holder != self._me:
            raise self._refusal(holder)

    def release(self) -> None:
        """Give the lock back; the file stays.

        To remove it would let two processes lock two files of the same name.
        """
        self._done.set()
        if self._beats is not None:
            self._beats.join(BEAT_SECONDS)  # or a last sign of life might come from nobody
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
        # By its path: the descriptor may be closed, and its number another file's.
        while not self._done.wait(BEAT_SECONDS):
            with contextlib.suppress(OSError):
                os.utime(self.path)

    def _outwait_other_hosts(self) -> None:
        holder, last = self._holder()
        here = _host(self._me)
        # Of a process of this host the system's lock says that it is gone.
        if not holder or _host(holder) == here:
            return
        print(
            f"{self._what} was being written by {_text(holder)}: waiting {SILENT_SECONDS:.0f} s"
            " for a sign of life",
            file=sys.stderr,
            flush=True,
        )
        # Changes of the file's time, not its age: the clocks of two hosts differ. By looks, not by
        # the clock: while the file server is silent, the holder cannot give a sign either.
        pause = min(1.0, SILENT_SECONDS / 10)
        for _ in range(round(SILENT_SECONDS / pause)):
            time.sleep(pause)
            now, beat = self._holder()
            if not now:
                return
            if (now, beat) != (holder, last):
                raise self._refusal(now)

    def _holder(self) -> tuple[bytes, int]:
        """Return what the file says, and its time; nothing if it is gone."""
        return _read(self.path)

    def _write(self, text: bytes) -> None:
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, text, 0)
        os.fsync(self._descriptor)  # or other hosts see it seconds later

    def _refusal(self, holder: bytes) -> InputError:
        return InputError(
            f"{self._what} is being written by {_text(holder) or 'another process'}: wait for it"
            " or stop it"
        )


def _read(path: Path) -> tuple[bytes, int]:
    try:
        # Opened anew, because only then does a shared file system look at what other hosts wrote.
        with open(path, "rb") as file:
            return file.read(1000), os.fstat(file.fileno()).st_mtime_ns
    except FileNotFoundError:
        return b"", 0


def _host(holder: bytes) -> bytes:
    return holder.partition(b"\n")[0].rpartition(b" on ")[2]


def _text(holder: bytes) -> str:
    return holder.decode(errors="replace").partition("\n")[0].strip()
