"""Rows that overlap, in one ledger or several: each game counts once, whoever played it."""

import io
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from faulty import GAMES, TASKS, play, row, sweep

from msdensity.cli import main
from msdensity.errors import InputError
from msdensity.files.atomic import atomic_write
from msdensity.games.boards import Board
from msdensity.games.tasks import Task
from msdensity.runs import ledger as ledger_module
from msdensity.runs.counts import Counts
from msdensity.runs.jobs import ledger_path, ledgers, siblings
from msdensity.runs.ledger import Ledger, read_ledger, read_together, render
from msdensity.runs.rows import Row, by_task, merge
from msdensity.runs.sweep import Batch, _games_held, play_table, top_up
from msdensity.runs.verify import verify

pytestmark = pytest.mark.filterwarnings("ignore:ledger")


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "3x3.weighted.csv"
    sweep(path)
    return path.read_bytes()


def rows(first: int, games: int) -> list[Row]:
    return [row(task, first, games) for task in TASKS]


def lines(*ranges: tuple[int, int]) -> bytes:
    """A ledger in the middle of a sweep: a line for each range, whether they overlap or not."""
    header, *_ = render(rows(0, 1)).splitlines(keepends=True)
    held = [render([each]) for span in ranges for each in rows(*span)]
    return header + b"".join(data.removeprefix(header) for data in held)


A, B = lines((0, 7), (7, 7), (21, 14)), lines((0, 10), (35, 35))

JOINED: dict[str, tuple[bytes, int]] = {
    # name -> bytes, games of a task that are still to be played
    "one behind the other": (A + B, 7),
    "in the other order": (B + A, 7),
    "with a torn tail": (A + B[:-40], 7),
    "with the line ends of another system": ((A + B).replace(b"\n", b"\r\n"), 7),
    "with some of them": (A + B.replace(b"\n", b"\r\n"), 7),
    "a copy of an older state": (A + lines((0, 7), (7, 7)), 42),
    "three ranges that overlap": (lines((0, 30), (20, 30), (40, 30)), 10),
    "others, of which two fit": (lines((10, 30), (0, 20), (20, 30)), 20),
    "a long row over short ones": (lines((0, 7), (7, 7), (0, 60)), 10),
    "rows beyond the target": (lines((0, 10), (5, 20)), 50),
    "all of them, by a run that ended before it compacted": (lines((35, 35), (0, 35)), 0),
}


@pytest.mark.parametrize("name", JOINED)
def test_a_joined_ledger_is_topped_up_to_the_bytes_of_one_run(tmp_path, whole, name) -> None:
    data, missing = JOINED[name]
    path = tmp_path / "3x3.weighted.csv"
    path.write_bytes(data)
    torn = GAMES // 2 if "torn" in name else 0  # the last line is the last task's second half
    assert sweep(path) == missing * len(TASKS) + torn
    assert path.read_bytes() == whole
    assert sweep(path) == 0


def test_no_order_of_lines_matters(tmp_path, whole) -> None:
    chance = random.Random(3)
    header, *body = lines((0, 30), (20, 30), (40, 30), (3, 4), (0, 30)).splitlines(keepends=True)
    path = tmp_path / "3x3.weighted.csv"
    found = set()
    for _ in range(20):
        chance.shuffle(body)
        path.write_bytes(header + b"".join(body))
        found.add(read_ledger(path).rows)
    assert found == {tuple(merge([*rows(0, 30), *rows(40, 30)]))}


def test_the_log_says_how_many_games_are_played_again(tmp_path, whole) -> None:
    path, log = tmp_path / "3x3.weighted.csv", io.StringIO()
    path.write_bytes(lines((0, 40), (30, 40)))
    assert sweep(path, log=log) == 30 * len(TASKS)
    assert "3x3.weighted: 240 of 560 games to play\n" in log.getvalue()
    # Games 40 to 69 are held by rows of games 30 to 69, which do not count.
    assert "240 of them again, because their rows overlap" in log.getvalue()
    assert path.read_bytes() == whole


