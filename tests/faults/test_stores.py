"""Each fault on ledgers and checkpoints: no batch that was on the disk is lost or wrong."""

import errno
import os
import random
import re
import signal
import socket

import pytest
from faulty import Tally, counting, in_a_child
from small_disk import KILOBYTES, small_disk
from stores import ALL, STORES

from msdensity.errors import InputError
from msdensity.files import lock
from msdensity.kernel.measures import MEASURES
from msdensity.runs import checkpoint
from msdensity.runs.ledger import Ledger, read_ledger
from sizes import sizes

pytestmark = pytest.mark.filterwarnings("ignore:ledger")


@pytest.fixture(params=STORES, ids=[store.name for store in STORES])
def store(request, monkeypatch):
    monkeypatch.setattr(checkpoint, "WRITE_SECONDS", 0.0)
    monkeypatch.setattr(checkpoint, "MAX_SHARE", 1e9)
    return request.param


@pytest.fixture
def finish(store, whole):
    """finish(path): play the rest; then all games must be there."""

    def play_rest(path) -> list:
        status, played, error = in_a_child(lambda told: store.write(path, told))
        assert status == 0, error
        assert store.complete(path, whole)
        return played

    return play_rest


@pytest.mark.parametrize("trials", sizes(4, 60))
def test_a_kill_in_any_system_call(store, finish, tmp_path, whole, tally, trials) -> None:
    """Killed at points drawn from all the calls that an uninterrupted run makes."""
    chance = random.Random(20261128)
    dry = counting(tmp_path / "dry.csv", lambda calls: False, chance, store.write)
    status, _, told = in_a_child(dry)
    assert status == 0
    calls = int(told.removeprefix("calls "))
    assert calls > 100
    found = tally(f"{store.name}: kill -9 in a call of the system, a write cut anywhere")
    for trial in range(trials):
        path = tmp_path / f"{trial}.csv"
        safe = []
        for _ in range(chance.randint(1, 3)):
            point = chance.randint(1, calls)
            work = counting(path, lambda n, p=point: n == p, chance, store.write)
            status, more, error = in_a_child(work)
            assert status in (0, -signal.SIGKILL), error
            safe += more
            store.judge(found, path, safe, whole)
        # No batch again that was there.
        assert not set(finish(path)) & set(safe)
        assert list(tmp_path.glob(f"*{trial}.csv*.tmp")) == []
    assert found.clean


