"""Jobs of one board that came to play the same games: one after another, never at once."""

import contextlib
import io
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from faulty import TASKS, play, sweep

from msdensity.errors import InputError
from msdensity.files import lock
from msdensity.games.boards import Board
from msdensity.games.tasks import Task
from msdensity.runs.jobs import ledger_path, ledgers, siblings
from msdensity.runs.ledger import Ledger, Row, read_ledger, render
from msdensity.runs.sweep import top_up
from places import ROOT

GAMES = 60


def path_of(folder: Path, first_game: int = 0) -> Path:
    return ledger_path(folder, "3x3", "weighted", first_game)


def part(folder: Path, first: int, end: int, **options: object) -> int:
    options = {"play": play, "log": io.StringIO(), "batch": 7} | options
    where = path_of(folder, first)
    return top_up(TASKS, end, where, first_game=first, **options)  # type: ignore[arg-type]


def games(folder: Path) -> list[tuple[int, int]]:
    """Every game in all ledgers of the board, as (mines, game)."""
    rows = [row for path in ledgers(folder, "3x3", "weighted") for row in read_ledger(path).rows]
    return sorted(
        (row.task.mines, game)
        for row in rows
        for game in range(row.counts.first_game, row.counts.stop)
    )


EVERY = [(task.mines, game) for task in TASKS for game in range(GAMES)]


@contextlib.contextmanager
def at_work(folder: Path, first: int, end: int):
    """A process that plays games [first, end) and does not come to an end."""
    code = (
        "import sys, time, test_siblings as t\n"
        "def slow(task, first_game, games):\n"
        "    time.sleep(60 if first_game > int(sys.argv[2]) else 0)\n"
        "    return t.play(task, first_game, games)\n"
        "t.part(t.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), play=slow)\n"
    )
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
    words = [sys.executable, "-c", code, str(folder), str(first), str(end)]
    run = subprocess.Popen(words, env=environment)
    try:
        while not path_of(folder, first).exists() and run.poll() is None:
            time.sleep(0.01)
        yield run
    finally:
        run.kill()
        run.wait()


def test_siblings_are_the_ledgers_of_a_board_and_player(tmp_path: Path) -> None:
    for name in (
        *("3x3.weighted.csv", "3x3.weighted.from50.csv", "3x3.weighted.from70.csv.lock"),
        *("3x3.weighted.cpu.csv", "3x3.weighted.from50.cpu.csv", "3x3.weighted-ties-random.csv"),
        *("3x4.weighted.from50.csv", "3x3.weighted.fromx.csv", "x3x3.weighted.csv", "notes.txt"),
    ):
        (tmp_path / name).touch()
    base, half, late = (path_of(tmp_path, first) for first in (0, 50, 70))
    assert siblings(base) == [half, late]
    assert siblings(half) == [base, late]
    assert siblings(tmp_path / "notes.txt") == []
    assert siblings(tmp_path / "none" / "3x3.weighted.csv") == []
    assert ledgers(tmp_path, "3x3", "weighted") == [base, half]


def test_a_job_of_an_earlier_run_keeps_others_from_its_games(tmp_path: Path) -> None:
    """It plays the whole board; a new run has the board split."""
    with at_work(tmp_path, 0, GAMES) as orphan:
        with pytest.raises(InputError) as refused:
            part(tmp_path, 30, GAMES)
        base, half = path_of(tmp_path), path_of(tmp_path, 30)
        assert str(refused.value) == (
            f"ledger {half} may not get games 30 to 59 yet: ledger {base}, which may get some of"
            f" them, is being written by process {orphan.pid} on {lock.socket.gethostname()}: wait"
            " for it or stop it"
        )
        assert not half.exists()
        # Games that the other one does not play are no trouble.
        assert part(tmp_path, GAMES, 70) == 10 * len(TASKS)
    # It is dead now, and nothing of it is played again.
    there = len(games(tmp_path))
    assert part(tmp_path, 30, GAMES) > 0
    part(tmp_path, 0, GAMES)
    assert there < len(games(tmp_path))
    assert [game for game in games(tmp_path) if game[1] < GAMES] == EVERY


def test_a_job_for_a_whole_board_waits_for_the_parts(tmp_path: Path) -> None:
    with at_work(tmp_path, 30, GAMES) as orphan:
        with pytest.raises(InputError, match=rf"from30\.csv, .* written by process {orphan.pid} "):
            part(tmp_path, 0, GAMES)
        assert part(tmp_path, 0, 30) == 30 * len(TASKS)
    part(tmp_path, 30, GAMES)
    assert games(tmp_path) == EVERY