def test_nothing_is_dropped_before_the_target_is_reached(tmp_path, monkeypatch, whole) -> None:
    """Not even if a long run compacts its ledger in place."""
    monkeypatch.setattr("msdensity.runs.ledger.MAX_LINES", 3)
    monkeypatch.setattr("msdensity.runs.parallel.CALL_SECONDS", 0.0)
    path = tmp_path / "3x3.weighted.csv"
    path.write_bytes(lines((0, 40), (30, 40)))
    compactions: list[int] = []
    in_place = Ledger.compact_in_place

    def watched(self: Ledger) -> None:
        in_place(self)
        assert {*rows(30, 40)} <= {*self.contents.left}
        compactions.append(len(self.contents.left))

    monkeypatch.setattr(Ledger, "compact_in_place", watched)
    sweep(path)
    assert len(compactions) > 1 and set(compactions) == {len(TASKS)}
    assert path.read_bytes() == whole


def test_lines_that_contradict_each_other_are_named_and_judged(tmp_path, capsys) -> None:
    task = Task(Board((3, 3)), 2)
    path = tmp_path / "3x3.weighted.csv"
    top_up([task], 40, path, log=io.StringIO())
    top_up([task], 20, tmp_path / "first.csv", log=io.StringIO())
    top_up([task], 40, tmp_path / "second.csv", first_game=20, log=io.StringIO())
    for name in ("first.csv", "second.csv"):
        with open(path, "ab") as file:
            file.write((tmp_path / name).read_bytes())
    (kept,) = read_ledger(path).rows
    assert kept.counts.games == 40 and verify(path, 1).ok
    data = path.read_bytes()
    (wrong,) = render([kept]).splitlines()[1:]
    (right,) = render(read_ledger(tmp_path / "first.csv").rows).splitlines()[1:]
    # Counts of the first games that are not what was played.
    other = Row(task, Counts(task.task_id, 0, 20, (0, *kept.counts.measures[1:])))
    path.write_bytes(data.replace(right, render([other]).splitlines()[1]))
    with pytest.raises(InputError) as refused:
        top_up([task], 50, path, log=io.StringIO())
    found = re.findall(r"line (\d) of ledger", str(refused.value))
    assert found == ["2", "4", "6"] and wrong in data
    assert main(["verify", str(path), "--rows", "1"]) == 1
    out = capsys.readouterr().out
    assert f"{path}, line 4: mines=2, games 0..19: wins is" in out
    assert "line 2" not in out and "line 6" not in out


def path_of(folder: Path, first_game: int = 0) -> Path:
    return ledger_path(folder, "3x3", "weighted", first_game)


def part(folder: Path, first: int, end: int) -> int:
    where, log = path_of(folder, first), io.StringIO()
    return top_up(TASKS, end, where, first_game=first, play=play, batch=7, log=log)


def table(folder: Path, whole: bytes, tmp_path: Path) -> None:
    """Check that the ledgers of a board come to the same table as one run."""
    with atomic_write(tmp_path / "one.csv") as file:
        file.write(whole.decode())
    found = play_table({path_of(folder): TASKS}, GAMES, play=play, log=io.StringIO())
    one = play_table({tmp_path / "one.csv": TASKS}, GAMES, play=play, log=io.StringIO())
    assert found.table.equals(one.table)
    assert found.ledgers == tuple(ledgers(folder, "3x3", "weighted"))


def test_siblings_are_the_ledgers_of_a_board_and_player(tmp_path: Path) -> None:
    for name in (
        *("3x3.weighted.csv", "3x3.weighted.from50.csv", "3x3.weighted.from70.csv"),
        *("3x3.weighted.cpu.csv", "3x3.weighted.from50.cpu.csv", "3x3.weighted-ties-random.csv"),
        *("3x4.weighted.from50.csv", "3x3.weighted.fromx.csv", "x3x3.weighted.csv", "notes.txt"),
        "3x3.weighted.from90.csv.lock",
    ):
        (tmp_path / name).touch()
    base, half, late = (path_of(tmp_path, first) for first in (0, 50, 70))
    assert siblings(base) == [half, late]
    assert siblings(half) == [base, late]
    assert siblings(tmp_path / "notes.txt") == []
    assert siblings(tmp_path / "none" / "3x3.weighted.csv") == []
    assert ledgers(tmp_path, "3x3", "weighted") == [base, half, late]


