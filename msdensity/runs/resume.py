"""So that the same command goes on after any end of a run: Ctrl-C, a closed terminal, kill -9."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from msdensity.files.atomic import open_no_link

KEPT = "stopped: the games of all finished batches are kept; the same command goes on from there"

_held: dict[str, int] = {}


def work_in(folder: str | os.PathLike[str], first: bool = True) -> bool:
    """Say that this process works in Snakemake's folder, until it ends, however it ends.

    first: whether it starts a run; a job belongs to one. If no process of any other run works in
    the folder, the start removes the locks that a killed run has left there. Return whether there
    were some. Snakemake alone would ask for `--unlock`.
    """
    path = Path(folder, "msdensity.lock")
    here = os.path.realpath(path)
    if here in _held:
        return False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = open_no_link(path, os.O_RDWR | os.O_CREAT)
    except OSError:  # Snakemake says so, if it needs to write
        return False
    stale = False
    # Without locks on this file system, all stays as Snakemake leaves it.
    with contextlib.suppress(OSError):
        if first:
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                stale = _remove_locks(path.parent / "locks", descriptor)
        fcntl.flock(descriptor, fcntl.LOCK_SH)
    _held[here] = descriptor
    return stale


def _remove_locks(locks: Path, descriptor: int) -> bool:
    """Remove Snakemake's locks, unless the last run here was on another host."""
    here = socket.gethostname().encode()
    last = os.pread(descriptor, 1000, 0)
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, here, 0)
    # Some shared file systems have locks that other hosts do not see.
    if last not in (b"", here) or not locks.is_dir() or not any(locks.iterdir()):
        return False
    shutil.rmtree(locks)
    locks.mkdir()
    return True


def do_stopped_jobs_again(workflow: Any) -> None:
    """Make a run do stopped jobs again, as with --rerun-incomplete; their games are kept.

    workflow: Snakemake's, while it reads the Snakefile. It gets its settings only after that. A
    profile would do, but one for a cluster takes its place.
    """
    plain = type(workflow)

    class Workflow(plain):  # type: ignore[misc, valid-type]
        def __setattr__(self, name: str, value: Any) -> None:
            if name == "dag_settings":
                value.force_incomplete = True
            super().__setattr__(name, value)

    workflow.__class__ = Workflow


def stop_once(stopped: Callable[[], None]) -> None:
    """Let the first Ctrl-C end the run, after a call of `stopped`, and further ones do nothing.

    Each of them reaches the jobs too, which end at once at the second. SIGTERM does what it did
    before, which is for Snakemake to wait for its jobs, after a call of `stopped`.
    """
    wait: Any = signal.getsignal(signal.SIGTERM)

    def end(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGTERM, wait)
        stopped()
        wait(number, frame)

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        stopped()
        raise KeyboardInterrupt

    # Not in a thread, and not where Ctrl-C is meant to do nothing, as behind nohup ... &.
    with contextlib.suppress(ValueError):
        if signal.getsignal(signal.SIGINT) == signal.default_int_handler:
            signal.signal(signal.SIGINT, stop)
        if callable(wait):
            signal.signal(signal.SIGTERM, end)


def say_kept() -> None:
    """Print that nothing finished is lost."""
    print(KEPT, file=sys.stderr, flush=True)
