"""Replayed games are the same, or the difference is named."""

import json
import subprocess
import sys

import pytest

from msdensity.cli import main
from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.games.tasks import Task
from msdensity.kernel.measures import MEASURES
from msdensity.runs.counts import Counts
from msdensity.runs.ledger import Ledger, read_ledger, render
from msdensity.runs.rows import Row
from msdensity.runs.sweep import top_up
from msdensity.runs.verify import ledgers_in, verify


@pytest.fixture
def data(tmp_path):
    for side in (3, 4):
        board = Board((side, side))
        tasks = [Task(board, mines, seed=9) for mines in range(1, board.cells)]
        top_up(tasks, 50, tmp_path / "run" / "ledger" / f"{board.name}.csv")
    (tmp_path / "run" / "fits.csv").write_text("board,P\n3x3,0.3\n")
    return tmp_path


def test_recorded_games_replay_to_the_same_counts(data) -> None:
    assert [path.name for path in ledgers_in(data)] == ["3x3.csv", "4x4.csv"]
    found = verify(data, 1000)
    assert found.ok and (found.ledgers, found.rows, found.rows_played) == (2, 8 + 15, 8 + 15)
    assert found.games_played == 50 * found.rows
    assert verify(data, 5, seed=1) == verify(data, 5, seed=1)
    assert verify(data / "run" / "ledger" / "3x3.csv", 3).rows == 8


def test_a_count_that_was_changed_with_its_checksum_is_found(data, capsys) -> None:
    path = data / "run" / "ledger" / "4x4.csv"
    rows = list(read_ledger(path).rows)
    measures = list(rows[2].counts.measures)
    measures[0] -= 1
    counts = Counts(rows[2].counts.task_id, 0, 50, tuple(measures))
    rows[2] = Row(rows[2].task, counts)
    path.write_bytes(render(rows))
    found = verify(data, 1000)
    (difference,) = found.differences
    assert (difference.mines, difference.measure) == (3, "wins")
    assert difference.played == difference.recorded + 1
    assert main(["verify", str(data), "--rows", "1000"]) == 1
    assert "wins is" in capsys.readouterr().out
    assert main(["verify", str(data), "--rows", "1000", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["differences"][0]["measure"] == "wins"


def test_a_folder_may_have_the_name_of_a_table(data) -> None:
    (data / "folder.csv").mkdir()
    (data / "long.csv").write_text("task_id" + "," * 10**6)
    assert len(list(ledgers_in(data))) == 3
    (data / "long.csv").unlink()
    assert verify(data, 1).ledgers == 2


def test_damage_and_absence_are_one_clear_error(data, tmp_path) -> None:
    path = data / "run" / "ledger" / "3x3.csv"
    text = path.read_bytes()
    path.write_bytes(text.replace(b",50,", b",51,", 1))
    with pytest.raises(InputError, match="ledger"):
        verify(data)
    path.write_bytes(text[1:])
    assert main(["verify", str(path)]) == 2
    with pytest.raises(InputError, match="must be a folder with ledgers"):
        verify(tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="holds no ledger"):
        verify(tmp_path / "empty")
    with pytest.raises(InputError, match="rows=0 must be"):
        verify(data, 0)


def test_a_ledger_being_written_is_read(data) -> None:
    with Ledger(data / "run" / "ledger" / "3x3.csv"):
        assert verify(data, 2).ok


def test_games_on_a_custom_board_are_verified_with_its_file(tmp_path, capsys) -> None:
    file = tmp_path / "ring.json"
    file.write_text(json.dumps([[(c - 1) % 12, (c + 1) % 12] for c in range(12)]))
    board = Board.from_neighbours(file)
    top_up([Task(board, 2), Task(board, 3)], 50, tmp_path / "own" / f"{board.name}.csv")
    argv = ["verify", str(tmp_path / "own")]
    run = [sys.executable, "-m", "msdensity", *argv]  # which has not seen the table yet
    found = subprocess.run(run, capture_output=True, text=True, check=False)
    assert found.returncode == 2 and "must be made by Board.from_neighbours" in found.stderr
    found = subprocess.run([*run, "--board", file], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: b"\n" + data,
        lambda data: data.replace(b"task_id", b"task_ib", 1),
        lambda data: b'"' + data.replace(b",", b'","', 5),
        lambda data: data.upper(),
        lambda data: b"nothing of it\n" + data.partition(b"\n")[2],
    ],
)
def test_a_ledger_with_a_damaged_header_is_an_error(data, damage) -> None:
    path = data / "run" / "ledger" / "4x4.csv"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(InputError, match=r"ledger .*4x4\.csv"):
        verify(data, 1)


def test_a_row_is_played_in_parts(data, monkeypatch) -> None:
    """The kernel does not stop at Ctrl-C, and a row may hold more games than it can ever play."""
    from msdensity.games import play as players

    asked = []
    real = players.play_batch

    def noting(task, first_game, games):
        asked.append(games)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return real(task, first_game, games)

    task = Task(Board((3, 3)), 2)
    counts = Counts(task.task_id, 0, 2**61, dict.fromkeys(MEASURES, 0))
    path = data / "many.csv"
    path.write_bytes(render([Row(task, counts)]))
    monkeypatch.setattr(players, "play_batch", noting)
    found = verify(path, 1)
    assert (found.too_long, found.rows_played) == (1, 0) and "--all replays them" in found.report()
    with pytest.raises(KeyboardInterrupt):
        verify(path, None)
    assert asked == [1000] * 3


def test_parts_add_up(data, monkeypatch) -> None:
    monkeypatch.setattr("msdensity.runs.verify.PART", 7)
    found = verify(data, 1000)
    assert found.ok and found.games_played == 50 * found.rows
