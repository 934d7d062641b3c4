"""One writer at a time: processes of one host, and hosts whose file system has no common lock."""

import contextlib
import errno
import fcntl
import os
import signal
import subprocess
import sys
import time

import pytest
from faulty import in_a_child

from msdensity.errors import InputError
from msdensity.files import lock as module
from msdensity.files.lock import Lock
from places import ROOT

# Another host: another name, and a file system that grants every lock.
ELSEWHERE = """
import fcntl, socket, sys, time
from msdensity.files import lock
socket.gethostname = lambda: "elsewhere"
fcntl.flock = lambda *arguments: None
lock.BEAT_SECONDS = 0.1
held = lock.Lock(sys.argv[1], "thing")
held.take()
print("taken", flush=True)
time.sleep(60)
"""


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(module, "BEAT_SECONDS", 0.1)
    monkeypatch.setattr(module, "SILENT_SECONDS", 1.0)


@contextlib.contextmanager
def elsewhere(path):
    run = subprocess.Popen(
        [sys.executable, "-c", ELSEWHERE, str(path)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        # This is the first line: it did not wait for another holder.
        assert run.stdout.readline() == "taken\n"
        yield run
    finally:
        run.kill()
        run.wait()
        run.stdout.close()


def test_a_living_holder_on_another_host_keeps_the_lock(tmp_path, monkeypatch) -> None:
    path = tmp_path / "x.lock"
    # A sign of life ends the wait; on a busy machine one may be late.
    monkeypatch.setattr(module, "SILENT_SECONDS", 20.0)
    # The system's lock is free here: the other process "holds" it on its host only.
    with (
        elsewhere(path) as run,
        pytest.raises(
            InputError,
            match=f"thing is being written by process {run.pid} on elsewhere: wait for it",
        ),
    ):
        Lock(path, "thing").take()


def test_a_dead_holder_on_another_host_loses_the_lock_after_a_wait(tmp_path, capsys) -> None:
    path = tmp_path / "x.lock"
    with elsewhere(path):
        pass
    begin = time.monotonic()
    lock = Lock(path, "thing")
    lock.take()
    assert time.monotonic() - begin >= 1
    assert "waiting 1 s for a sign of life" in capsys.readouterr().err
    lock.release()
    # It was released: nobody needs to wait.
    with elsewhere(path):
        pass


def test_a_dead_holder_on_this_host_causes_no_wait(tmp_path, capsys) -> None:
    path = tmp_path / "x.lock"

    def killed(report: int) -> None:
        Lock(path, "thing").take()
        os.kill(os.getpid(), signal.SIGKILL)

    assert in_a_child(killed)[0] == -signal.SIGKILL
    assert b"process" in path.read_bytes()
    lock = Lock(path, "thing")
    lock.take()
    assert capsys.readouterr().err == ""
    lock.release()
    assert path.read_bytes() == b""


def test_a_holder_that_lost_the_lock_gets_an_error(tmp_path) -> None:
    path = tmp_path / "x.lock"
    lock = Lock(path, "thing")
    lock.take()
    lock.require()
    path.write_text("process 7 on elsewhere\n")
    with pytest.raises(InputError, match="process 7 on elsewhere"):
        lock.require()
    path.unlink()
    with pytest.raises(InputError, match=r"was removed by others; run again"):
        lock.require()
    lock.release()


def test_a_file_system_without_locks_causes_no_error(tmp_path, monkeypatch) -> None:
    def refuse(*arguments):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    lock = Lock(tmp_path / "x.lock", "thing")
    lock.take()
    lock.require()
    lock.release()


def test_the_holder_gives_signs_of_life(tmp_path) -> None:
    path = tmp_path / "x.lock"
    lock = Lock(path, "thing")
    lock.take()
    before = path.stat().st_mtime_ns
    end = time.monotonic() + 30
    while path.stat().st_mtime_ns == before:
        assert time.monotonic() < end
        time.sleep(0.01)
    lock.release()
    before = path.stat().st_mtime_ns
    time.sleep(0.3)
    assert path.stat().st_mtime_ns == before
