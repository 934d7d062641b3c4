import io
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pandas as pd
import pytest
from faulty import TASKS, row
from faulty import play as fake_play

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.games.tasks import Task
from msdensity.runs import parallel
from msdensity.runs.cpu_notes import cpu_seconds
from msdensity.runs.ledger import Ledger, read_ledger
from msdensity.runs.rows import Row, merge
from msdensity.runs.sweep import Batch, cut, missing, play_table, play_unequal, top_up
from places import ROOT

GAMES = 230


def slow_play(task: Task, first_game: int, games: int) -> dict[str, int]:
    time.sleep(0.02)  # far longer in all than until a signal comes
    return fake_play(task, first_game, games)


def endless_play(task: Task, first_game: int, games: int) -> dict[str, int]:
    """The first task at once, every other one for ever."""
    if task.mines > 1:
        time.sleep(60)
    return fake_play(task, first_game, games)


def sweep(path: Path, games: int = GAMES, **options: object) -> int:
    options = {"play": fake_play, "log": io.StringIO()} | options
    return top_up(TASKS, games, path, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("sweep") / "3x3.weighted.csv"
    assert sweep(path) == GAMES * len(TASKS)
    return path.read_bytes()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("batch", [7, 100, 1000])
def test_no_byte_depends_on_batch_or_threads(
    tmp_path: Path, uninterrupted: bytes, batch: int, threads: int
) -> None:
    path = tmp_path / "ledger.csv"
    sweep(path, batch=batch, threads=threads)
    assert path.read_bytes() == uninterrupted


def test_no_byte_depends_on_the_order_of_tasks(tmp_path: Path, uninterrupted: bytes) -> None:
    path = tmp_path / "ledger.csv"
    top_up([*TASKS[::-1], TASKS[0]], GAMES, path, play=fake_play, log=io.StringIO())
    assert path.read_bytes() == uninterrupted


def test_the_counts_are_those_of_the_games(tmp_path: Path) -> None:
    path = tmp_path / "ledger.csv"
    sweep(path, batch=50)
    rows = read_ledger(path).rows
    assert [each.task for each in rows] == TASKS
    for each in rows:
        expected = fake_play(each.task, 0, GAMES)
        assert (each.counts.first_game, each.counts.games) == (0, GAMES)
        assert each.counts.measures == tuple(expected.values())


def test_raising_the_target_plays_only_the_difference(tmp_path: Path, uninterrupted: bytes) -> None:
    path = tmp_path / "ledger.csv"
    played: list[tuple[int, int]] = []

    def note(task: Task, first_game: int, games: int) -> dict[str, int]:
        played.extend((task.mines, game) for game in range(first_game, first_game + games))
        return fake_play(task, first_game, games)

    sweep(path, 90, play=note, batch=40)
    assert sweep(path, GAMES, play=note, batch=40) == (GAMES - 90) * len(TASKS)
    assert sorted(played) == [(task.mines, game) for task in TASKS for game in range(GAMES)]
    assert path.read_bytes() == uninterrupted


@pytest.mark.parametrize("games", [GAMES, GAMES - 1, 1])
def test_a_finished_ledger_is_not_changed(tmp_path: Path, games: int) -> None:
    path = tmp_path / "ledger.csv"
    sweep(path)
    for each in tmp_path.iterdir():
        os.utime(each, ns=(1, 1))
    before = {each: (each.read_bytes(), each.stat().st_ino) for each in tmp_path.iterdir()}
    assert sweep(path, games, play=never, batch=13, threads=2) == 0
    assert {each: (each.read_bytes(), each.stat().st_ino) for each in tmp_path.iterdir()} == before
    assert all(each.stat().st_mtime_ns == 1 for each in tmp_path.iterdir())


def never(task: Task, first_game: int, games: int) -> dict[str, int]:
    raise AssertionError("played")


def test_no_list_of_all_batches_is_made(tmp_path: Path) -> None:
    """There may be more batches than fit into memory; here there are a million million."""
    path = tmp_path / "ledger.csv"
    played = []

    def enough(task: Task, first_game: int, games: int) -> dict[str, int]:
        if len(played) == 50:
            raise RuntimeError("enough")
        played.append(games)
        return fake_play(task, first_game, games)

    tracemalloc.start()
    with pytest.raises(RuntimeError, match="enough"):
        sweep(path, 10**12, batch=1, play=enough)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert played == [1] * 50
    # Modules that are loaded meanwhile take megabytes; the list would take 100 million.
    assert peak < 100_000_000
    assert sum(row.counts.games for row in read_ledger(path).rows) == 50


def test_missing_games_are_cut_at_multiples_of_the_batch() -> None:
    task = TASKS[0]

    def rows(*ranges: tuple[int, int]) -> list[Row]:
        return [row(task, first, games) for first, games in ranges]

    def cuts(there: list[Row], games: int, batch: int, first: int = 0) -> list[tuple[int, int]]:
        batches = cut(missing([task], games, merge(there), first), batch)
        return [(item.first_game, item.games) for item in batches]

    assert cuts(rows(), 25, 10) == [(0, 10), (10, 10), (20, 5)]
    assert cuts(rows((0, 7), (12, 3)), 25, 10) == [(7, 3), (10, 2), (15, 5), (20, 5)]
    assert cuts(rows((5, 100)), 25, 10) == [(0, 5)]
    assert cuts(rows((40, 10)), 25, 100) == [(0, 25)]
    assert cuts(rows((0, 25)), 25, 10) == []
    # From a first game on: games before it, and rows that reach across it.
    assert cuts(rows(), 25, 10, 12) == [(12, 8), (20, 5)]
    assert cuts(rows((0, 7), (10, 5)), 25, 10, 12) == [(15, 5), (20, 5)]
    assert cuts(rows((30, 5), (0, 7)), 25, 100, 12) == [(12, 13)]


def test_cpu_seconds_are_kept_beside_and_may_be_lost(tmp_path: Path, uninterrupted: bytes) -> None:
    path = tmp_path / "3x3.weighted.csv"
    sweep(path, 100)
    beside = tmp_path / "3x3.weighted.cpu.csv"
    lines = beside.read_text().splitlines()
    assert lines[0] == "task_id,first_game,games,cpu_seconds"
    assert sorted(line.split(",")[0] for line in lines[1:]) == sorted(t.task_id for t in TASKS)
    assert all(float(line.split(",")[3]) >= 0 for line in lines[1:])
    beside.unlink()
    sweep(path)
    assert path.read_bytes() == uninterrupted


def test_progress_is_plain_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("msdensity.runs.progress.PROGRESS_SECONDS", 0.0)
    log = io.StringIO()
    sweep(tmp_path / "3x3.weighted.csv", batch=100, log=log)
    lines = log.getvalue().splitlines()
    assert lines[0] == "3x3.weighted: 1,840 of 1,840 games to play"
    assert any("/1,840 games  " in line and " games/s  " in line for line in lines[1:-1])
    assert lines[-1].startswith("3x3.weighted: 1,840 games played in ")
    assert "\r" not in log.getvalue()
    log = io.StringIO()
    sweep(tmp_path / "3x3.weighted.csv", log=log)
    assert log.getvalue() == "3x3.weighted: nothing to play: all games are already played\n"


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"games": 0}, r"games=0 must be a whole number in 1\.\."),
        ({"games": 10**30}, "games=1000000000000000000000000000000 must be"),
        ({"threads": 10**9}, r"threads=1000000000 must be a whole number in 1\.\.1024"),
        ({"games": 2.5}, "games=2.5 must be"),
        ({"batch": 0}, "batch=0 must be"),
        ({"threads": 0}, "threads=0 must be"),
        ({"threads": True}, "threads=True must be"),
        ({"first_game": GAMES}, rf"first_game={GAMES} must be a whole number in 0\.\.{GAMES - 1}"),
    ],
)
def test_bad_input_is_refused_before_anything_happens(
    tmp_path: Path, options: dict, part: str
) -> None:
    path = tmp_path / "folder" / "ledger.csv"
    with pytest.raises(InputError, match=part):
        sweep(path, play=never, **options)
    assert not path.parent.exists()


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (Task(Board((3, 3)), 1, seed=1), "seed=0 and would get seed=1: give"),
        (Task(Board((3, 4)), 1), "board=3x3 and would get board=3x4: give"),
        (Task(Board((3, 3)), 1, "listing"), "player=weighted and would get"),
    ],
)
def test_tasks_of_two_runs_do_not_share_a_ledger(tmp_path: Path, other: Task, message: str) -> None:
    path = tmp_path / "folder" / "ledger.csv"
    with pytest.raises(InputError, match=message):
        top_up([*TASKS, other], 10, path, play=never)
    with pytest.raises(InputError, match="at least one task"):
        top_up([], 10, path, play=never)
    assert not path.parent.exists()
    sweep(path)
    before = path.read_bytes()
    with pytest.raises(InputError, match=message):
        top_up([other], 10, path, play=never)
    assert path.read_bytes() == before


