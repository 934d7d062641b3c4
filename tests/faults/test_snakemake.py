"""The end of the real Snakemake in mid-run, after which the same command goes on.

kill -9 of it, alone or with its jobs, or of a job alone; Ctrl-C once or twice; a closed terminal.
"""

import contextlib
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from faulty import contents

from msdensity.games.boards import Board
from msdensity.runs.resume import KEPT
from places import ROOT
from repository import SMOKE, command, copy_of, results, rows, snakemake

pytestmark = [pytest.mark.workflow, pytest.mark.filterwarnings("ignore:ledger")]

BATCH = 500
ONE_JOB = SMOKE | {"boards": ["6x6"], "games": 40_000, "batch": BATCH}
SEVERAL = ONE_JOB | {"boards": ["3x12"], "games_per_job": 12_000}
SHARED = ONE_JOB | {"boards": ["3x3", "4x5"], "games": 100_000}
TARGET = "win_rates"
KILLS = ("kill -9 of the run", "kill -9 of Snakemake alone", "kill -9 of the jobs")
SIGNALS = {
    "Ctrl-C": (signal.SIGINT,),
    "two Ctrl-C": (signal.SIGINT, signal.SIGINT),
    "a closed terminal": (signal.SIGHUP,),
}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> Callable[[dict], dict[str, bytes]]:
    """Return a function: the files that an undisturbed run of a configuration makes."""
    made: dict[str, dict[str, bytes]] = {}

    def of(config: dict) -> dict[str, bytes]:
        board = config["boards"][0]
        if board not in made:
            folder = copy_of(ROOT, tmp_path_factory.mktemp("whole") / "main")
            snakemake(folder, config, TARGET)
            made[board] = results(folder)
        return made[board]

    return of


def ledgers(folder: Path) -> list[Path]:
    found = sorted((folder / "data/smoke/ledger").glob("*.csv"))
    return [path for path in found if not path.name.endswith(".cpu.csv")]


Games = tuple[str, str, int, int]
"""(ledger, task, first game, games)."""


def kept(folder: Path) -> list[Games]:
    """The games that the ledgers hold."""
    return [
        (path.stem, row.task.task_id, row.counts.first_game, row.counts.games)
        for path in ledgers(folder)
        for row in contents(path).rows
    ]


def lost(batches: set[Games], there: list[Games]) -> int:
    """How many of the batches are in no row; a task has several rows if threads end at will."""
    return sum(
        not any(
            (ledger, task) == (name, of) and first <= begin and begin + games <= first + played
            for name, of, first, played in there
        )
        for ledger, task, begin, games in batches
    )


def finished(folder: Path) -> set[Games]:
    """The batches that a run has noted, which it does when they are on the disk."""
    return {
        (
            path.name.removesuffix(".cpu.csv"),
            row["task_id"],
            int(row["first_game"]),
            int(row["games"]),
        )
        for path in (folder / "data/smoke/ledger").glob("*.cpu.csv")
        for row in rows(path)
        if None not in row.values() and row["cpu_seconds"]  # the last line may be torn
    }


def jobs_of(run: subprocess.Popen) -> list[psutil.Process]:
    """The processes in which jobs of the run play."""
    found = []
    with contextlib.suppress(psutil.NoSuchProcess):
        for process in psutil.Process(run.pid).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                if any("sweep" in word and word.endswith(".py") for word in process.cmdline()):
                    found.append(process)
    return found


def kill(run: subprocess.Popen, what: str) -> list[psutil.Process]:
    """Kill the processes of the trial; return the jobs that keep playing."""
    jobs = jobs_of(run)
    if what == "kill -9 of the run":
        os.killpg(run.pid, signal.SIGKILL)
        return []
    if what in SIGNALS:
        for number in SIGNALS[what]:
            os.killpg(run.pid, number)
        return []
    if what == "kill -9 of Snakemake alone":
        os.kill(run.pid, signal.SIGKILL)
        return jobs
    for job in jobs:
        with contextlib.suppress(psutil.NoSuchProcess):
            job.kill()
    return []


def test_a_lost_batch_is_seen() -> None:
    there = [("6x6", "a", 0, 500), ("6x6", "a", 1000, 1000)]
    assert lost({("6x6", "a", 0, 500), ("6x6", "a", 1500, 500)}, there) == 0
    for missing in [("6x6", "a", 500, 500), ("6x6", "b", 0, 500), ("3x12", "a", 0, 500)]:
        assert lost({missing}, there) == 1


