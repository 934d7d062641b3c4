"""Custom players in plain Python."""

import sys
from pathlib import Path

import numpy as np
import pytest

from msdensity.cli import main
from msdensity.errors import InputError
from msdensity.files.own_code import load_own_code
from msdensity.files.tables import write_table
from msdensity.games.boards import Board
from msdensity.games.game import play_game
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.measures import CREDITS
from msdensity.runs.ledger import read_ledger
from msdensity.runs.sweep import play_table
from msdensity.runs.verify import verify
from msdensity.stats.columns import WIN_RATE_COLUMNS

SOURCE = '''
import numpy as np


def as_weighted(view, safeties):
    """Highest safety; fewest neighbours, most opened neighbours, lowest index (Annex A.1)."""
    best = np.nanmax(safeties)

    def rank(cell):
        near = view.neighbours(cell)
        return len(near), -sum(view.numbers[d] >= 0 for d in near), cell

    return min(map(tuple, np.argwhere(safeties >= best - 1e-11 * best)), key=rank)


def anywhere(view, safeties):
    assert (np.isnan(safeties) != view.covered).all() and view.mines_left > 0
    return view.rng.choice(np.argwhere(view.covered))


def look(view, safeties):
    seen.append((view.numbers, view.covered, view.game))


def nowhere(view, safeties):
    return None


def opened(view, safeties):
    return np.argwhere(view.numbers >= 0)[0]


def text(view, safeties):
    return "a1"


def failing(view, safeties):
    return [][view.guesses]


not_callable, seen = 3, []
'''


def load(folder: Path, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write a module `mine` to the working directory; it is imported as in a new process."""
    (folder / "mine.py").write_text(source)
    monkeypatch.chdir(folder)
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    load_own_code.cache_clear()


@pytest.fixture(autouse=True)
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load(tmp_path, SOURCE, monkeypatch)


def task(name: str, board: str = "6x6", mines: int = 8) -> Task:
    return Task(Board.parse(board), mines, f"mine:{name}", seed=4)


@pytest.mark.parametrize("board", ["6x6", "5x6-torus8", "6x6-hexagonal", "3x3x4-cubic6"])
def test_the_same_choice_in_python_plays_the_same_games(board: str) -> None:
    custom = task("as_weighted", board)
    weighted = Task(custom.board, custom.mines, seed=custom.seed)
    sums = play_batch(custom, 0, 300)
    assert sums["guesses"] > 50
    compiled = play_batch(weighted, 0, 300)
    assert {k: n for k, n in sums.items() if k not in CREDITS} == {
        k: n for k, n in compiled.items() if k not in CREDITS
    }
    assert sums != play_batch(task("anywhere", board), 0, 300)


def test_games_do_not_depend_on_batches() -> None:
    together, parts = play_batch(task("anywhere"), 0, 40), [(30, 10), (0, 1), (1, 29)]
    sums = [play_batch(task("anywhere"), *part) for part in parts]
    assert together == {name: sum(part[name] for part in sums) for name in together}
    assert together != play_batch(task("anywhere"), 40, 40)


def test_moves_are_recorded_and_none_gives_the_game_up() -> None:
    played = play_game(task("anywhere"), 3)
    assert played.game().status == played.status
    given_up = [play_game(task("nowhere"), g).status for g in range(10)]
    assert "stuck" in given_up
    assert "lost" not in given_up


@pytest.mark.parametrize(
    "name, message",
    [
        ("opened", r"player=mine:opened, game 0, guess 1: cell=.* must be a covered cell of the 6"),
        ("text", r"game 0, guess 1: cell='a1' must be a covered cell"),
        ("failing", r"game 0, guess 1: IndexError: list index out of range"),
        ("not_callable", r"player=mine:not_callable must be a function"),
        ("absent", r"player=mine:absent: .*mine.py has no absent"),
    ],
)
def test_a_wrong_function_is_one_error(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        play_batch(task(name, mines=12), 0, 1)


def test_a_module_that_cannot_be_imported_is_one_error() -> None:
    with pytest.raises(
        InputError, match="player=nothing:here: cannot import nothing: Mod"
    ) as error:
        Task(Board((4, 4)), 3, "nothing:here")
    places = f"looked in the working folder, {Path.cwd()}, and in Python's, but not beside a conf"
    assert places in str(error.value)


def test_another_source_is_another_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = task("as_weighted")
    names = {before.task_id, before.label}
    ledger = tmp_path / f"6x6.{before.label}.csv"
    table = play_table({ledger: [before]}, 50).table
    assert table["games"].tolist() == [50]
    assert verify(tmp_path, 5).ok
    load(tmp_path, SOURCE + "\nas_weighted.version = 2\n", monkeypatch)
    after = task("as_weighted")
    assert after.options["version"] == "2"
    assert not names & {after.task_id, after.label}
    with pytest.raises(InputError, match=r"source='\w+' of player mine:as_weighted must be"):
        read_ledger(ledger)


def test_verify_skips_what_is_not_here_and_checks_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    ring = Board.from_neighbours([[(c - 1) % 12, (c + 1) % 12] for c in range(12)])
    for played in (task("as_weighted"), Task(ring, 3), Task(Board((4, 4)), 3)):
        table = play_table({data / f"{played.board.name}.{played.label}.csv": [played]}, 50).table
        write_table(data / f"{played.board.name}.csv", table, WIN_RATE_COLUMNS)
    assert main(["verify", str(data)]) == 0 and "skipped" not in capsys.readouterr().out
    (tmp_path / "mine.py").unlink()
    load_own_code.cache_clear()
    monkeypatch.delitem(sys.modules, "mine")
    monkeypatch.setattr("msdensity.kernel.topology._custom_tables", {})
    found = verify(data, 5)
    assert not found.ok and found.audit.faults == found.differences == ()
    assert (found.ledgers, found.rows_played, found.audit.rows) == (1, 1, 1)
    board, player = found.skipped
    assert "6x6.mine:as_weighted" in player and "cannot import mine" in player
    assert "must be made by Board.from_neighbours" in board
    assert main(["verify", str(data)]) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("2 ledgers skipped, because their player or board is not here")


def test_a_view_shows_only_what_is_opened() -> None:
    """In every game with a guess, the view equals what a person sees in a replay."""
    seen = load_own_code("player", "mine:anywhere").value.__globals__["seen"]
    for g in range(10):
        seen.clear()
        played = play_game(task("look"), g)
        if not seen:
            assert not played.guesses and played.status == "won"
            continue
        ((numbers, covered, game),) = seen
        shown = np.array([list(row) for row in played.game().view()])
        assert game == g
        assert (covered == (shown == ".")).all() and (numbers == -2).sum() == (shown == "F").sum()
        assert [str(n) for n in numbers[numbers >= 0]] == [n for n in shown.flat if n.isdecimal()]
