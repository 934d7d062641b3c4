"""`msdensity bench`: what a game costs."""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task

BOARDS = (
    ("8x8", 10),
    ("9x9", 10),
    ("10x10", 20),
    ("16x16", 40),
    ("16x30", 99),
    ("20x20", 80),
    ("50x50", 400),
    ("100x100", 1500),
    ("200x200", 5200),
)
"""Boards and mines of the table; the first cell is a safe corner."""

PROFILED = (("9x9", 10), ("10x10", 20), ("16x16", 40), ("16x30", 99), ("50x50", 400))

ROUNDS = 5

ROUND_SECONDS = 0.4

SEED = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the sub-command."""
    parser.description = (
        "What a game costs: CPU time by board or by layer of the kernel, and the time to a first "
        "game. CPU times are for one thread after compilation, the fastest of several rounds; on a "
        "busy machine compare ratios within one run."
    )
    parser.add_argument("--profile", action="store_true", help="share of each layer of the kernel")
    parser.add_argument("--start", action="store_true", help="seconds from Python to a first game")
    parser.add_argument("--player", metavar="NAME", help="player of the table (default: weighted)")
    parser.add_argument("--json", action="store_true", help="print JSON for machines")


def run(arguments: argparse.Namespace) -> int:
    """Print what was asked for; with --json one object."""
    if arguments.player is not None and (arguments.profile or arguments.start):
        raise InputError(
            f"player={arguments.player} must be left out: --profile and --start are of weighted"
        )
    result: dict[str, object] = {}
    if arguments.profile:
        result["profile"] = {f"{b}/{m}": profile(b, m) for b, m in PROFILED}
    if arguments.start:
        result["warm_start"] = warm_start()
    if not result:
        result["table"] = [asdict(cost) for cost in table(arguments.player or "weighted")]
    if arguments.json:
        print(json.dumps(result, indent=1))
        return 0
    for name, value in result.items():
        print_result(name, value)
    return 0


@dataclass(frozen=True)
class Cost:
    """CPU time on one board: microseconds per game, ns per opened cell; and how the games ended."""

    board: str
    mines: int
    games: int
    cpu_us: float
    games_per_second: float
    win_rate: float
    win_rate_low: float
    win_rate_high: float
    guesses: float
    ns_opened: float


def measure(task: Task, seconds: float | None = None, rounds: int = ROUNDS) -> Cost:
    """Return the cost of a task, from `rounds` rounds of about `seconds` CPU seconds each.

    seconds: None for ROUND_SECONDS.
    """
    seconds = ROUND_SECONDS if seconds is None else seconds
    play_batch(task, 0, 1)  # compiles and makes the workspace
    games = 1
    while True:
        begin = time.thread_time()
        play_batch(task, 0, games)
        spent = time.thread_time() - begin
        if spent > seconds / 4 or games >= 1 << 20:
            break
        games *= 2
    games = max(1, round(games * seconds / max(spent, 1e-9)))
    best = best_opened = math.inf
    total = {"wins": 0, "guesses": 0}
    for part in range(rounds):
        begin = time.thread_time()
        sums = play_batch(task, part * games, games)
        spent = time.thread_time() - begin
        best = min(best, spent)
        best_opened = min(best_opened, spent / max(1, sums["opened"]))
        total = {name: value + sums[name] for name, value in total.items()}
    played = games * rounds
    from msdensity.stats.intervals import wilson

    low, high = wilson(total["wins"], played)
    return Cost(
        task.board.name,
        task.mines,
        played,
        best / games * 1e6,
        games / best,
        total["wins"] / played,
        float(low),
        float(high),
        total["guesses"] / played,
        best_opened * 1e9,
    )


def table(player: str = "weighted") -> list[Cost]:
    """Return the cost of each of BOARDS."""
    return [measure(Task(Board.parse(b), m, player, seed=SEED)) for b, m in BOARDS]


def warm_start() -> dict[str, float]:
    """Return the seconds from the start of Python to the end of a first game, with a warm cache.

    By clock and of CPU, user and system, each the least of several starts; the CPU time counts all
    threads.
    """
    code = (
        "from msdensity.games.boards import Board\n"
        "from msdensity.games.play import play_batch\n"
        "from msdensity.games.tasks import Task\n"
        "play_batch(Task(Board((8, 8)), 10), 0, 1)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)  # compiles, if nobody has
    best = {"wall_seconds": math.inf, "cpu_seconds": math.inf}
    for _ in range(ROUNDS):
        begin, used = time.perf_counter(), os.times()
        subprocess.run([sys.executable, "-c", code], check=True)
        spent, now = time.perf_counter() - begin, os.times()
        cpu = now.children_user + now.children_system - used.children_user - used.children_system
        best = {
            "wall_seconds": min(best["wall_seconds"], spent),
            "cpu_seconds": min(best["cpu_seconds"], cpu),
        }
    return best


def profile_here(task: Task, seconds: float = 1.0) -> dict[str, dict[str, float]]:
    """Return the shares of the layers and the counts of a game (`kernel.state`: LAYERS, COUNTS).

    The kernel must be compiled with MSDENSITY_PROFILE.
    """
    from msdensity.kernel.batch import thread_workspace
    from msdensity.kernel.state import COUNTS, LAYERS
    from msdensity.kernel.topology import cached_table

    games = 4 * measure(task, seconds / 4, 1).games
    workspace = thread_workspace(cached_table(task.board.shape, task.board.topology))
    play_batch(task, 0, 1)
    workspace.layers[: len(LAYERS)] = workspace.counts[:] = 0
    sums = play_batch(task, 0, games)
    cycles = workspace.layers[: len(LAYERS)]
    counts = {"opened": sums["opened"], "marked": sums["mines_marked"]}
    counts |= dict(zip(COUNTS, workspace.counts.tolist(), strict=True))
    return {
        "shares": dict(zip(LAYERS, (cycles / cycles.sum()).tolist(), strict=True)),
        "counts": {name: number / games for name, number in counts.items()},
    }


def profile(board: str, mines: int) -> dict[str, dict[str, float]]:
    """Return what `profile_here` returns, from a process that counts (see kernel.clock)."""
    code = (
        "import json, sys\n"
        "from msdensity.cli.bench import Board, Task, profile_here\n"
        "task = Task(Board.parse(sys.argv[1]), int(sys.argv[2]), seed=1)\n"
        "print(json.dumps(profile_here(task)))\n"
    )
    output = subprocess.run(
        [sys.executable, "-c", code, board, str(mines)],
        env=os.environ | {"MSDENSITY_PROFILE": "1"},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return json.loads(output)


def print_result(name: str, value: object) -> None:
    """Print one result for people."""
    if name == "table":
        print("board            CPU us/game   games/s   win % (95 %)            guesses")
        for cost in (Cost(**row) for row in value):  # type: ignore[attr-defined]
            interval = f"{100 * cost.win_rate_low:.2f}..{100 * cost.win_rate_high:.2f}"
            print(
                f"{cost.board + '/' + str(cost.mines):15} {cost.cpu_us:12.1f} "
                f"{cost.games_per_second:9.0f}   {100 * cost.win_rate:5.2f} ({interval:>13}) "
                f"{cost.guesses:9.2f}"
            )
    elif name == "profile":
        for board, found in value.items():  # type: ignore[attr-defined]
            print(board, ", ".join(f"{k} {100 * s:.1f} %" for k, s in found["shares"].items()))
            print("    a game:", ", ".join(f"{k} {n:.3g}" for k, n in found["counts"].items()))
    else:
        print(
            "from the start of Python to the end of a first game: "
            f"{value['wall_seconds']:.2f} s, {value['cpu_seconds']:.2f} s of CPU"  # type: ignore[index]
        )
