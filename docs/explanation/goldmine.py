"""Print the table of goldmine.md: gold dug before death, by mine density.

`python docs/explanation/goldmine.py [GAMES]`; about 10 min with 300 games.
"""

import sys

import numpy as np
from scipy.stats import norm

from msdensity.games.goldmine import dig, neighbours_of
from msdensity.stats.intervals import wilson

SHAPE, SEED = (8, 8), 20261129
MINES = range(3, 11)
GOLD = 2
"""Gold for each mine."""


def print_table(games: int) -> None:
    """Print a row for each number of mines; games: of each."""
    near = neighbours_of(SHAPE)
    z = norm.isf(0.025)
    print("| mines | gold | mine density | gold dug, % | killed, % | guesses a game |")
    print("|---|---|---|---|---|---|")
    for mines in MINES:
        gold = GOLD * mines
        played = [
            dig(near, mines, gold, np.random.default_rng([SEED, mines, g])) for g in range(games)
        ]
        share = np.array([100 * each.score / gold for each in played])
        half = z * share.std(ddof=1) / np.sqrt(games)
        killed = sum(each.killed for each in played)
        low, high = (100 * x for x in wilson(killed, games))
        guesses = np.mean([each.guesses for each in played])
        print(
            f"| {mines} | {gold} | {mines / len(near):.3f} | {share.mean():.1f} +- {half:.1f} |"
            f" {100 * killed / games:.1f} ({low:.1f} to {high:.1f}) | {guesses:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    print_table(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
