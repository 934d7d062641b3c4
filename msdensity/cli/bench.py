"""What a game costs: CPU time by board, by layer of the kernel, by size, and with two threads.

`msdensity bench` prints these. CPU times are of one thread, warm, the fastest of several rounds;
on a busy machine compare ratios within one run.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from msdensity.games.boards import Board, Rules
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.batch import thread_workspace
from msdensity.kernel.state import LAYERS
from msdensity.kernel.topology import cached_table
from msdensity.stats.intervals import wilson

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

SIZES = (12, 16, 24, 32, 48, 64, 100, 150, 200, 300, 400, 600, 800, 1000)

DENSITIES = (0.10, 0.13)

COUNT_SECONDS = 600

ROUNDS = 5

ROUND_SECONDS = 0.4

SEED = 1


@dataclass(frozen=True)
class Cost:
    """CPU time of one board: microseconds a game, ns an opened cell; and what the games came to."""

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


def measure(task: Task, seconds: float = ROUND_SECONDS, rounds: int = ROUNDS) -> Cost:
    """Return the cost of a task, from `rounds` rounds of about `seconds` CPU seconds each."""
    play_batch(task, 0, 1)  # compiled, and the workspace made
    games = 1
    while True:
        begin = time.thread_time()
        play_batch(task, 0, games)
        spent = time.thread_time() - begin
        if spent > seconds / 4 or games >= 1 << 20:
            break
        games *= 2
    games = max(1, round(games * seconds / max(spent, 1e-9)))
    best = best_opened = np.inf
    total = {"wins": 0, "guesses": 0}
    for part in range(rounds):
        begin = time.thread_time()
        sums = play_batch(task, part * games, games)
        spent = time.thread_time() - begin
        best = min(best, spent)
        best_opened = min(best_opened, spent / max(1, sums["opened"]))
        total = {name: value + sums[name] for name, value in total.items()}
    played = games * rounds
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


def table(seconds: float = ROUND_SECONDS, player: str = "weighted") -> list[Cost]:
    """Return the cost of each of BOARDS."""
    return [measure(Task(Board.parse(b), m, player, seed=SEED), seconds) for b, m in BOARDS]


def scaling(sizes: Sequence[int] = SIZES) -> list[dict[str, float]]:
    """Return CPU nanoseconds per opened cell for q x q boards at fixed densities.

    Zero start, so that the games go on and the cells opened dominate; one row a size and density.
    """
    rows = []
    for density in DENSITIES:
        for q in sizes:
            task = Task(Board((q, q)), round(density * q * q), rules=Rules(start="zero"), seed=SEED)
            cost = measure(task)
            rows.append(
                {"q": q, "density": density, "cpu_us": cost.cpu_us, "ns_opened": cost.ns_opened}
            )
    return rows


def exponent(rows: list[dict[str, float]], density: float) -> float:
    """Return the exponent of CPU time in the number of opened cells, least squares on logarithms.

    1 plus the slope of time per opened cell against the number of cells.
    """
    chosen = [row for row in rows if row["density"] == density]
    cells = np.log([row["q"] ** 2 for row in chosen])
    return 1.0 + float(np.polyfit(cells, np.log([row["ns_opened"] for row in chosen]), 1)[0])


def two_threads(board: str = "16x30", mines: int = 99, games: int = 10_000) -> float:
    """Return how many times as many games two threads play in the same time as one."""
    task = Task(Board.parse(board), mines, seed=SEED)

    def spent(threads: int) -> float:
        workers = [
            threading.Thread(target=play_batch, args=(task, i * games, games))
            for i in range(threads)
        ]
        begin = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return time.perf_counter() - begin

    spent(1)
    return max(2 * spent(1) / spent(2) for _ in range(ROUNDS))


def warm_start() -> float:
    """Return seconds from the start of Python to the end of a first game, with a warm cache."""
    code = (
        "from msdensity.tasks import Board, Task\n"
        "from msdensity.players import play_batch\n"
        "play_batch(Task(Board((8, 8)), 10), 0, 1)\n"
    )
    best = np.inf
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        best = min(best, time.perf_counter() - begin)
    return best


def profile_here(task: Task, seconds: float = 1.0) -> dict[str, float]:
    """Return the share of each layer of the kernel; only where it is compiled for it."""
    games = measure(task, seconds / 4, 1).games
    workspace = thread_workspace(cached_table(task.board.shape, task.board.topology))
    workspace.layers[:] = 0
    play_batch(task, 0, 1)
    workspace.layers[: len(LAYERS)] = 0
    play_batch(task, 0, 4 * games)
    cycles = workspace.layers[: len(LAYERS)]
    return dict(zip(LAYERS, (cycles / cycles.sum()).tolist(), strict=True))


def profile(board: str, mines: int) -> dict[str, float]:
    """Return the share of each layer, from a process that counts them (see kernel.clock)."""
    code = (
        "import json, sys\n"
        "from msdensity.bench import profile_here\n"
        "from msdensity.tasks import Board, Task\n"
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


def instructions(board: str, mines: int, games: int = 2000) -> float | None:
    """Return machine instructions per game, or None where Valgrind is not there to count them.

    Unlike times, counts are the same however busy the machine is: what to look at for a change of
    a few per cent. Only the games are counted, not the start of Python. The kernel is compiled for
    a plain processor, which Valgrind can run.
    """
    if shutil.which("valgrind") is None:
        return None
    code = (
        "import os, subprocess, sys\n"
        "from msdensity.tasks import Board, Task\n"
        "from msdensity.players import play_batch\n"
        "task = Task(Board.parse(sys.argv[1]), int(sys.argv[2]), seed=1)\n"
        "def count(switch):\n"
        "    if sys.argv[4] == 'count':\n"
        "        command = ['callgrind_control', '-i', switch, str(os.getpid())]\n"
        "        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)\n"
        "play_batch(task, 0, 10)\n"
        "count('on')\n"
        "play_batch(task, 0, int(sys.argv[3]))\n"
        "count('off')\n"
    )
    environment = os.environ | {"NUMBA_CPU_NAME": "generic", "PYTHONHASHSEED": "0"}
    play = [sys.executable, "-c", code, board, str(mines), str(games)]
    subprocess.run([*play, "compile"], env=environment, check=True)
    counter = ["valgrind", "--tool=callgrind", "--instr-atstart=no"]
    done = subprocess.run(
        [*counter, "--callgrind-out-file=/dev/null", *play, "count"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=COUNT_SECONDS,
        check=True,
    )
    found = re.search(r"Collected : (\d+)", done.stderr)
    return int(found[1]) / games if found else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was asked for; with --json one object."""
    parser = argparse.ArgumentParser(prog="msdensity bench", description=__doc__)
    parser.add_argument("--scaling", action="store_true", help="cost by size, 12x12 to 1000x1000")
    parser.add_argument("--profile", action="store_true", help="share of each layer of the kernel")
    parser.add_argument(
        "--instructions", action="store_true", help="machine instructions a game, where countable"
    )
    parser.add_argument("--threads", action="store_true", help="two threads against one")
    parser.add_argument("--start", action="store_true", help="seconds from Python to a first game")
    parser.add_argument("--player", default="weighted", help="whom to time in the table")
    parser.add_argument("--json", action="store_true", help="print JSON for machines")
    chosen = parser.parse_args(arguments)
    result: dict[str, object] = {}
    if chosen.scaling:
        rows = scaling()
        result["scaling"] = rows
        result["exponents"] = {str(d): exponent(rows, d) for d in DENSITIES}
        # kilobytes on Linux
        result["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if chosen.profile:
        result["profile"] = {f"{b}/{m}": profile(b, m) for b, m in (("10x10", 20), ("16x30", 99))}
    if chosen.instructions:
        result["instructions"] = {f"{b}/{m}": instructions(b, m) for b, m in BOARDS[:5]}
    if chosen.threads:
        result["two_threads"] = two_threads()
    if chosen.start:
        result["warm_start_seconds"] = warm_start()
    if not result:
        result["table"] = [asdict(cost) for cost in table(player=chosen.player)]
    if chosen.json:
        print(json.dumps(result, indent=1))
        return 0
    for name, value in result.items():
        print_result(name, value)
    return 0


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
    elif name == "scaling":
        print("    q  density   CPU us/game   ns/opened cell")
        for row in value:  # type: ignore[attr-defined]
            print(f"{row['q']:5} {row['density']:8} {row['cpu_us']:13.1f} {row['ns_opened']:12.1f}")
    elif name == "profile":
        for board, shares in value.items():  # type: ignore[attr-defined]
            print(board, ", ".join(f"{layer} {100 * s:.1f} %" for layer, s in shares.items()))
    elif name == "instructions":
        for board, count in value.items():  # type: ignore[attr-defined]
            print(
                board, "not countable here" if count is None else f"{count:.0f} instructions/game"
            )
    else:
        print(f"{name}: {value}")


if __name__ == "__main__":
    sys.exit(main())