CAMPAIGNS = [
    pytest.param(what, config, marks=pytest.mark.campaign, id=f"{what}, {config['boards'][0]}")
    for what in (*KILLS, *SIGNALS)
    for config in (ONE_JOB, SEVERAL, SHARED)
]


@pytest.mark.parametrize("what,config", CAMPAIGNS)
def test_kill_in_mid_sweep(tmp_path, undisturbed, tally, what, config) -> None:
    found = tally(f"end of a run: {what}")
    # Before any process stands still, perhaps while it compiles for all others.
    whole = undisturbed(config)
    board = config["boards"][0]
    total = sum(config["games"] * (Board.parse(each).cells - 1) for each in config["boards"])
    folder = copy_of(ROOT, tmp_path / "main")
    line, environment = command(folder, config, "--cores=2", TARGET)
    chance = random.Random(f"{what} {board}")
    # Behind nohup and in the background of a script they are ignored, and the run inherits that.
    for number, usual in (
        (signal.SIGHUP, signal.SIG_DFL),
        (signal.SIGINT, signal.default_int_handler),
    ):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, usual)
    with open(tmp_path / "printed", "w") as printed:
        # A process group of its own, so that a kill can take the jobs along.
        run = subprocess.Popen(
            line, cwd=folder, env=environment, stdout=printed, stderr=printed, process_group=0
        )
        orphans = []
        try:
            deadline = time.monotonic() + 120
            enough = chance.randint(2, 12)
            while sum(path.read_bytes().count(b"\n") for path in ledgers(folder)) < enough:
                assert run.poll() is None, (tmp_path / "printed").read_text()
                assert time.monotonic() < deadline
                time.sleep(0.01)
            time.sleep(chance.random() * 0.1)
            orphans = kill(run, what)
            run.wait(60)
            for orphan in orphans:  # stand still while they are looked at
                with contextlib.suppress(psutil.NoSuchProcess):
                    orphan.suspend()
        finally:
            with contextlib.suppress(ProcessLookupError):
                if not orphans:
                    os.killpg(run.pid, signal.SIGKILL)
    safe = finished(folder)
    there = kept(folder)
    found.trials += 1
    found.lost += lost(safe, there)
    made = results(folder)
    for name, data in made.items():
        if "/win_rates" in name or "/parts/" in name:
            found.complete += data != whole[name]
    assert sum(games for _, _, _, games in there) < total

    # A job that outlived its Snakemake holds its ledger still.
    for orphan in orphans:
        with contextlib.suppress(psutil.NoSuchProcess):
            orphan.resume()
            orphan.wait(60)
    printed = (tmp_path / "printed").read_text()
    assert "Traceback" not in printed
    assert printed.count(KEPT) == ("Ctrl-C" in what)
    snakemake(folder, config, TARGET)
    found.doubled += results(folder) != whole
    # What was kept is not played again: of a kill, only the batches in flight.
    again = sum(games for _, _, _, games in finished(folder))
    assert again <= total + 4 * BATCH
    assert found.clean


@pytest.mark.campaign
def test_sigterm_of_snakemake_alone_waits_for_its_jobs_and_says_what_is_kept(tmp_path) -> None:
    folder = copy_of(ROOT, tmp_path / "main")
    config = SMOKE | {"boards": ["3x3"], "games": 20_000}
    line, environment = command(folder, config, "--cores=2", "fits")
    with open(tmp_path / "printed", "w") as printed:
        run = subprocess.Popen(line, cwd=folder, env=environment, stdout=printed, stderr=printed)
        while not jobs_of(run):
            assert run.poll() is None, (tmp_path / "printed").read_text()
            time.sleep(0.01)
        run.terminate()
        assert run.wait(120) == 1
    told = (tmp_path / "printed").read_text()
    assert told.count(KEPT) == 1 and "Traceback" not in told
    table = folder / "data/smoke/win_rates/3x3.weighted.csv"
    made = table.stat().st_mtime_ns
    assert not (folder / "data/smoke/fits.csv").exists()
    snakemake(folder, config, "fits")
    assert table.stat().st_mtime_ns == made
