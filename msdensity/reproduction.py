"""What one run of the paper's size gives, and how far the published numbers are from it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from msdensity.correction import correct
from msdensity.errors import InputError
from msdensity.fits import fit_critical_density
from msdensity.tasks import Task

RUN_GAMES = 1000
"""Games for each m in one run (paper 001, section 8.2)."""


@dataclass(frozen=True)
class RunDensity:
    """P over runs of RUN_GAMES games a number of mines: mean, spread of one run, error of the mean.

    `mean_sd` is what the pool of games leaves open: the pool is one run of its own size.
    """

    mean: float
    sd: float
    mean_sd: float

    def z(self, published: float) -> float:
        """Return (published - mean) / sqrt(sd^2 + mean_sd^2); NaN without a spread."""
        spread = math.hypot(self.sd, self.mean_sd)
        return (published - self.mean) / spread if spread > 0 else math.nan


def run_density(
    density: ArrayLike,
    wins: ArrayLike,
    games: ArrayLike,
    replicates: int,
    rng: np.random.Generator,
) -> RunDensity:
    """Return P over simulated runs, by parametric bootstrap from one pool of games.

    density: mine densities, shape (n,), increasing in (0, 1); wins, games: the pool, shape (n,),
    games = 0 where it was not played after a first 0. replicates: at least 2 runs, each corrected
    and fitted as published. Raises InputError for input out of these ranges.
    """
    rho = np.asarray(density, float)
    won, played = np.asarray(wins, np.int64), np.asarray(games, np.int64)
    if replicates < 2:
        raise InputError(f"replicates={replicates} must be at least 2")
    if won.shape != rho.shape or played.shape != rho.shape:
        raise InputError(f"wins and games must have the shape of density {rho.shape}")
    if ((won < 0) | (won > played)).any():
        raise InputError("wins must be in 0..games")
    if not (played > 0).any():
        raise InputError("games must be above 0 for some density")
    rate = won / np.maximum(played, 1)
    drawn = rng.binomial(RUN_GAMES, rate, size=(replicates, len(rho))) / RUN_GAMES
    curves, copies = np.unique(correct(rho, drawn)[0], axis=0, return_counts=True)
    P = np.repeat([fit_critical_density(rho, curve).P for curve in curves], copies)
    sd = float(np.std(P, ddof=1))
    pool = int(played[played > 0].min())
    return RunDensity(float(P.mean()), sd, sd * math.sqrt(RUN_GAMES / pool))


def chi_square(z: ArrayLike) -> tuple[float, int, float]:
    """Return (sum of z^2, number of z, probability of a larger sum); NaN are left out."""
    values = np.asarray(z, float)
    values = values[np.isfinite(values)]
    total = float((values**2).sum())
    return total, len(values), float(stats.chi2.sf(total, len(values)))


def luck_as_printed(cells: int, mines: int) -> float:
    """Return the product that section 8.1 prints for winning by luck: 0 wherever cells > mines + 1.

    product over k = 1 .. pq - m - 1 of (pq - m - 1 - k) / (pq - k). Raises InputError unless
    1 <= mines < cells.
    """
    _check(cells, mines)
    guesses = cells - mines - 1
    return math.prod((guesses - k) / (cells - k) for k in range(1, guesses + 1))


def luck(cells: int, mines: int) -> float:
    """Return the chance to win by random guesses after a safe first click: 1 / C(pq - 1, m).

    The product of section 8.1 with pq - m - k in its numerator. Raises InputError unless
    1 <= mines < cells.
    """
    _check(cells, mines)
    return 1 / math.comb(cells - 1, mines)


def _check(cells: int, mines: int) -> None:
    if not 1 <= mines < cells:
        raise InputError(f"mines={mines} must be in 1..{cells - 1} for {cells} cells")


@dataclass(frozen=True)
class Paired:
    """Games that two players won on the same boards; games either gave up are left out."""

    both: int
    first_only: int
    second_only: int
    neither: int
    left_out: int

    @property
    def games(self) -> int:
        """Games compared."""
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def difference(self) -> float:
        """Win rate of the second player minus that of the first."""
        return (self.second_only - self.first_only) / self.games

    @property
    def difference_sd(self) -> float:
        """Standard error of the difference; only games that end differently add to it."""
        n = self.games
        discordant = (self.first_only + self.second_only) / n
        return math.sqrt(max(discordant - self.difference**2, 0) / n)

    @property
    def p_value(self) -> float:
        """Exact McNemar test of equal win rates, two-sided; 1 where no game ends differently."""
        n = self.first_only + self.second_only
        return float(stats.binomtest(self.first_only, n).pvalue) if n else 1.0


def paired(first: Task, second: Task, games: Iterable[int]) -> Paired:
    """Play the given games of two tasks that share their boards, and compare the ends.

    Raises InputError if the tasks differ in board, mines, rules or seed.
    """
    from msdensity.players import play_batch

    if first.board_key != second.board_key or first.rules != second.rules:
        raise InputError("the two tasks must have the same board, mines, rules and seed")
    table: NDArray[np.int64] = np.zeros((2, 2), np.int64)
    left_out = 0
    for game in games:
        one, two = play_batch(first, game, 1), play_batch(second, game, 1)
        if one["redrawn"] or two["redrawn"]:
            left_out += 1
        else:
            table[one["wins"], two["wins"]] += 1
    return Paired(int(table[1, 1]), int(table[1, 0]), int(table[0, 1]), int(table[0, 0]), left_out)
