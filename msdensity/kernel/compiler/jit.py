"""How the kernel is compiled and where the machine code is cached.

Numba's cache looks only at the file of the function that is called, so an edit in a helper would
serve stale code. The cache folder is therefore named by a hash of every source that can end up in
the machine code: a change anywhere means a new folder.
"""

from __future__ import annotations

import fcntl
import gc
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import IO, Any

import numba
from numba.core import types
from numba.extending import overload

from msdensity.errors import InputError
from msdensity.kernel.compiler.cache import MachineCode, cache_folder
from msdensity.kernel.compiler.directory import Directory
from msdensity.kernel.compiler.lean import PartCompiler
from msdensity.kernel.compiler.sources import source_hash

if numba.config.DISABLE_JIT:
    raise InputError("NUMBA_DISABLE_JIT=1 must not be set: the players run as machine code alone")


def machine_code_hash() -> str:
    """Return 16 hex digits that change with everything that can change the machine code.

    That is every source of the kernel and the players, Numba's version, and the settings that are
    compiled in.
    """
    settings = (numba.__version__, numba.config.BOUNDSCHECK, os.environ.get("MSDENSITY_PROFILE"))
    return source_hash(*settings)


CACHE_FOLDER = cache_folder(f"kernel-{machine_code_hash()}")


OPTIONS = {
    "nogil": True,
    "error_model": "numpy",
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
    "pipeline_class": PartCompiler,
}
"""Of a function that only compiled code calls."""


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Compile a function that only compiled code calls."""
    return numba.njit(**OPTIONS, **options)(function)


def small(function: Callable[..., Any]) -> Any:
    """Compile a function of a few lines that is merged into its callers by LLVM."""
    return compiled(function, forceinline=True)


def by_board(function: Callable[..., Any]) -> Any:
    """Compile a function whose first argument is a board, as it is on a board with cell records.

    `in_planes` of the result is a decorator: it says what the function does on a board in planes.
    Each caller gets the version for the type of its board when it is compiled.
    """
    versions = {"Table": function}

    def called(board: Any, *arguments: Any) -> Any:
        raise NotImplementedError

    called = wraps(function)(called)

    def choose(board: types.Type, *arguments: Any) -> Any:
        return versions[board.kind] if isinstance(board, Directory) else None

    overload(called, jit_options=OPTIONS, strict=False)(wraps(function)(choose))

    def in_planes(version: Callable[..., Any]) -> Any:
        versions["Planes"] = version
        return called

    called.in_planes = in_planes  # type: ignore[attr-defined]
    return called


def entry(function: Callable[..., Any]) -> Any:
    """Compile a function that Python calls; its machine code is cached on disk."""
    made = numba.njit(nogil=True, error_model="numpy")(function)
    if CACHE_FOLDER:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = CACHE_FOLDER
        try:
            made._cache = MachineCode(function)
        finally:
            numba.config.CACHE_DIR = before
    return made


def _is_cached(function: Any) -> bool:
    """Return whether the cache may hold the machine code of an entry, by Numba's file names."""
    stem = function.__module__.rpartition(".")[2]
    return any(Path(CACHE_FOLDER).glob(f"**/{stem}.{function.__qualname__}-*.nbi"))


WAIT_SECONDS = 90
"""A process that compiles for longer was frozen; others then compile for themselves."""


def _wait_for(lock: IO[str]) -> None:
    end = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < end:
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.1)


_compiled: set[str] = set()

_one_thread = threading.Lock()


@contextmanager
def compiling(function: Any) -> Iterator[None]:
    """Make others wait while an entry may be compiling for the first time.

    Threads of this process, and other processes with the same cache folder (a file lock), wait and
    then find the machine code: many jobs that start together compile once. Later calls do not wait.

    Vectors are off: the loops of the kernel are short, and a game takes a sixth longer with them.
    The garbage collector comes seldom: a compile makes a million objects that live to its end, and
    takes a twentieth longer if it visits them as often as usual.
    """
    name = f"{function.__module__}.{function.__qualname__}"
    if name in _compiled:
        yield
        return
    with _one_thread, ExitStack() as stack:
        if CACHE_FOLDER:
            # A shared file system may have no locks, and somebody may have removed the folder: then
            # some jobs compile the same code at once, and each replaces whole files by equal ones.
            with suppress(OSError):
                os.makedirs(CACHE_FOLDER, mode=0o700, exist_ok=True)
                path = Path(CACHE_FOLDER) / f"{function.__module__}.lock"
                lock = stack.enter_context(open(path, "a"))
                _wait_for(lock)
        if not _is_cached(function):
            print(f"compiling {name}, once for this machine and version ...", file=sys.stderr)
        before = numba.config.LOOP_VECTORIZE
        numba.config.LOOP_VECTORIZE = 0
        collections = gc.get_threshold()
        gc.set_threshold(50_000, 20, 100)
        try:
            yield
        finally:
            numba.config.LOOP_VECTORIZE = before
            gc.set_threshold(*collections)
        _compiled.add(name)
