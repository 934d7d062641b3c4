"""kill -9 at any moment: no finished batch is lost, and the end is the same to the last byte."""

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from faulty import Tally, contents, in_a_child, play, sweep, sweep_and_tell

from msdensity.games.tasks import Task
from msdensity.runs.ledger import render
from msdensity.runs.parallel import _Queue
from msdensity.runs.sweep import Batch
from sizes import sizes

pytestmark = pytest.mark.filterwarnings("ignore:ledger")


@pytest.mark.parametrize("kills", sizes(3, 50))
@pytest.mark.parametrize("threads", [1, 2])
def test_a_kill_at_a_random_moment(tmp_path, whole, tally, threads, kills) -> None:
    chance = random.Random(threads)
    lengths = []
    for trial in range(3):
        begin = time.monotonic()
        path = tmp_path / f"dry{trial}.csv"
        in_a_child(lambda told, path=path: sweep_and_tell(path, told, threads=threads))
        lengths.append(time.monotonic() - begin)
    found = tally(f"kill -9 at a random moment, {threads} thread{'s' * (threads > 1)}")
    killed = 0
    # On a busy machine some get to their end before.
    while killed < kills and found.trials < 10 * kills:
        path = tmp_path / f"{found.trials}.csv"
        status, finished, _ = in_a_child(
            lambda told, path=path: sweep_and_tell(path, told, threads=threads),
            kill_after=chance.random() * min(lengths),
        )
        killed += status == -signal.SIGKILL
        found.judge(path, finished, whole)
        sweep(path, threads=threads)
        assert path.read_bytes() == whole
    assert killed == kills
    assert found.clean


def test_the_tally_detects_each_kind_of_loss(tmp_path, whole, tally) -> None:
    """The control: a batch is removed, one has other counts, one is there twice."""
    path = tmp_path / "ledger.csv"
    sweep(path)
    rows = list(contents(path).rows)
    found = Tally("control")
    path.write_bytes(render(rows[1:]))
    found.judge(path, [(rows[0].task.mines, 0, 7)], whole)
    assert (found.lost, found.doubled, found.complete) == (1, 0, 0)

    counts = replace(rows[0].counts, measures=tuple(n + 1 for n in rows[0].counts.measures))
    path.write_bytes(render([replace(rows[0], counts=counts), *rows[1:]]))
    found.judge(path, [], whole)
    assert (found.lost, found.doubled, found.complete) == (1, 1, 1)

    # A game held twice with other counts.
    wrong = render([replace(rows[0], counts=counts)]).splitlines(keepends=True)[1]
    path.write_bytes(whole + wrong)
    found.judge(path, [], whole)
    assert found.doubled == 2


def slowing(path: Path, fast: int) -> Callable:
    """A sweep whose batches get slow after `fast` of them, killed in the middle of a slow one.

    It tells of each batch when it is played, not only when it is safe.
    """

    def work(told: int) -> None:
        begun = 0

        def slow(task: Task, first_game: int, games: int) -> dict[str, int]:
            nonlocal begun
            begun += 1
            if begun > fast:
                time.sleep(0.15)
            if begun > fast + 5:
                time.sleep(2)  # what waits to be made safe has the time, on a busy machine too
                os.kill(os.getpid(), signal.SIGKILL)
            os.write(told, f"{task.mines} {first_game} {games}\n".encode())
            return play(task, first_game, games)

        sweep(path, play=slow)

    return work


@pytest.mark.parametrize("trials", sizes(1, 5))
def test_a_kill_where_games_get_slower_loses_the_batch_in_flight(
    tmp_path, whole, tally, trials
) -> None:
    """Many fast batches go to a thread at once, but must still be on the disk soon."""
    found = tally("kill -9 where games get slower, of all batches played")
    for trial in range(1, trials + 1):
        path = tmp_path / f"{trial}.csv"
        status, finished, _ = in_a_child(slowing(path, fast=10 * trial))
        assert status == -signal.SIGKILL
        assert len(finished) == 10 * trial + 5
        found.judge(path, finished, whole)
        sweep(path)
        assert path.read_bytes() == whole
    assert found.clean


def test_the_tally_sees_batches_that_wait_for_others(tmp_path, whole, monkeypatch) -> None:
    """The control: a thread that hands over its batches only when all are done."""

    def all_at_once(queue: _Queue, stopping: object) -> Iterator[list[Batch]]:
        yield [queue._ready.popleft() for _ in iter(lambda: queue.empty, True)]

    monkeypatch.setattr(_Queue, "groups", all_at_once)
    monkeypatch.setattr("msdensity.runs.parallel.CALL_SECONDS", 1000.0)
    found = Tally("control")
    path = tmp_path / "ledger.csv"
    _, finished, _ = in_a_child(slowing(path, fast=40))
    found.judge(path, finished, whole)
    assert found.lost == len(finished) == 45
