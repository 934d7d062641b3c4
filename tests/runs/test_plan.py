"""What a run will cost: counted exactly, timed by a pilot, and nothing written."""

import time
from pathlib import Path

from msdensity.cli import main
from msdensity.games.tasks import Task
from msdensity.runs.config import load_config
from msdensity.runs.plan import plan
from msdensity.runs.sweep import top_up

CONFIG = {"name": "t", "boards": ["3x3", "4x4"], "games": 1000, "seed": 3}


def test_it_counts_what_is_left(tmp_path: Path) -> None:
    config = load_config(CONFIG)
    fresh = plan(config, tmp_path)
    assert [(c.board, c.games, c.there) for c in fresh.costs] == [
        ("3x3", 8000, 0),
        ("4x4", 15000, 0),
    ]
    assert list(tmp_path.iterdir()) == []
    top_up(config.tasks("3x3", "weighted"), 400, tmp_path / "t/ledger/3x3.weighted.csv")
    again = plan(config, tmp_path)
    assert (again.costs[0].games, again.costs[0].there) == (8 * 600, 8 * 400)
    top_up(config.tasks("3x3", "weighted"), 1000, tmp_path / "t/ledger/3x3.weighted.csv")
    done = plan(config, tmp_path).costs[0]
    assert (done.games, done.cpu_seconds) == (0, 0)


def test_the_cost_grows_with_the_board_and_with_the_games() -> None:
    cheap, dear = (plan(load_config(CONFIG | {"boards": [b]})).cpu_seconds for b in ("3x3", "9x9"))
    assert 0 < 10 * cheap < dear  # 10 times the tasks, and larger boards
    many = plan(load_config(CONFIG | {"boards": ["9x9"], "games": 10_000})).cpu_seconds
    assert 3 * dear < many < 30 * dear


def test_work_done_once_for_a_board_is_not_counted_as_time_of_a_game(monkeypatch) -> None:
    """The first game on a board makes its tables: on a large one, a hundred times its time."""
    played = set()

    def play(task: Task, first_game: int, games: int) -> dict[str, int]:
        wait = time.thread_time() + 2e-4 * games + 0.1 * (task.board not in played)
        played.add(task.board)
        while time.thread_time() < wait:
            pass
        return {}

    monkeypatch.setattr("msdensity.games.play.play_batch", play)
    (cost,) = plan(load_config(CONFIG | {"boards": ["3x3"]})).costs
    # A game takes 200 us; with the tables of the board in it, it would be 14 ms or more.
    assert 200 <= cost.cpu_us < 2000


def test_the_command_prints_it(tmp_path: Path, capsys) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("{name: t, boards: [3x3], games: 10}", encoding="utf-8")
    assert main(["plan", str(path), "--data", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "3x3" in printed and "80 games to play, 0 already played" in printed
    path.write_text("{name: t, boards: [3x3], gmaes: 10}", encoding="utf-8")
    assert main(["plan", str(path)]) == 2
    assert "unknown key 'gmaes'" in capsys.readouterr().err
