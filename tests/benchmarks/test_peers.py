"""The comparison with other solvers runs without any, and times a program that is given."""

import re
import shlex
import sys

import pytest

from benchmarks import peers
from msdensity.games.boards import Board
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task

QUICK = ["--board", "3x3", "--mines", "2"]
# Wins a quarter of its games; the CPU time of a game is proportional to its second argument.
FAKE = "import sys; n, cost = map(int, sys.argv[1:]); sum(range(cost * n)); print('won', n // 4)"


def fake(cost: int) -> list[str]:
    return [sys.executable, "-S", "-c", FAKE, "{games}", str(cost)]


def test_without_peers_it_times_msdensity_and_names_what_is_absent(capsys, monkeypatch) -> None:
    monkeypatch.setattr(peers, "OWN", fake(3_000))
    monkeypatch.setattr(peers, "find_spec", lambda name: None)
    peers.main([*QUICK, "--rounds", "1", "--seconds", ".01"])
    lines = capsys.readouterr().out.splitlines()
    assert re.search(r"msdensity +[\d.]+ us a game, 1\.00x \(1\.00 to 1\.00\)", lines[1])
    assert re.search(r"msdensity +[\d.]+ ms", lines[3])
    assert [line.split()[1] for line in lines[4:]] == ["minesolve", "ms_toollib", "every"]


def test_its_own_games_are_those_of_play_batch() -> None:
    spent, wins = peers.run(peers.OWN, rows=3, columns=3, mines=2, games=50, seed=7)
    assert spent > 0
    assert wins == play_batch(Task(Board((3, 3)), 2, seed=7), 0, 50)["wins"]


def test_a_program_takes_turns_and_its_wins_are_counted(capsys, monkeypatch) -> None:
    monkeypatch.setattr(peers, "OWN", fake(3_000))
    slow = shlex.join(fake(60_000))
    peers.main([*QUICK, "--rounds", "2", "--seconds", ".05", "--command", f"slow={slow}"])
    (line,) = (line for line in capsys.readouterr().out.splitlines() if " slow " in line)
    ratio = float(re.search(r"([\d.]+)x", line)[1])
    assert 10 < ratio < 40  # it takes 20 times as long
    assert "won 25.00 % (" in line


def test_a_program_that_prints_no_wins_is_refused() -> None:
    with pytest.raises(SystemExit, match="must print how many games it won"):
        peers.run([sys.executable, "-c", "print('none')"])
    with pytest.raises(SystemExit, match="exit with 0"):
        peers.run([sys.executable, "-c", "print(5); raise SystemExit(3)"])
