"""Ledgers torn, cut, doubled, re-ordered, edited, or of another run: noticed, and mended."""

import csv
import random
from pathlib import Path

import pytest
from faulty import GAMES, TASKS, contents, play, row, sweep

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.games.tasks import Task
from msdensity.runs import ledger as module
from msdensity.runs.sweep import top_up
from sizes import sizes

pytestmark = pytest.mark.filterwarnings("ignore:ledger")


@pytest.fixture
def path(tmp_path) -> Path:
    """A ledger with several rows for each task, as it is in mid-sweep."""
    path = tmp_path / "3x3.weighted.csv"
    with module.Ledger(path) as ledger:
        for first in range(0, GAMES // 2, 7):
            for task in TASKS:
                ledger.append([row(task, first, 7)])
    return path


def whole_rows(data: bytes) -> list[tuple[int, int, int]]:
    """The batches of a ledger's lines, in their order."""
    rows = csv.DictReader(data.decode().splitlines())
    return [(int(row["mines"]), int(row["first_game"]), int(row["games"])) for row in rows]


@pytest.mark.parametrize("trials", sizes(6, 60))
def test_lines_doubled_and_in_another_order(path, whole, tally, trials) -> None:
    chance = random.Random(2)
    found = tally("ledger with a line twice, and its lines in another order")
    batches = whole_rows(path.read_bytes())
    lines = path.read_bytes().splitlines(keepends=True)
    for _ in range(trials):
        copy = chance.randrange(1, len(lines))
        place = chance.randrange(1, len(lines) + 1)
        body = [*lines[1:place], lines[copy], *lines[place:]]
        chance.shuffle(body)
        path.write_bytes(b"".join([lines[0], *body]))
        found.judge(path, batches, whole)
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