def test_an_error_while_playing_keeps_the_finished_batches(
    tmp_path: Path, uninterrupted: bytes
) -> None:
    path = tmp_path / "ledger.csv"

    def fail(task: Task, first_game: int, games: int) -> dict[str, int]:
        if task.mines == 5:
            raise InputError("mines=5 must be in 1..4 for a zero start")
        return fake_play(task, first_game, games)

    with pytest.raises(InputError, match="mines=5 must be"):
        sweep(path, play=fail, batch=1000)
    assert {row.task.mines for row in read_ledger(path).rows} >= {1, 2}
    sweep(path)
    assert path.read_bytes() == uninterrupted


def test_a_read_only_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test refuses to open it, because permissions do not stop root; see tests/faults."""
    path = tmp_path / "ledger.csv"
    open_file = os.open

    def refuse(name: object, flags: int, *rest: int, **more: int) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and str(tmp_path) in str(name):
            raise PermissionError(13, "Permission denied", str(name))
        return open_file(name, flags, *rest, **more)  # type: ignore[arg-type]

    sweep(path)
    monkeypatch.setattr(os, "open", refuse)
    # A finished ledger needs no writing.
    assert sweep(path, play=never) == 0
    with pytest.raises(InputError, match=r"ledger .* cannot be written: Permission denied"):
        sweep(path, GAMES + 1, play=never)


def start(path: Path, play: str, **options: object) -> subprocess.Popen[str]:
    """Start a sweep in its own process."""
    words = ", ".join(f"{name}={value!r}" for name, value in options.items())
    script = (
        "import sys, pathlib; from runs import test_sweep as t\n"
        f"t.sweep(pathlib.Path(sys.argv[1]), play=t.{play}, log=sys.stdout, {words})\n"
    )
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
    return subprocess.Popen(
        [sys.executable, "-c", script, str(path)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(path: Path, size: int, process: subprocess.Popen[str]) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        if path.exists() and path.stat().st_size >= size:
            return
        time.sleep(0.001)
    raise AssertionError(f"the sweep did not write {size} bytes: {process.communicate()}")


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_keeps_finished_batches(tmp_path: Path, uninterrupted: bytes, threads: int) -> None:
    path = tmp_path / "ledger.csv"
    process = start(path, "slow_play", threads=threads, batch=3)
    wait_for(path, 3000, process)
    interrupt(process)
    there = sum(row.counts.games for row in read_ledger(path).rows)
    assert 0 < there < GAMES * len(TASKS)
    assert sweep(path) == GAMES * len(TASKS) - there
    assert path.read_bytes() == uninterrupted


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_does_not_wait_for_a_long_batch(tmp_path: Path, threads: int) -> None:
    path = tmp_path / "ledger.csv"
    process = start(path, "endless_play", threads=threads, batch=1000)
    wait_for(path, 1, process)
    time.sleep(0.2)
    # About a second on an idle machine; the batch takes a minute.
    assert interrupt(process) < 10
    assert [row.task for row in read_ledger(path).rows] == TASKS[:1]


def interrupt(process: subprocess.Popen[str]) -> float:
    """Send Ctrl-C; return the seconds to the end of the process."""
    process.send_signal(signal.SIGINT)
    begin = time.monotonic()
    _, errors = process.communicate(timeout=120)
    assert process.returncode == -signal.SIGINT, errors
    assert "KeyboardInterrupt" in errors
    return time.monotonic() - begin


def test_a_call_ends_after_a_tenth_of_a_second_whatever_its_pieces() -> None:
    def slow(task: Task, first_game: int, games: int) -> dict[str, int]:
        time.sleep(1.1 * parallel.CALL_SECONDS)
        return fake_play(task, first_game, games)

    group = [Batch(task, 0, 10) for task in TASKS]
    done, left, _, error = parallel._work(lambda batch: slow(*batch), group)
    assert [each.piece.task for each in done] == TASKS[:1]
    assert (left, error) == (group[1:], None)
    # Ten batches of no length are all played.
    assert len(parallel._work(lambda batch: fake_play(*batch), group)[0]) == len(TASKS)


def test_ctrl_c_while_rows_are_written_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ledger.csv"
    fsync = os.fsync

    def interrupted(descriptor: int) -> None:
        fsync(descriptor)
        raise KeyboardInterrupt

    rows = [row(TASKS[0], first, 10) for first in (0, 10, 20)]
    with Ledger(path) as ledger:
        ledger.append(rows[:1])
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", interrupted)
            with pytest.raises(KeyboardInterrupt):
                ledger.append(rows[1:])
    assert read_ledger(path).rows == (row(TASKS[0], 0, 30),)


def test_a_long_run_keeps_its_ledger_short(
    tmp_path: Path, uninterrupted: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Days of small batches would make a file that does not fit into memory."""
    path = tmp_path / "ledger.csv"
    monkeypatch.setattr("msdensity.runs.ledger.MAX_LINES", 20)
    lines: list[int] = []

    class Watched(Ledger):
        def append(self, rows: list[Row], seconds: list[float]) -> None:  # type: ignore[override]
            super().append(rows, seconds)
            lines.append(path.read_bytes().count(b"\n"))

    monkeypatch.setattr("msdensity.runs.sweep.Ledger", Watched)
    monkeypatch.setattr("msdensity.runs.parallel.CALL_SECONDS", 0.0)  # a batch a call
    sweep(path, batch=5)
    assert len(lines) == GAMES // 5 * len(TASKS)
    assert 20 < max(lines) < 60
    assert path.read_bytes() == uninterrupted
    notes = pd.read_csv(path.with_suffix(".cpu.csv"))
    assert len(notes) < 60
    assert notes.games.sum() == GAMES * len(TASKS)


