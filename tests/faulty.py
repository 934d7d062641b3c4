"""Sweeps for tests with faults, and the count of what a fault did (tests/faults)."""

import hashlib
import io
import os
import random
import signal
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.games.tasks import Task
from msdensity.kernel.measures import MEASURES
from msdensity.runs.counts import Counts
from msdensity.runs.ledger import Contents, LedgerWarning, read_ledger
from msdensity.runs.rows import Row
from msdensity.runs.sweep import missing, top_up

TASKS = [Task(Board((3, 3)), mines) for mines in range(1, 9)]
GAMES, BATCH = 70, 7

CALLS = ("write", "fsync", "ftruncate", "replace", "close")
"""The system calls that change files; a process can be killed before each of them."""

Batch = tuple[int, int, int]
"""(mines, first game, games)."""


def play(task: Task, first_game: int, games: int) -> dict[str, int]:
    """Measures that are sums over games of numbers that depend on the task and the game."""
    totals = [0] * len(MEASURES)
    for game in range(first_game, first_game + games):
        digest = hashlib.blake2b(f"{task.task_id}.{game}".encode()).digest()
        for position in range(len(MEASURES)):
            totals[position] += digest[position] % (position + 2)
    return dict(zip(MEASURES, totals, strict=True))


def row(task: Task, first_game: int, games: int) -> Row:
    """The row that a ledger must hold for these games."""
    measures = tuple(play(task, first_game, games).values())
    return Row(task, Counts(task.task_id, first_game, games, measures))


def sweep(path: Path, **options: object) -> int:
    """Play all games of TASKS."""
    options = {"play": play, "log": io.StringIO(), "batch": BATCH} | options
    return top_up(TASKS, GAMES, path, **options)  # type: ignore[arg-type]


def sweep_and_tell(path: Path, report: int, **options: object) -> None:
    """As `sweep`, but report each batch that is safe on the disk to the descriptor `report`."""
    from msdensity.runs import sweep as module

    class Telling(module.Ledger):
        def append(self, rows: list[Row], cpu_seconds: Sequence[float] = ()) -> None:
            super().append(rows, cpu_seconds)
            for each in rows:
                counts = each.counts
                line = f"{each.task.mines} {counts.first_game} {counts.games}\n"
                os.write(report, line.encode())

    module.Ledger = Telling  # type: ignore[misc]
    sweep(path, **options)


def in_a_child(
    work: Callable[[int], object], kill_after: float | None = None
) -> tuple[int, list[Batch], str]:
    """Run work(descriptor) in a new process and kill it after some seconds, unless None.

    Returns its exit code (0, or minus the signal), the batches it reported, and its error.
    """
    reading, report = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        try:
            work(report)
        except BaseException as error:
            os.write(report, f"error {error}\n".encode())
            os._exit(1)
        os._exit(0)
    os.close(report)
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(pid, signal.SIGKILL)
    with open(reading, encoding="utf-8") as file:
        lines = file.read().splitlines()
    _, status = os.waitpid(pid, 0)
    batches = [tuple(map(int, line.split())) for line in lines if line[0].isdigit()]
    error = "".join(line for line in lines if not line[0].isdigit())
    return os.waitstatus_to_exitcode(status), batches, error  # type: ignore[return-value]


def counting(
    path: Path,
    reached: Callable[[int], bool],
    chance: random.Random,
    write: Callable[[Path, int], None],
) -> Callable:
    """Return `write` with a kill at the first system call that is `reached`.

    A write to a file is cut at a random byte, as by a kill in its middle.
    """

    def work(report: int) -> None:
        calls = 0

        def wrap(name: str, real: Callable) -> Callable:
            def call(*arguments: object) -> object:
                nonlocal calls
                calls += 1
                # The report of the trial is no part of the program.
                if arguments[0] != report and reached(calls):
                    if name == "write":
                        descriptor, data = arguments
                        real(descriptor, bytes(data)[: chance.randrange(len(data))])
                    os.kill(os.getpid(), signal.SIGKILL)
                return real(*arguments)

            return call

        for name in CALLS:
            setattr(os, name, wrap(name, getattr(os, name)))
        write(path, report)
        os.write(report, f"calls {calls}\n".encode())

    return work


def contents(path: Path) -> Contents:
    """The contents of the ledger without an incomplete last line."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LedgerWarning)
        return read_ledger(path)


@dataclass
class Tally:
    """What a fault did in some trials. All numbers except `trials` must be 0.

    lost: finished batches that are missing; doubled: batches that a ledger holds twice or with
    wrong counts; complete: incomplete files that read as complete.
    """

    fault: str
    trials: int = 0
    lost: int = 0
    doubled: int = 0
    complete: int = 0

    @property
    def clean(self) -> bool:
        return self.lost == self.doubled == self.complete == 0

    def judge(self, path: Path, finished: Iterable[Batch], expected: bytes) -> None:
        """Count the faults in the ledger that a trial left."""
        self.trials += 1
        try:
            there = contents(path)
        except InputError:
            self.doubled += 1
            return
        covered = {
            (each.task.mines, each.counts.first_game, each.counts.stop) for each in there.rows
        }
        for mines, first, games in finished:
            inside = (m == mines and a <= first and first + games <= b for m, a, b in covered)
            self.lost += not any(inside)
        for each in there.rows:
            right = row(each.task, each.counts.first_game, each.counts.games)
            self.doubled += each != right
        done = not missing(TASKS, GAMES, there.rows)
        self.complete += done and there.canonical and path.read_bytes() != expected
