"""How the kernel scales: CPU time by size of the board, two threads, and machine instructions.

Run as `python tests/benchmarks/scaling.py PART ...`: sizes, threads, instructions. CPU times are of
one thread, warm, the fastest of several rounds; on a busy machine compare ratios within one run, or
instructions, which do not depend on what else runs.
"""

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import threading
import time

import numpy as np

from msdensity.cli.bench import BOARDS, ROUNDS, SEED, measure
from msdensity.games.boards import Board, Rules
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task

SIZES = (12, 16, 24, 32, 48, 64, 100, 150, 200, 300, 400, 600, 800, 1000)
DENSITIES = (0.10, 0.13)
COUNT_SECONDS = 600


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
        "from msdensity.cli.bench import Board, Task, play_batch\n"
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


def print_sizes() -> None:
    """Print CPU times of q x q boards at fixed densities, their exponents and the memory.

    Zero start, so that the games go on and the cells opened dominate.
    """
    rows = []
    print("    q  density   CPU us/game   ns/opened cell")
    for density in DENSITIES:
        for q in SIZES:
            task = Task(Board((q, q)), round(density * q * q), rules=Rules(start="zero"), seed=SEED)
            cost = measure(task)
            rows.append({"q": q, "density": density, "ns_opened": cost.ns_opened})
            print(f"{q:5} {density:8} {cost.cpu_us:13.1f} {cost.ns_opened:12.1f}")
    for density in DENSITIES:
        print(f"exponent at density {density}: {exponent(rows, density):.3f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # kilobytes on Linux
    print(f"peak memory: {peak:.0f} MB")


def print_threads() -> None:
    """Print the speed of two threads over one."""
    print(f"two threads play {two_threads():.2f} times as many games as one")


def print_instructions() -> None:
    """Print machine instructions a game."""
    for board, mines in BOARDS[:5]:
        count = instructions(board, mines)
        text = "not countable here" if count is None else f"{count:.0f} instructions/game"
        print(f"{board}/{mines} {text}")


PARTS = {"sizes": print_sizes, "threads": print_threads, "instructions": print_instructions}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="+", choices=PARTS, help="what to measure")
    for part in parser.parse_args().parts:
        PARTS[part]()
