"""Sweeps to be disturbed, and what is counted when they were (tests/faults)."""

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
"""What changes files, and where a process can be between two changes."""

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
    """What a ledger has to hold of these games."""
    measures = tuple(play(task, first_game, games).values())
    return Row(task, Counts(task.task_id, first_game, games, measures))


def sweep(path: Path, **options: object) -> int:
    """Play all games of TASKS."""
    options = {"play": play, "log": io.StringIO(), "batch": BATCH} | options
    return top_up(TASKS, GAMES, path, **options)  # type: ignore[arg-type]


def sweep_and_tell(path: Path, told: int, **options: object) -> None:
    """As `sweep`; writes each batch that is safe on the disk to the descriptor `told`."""
    from msdensity.runs import sweep as module

    class Telling(module.Ledger):
        def append(self, rows: list[Row], cpu_seconds: Sequence[float] = ()) -> None:
            super().append(rows, cpu_seconds)
            for each in rows:
                counts = each.counts
                line = f"{each.task.mines} {counts.first_game} {counts.games}\n"
                os.write(told, line.encode())

    module.Ledger = Telling  # type: ignore[misc]
    sweep(path, **options)


def in_a_child(
    work: Callable[[int], object], kill_after: float | None = None
) -> tuple[int, list[Batch], str]:
    """Run work(descriptor) in a process of its own and kill it after some seconds, if given.

    Returns how it ended (0, or minus the signal), the batches it told of, and its error.
    """
    told, telling = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(told)
        try:
            work(telling)
        except BaseException as error:
            os.write(telling, f"error {error}\n".encode())
            os._exit(1)
        os._exit(0)
    os.close(telling)
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(pid, signal.SIGKILL)
    with open(told, encoding="utf-8") as file:
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
    """`write`, killed at the first call of the system that is `reached`.

    A write to a file is cut at a random byte, which is what a kill in its middle leaves.
    """

    def work(told: int) -> None:
        calls = 0

        def wrap(name: str, real: Callable) -> Callable:
            def call(*arguments: object) -> object:
                nonlocal calls
                calls += 1
                # What the trial itself tells is no part of the program.
                if arguments[0] != told and reached(calls):
                    if name == "write":
                        descriptor, data = arguments
                        real(descriptor, bytes(data)[: chance.randrange(len(data))])
                    os.kill(os.getpid(), signal.SIGKILL)
                return real(*arguments)

            return call

        for name in CALLS:
            setattr(os, name, wrap(name, getattr(os, name)))
        write(path, told)
        os.write(told, f"calls {calls}\n".encode())

    return work


def contents(path: Path) -> Contents:
    """What the ledger holds, a torn last line left out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LedgerWarning)
        return read_ledger(path)


@dataclass
class Tally:
    """What a fault did in some trials. All but `trials` have to be 0.

    lost: batches that were finished and are not there; doubled: batches that a ledger holds twice,
    or with other counts than their games have; complete: files that read as complete and are not.
    """

    fault: str
    trials: int = 0
    lost: int = 0
    doubled: int = 0
    complete: int = 0

    @property
    def clean(self) -> bool:
        return self.lost == self.doubled == self.complete == 0

    def judge(self, path: Path, finished: Iterable[Batch], whole: bytes) -> None:
        """Look at the ledger that a trial left behind."""
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
        self.complete += done and there.canonical and path.read_bytes() != whole
