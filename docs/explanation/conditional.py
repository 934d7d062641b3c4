"""Print the table of conditional.md: what weights and counts of forced guesses gain.

`conditional.py [GAMES]` plays GAMES games of 64 x 64 cells (20,000), of larger boards in proportion
to their cells fewer, by the players `weighted` and `conditional`.
"""

import sys
import time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from msdensity.games.boards import Board, Rules
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.measures import Z_SCALE

SEED = 20261201

RULES = {"corner": Rules("corner", "safe"), "zero": Rules("centre", "zero")}

CASES = (
    *(("64x64", "corner", density) for density in (0.04, 0.06, 0.10, 0.15)),
    *(("256x256", "corner", density) for density in (0.10, 0.15)),
    *(("64x64-torus8", "zero", density) for density in (0.12, 0.15)),
)

Values = NDArray[np.float64]


class Measured(NamedTuple):
    """Of each game: won, Z of `weighted` (games, 3), weight, and Z_1 and Z_2 of `conditional`
    (games, 2); microseconds of CPU time a game of both players."""

    won: Values
    z: Values
    weight: Values
    counts: Values
    plain_time: float
    weight_time: float


def measure(name: str, rule: str, density: float, games: int) -> Measured:
    """Play the same games by both players."""
    board = Board.parse(name)
    mines = round(density * board.cells)
    tasks = [Task(board, mines, p, {}, RULES[rule], SEED) for p in ("weighted", "conditional")]
    times: list[float] = []
    for task in tasks:
        play_batch(task, 0, 2)  # compiles, and makes the memory
        begin = time.thread_time()
        play_batch(task, 0, games)
        times.append((time.thread_time() - begin) / games * 1e6)
    rows = np.zeros((games, 8))
    for g in range(games):
        plain, own = (play_batch(task, g, 1) for task in tasks)
        sums = [plain["z0"], plain["z1"], plain["z2"], own["z0"], own["z1"], own["z2"]]
        rows[g] = [plain["wins"], own["wins"], *np.array(sums) / Z_SCALE]
    won = rows[:, 0]
    if (won != rows[:, 1]).any():
        raise RuntimeError(f"{name}: the players did not play the same games")
    return Measured(won, rows[:, 2:5], won + rows[:, 5], rows[:, 6:8], *times)


def left(y: Values, x: Values) -> float:
    """Return the variance that a regression of y (n,) on x (n, k) leaves."""
    design = np.column_stack([np.ones(len(y)), x])
    return float(np.var(y - design @ np.linalg.lstsq(design, y, rcond=None)[0]))


def gains(found: Measured) -> dict[str, float]:
    """Return variance ratios to the plain win rate at equal games."""
    plain = float(np.var(found.won))
    variances = {
        "Z": left(found.won, found.z),
        "Z and counts": left(found.won, np.column_stack([found.z, found.counts])),
        "weight": float(np.var(found.weight)),
        "weight and counts": left(found.weight, found.counts),
    }
    return {name: plain / variance for name, variance in variances.items()}


def covariance_z(found: Measured) -> float:
    """Return the covariance of the weight and Z_0 of `weighted`, in standard errors."""
    z = found.z[:, 0]
    product = (found.weight - found.weight.mean()) * (z - z.mean())
    return float(product.mean() / (product.std() / np.sqrt(len(z))))


def table(games: int) -> None:
    """Print the table."""
    columns = (
        *("board, start", "density", "games", "-ln W", "Z", "Z and counts", "weight"),
        *("weight and counts", "CPU ratio", "in CPU time", "covariance, z"),
    )
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for name, rule, density in CASES:
        n = max(100, games * 4096 // Board.parse(name).cells)
        found = measure(name, rule, density, n)
        ratio = found.weight_time / found.plain_time
        own: dict[str, Any] = gains(found)
        minus_log = -np.log(found.weight.mean())
        error = found.weight.std() / np.sqrt(n) / found.weight.mean()
        print(
            f"| {name}, {rule} | {density:.2f} | {n:,} | {minus_log:.5f} ± {error:.5f} | "
            + " | ".join(f"{own[key]:.1f}" for key in own)
            + f" | {ratio:.2f} | {own['weight and counts'] / ratio:.1f}"
            + f" | {covariance_z(found):.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    table(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
