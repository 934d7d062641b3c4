"""Batches of games by several threads or processes: the only user of joblib."""

from __future__ import annotations

import _thread
import contextlib
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from multiprocessing import resource_tracker
from types import FrameType
from typing import Any, NamedTuple

from joblib import Parallel, delayed, parallel_config

from msdensity.errors import InputError
from msdensity.games.tasks import Task
from msdensity.kernel.measures import MEASURES
from msdensity.runs.counts import Counts
from msdensity.runs.ledger import Row

Play = Callable[[Task, int, int], Mapping[str, int]]
"""play(task, first_game, games) -> value of each of MEASURES, the same on every call."""

CALL_SECONDS = 0.1
"""How long a thread goes on to a next batch before it hands over what it has finished.

Below about 0.05 s joblib's own cost shows; a kill loses what has not been handed over.
"""

GRACE_SECONDS = 0.6
"""How long Ctrl-C waits for the batches being played."""


class Batch(NamedTuple):
    """Games [first_game, first_game + games) of a task, still to be played."""

    task: Task
    first_game: int
    games: int


def play_all(
    batches: Iterable[Batch], play: Play, threads: int, backend: str
) -> Generator[tuple[list[Row], list[float]]]:
    """Yield the rows of some batches and the CPU seconds of each, as they get finished.

    backend: of joblib, see `jobs.BACKENDS`. Ctrl-C lets the batches being played come to their end
    for up to GRACE_SECONDS, then raises KeyboardInterrupt. What `play` raises comes after the rows
    that other threads are at.
    """
    queue = _Queue(batches)
    failure = None
    # In this order, for what starts a cluster may swallow a KeyboardInterrupt.
    with _interruptible() as stopping, _joblib(backend, threads):
        # joblib would play in the calling thread if told to use one, where a signal waits for the
        # end of the kernel's call; two threads of which one gets work answer at once.
        parallel = Parallel(
            n_jobs=max(2, threads),
            return_as="generator_unordered",
            pre_dispatch=1 if threads == 1 else 2 * threads,
            batch_size=1,  # or joblib joins short calls, and hands over later
        )
        # More than one round only if the last groups came back half played.
        while not (queue.empty or failure or stopping.is_set()):
            groups = queue.groups(stopping)
            with _deaf() if backend == "loky" else contextlib.nullcontext():
                calls = parallel(delayed(_play_group)(group, play) for group in groups)
            with contextlib.closing(calls):
                for rows, seconds, left, elapsed, error in calls:
                    queue.learn(sum(row.counts.games for row in rows), elapsed)
                    queue.give_back(left)
                    if error is not None:
                        failure = failure or error
                        queue.stop()
                    if rows:
                        yield rows, seconds
    if failure is not None:
        raise failure
    if stopping.is_set():
        raise KeyboardInterrupt


def _play_group(
    group: Sequence[Batch], play: Play
) -> tuple[list[Row], list[float], Sequence[Batch], float, Exception | None]:
    """Play batches for about CALL_SECONDS.

    Returns the rows, the CPU seconds of each, the batches left, the time taken, and the error that
    ended it early if any.
    """
    begin = time.perf_counter()
    failure = None
    rows: list[Row] = []
    seconds: list[float] = []
    try:
        for task, first_game, games in group:
            cpu = time.thread_time()
            values = play(task, first_game, games)
            cpu = time.thread_time() - cpu
            measures = tuple(values[name] for name in MEASURES)
            rows.append(Row(task, Counts(task.task_id, first_game, games, measures)))
            seconds.append(cpu)
            if time.perf_counter() - begin >= CALL_SECONDS:
                break
    # joblib would drop the rows of this call and of those that other threads are at.
    except Exception as error:
        failure = error
    return rows, seconds, group[len(rows) :], time.perf_counter() - begin, failure


class _Queue:
    """Puts as many batches into a call as keep a thread busy for about CALL_SECONDS."""

    def __init__(self, batches: Iterable[Batch]) -> None:
        self._more = iter(batches)
        self._returned: deque[Batch] = deque()
        self._next = next(self._more, None)
        self._games = 1.0
        self._stopped = False

    @property
    def empty(self) -> bool:
        return self._next is None and not self._returned

    def stop(self) -> None:
        self._stopped = True

    def give_back(self, batches: Iterable[Batch]) -> None:
        self._returned.extend(batches)

    def learn(self, games: int, elapsed: float) -> None:
        # At most fourfold at a time, for the first call holds the compilation of the kernel and
        # games get slower as mines get more.
        wanted = games * CALL_SECONDS / max(elapsed, 1e-9)
        self._games = min(wanted, 4.0 * self._games + games)

    def groups(self, stopping: threading.Event) -> Iterator[Sequence[Batch]]:
        while not (self.empty or self._stopped or stopping.is_set()):
            group: list[Batch] = []
            games = 0
            while not self.empty and (not group or games < self._games):
                group.append(self._pop())
                games += group[-1].games
            yield group

    def _pop(self) -> Batch:
        if self._returned:
            return self._returned.popleft()
        assert self._next is not None
        batch, self._next = self._next, next(self._more, None)
        return batch


@contextlib.contextmanager
def _joblib(backend: str, threads: int) -> Iterator[None]:
    """Let joblib play by `backend`; for dask, with the caller's connection or one of its own.

    Dask's own settings say where its scheduler is, such as DASK_SCHEDULER_ADDRESS; without any,
    workers are started on this machine.
    """
    with contextlib.ExitStack() as stack:
        if backend == "dask":
            try:
                import dask
                from distributed import Client, default_client
            except ImportError as error:
                raise InputError(
                    "backend=dask needs the package distributed: pip install 'msdensity[cluster]'"
                ) from error
            try:
                default_client()
            except ValueError:
                there = dask.config.get("scheduler-address", None)
                here = {} if there else {"n_workers": max(2, threads), "threads_per_worker": 1}
                # A scheduler elsewhere starts nothing here, and may be waited for.
                with _deaf() if here else contextlib.nullcontext():
                    stack.enter_context(Client(**here))
        stack.enter_context(parallel_config(backend=backend))
        yield


@contextlib.contextmanager
def _deaf() -> Iterator[None]:
    """Keep Ctrl-C from the threads and processes that start in here, from their first moment.

    It reaches all processes of a terminal, and only the one that asked for the games is to heed it:
    at the end of this block, if it comes meanwhile.
    """
    resource_tracker.ensure_running()  # to start it later would undo what follows
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C sets; GRACE_SECONDS later, or at a second one, it interrupts."""
    stopping = threading.Event()
    timer = threading.Timer(GRACE_SECONDS, _thread.interrupt_main)
    timer.daemon = True

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        if stopping.is_set():
            raise KeyboardInterrupt
        stopping.set()
        timer.start()

    try:
        before: Any = signal.signal(signal.SIGINT, on_interrupt)
    except ValueError:
        # Only the main thread gets signals.
        yield stopping
        return
    try:
        yield stopping
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
