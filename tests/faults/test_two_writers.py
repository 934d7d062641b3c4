"""Two runs on one ledger: one is told to wait, none doubles a batch."""

import fcntl
import os
import socket
import time

import pytest
from faulty import in_a_child, play, sweep, sweep_and_tell

from msdensity.files import lock

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:ledger")]

WAIT = 5


@pytest.mark.parametrize("host", [None, "elsewhere"], ids=["processes", "hosts"])
def test_two_runs_on_one_ledger(tmp_path, whole, tally, host) -> None:
    """On another host means: another name, and no lock of the system in common."""
    found = tally(f"two runs on one ledger, {'two hosts' if host else 'two processes'}")
    refused = 0
    for trial in range(10):
        path = tmp_path / f"{trial}.csv"
        if host:
            # The first is there when the second comes, as a file's time tells in whole beats.
            ready = tmp_path / f"{trial}.csv.lock"

        def second(told, path=path):
            if host:
                lock.SILENT_SECONDS = WAIT
                socket.gethostname = lambda: host
                fcntl.flock = lambda *arguments: None
            sweep_and_tell(path, told)

        told, telling = os.pipe()
        go, going = os.pipe()

        def until_told(task, first_game, games, go=go):
            if first_game > 50:
                os.read(go, 1)  # it ends when the second one has
            return play(task, first_game, games)

        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                os.close(going)
                lock.BEAT_SECONDS = 0.1
                sweep_and_tell(path, telling, play=until_told, batch=1)
                status = 0
            finally:
                os._exit(status)
        os.close(telling)
        os.close(go)
        end = time.monotonic() + 30
        while not path.exists() and time.monotonic() < end:
            time.sleep(0.001)
        if host:
            assert ready.read_bytes()
        status, finished, error = in_a_child(second)
        os.close(going)
        refused += status == 1
        if status == 1:
            assert f"is being written by process {pid} on" in error
            assert "wait for it or stop it" in error
        with open(told, encoding="utf-8") as file:
            finished += [tuple(map(int, line.split())) for line in file]
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        found.judge(path, finished, whole)
        sweep(path)
        assert path.read_bytes() == whole
    assert refused == 10
    assert found.clean