@pytest.mark.parametrize("step", sizes(7, 1))
def test_a_file_cut_at_any_byte(store, finish, tmp_path, whole, tally, step) -> None:
    found = tally(f"{store.name}: cut at any byte (torn, truncated)")
    path = tmp_path / "x.csv"
    with store.hold(path) as add:
        for batch in ALL[1:6]:
            add(batch)
    file = store.file(path)
    data = file.read_bytes()
    header = store.name == "ledger"
    for size in range(0, len(data), step):
        file.write_bytes(data[:size])
        store.judge(found, path, ALL[: max(0, data[:size].count(b"\n") - header)], whole)
    for size in range(1, len(data), len(data) // 5):
        file.write_bytes(data[:size])
        finish(path)
    assert found.clean


@pytest.mark.parametrize("trials", sizes(15, 150))
def test_a_byte_edited(store, finish, tmp_path, whole, tally, trials) -> None:
    """An edited line is always detected; its games are played again."""
    chance = random.Random(4)
    found = tally(f"{store.name}: a byte edited")
    path = tmp_path / "x.csv"
    with store.hold(path) as add:
        for batch in ALL[1:12]:
            add(batch)
    file = store.file(path)
    data = file.read_bytes()
    start = data.index(b"\n") + 1 if store.name == "ledger" else 0
    for _ in range(trials):
        # Not a line's end: who joins two lines has to delete both.
        place = chance.choice([i for i in range(start, len(data)) if data[i] != ord("\n")])
        new = chance.choice([c for c in b"0123456789, \t" if c != data[place]])
        file.write_bytes(data[:place] + bytes([new]) + data[place + 1 :])
        number = data[:place].count(b"\n")
        others = [batch for i, batch in enumerate(ALL[:12], (start > 0)) if i != number]
        if store.name == "ledger" and number < 12:
            # Only a last line may be a torn one, which is left out without help.
            with pytest.raises(InputError, match=f"line {number + 1} does not match") as refused:
                read_ledger(path)
            assert "restore the file, or delete the line" in str(refused.value)
            lines = file.read_bytes().splitlines(keepends=True)
            file.write_bytes(b"".join(lines[:number] + lines[number + 1 :]))
        store.judge(found, path, others, whole)
    finish(path)
    assert found.clean


@pytest.mark.parametrize("trials", sizes(3, 12))
def test_a_full_disk(store, finish, tmp_path, whole, tally, trials) -> None:
    """A real one: a small file system in memory."""
    chance = random.Random(7)
    found = tally(f"{store.name}: disk full (tmpfs)")
    stopped = 0
    for trial in range(trials):
        with small_disk(tmp_path / str(trial)) as disk:
            path = disk / "x.csv"
            ballast = disk / "ballast"
            room = chance.randint(4, store.kilobytes)
            ballast.write_bytes(b"x" * 1024 * (KILOBYTES - room))
            status, safe, error = in_a_child(lambda told, path=path: store.write(path, told))
            stopped += status == 1
            if status == 1:
                assert "make room and run again" in error or "cannot be written" in error
            store.judge(found, path, safe, whole)
            ballast.unlink()
            finish(path)
    assert stopped > trials / 4
    assert found.clean


def test_a_write_that_fails_half_way_leaves_the_file_as_it_was(
    store, tmp_path, monkeypatch
) -> None:
    path, write = tmp_path / "x.csv", os.write

    def full(descriptor: int, data: bytes) -> int:
        if len(calls) == 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        calls.append(len(data))
        return write(descriptor, bytes(data)[: len(data) // 2])

    with store.hold(path) as add:
        before, calls = store.file(path).read_bytes(), []
        with monkeypatch.context() as patch, pytest.raises(OSError, match="make room") as caught:
            patch.setattr(os, "write", full)
            add(ALL[1])
        assert caught.value.errno == errno.ENOSPC and len(calls) == 1
        assert store.file(path).read_bytes() == before
        add(ALL[2])  # with room again the same writer goes on
    judged = Tally("half a write")
    store.judge(judged, path, [ALL[0], ALL[2]], b"")
    assert judged.clean


@pytest.mark.parametrize("host", [None, "elsewhere"], ids=["processes", "hosts"])
def test_a_second_writer_is_refused(
    store, finish, tmp_path, monkeypatch, tally, whole, host
) -> None:
    """Another host has another name, and shares no lock of the system."""
    found = tally(f"{store.name}: two runs, {'two hosts' if host else 'two processes'}")
    monkeypatch.setattr(lock, "BEAT_SECONDS", 0.1)
    path = tmp_path / "x.csv"

    def second(told: int) -> None:
        if host:
            lock.SILENT_SECONDS = 5.0
            socket.gethostname = lambda: host
            lock.fcntl.flock = lambda *arguments: None
        store.write(path, told)

    with store.hold(path) as add:
        for batch in ALL[1:4]:
            add(batch)
            status, safe, error = in_a_child(second)
            assert (status, safe) == (1, [])
            assert re.search(
                rf"is being written by process {os.getpid()} on .*: wait for it or stop it", error
            )
            store.judge(found, path, ALL[:1], whole)
    finish(path)
    assert found.clean


@pytest.fixture
def elsewhere(store, tmp_path, monkeypatch):
    """elsewhere(path): a process of another host takes over, and plays some batches."""
    monkeypatch.setattr(lock, "SILENT_SECONDS", 0.3)
    monkeypatch.setattr(lock, "BEAT_SECONDS", 100.0)
    monkeypatch.setattr(lock.fcntl, "flock", lambda *arguments: None)

    def take_over(path) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(lock.socket, "gethostname", lambda: "elsewhere")
            with store.hold(path) as add:
                for batch in ALL[3:6]:
                    add(batch)

    return take_over


def test_a_frozen_process_notices_that_another_took_over(
    store, tmp_path, whole, tally, elsewhere
) -> None:
    found = tally(f"{store.name}: frozen while another takes over")
    path = tmp_path / "x.csv"
    with store.hold(path) as add:
        elsewhere(path)
        with pytest.raises(InputError, match=r"its lock .* was removed by others"):
            add(ALL[1])
    store.judge(found, path, [ALL[0], *ALL[3:6]], whole)
    assert found.clean


@pytest.mark.parametrize("work", ["append", "compact"])
def test_a_process_frozen_between_check_and_write_overwrites_nothing(
    store, tmp_path, monkeypatch, whole, tally, elsewhere, work
) -> None:
    """Another host takes over just after the first has seen that the file is still its own."""
    if work == "compact" and store.name != "ledger":
        pytest.skip("only ledgers are compacted")
    found = tally(f"{store.name}: frozen between a look and a write")
    path = tmp_path / "x.csv"
    require = lock.Lock.require

    def frozen_after(self: lock.Lock) -> None:
        require(self)
        monkeypatch.setattr(lock.Lock, "require", require)
        elsewhere(path)

    with store.hold(path) as add:
        add(ALL[1])
        if work == "append":
            monkeypatch.setattr(lock.Lock, "require", frozen_after)
            with pytest.raises(InputError, match="another process wrote to it meanwhile; run"):
                add(ALL[2])
    if work == "compact":
        with Ledger(path) as ledger:
            monkeypatch.setattr(lock.Lock, "require", frozen_after)
            with pytest.raises(InputError, match="another process wrote to it meanwhile; run"):
                ledger.compact()
    store.judge(found, path, [*ALL[:2], *ALL[3:6]], whole)
    assert found.clean


def test_the_judge_detects_each_kind_of_loss(store, tmp_path, whole, monkeypatch) -> None:
    """The control: a missing batch, and others with other numbers."""
    path, found = tmp_path / "x.csv", Tally("control")
    with store.hold(path) as add:
        add(ALL[1])
    store.judge(found, path, ALL[:2], whole)
    assert found.clean and not store.complete(path, whole)
    store.judge(found, path, ALL[:3], whole)
    assert (found.lost, found.doubled) == (1, 0)
    for place in ("faulty.play", "stores.play"):
        monkeypatch.setattr(place, lambda *_: dict.fromkeys(MEASURES, 0))
    store.judge(found, path, ALL[:2], whole)
    assert found.doubled > 0
