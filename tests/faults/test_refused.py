"""What the system refuses is one line that says what to do, before any game."""

import errno
import io
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from faulty import TASKS, play

from msdensity.errors import InputError
from msdensity.files import journal
from msdensity.files.lock import Lock
from msdensity.runs.parallel import in_threads
from msdensity.runs.sweep import top_up
from places import ROOT
from repository import SMOKE, copy_of, snakemake


@pytest.fixture
def threads_left(monkeypatch):
    """threads_left(n): from now on the system starts n threads and no more."""
    start = threading.Thread.start

    def allow(left: int) -> None:
        started = []

        def limited(thread: threading.Thread) -> None:
            if len(started) == left:
                raise RuntimeError("can't start new thread")
            started.append(thread)
            start(thread)

        monkeypatch.setattr(threading.Thread, "start", limited)

    return allow


@pytest.mark.parametrize("left", [0, 1, 3, 7])
def test_too_few_threads(threads_left, left) -> None:
    threads_left(left)
    with pytest.raises(
        InputError, match=r"threads=8: the system does not start so many: give fewer"
    ):
        list(in_threads(abs, range(100), 8))


def test_no_thread_for_a_lock(tmp_path, threads_left) -> None:
    path = tmp_path / "3x3.weighted.csv"
    with pytest.MonkeyPatch.context():
        threads_left(0)
        with pytest.raises(
            InputError, match=r"3x3.weighted.csv cannot be written: can't start new"
        ):
            top_up(TASKS, 10, path, play=play, log=io.StringIO())
    assert not path.exists()


def test_a_lock_without_its_thread_is_free_again(tmp_path, threads_left) -> None:
    threads_left(0)
    held = Lock(tmp_path / "lock", "thing")
    with pytest.raises(OSError, match="can't start new thread"):
        held.take()
    threads_left(9)
    held.take()
    held.release()


def test_a_ledger_that_cannot_be_written_is_refused_before_a_game(tmp_path, monkeypatch) -> None:
    path = tmp_path / "3x3.weighted.csv"
    top_up(TASKS, 10, path, play=play, log=io.StringIO())
    opened = journal.open_no_link

    def read_only(name: Path, flags: int) -> int:
        if name == path:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return opened(name, flags)

    def never(*batch):
        raise AssertionError("a game was played")

    with monkeypatch.context() as patch:
        patch.setattr(journal, "open_no_link", read_only)  # root may write every file
        for _ in range(2):  # and its lock is free again
            with pytest.raises(
                InputError, match=r"weighted.csv cannot be written: Permission denied"
            ):
                top_up(TASKS, 20, path, play=never, log=io.StringIO())
    assert top_up(TASKS, 20, path, play=play, log=io.StringIO()) == 10 * len(TASKS)


def test_players_without_machine_code_are_refused() -> None:
    line = [sys.executable, "-m", "msdensity", "play", "--board", "3x3", "--mines", "1"]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(
        line, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert run.stderr.startswith("msdensity play: NUMBA_DISABLE_JIT=1 must not be set")
    assert run.stderr.count("\n") == 1


@pytest.mark.workflow
@pytest.mark.campaign
def test_a_job_that_fails_says_why_on_the_terminal(tmp_path) -> None:
    folder = copy_of(ROOT, tmp_path / "main")
    ledger = folder / "data/smoke/ledger/3x3.weighted.csv"
    ledger.parent.mkdir(parents=True)
    ledger.write_text("no ledger\n1\n")
    printed = snakemake(folder, SMOKE, "win_rates", ok=False)
    assert "3x3.weighted.csv is not a ledger: move or delete it" in printed
    assert "Traceback" not in printed
