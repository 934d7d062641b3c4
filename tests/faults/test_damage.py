"""Ledgers torn, cut, doubled, re-ordered, edited, or of another run: noticed, and mended."""

import csv
import random
from pathlib import Path

import pytest
from faulty import GAMES, TASKS, contents, play, sweep

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.games.tasks import Task
from msdensity.runs import ledger as module
from msdensity.runs.ledger import LedgerWarning, read_ledger
from msdensity.runs.sweep import top_up

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:ledger")]


@pytest.fixture
def path(tmp_path) -> Path:
    """A ledger with several rows for each task, as it is in mid-sweep."""
    path = tmp_path / "3x3.weighted.csv"
    with module.Ledger(path) as ledger:
        for first in range(0, GAMES // 2, 7):
            for task in TASKS:
                measures = tuple(play(task, first, 7).values())
                ledger.append([module.Row(task, module.Counts(task.task_id, first, 7, measures))])
    return path


def whole_rows(data: bytes) -> list[tuple[int, int, int]]:
    """The batches of a ledger's lines, in their order."""
    rows = csv.DictReader(data.decode().splitlines())
    return [(int(row["mines"]), int(row["first_game"]), int(row["games"])) for row in rows]


def test_a_ledger_cut_anywhere(path, whole, tally) -> None:
    chance = random.Random(1)
    found = tally("ledger cut at any byte (torn, truncated)")
    data = path.read_bytes()
    batches = whole_rows(data)
    ends = [i + 1 for i, byte in enumerate(data) if byte == ord("\n")][1:]
    for _ in range(60):
        cut = chance.randrange(len(data))
        path.write_bytes(data[:cut])
        kept = sum(end <= cut for end in ends)
        if cut not in (0, *ends) and cut > ends[0]:
            with pytest.warns(LedgerWarning, match="torn last line"):
                read_ledger(path)
        found.judge(path, batches[:kept], whole)
        sweep(path)
        assert path.read_bytes() == whole
    assert found.clean


def test_lines_doubled(path, whole, tally) -> None:
    chance = random.Random(2)
    found = tally("ledger with a line twice")
    lines = path.read_bytes().splitlines(keepends=True)
    for _ in range(60):
        copy = chance.randrange(1, len(lines))
        place = chance.randrange(1, len(lines) + 1)
        path.write_bytes(b"".join([*lines[:place], lines[copy], *lines[place:]]))
        # Refused by every door, with what to do.
        for door in (read_ledger, sweep):
            with pytest.raises(InputError, match=r"overlap.*delete one of the rows"):
                door(path)
        found.trials += 1
    path.write_bytes(b"".join(lines))
    sweep(path)
    assert path.read_bytes() == whole
    assert found.clean


def test_lines_in_another_order(path, whole, tally) -> None:
    chance = random.Random(3)
    found = tally("ledger with its lines in another order")
    header, *lines = path.read_bytes().splitlines(keepends=True)
    batches = whole_rows(path.read_bytes())
    for _ in range(40):
        chance.shuffle(lines)
        path.write_bytes(b"".join([header, *lines]))
        found.judge(path, batches, whole)
        sweep(path)
        assert path.read_bytes() == whole
    assert found.clean


def test_a_byte_edited(path, whole, tally) -> None:
    """Each single change of a character is noticed; the line's games are played again."""
    chance = random.Random(4)
    found = tally("ledger with a character edited")
    data = path.read_bytes()
    batches = whole_rows(data)
    start = data.index(b"\n") + 1
    for _ in range(150):
        # Not a line's end: who joins two lines has to delete both.
        place = chance.choice([i for i in range(start, len(data)) if data[i] != ord("\n")])
        new = chance.choice([c for c in b"0123456789," if c != data[place]])
        path.write_bytes(data[:place] + bytes([new]) + data[place + 1 :])
        number = data[:place].count(b"\n")
        lines = path.read_bytes().splitlines(keepends=True)
        if number == len(batches):
            # The last line may have been torn, so it is left out without help.
            with pytest.warns(LedgerWarning):
                read_ledger(path)
        else:
            with pytest.raises(
                InputError, match=f"line {number + 1} does not match.*or delete the line"
            ):
                read_ledger(path)
            del lines[number]
            path.write_bytes(b"".join(lines))
        found.judge(path, batches[: number - 1] + batches[number:], whole)
    sweep(path)
    assert path.read_bytes() == whole
    assert found.clean


@pytest.mark.parametrize(
    ("what", "other", "message"),
    [
        ("seed", [Task(Board((3, 3)), 1, seed=5)], "seed=0 and would get seed=5: give"),
        ("board", [Task(Board((3, 4)), 1)], "board=3x3 and would get board=3x4: give"),
        ("player", [Task(Board((3, 3)), 1, "listing")], "player=weighted and would get"),
    ],
)
def test_a_ledger_of_another_run(path, whole, tally, what, other, message) -> None:
    found = tally("ledger of another seed, board or player")
    data = path.read_bytes()
    with pytest.raises(InputError, match=message):
        top_up(other, GAMES, path, play=play)
    assert path.read_bytes() == data
    found.judge(path, whole_rows(data), whole)
    assert found.clean


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda patch: patch.setattr(module, "KERNEL_VERSION", 99), "kernel_version.*move the led"),
        (
            lambda patch: patch.setattr(module, "_HEADER", b"task_id,more,games"),
            "other version|other columns.*: move it away",
        ),
    ],
    ids=["kernel version", "schema"],
)
def test_a_ledger_of_another_version(path, whole, tally, monkeypatch, change, message) -> None:
    found = tally("ledger of another kernel version or schema")
    data = path.read_bytes()
    with monkeypatch.context() as patch:
        change(patch)
        with pytest.raises(InputError, match=message):
            sweep(path)
    assert path.read_bytes() == data
    found.judge(path, whole_rows(data), whole)
    assert found.clean


def test_the_games_of_the_mended_ledger_are_all_there(path, whole) -> None:
    sweep(path)
    assert sum(each.counts.games for each in contents(path).rows) == GAMES * len(TASKS)
