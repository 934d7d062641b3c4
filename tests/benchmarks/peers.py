"""How much other solvers that play the same way take (docs/explanation/peers.md).

`--command NAME="PROGRAM {rows} {columns} {mines} {games} {seed}"`, once for each program: it plays
that many games and prints, last, how many it won. All take turns within one run. CPU times are of a
program with its threads and children, less those of one game, so no start counts. No peer is a
dependency: without any, this prints what `msdensity` takes.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from msdensity.games.analysis import analyse
from msdensity.games.boards import Board
from msdensity.games.game import play_game
from msdensity.games.tasks import Task
from msdensity.stats.intervals import wilson

PLAY = """
import sys
import msdensity as md
board, mines, games, seed = sys.argv[1:]
task = md.Task(md.Board.parse(board), int(mines), seed=int(seed))
print(md.play_batch(task, 0, int(games))["wins"])
"""
OWN = [sys.executable, "-c", PLAY, "{rows}x{columns}", "{mines}", "{games}", "{seed}"]

Door = Callable[[list[str], int], Any]


def toollib_door() -> Door:
    """Return the analysis of ms_toollib: 10 is an unknown cell, 11 a flag."""
    analysis = import_module("ms_toollib").cal_probability_onboard
    codes = {str(number): number for number in range(9)} | {".": 10, "F": 11}
    return lambda grid, mines: analysis([[codes[cell] for cell in row] for row in grid], mines)


DOORS: dict[str, Callable[[], Door] | None] = {"ms_toollib": toollib_door, "minesolve": None}
"""Python packages that analyse a position; None: how to call it is not known here."""


def run(words: Sequence[str], **values: int) -> tuple[float, int]:
    """Return the CPU seconds of a program, and the last whole number that it prints."""
    command = [word.format(**values) for word in words]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # idle threads of numpy spin
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout
    with process.stdout:
        numbers = re.findall(r"\d+", process.stdout.read())
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode or not numbers:
        raise SystemExit(f"{shlex.join(command)} must print how many games it won, and exit with 0")
    return used.ru_utime + used.ru_stime, int(numbers[-1])


def one_round(words: Sequence[str], games: int, **values: int) -> tuple[float, int]:
    """Return CPU seconds of `games` games without the start, and how many were won."""
    start, _ = run(words, games=1, **values)
    spent, wins = run(words, games=games, **values)
    return (spent - start) * games / (games - 1), wins


def enough_games(words: Sequence[str], seconds: float, **values: int) -> int:
    """Return how many games take `seconds` CPU seconds; also compiles."""
    games = 16
    while games < 1 << 22 and one_round(words, games, seed=0, **values)[0] < seconds:
        games *= 2
    return games


def compare_games(
    commands: dict[str, list[str]], board: str, mines: int, rounds: int, seconds: float
) -> None:
    """Print us a game, the ratio to msdensity (least and most of the rounds), and win rates."""
    rows, columns = Board.parse(board).shape
    size = {"rows": rows, "columns": columns, "mines": mines}
    games = {name: enough_games(words, seconds, **size) for name, words in commands.items()}
    spent: dict[str, list[float]] = {name: [] for name in commands}
    won = dict.fromkeys(commands, 0)
    for seed in range(1, rounds + 1):
        for name, words in commands.items():
            cpu, wins = one_round(words, games[name], seed=seed, **size)
            spent[name].append(cpu / games[name] * 1e6)
            won[name] += wins
    print(f"{board}/{mines}, {rounds} rounds in turn, CPU time")
    for name, each in spent.items():
        ratios = [peer / own for peer, own in zip(each, spent["msdensity"], strict=True)]
        played = rounds * games[name]
        low, high = (100 * float(end) for end in wilson(won[name], played))
        print(
            f"  {name:12} {statistics.median(each):10.2f} us a game, "
            f"{statistics.median(ratios):.2f}x ({min(ratios):.2f} to {max(ratios):.2f}), "
            f"won {100 * won[name] / played:.2f} % ({low:.2f} to {high:.2f}) of {played}"
        )


def compare_doors(doors: dict[str, Door], rounds: int, repeats: int = 100) -> None:
    """Print CPU ms of an analysis, through Python, of one position: half of a game of 16x30/99."""
    played = play_game(Task(Board((16, 30)), 99, seed=1), 3)
    grid = [row.replace("*", ".") for row in played.game(len(played.moves) // 2).view()]
    spent: dict[str, list[float]] = {name: [] for name in doors}
    for door in doors.values():
        door(grid, 99)  # compiles
    for _ in range(rounds):
        for name, door in doors.items():
            begin = time.process_time()
            for _ in range(repeats):
                door(grid, 99)
            spent[name].append((time.process_time() - begin) / repeats * 1e3)
    print(f"an analysis of a position of 16x30/99, {rounds} rounds in turn, CPU time")
    for name, each in spent.items():
        print(f"  {name:12} {statistics.median(each):.3f} ms ({min(each):.3f} to {max(each):.3f})")


def main(words: Sequence[str] | None = None) -> None:
    """Compare what is there, and say what is not."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--command", action="append", default=[], metavar="NAME=WORDS")
    parser.add_argument("--board", default="16x30")
    parser.add_argument("--mines", type=int, default=99)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU time of a round")
    given = parser.parse_args(words)
    split = dict(command.split("=", 1) for command in given.command)
    commands = {"msdensity": OWN} | {name: shlex.split(text) for name, text in split.items()}
    compare_games(commands, given.board, given.mines, given.rounds, given.seconds)
    doors = {name: make() for name, make in DOORS.items() if make and find_spec(name)}
    compare_doors({"msdensity": analyse} | doors, given.rounds)
    for name in sorted(DOORS.keys() - doors):
        why = "its call must be added to DOORS" if find_spec(name) else "not installed"
        print(f"absent: {name} ({why})")
    if not split:
        print("absent: every program that plays games (none was given as --command NAME=WORDS)")


if __name__ == "__main__":
    main()
