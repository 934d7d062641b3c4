"""Play what a ledger lacks: the only user of joblib."""

from __future__ import annotations

import _thread
import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple, TextIO

from joblib import Parallel, delayed, parallel_config

from msdensity.counts import Counts
from msdensity.errors import InputError
from msdensity.jobs import BACKENDS, BATCH_BYTES, MOST_GAMES
from msdensity.kernel.limits import MOST_THREADS, check_memory, check_threads
from msdensity.kernel.measures import MEASURES
from msdensity.ledger import Contents, Ledger, Row, merge, read_ledger, require_same_run
from msdensity.tasks import Task, integer

Play = Callable[[Task, int, int], Mapping[str, int]]
"""play(task, first_game, games) -> value of each of MEASURES, the same on every call."""

CALL_SECONDS = 0.1
"""Work handed to a thread at once; below about 0.05 s joblib's own cost shows."""

PROGRESS_SECONDS = 3.0
GRACE_SECONDS = 0.6
"""How long Ctrl-C waits for the batches being played."""


class Batch(NamedTuple):
    """Games [first_game, first_game + games) of a task, still to be played."""

    task: Task
    first_game: int
    games: int


def missing(
    tasks: Iterable[Task], games: int, rows: Iterable[Row], batch: int, first_game: int = 0
) -> list[Batch]:
    """Return the games of [first_game, games) not in the rows, cut at multiples of `batch`."""
    there: dict[str, list[Row]] = {}
    for row in merge(rows):
        there.setdefault(row.task.task_id, []).append(row)
    batches = []
    for task in tasks:
        start = first_game
        gaps = []
        for row in there.get(task.task_id, []):
            gaps.append((start, min(row.counts.first_game, games)))
            start = max(start, row.counts.stop)
        gaps.append((start, games))
        for first, end in gaps:
            cuts = [first, *range((first // batch + 1) * batch, end, batch), end]
            batches += [Batch(task, a, b - a) for a, b in pairwise(cuts) if a < b]
    return batches


def top_up(
    tasks: Sequence[Task],
    games: int,
    ledger_path: str | Path,
    *,
    batch: int = 1000,
    threads: int = 1,
    log: TextIO | None = None,
    backend: str = "threading",
    play: Play | None = None,
    first_game: int = 0,
    others: Iterable[str | Path] = (),
) -> int:
    """Play until the ledger holds games [0, games) of every task; return how many were played.

    tasks: of one board, player, start and seed, as a ledger holds one run; games: a total, at
    least 1, so a ledger that holds as many or more stays untouched to the last byte; batch (games
    between two checkpoints) and threads: at least 1; log: where progress goes (None: standard
    error); backend: one of BACKENDS; play: what plays (None: msdensity.players.play_batch).

    Where several jobs share a board, each tops up a ledger of its own with the games from
    first_game on; what the ledgers `others` hold is not played again.

    The finished ledger does not depend on batch, threads, backend or interruptions. Ctrl-C
    (KeyboardInterrupt) keeps all finished batches. Raises InputError for bad input, before any
    game, and for what `Ledger` raises it; OSError if the disk is full.
    """
    tasks = list(dict.fromkeys(tasks))
    integer("games", games, 1, MOST_GAMES)
    integer("batch", batch, 1)
    integer("threads", threads, 1, MOST_THREADS)
    integer("first_game", first_game, 0, games - 1)
    if backend not in BACKENDS:
        raise InputError(f"backend={backend!r} must be one of {', '.join(BACKENDS)}")
    if not tasks:
        raise InputError("tasks=[] must hold at least one task")
    path = Path(ledger_path)
    require_same_run(path, tasks)
    check_threads(threads, tasks[0].board.shape, tasks[0].board.topology)
    progress = _Progress(path.stem, (games - first_game) * len(tasks), log or sys.stderr)
    elsewhere = [row for other in others for row in read_ledger(other).rows]
    require_same_run(path, [*tasks, *(row.task for row in elsewhere)])

    def to_do(contents: Contents) -> list[Batch]:
        return missing(tasks, games, [*contents.rows, *elsewhere], batch, first_game)

    # Without the lock first: a finished ledger needs no place to write.
    contents = read_ledger(path) if path.exists() else Contents()
    require_same_run(path, [*(row.task for row in contents.rows), *tasks])
    # Counted before they are listed.
    there = sum(row.counts.games for row in [*contents.rows, *elsewhere])
    left = max(0, len(tasks) * (games - first_game) - there)
    check_memory(f"games={games} in batches of batch={batch}", BATCH_BYTES * (left // batch))
    if contents.canonical and not to_do(contents):
        progress.note("nothing to play: all games are there")
        return 0

    if play is None:
        from msdensity.players import play_batch

        play = play_batch
    with Ledger(path) as ledger:
        require_same_run(path, [*(row.task for row in ledger.contents.rows), *tasks])
        batches = to_do(ledger.contents)
        to_play = sum(item.games for item in batches)
        progress.start(to_play)
        with _joblib(backend), _interruptible() as stopping:
            for rows, seconds in _play(batches, play, threads, stopping):
                ledger.append(rows)
                ledger.append_cpu_seconds(rows, seconds)
                progress.add(sum(row.counts.games for row in rows))
        if stopping.is_set():
            raise KeyboardInterrupt
        ledger.compact()
    progress.finish()
    return to_play


def _play(
    batches: Sequence[Batch],
    play: Play,
    threads: int,
    stopping: threading.Event,
) -> Iterator[tuple[list[Row], list[float]]]:
    """Yield the rows of some batches and the CPU seconds of each, as they get finished."""
    pace = _Pace()
    # joblib would play in the calling thread if told to use one, where a signal waits for the end
    # of the kernel's call; two threads of which one gets work answer at once.
    parallel = Parallel(
        n_jobs=max(2, threads),
        return_as="generator_unordered",
        pre_dispatch=1 if threads == 1 else 2 * threads,
    )
    calls = parallel(delayed(_play_group)(group, play) for group in pace.groups(batches, stopping))
    failure = None
    with contextlib.closing(calls):
        for rows, seconds, elapsed, error in calls:
            if error is not None:
                # What the other threads are playing is still stored.
                failure = failure or error
                pace.stop()
            pace.learn(sum(row.counts.games for row in rows), elapsed)
            yield rows, seconds
    if failure is not None:
        raise failure


def _play_group(
    group: Sequence[Batch], play: Play
) -> tuple[list[Row], list[float], float, Exception | None]:
    """Return the rows, the CPU seconds of each, the time taken, and what ended it early if any."""
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
    # joblib would drop the rows of this call and of those that other threads are at.
    except Exception as error:
        failure = error
    return rows, seconds, time.perf_counter() - begin, failure


@contextlib.contextmanager
def _joblib(backend: str) -> Iterator[None]:
    """Let joblib play by `backend`; for dask, with the caller's connection or one of its own.

    Dask's own settings say where its scheduler is, such as DASK_SCHEDULER_ADDRESS; without any,
    workers are started on this machine.
    """
    with contextlib.ExitStack() as stack:
        if backend == "dask":
            try:
                from distributed import Client, default_client
            except ImportError as error:
                raise InputError(
                    "backend=dask needs the package distributed: pip install 'msdensity[cluster]'"
                ) from error
            try:
                default_client()
            except ValueError:
                stack.enter_context(Client())
        stack.enter_context(parallel_config(backend=backend))
        yield


class _Pace:
    """Puts as many batches into a call as keep a thread busy for about CALL_SECONDS."""

    def __init__(self) -> None:
        self._games = 1.0
        self._stopped = False

    def stop(self) -> None:
        self._stopped = True

    def learn(self, games: int, elapsed: float) -> None:
        # At most fourfold at a time, for the first call holds the compilation of the kernel and
        # games get slower as mines get more.
        wanted = games * CALL_SECONDS / max(elapsed, 1e-9)
        self._games = min(wanted, 4.0 * self._games + games)

    def groups(
        self, batches: Sequence[Batch], stopping: threading.Event
    ) -> Iterator[Sequence[Batch]]:
        position = 0
        while position < len(batches) and not (self._stopped or stopping.is_set()):
            end, games = position, 0
            while end < len(batches) and (end == position or games < self._games):
                games += batches[end].games
                end += 1
            yield batches[position:end]
            position = end


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


class _Progress:
    """One plain line every few seconds, as reads best in a log file."""

    def __init__(self, name: str, target: int, log: TextIO) -> None:
        self._name, self._target, self._log = name, target, log
        self._there = self._played = 0
        self._begin = self._last = time.monotonic()

    def note(self, text: str) -> None:
        print(f"{self._name}: {text}", file=self._log, flush=True)

    def start(self, to_play: int) -> None:
        self._there = self._target - to_play
        self._begin = self._last = time.monotonic()
        self.note(f"{to_play:,} of {self._target:,} games to play")

    def add(self, games: int) -> None:
        self._played += games
        now = time.monotonic()
        if now - self._last >= PROGRESS_SECONDS:
            self._last = now
            done = self._there + self._played
            rate = self._played / (now - self._begin)
            self.note(
                f"{done:,}/{self._target:,} games  {100 * done / self._target:.1f} %"
                f"  {rate:,.0f} games/s  {(self._target - done) / rate:.1f} s left"
            )

    def finish(self) -> None:
        elapsed = max(time.monotonic() - self._begin, 1e-9)
        rate = self._played / elapsed
        self.note(f"{self._played:,} games played in {elapsed:.1f} s, {rate:,.0f} games/s")
