"""The two stores of games, ledger and checkpoint, with one interface for tests/faults."""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from faulty import BATCH, GAMES, TASKS, Batch, Tally, play, row, sweep_and_tell

from msdensity.errors import InputError
from msdensity.files.journal import Journal
from msdensity.runs import checkpoint
from msdensity.runs.checkpoint import Checkpoint
from msdensity.runs.ledger import Ledger

VERSION = "0123456789abcdef"
ALL = [(task.mines, first, BATCH) for task in TASKS for first in range(0, GAMES, BATCH)]


def numbers(batch: Batch) -> list[int]:
    mines, first, games = batch
    return list(play(TASKS[mines - 1], first, games).values())


class LedgerStore:
    name, kilobytes = "ledger", 36

    def file(self, path: Path) -> Path:
        return path

    def write(self, path: Path, report: int) -> None:
        """Play all missing batches; report each batch once it is safe."""
        sweep_and_tell(path, report)

    @contextlib.contextmanager
    def hold(self, path: Path) -> Iterator[Callable[[Batch], None]]:
        """Yield a function that adds a batch; the store already holds one batch."""
        with Ledger(path) as ledger:

            def add(batch: Batch) -> None:
                ledger.append([row(TASKS[batch[0] - 1], *batch[1:])])

            add(ALL[0])
            yield add

    def judge(self, tally: Tally, path: Path, safe: Iterable[Batch], expected: bytes) -> None:
        tally.judge(path, safe, expected)

    def complete(self, path: Path, expected: bytes) -> bool:
        return path.read_bytes() == expected


class CheckpointStore:
    name, kilobytes = "checkpoint", 14

    def file(self, path: Path) -> Path:
        return path.with_name(f"{path.name}.{VERSION}.part")

    def write(self, path: Path, report: int) -> None:
        checkpoint.WRITE_SECONDS, checkpoint.MAX_SHARE = 0.0, 1e9

        class Telling(Journal):
            def append(self, data: bytes) -> None:
                super().append(data)
                for line in data.splitlines():
                    os.write(report, line.partition(b"\t")[0] + b"\n")

        checkpoint.Journal = Telling  # type: ignore[misc]
        with Checkpoint(path, VERSION) as keep:
            for batch in ALL:
                keep("{} {} {}".format(*batch), lambda batch=batch: numbers(batch))

    @contextlib.contextmanager
    def hold(self, path: Path) -> Iterator[Callable[[Batch], None]]:
        # A batch that could not be written is tried again at the end.
        with contextlib.suppress(InputError), Checkpoint(path, VERSION) as keep:

            def add(batch: Batch) -> None:
                keep("{} {} {}".format(*batch), lambda: numbers(batch))

            add(ALL[0])
            yield add

    def judge(self, tally: Tally, path: Path, safe: Iterable[Batch], expected: bytes) -> None:
        tally.trials += 1
        stored, _ = checkpoint.read(self.file(path))
        tally.lost += sum("{} {} {}".format(*batch) not in stored for batch in safe)
        for what, (_, kept) in stored.items():
            tally.doubled += kept != numbers(tuple(map(int, what.split())))  # type: ignore[arg-type]

    def complete(self, path: Path, expected: bytes) -> bool:
        stored, _ = checkpoint.read(self.file(path))
        lines = self.file(path).read_bytes().count(b"\n")
        return set(stored) == {"{} {} {}".format(*batch) for batch in ALL} and lines >= len(ALL)


STORES = [LedgerStore(), CheckpointStore()]