@pytest.mark.parametrize("cuts", [(0, 30), (30, 0), (0, 10, 20, 30, 40, 50, 60), (60, 20, 0, 40)])
def test_ledgers_of_a_board_are_one_set_of_rows(tmp_path, whole, cuts) -> None:
    folder = tmp_path / "ledger"
    ends = [min([c for c in (*cuts, GAMES) if c > first]) for first in cuts]
    assert [part(folder, *each) for each in zip(cuts, ends, strict=True)] == [
        (end - first) * len(TASKS) for first, end in zip(cuts, ends, strict=True)
    ]
    # A job of other cuts plays nothing again; one that overlaps is redundant, never wrong.
    assert part(folder, 5, GAMES) == 0
    table(folder, whole, tmp_path)
    path_of(folder, 3).write_bytes(lines((3, 20), (30, 31)))
    table(folder, whole, tmp_path)


def test_of_ledgers_that_overlap_the_best_choice_counts(tmp_path, whole) -> None:
    """Whichever rows were joined while the ledgers were read one by one."""
    folder = tmp_path / "ledger"
    folder.mkdir()
    held = {0: lines((0, 20), (20, 20)), 10: lines((10, 10)), 20: lines((20, 50))}
    for first, data in held.items():
        path_of(folder, first).write_bytes(data)
    assert read_together(ledgers(folder, "3x3", "weighted"))[0] == merge(rows(0, GAMES))
    assert part(folder, 0, GAMES) == 0
    table(folder, whole, tmp_path)


def test_a_sibling_of_another_run_is_the_one_that_is_named(tmp_path: Path) -> None:
    other = [Task(Board((3, 3)), 1, seed=2)]
    half = path_of(tmp_path, 30)
    top_up(other, GAMES, half, first_game=30, play=play, log=io.StringIO())
    with pytest.raises(InputError, match=f"ledger {half} has seed=2 and would get seed=0"):
        part(tmp_path, 0, 30)


def test_games_of_gaps_that_rows_hold_are_counted_once() -> None:
    chance = random.Random(5)
    for _ in range(200):
        held = [row(TASKS[0], chance.randrange(60), chance.randrange(1, 9)) for _ in range(8)]
        ends = sorted(chance.sample(range(80), 6))
        gaps = [Batch(TASKS[0], a, b - a) for a, b in zip(ends[::2], ends[1::2], strict=True)]
        inside = {g for each in held for g in range(each.counts.first_game, each.counts.stop)}
        wanted = {g for _, first, games in gaps for g in range(first, first + games)}
        by_game = sorted(held, key=lambda each: each.counts.first_game)
        assert _games_held(gaps, by_game) == len(inside & wanted)


def test_many_ledgers_whose_rows_do_not_adjoin_are_merged_a_few_times(tmp_path, monkeypatch):
    """Merging after each ledger took as long as the square of their number."""
    apart, merged = [row(TASKS[0], 2 * i, 1) for i in range(800)], []

    def counting(own: list[Row]) -> Iterator[list[Row]]:
        merged.append(len(own))
        return by_task(own)

    paths = [tmp_path / f"3x3.weighted.from{i}.csv" for i in range(40)]
    for i, path in enumerate(paths):
        path.write_bytes(render(apart[i::40]))
    monkeypatch.setattr(ledger_module, "by_task", counting)
    monkeypatch.setattr(ledger_module, "_ROWS_UNMERGED", 40)
    assert read_together(paths) == (apart, [])
    assert sum(merged) < 4 * len(apart)