def test_two_jobs_that_begin_at_the_same_moment(tmp_path: Path, monkeypatch) -> None:
    """At least one sees the other, in every one of many trials; never do both play a game."""
    # On a busy machine too one is to be four times as patient as the other.
    monkeypatch.setattr("msdensity.runs.ledger.PATIENCE_SECONDS", 1.5)
    both = neither = 0
    for trial in range(30):
        folder = tmp_path / str(trial)
        folder.mkdir()
        barrier = threading.Barrier(2)
        errors = []

        def begin(first: int, folder=folder, barrier=barrier, errors=errors) -> None:
            barrier.wait()
            try:
                part(folder, first, GAMES)
            except InputError as error:
                errors.append(error)

        threads = [threading.Thread(target=begin, args=(first,)) for first in (0, 30)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        both += not errors
        neither += len(errors) == 2
        # One after the other finds all games played, and reading them finds none twice.
        part(folder, 30, GAMES)
        part(folder, 0, GAMES)
        assert games(folder) == EVERY
    assert both < 30
    # Where both are refused, each by the other, one waits longer than the other.
    assert neither == 0


def test_who_was_frozen_while_others_took_over_finds_out(tmp_path: Path, monkeypatch) -> None:
    """On another host, whose lock of the system nobody sees."""
    monkeypatch.setattr(lock, "SILENT_SECONDS", 0.3)
    monkeypatch.setattr(lock.fcntl, "flock", lambda *arguments: None)
    with Ledger(path_of(tmp_path)) as frozen, monkeypatch.context() as patch:
        patch.setattr(lock.socket, "gethostname", lambda: "elsewhere")
        patch.setattr(lock, "BEAT_SECONDS", 100.0)
        assert part(tmp_path, 30, GAMES) == 30 * len(TASKS)
        with pytest.raises(InputError, match=r"its lock .* was removed by others"):
            frozen.append([whole_row(30)])
    part(tmp_path, 0, GAMES)
    assert games(tmp_path) == EVERY


@pytest.mark.parametrize("work", ["append", "compact"])
def test_who_is_frozen_between_a_look_and_a_write_overwrites_nothing(
    tmp_path: Path, monkeypatch, work: str
) -> None:
    """Another host takes over just after the first has seen that the ledger is still its own."""
    monkeypatch.setattr(lock, "SILENT_SECONDS", 0.3)
    monkeypatch.setattr(lock.fcntl, "flock", lambda *arguments: None)
    path = path_of(tmp_path)
    require = lock.Lock.require
    theirs = [whole_row(first) for first in (10, 20, 40)]

    def frozen_after(self: lock.Lock) -> None:
        require(self)
        monkeypatch.setattr(lock.Lock, "require", require)
        with monkeypatch.context() as patch:
            patch.setattr(lock.socket, "gethostname", lambda: "elsewhere")
            patch.setattr(lock, "BEAT_SECONDS", 100.0)
            with Ledger(path) as other:
                other.append(theirs)

    with Ledger(path) as frozen:
        # Not in the one form, so that there is something to do for `compact`.
        frozen.append([whole_row(0)])
        frozen.append([whole_row(30)])
        monkeypatch.setattr(lock, "BEAT_SECONDS", 100.0)
        monkeypatch.setattr(lock.Lock, "require", frozen_after)
        with pytest.raises(InputError, match="another process wrote to it meanwhile; run again"):
            frozen.append([whole_row(50)]) if work == "append" else frozen.compact()
    held = {game for _, game in games(tmp_path)}
    assert held == set(range(50))


def whole_row(first: int) -> Row:
    from faulty import row

    return row(TASKS[0], first, 10)


def test_ledgers_that_hold_the_same_games_are_named(tmp_path: Path) -> None:
    base, half = path_of(tmp_path), path_of(tmp_path, 30)
    base.write_bytes(render([whole_row(25)]))
    half.write_bytes(render([whole_row(30)]))
    with pytest.raises(InputError) as refused:
        part(tmp_path, 20, GAMES)
    assert str(refused.value) == (
        f"ledger {half}, beside its siblings: board 3x3 with mines=1: games 30 to 34 are there"
        " twice; delete one of the rows"
    )


def test_a_sibling_of_another_run_is_the_one_that_is_named(tmp_path: Path) -> None:
    other = [Task(Board((3, 3)), 1, seed=2)]
    half = path_of(tmp_path, 30)
    top_up(other, GAMES, half, first_game=30, play=play, log=io.StringIO())
    with pytest.raises(InputError, match=f"ledger {half} has seed=2 and would get seed=0"):
        part(tmp_path, 0, 30)


def test_a_lock_that_cannot_be_read(tmp_path: Path) -> None:
    place = path_of(tmp_path, 30).with_name("3x3.weighted.from30.csv.lock")
    place.mkdir()
    with pytest.raises(InputError, match=f"lock {place} cannot be read: Is a directory"):
        part(tmp_path, 0, GAMES)


def test_without_siblings_nothing_is_different(tmp_path: Path) -> None:
    sweep(tmp_path / "3x3.weighted.csv")
    assert [path.name for path in ledgers(tmp_path, "3x3", "weighted")] == ["3x3.weighted.csv"]