def test_damaged_notes_do_not_stop_a_run(
    tmp_path: Path, uninterrupted: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line without its end, one glued to it, words for numbers, no header."""
    path = tmp_path / "ledger.csv"
    notes = path.with_suffix(".cpu.csv")
    notes.write_text("a,0,10,1.5\nb,0,x,2\nc,0,1d,0,10,2.5\na,10,10,2.25\ne,0,1")
    (tmp_path / ".ledger.cpu.csv.7.tmp").write_text("of a process that was killed")
    monkeypatch.setattr("msdensity.runs.ledger.MAX_LINES", 20)
    monkeypatch.setattr("msdensity.runs.parallel.CALL_SECONDS", 0.0)
    sweep(path, batch=10)
    assert path.read_bytes() == uninterrupted
    lines = notes.read_text().splitlines()
    assert lines[:2] == ["task_id,first_game,games,cpu_seconds", "a,0,20,3.750000"]
    assert cpu_seconds(path) > 3.75
    assert list(tmp_path.glob(".*.tmp")) == []


def test_an_error_after_some_seconds_is_the_one_that_is_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(task: Task, first_game: int, games: int) -> dict[str, int]:
        raise MemoryError("no more")

    monkeypatch.setattr("msdensity.runs.progress.PROGRESS_SECONDS", 0.0)
    with pytest.raises(MemoryError, match="no more"):
        sweep(tmp_path / "ledger.csv", play=fail)


def test_tasks_with_games_of_their_own_share_a_ledger(tmp_path: Path) -> None:
    games = {TASKS[0]: 20, TASKS[1]: 50, TASKS[2]: 20}
    played = play_unequal(tmp_path / "a.csv", games)
    assert dict(zip(played.table["mines"], played.table["games"], strict=True)) == {
        task.mines: n for task, n in games.items()
    }
    alone = play_table({tmp_path / "b.csv": [TASKS[1]]}, 50)
    pd.testing.assert_frame_equal(
        played.table[played.table["games"] == 50].reset_index(drop=True), alone.table
    )
    assert not played.more_games and played.ledgers == (tmp_path / "a.csv",)
    more = play_unequal(tmp_path / "a.csv", games | {TASKS[0]: 30})
    assert more.table["games"].tolist() == [30, 50, 20] and not more.more_games
