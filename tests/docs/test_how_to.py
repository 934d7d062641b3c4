"""The examples of four pages of docs/how-to, run as they are."""

import contextlib
import importlib.util
import io
import json
import re
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from brute_force import neighbour_lists

from msdensity.cli import main
from msdensity.games.boards import Board
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.players import registry

PAGES = Path(__file__).parent.parent.parent / "docs" / "how-to"


def examples(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (PAGES / page).read_text(), flags=re.DOTALL)


OWN, PLAYER, ENTRY = examples("player.md")
(TABLE,) = examples("topology.md")
(DIFFICULTY,) = examples("difficulty.md")
(EXACT,) = examples("exact.md")


LOWEST = """
import numpy as np


def choose(view, safeties):
    covered = [tuple(cell) for cell in np.argwhere(view.covered)]
    floating = [
        cell for cell in covered if all(view.numbers[near] < 0 for near in view.neighbours(cell))
    ]
    bound = safeties[floating[0]] if floating else np.nanmax(safeties)
    return next(cell for cell in covered if safeties[cell] >= bound)
"""


def test_the_player_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "lowest_index.py"
    file.write_text(PLAYER)
    name = "msdensity.players.lowest_index"
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    info = eval(ENTRY, {"PlayerInfo": registry.PlayerInfo})
    monkeypatch.setitem(registry.PLAYERS, "lowest_index", info)
    games = 2000
    theirs = play_batch(Task(Board((8, 8)), 10, "lowest_index", seed=3), 0, games)
    best = play_batch(Task(Board((8, 8)), 10, "weighted", seed=3), 0, games)
    # a guess at the safest cell wins more, and both meet the same boards
    assert 0 < theirs["wins"] < best["wins"]
    (tmp_path / "lowest.py").write_text(LOWEST)
    monkeypatch.chdir(tmp_path)
    task = Task(Board((8, 8)), 10, "lowest_index", seed=3)
    theirs = play_batch(task, 0, 200)
    slow = play_batch(Task(Board((8, 8)), 10, "lowest:choose", seed=3), 0, 200)
    games = ("wins", "guesses", "guesses_squared", "floating_guesses", "opened", "mines_marked")
    assert [theirs[name] for name in games] == [slow[name] for name in games]


def test_the_own_function_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cautious.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    games = 300
    sums = play_batch(Task(Board((8, 8)), 10, "cautious:choose", seed=3), 0, games)
    # it meets the same boards: those that need no guess are won by it too
    best = play_batch(Task(Board((8, 8)), 10, "weighted", seed=3), 0, games)
    assert sums["no_guess_wins"] == best["no_guess_wins"] < sums["wins"]


def test_the_topology_is_played() -> None:
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(TABLE, {})
    name, wins = output.getvalue().split()
    assert re.fullmatch(r"10-table-[0-9a-f]{16}", name)
    assert 0 < int(wins) < 1000
    assert Board.parse(name).cells == 10


def test_a_table_of_a_built_in_topology_plays_the_same_games(tmp_path: Path) -> None:
    lists = neighbour_lists((5, 6))
    file = tmp_path / "board.json"
    file.write_text(json.dumps(lists))
    own = Board.from_neighbours(file)
    assert own == Board.from_neighbours(lists)
    task = Task(Board((5, 6)), 5, seed=2)
    mine = Task(own, 5, seed=2)
    assert mine.task_id != task.task_id
    rates = [play_batch(t, 0, 4000)["wins"] / 4000 for t in (task, mine)]
    # other streams, the same game: 4 standard errors of a difference of two proportions
    assert abs(rates[0] - rates[1]) < 4 * (2 * 0.25 / 4000) ** 0.5


def test_a_configuration_may_name_a_table(tmp_path: Path) -> None:
    from msdensity.runs.config import load_config

    file = tmp_path / "ring.json"
    file.write_text(json.dumps([[(c - 1) % 9, (c + 1) % 9] for c in range(9)]))
    config = load_config({"name": "ring", "boards": [str(file), "3x3"], "games": 10})
    (ring,) = [board for board in config.boards if len(board.shape) == 1]
    tasks = config.tasks(ring.name, "weighted")
    assert len(tasks) == 8
    assert play_batch(tasks[0], 0, 10)["wins"] <= 10


def test_the_difficulty_of_a_board_is_printed(capsys) -> None:
    exec(DIFFICULTY, {})
    out = capsys.readouterr().out
    assert "8x8, 10 mines" in out and "inference-rules_pairs: win rate 0.75 at" in out


def test_the_commands_of_difficulty_are_understood(monkeypatch) -> None:
    """Without their games, which the tests of the command play."""
    commands = re.findall(r"^msdensity (.*)$", (PAGES / "difficulty.md").read_text(), re.MULTILINE)
    asked = []
    for name in ("_classes", "_sweet_spot"):
        monkeypatch.setattr(
            f"msdensity.cli.difficulty.{name}", lambda given, _: asked.append(given) or 0
        )
    assert [main(line.split()) for line in commands] == [0] * 5
    assert [given.win_rate for given in asked] == [None, None, 0.5, 0.5, 0.75]


def test_exact_win_rates_are_printed_as_the_page_says(capsys) -> None:
    exec(EXACT, {})
    first, second = capsys.readouterr().out.split()
    assert f"# {first}\n" in EXACT and Fraction(second) < Fraction(first)
    commands = re.findall(r"^msdensity (.*)$", (PAGES / "exact.md").read_text(), re.MULTILINE)
    assert main(commands[0].split()) == 0 and len(commands) == 3
    assert f"  {first}\n" in capsys.readouterr().out
