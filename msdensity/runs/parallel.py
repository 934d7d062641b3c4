"""Work in pieces, done by several threads: the only user of joblib."""

from __future__ import annotations

import _thread
import contextlib
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import islice
from types import FrameType
from typing import Any, Generic, NamedTuple, TypeVar

from joblib import Parallel, delayed

from msdensity.errors import InputError

Piece = TypeVar("Piece")
Result = TypeVar("Result")

CALL_SECONDS = 0.1
"""How long a thread works before it hands over what it has finished.

Below about 0.05 s joblib's own cost shows; a kill loses what has not been handed over.
"""

GRACE_SECONDS = 0.6
"""How long Ctrl-C waits for the pieces that threads are working on."""


class Done(NamedTuple, Generic[Piece, Result]):
    """A finished piece of work, its result, and the CPU seconds it took."""

    piece: Piece
    result: Result
    cpu_seconds: float


def in_threads(
    work: Callable[[Piece], Result], pieces: Iterable[Piece], threads: int
) -> Generator[list[Done[Piece, Result]]]:
    """Yield work(piece) of all pieces, some at a time, in the order in which they are finished.

    pieces: taken one by one when a thread is free, so that there may be more than fit into memory;
    threads: at least 1. Ctrl-C waits up to GRACE_SECONDS for the pieces that threads are working
    on, then raises KeyboardInterrupt. Raises InputError if the system does not start so many
    threads. An error of `work` is raised after the results of the other threads.
    """
    queue = _Queue(pieces)
    failure: BaseException | None = None
    with _interruptible() as stopping:
        # With one job joblib would work in the calling thread, where a signal waits for the end of
        # the kernel's call. With two threads, of which one gets work, Ctrl-C is handled at once.
        parallel = Parallel(
            n_jobs=max(2, threads),
            backend="threading",
            return_as="generator_unordered",
            pre_dispatch=1 if threads == 1 else 2 * threads,
            batch_size=1,  # else joblib joins short calls, and hands over later
        )
        # There is more than one round only if the last groups came back unfinished.
        while not (queue.empty or failure or stopping.is_set()):
            try:
                calls = parallel(delayed(_work)(work, group) for group in queue.groups(stopping))
            except (RuntimeError, AttributeError) as refused:
                # A pool that gets some of its threads fails once more when it ends them.
                if "start new thread" not in f"{refused} {refused.__context__}":
                    raise
                raise InputError(
                    f"threads={threads}: the system does not start so many: give fewer, or raise"
                    " its limit (`ulimit -u`)"
                ) from refused
            with contextlib.closing(calls):
                for done, left, elapsed, error in calls:
                    queue.learn(len(done), elapsed)
                    queue.give_back(left)
                    if error is not None:
                        failure = failure or error
                        queue.stop()
                    if done:
                        yield done
    if failure is not None:
        raise failure
    if stopping.is_set():
        raise KeyboardInterrupt


def all_in_threads(
    work: Callable[[Piece], Result], pieces: Sequence[Piece], threads: int
) -> list[Result]:
    """Return work(piece) of all pieces, in their order; otherwise as `in_threads`."""
    results: dict[int, Result] = {}
    numbers = range(len(pieces))
    with contextlib.closing(in_threads(lambda i: work(pieces[i]), numbers, threads)) as calls:
        for done in calls:
            results |= {each.piece: each.result for each in done}
    return [results[i] for i in numbers]


def _work(
    work: Callable[[Piece], Result], group: Sequence[Piece]
) -> tuple[list[Done[Piece, Result]], Sequence[Piece], float, BaseException | None]:
    """Do pieces for about CALL_SECONDS.

    Returns what is done, the pieces left, the time taken, and the error that ended it early if any.
    """
    begin = time.perf_counter()
    failure: BaseException | None = None
    done: list[Done[Piece, Result]] = []
    try:
        for piece in group:
            cpu = time.thread_time()
            result = work(piece)
            done.append(Done(piece, result, time.thread_time() - cpu))
            if time.perf_counter() - begin >= CALL_SECONDS:
                break
    # joblib would drop the results of this call and of the calls that other threads work on.
    except BaseException as error:
        failure = error
    return done, group[len(done) :], time.perf_counter() - begin, failure


class _Queue(Generic[Piece]):
    """Puts as many pieces into a call as keep a thread busy for about CALL_SECONDS."""

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self._more = iter(pieces)
        self._ready: deque[Piece] = deque()
        self._at_once = 1.0
        self._stopped = False

    @property
    def empty(self) -> bool:
        if not self._ready:
            self._ready.extend(islice(self._more, 1))
        return not self._ready

    def stop(self) -> None:
        self._stopped = True

    def give_back(self, pieces: Iterable[Piece]) -> None:
        self._ready.extend(pieces)

    def learn(self, pieces: int, elapsed: float) -> None:
        # At most fourfold at a time, because the first call includes the compilation of the kernel
        # and games get slower with more mines.
        wanted = pieces * CALL_SECONDS / max(elapsed, 1e-9)
        self._at_once = min(wanted, 4.0 * self._at_once + pieces)

    def groups(self, stopping: threading.Event) -> Iterator[list[Piece]]:
        while not (self._stopped or stopping.is_set() or self.empty):
            group: list[Piece] = []
            while not self.empty and (not group or len(group) < self._at_once):
                group.append(self._ready.popleft())
            yield group


@contextlib.contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """Yield an event that Ctrl-C sets; GRACE_SECONDS later, or at a second Ctrl-C, interrupt."""
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
