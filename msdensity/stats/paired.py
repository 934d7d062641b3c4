"""Two players' games on the same boards, and McNemar's test of equal win rates."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from msdensity.errors import InputError

LOST, WON, REDRAWN = 0, 1, 2
"""The end of a game; REDRAWN if its player gave it up and was dealt another board."""


def p_value(first_only: int, second_only: int) -> float:
    """Return the two-sided p-value of McNemar's exact test; 1 where no game ends differently."""
    if not first_only + second_only:
        return 1.0
    return float(stats.binomtest(first_only, first_only + second_only).pvalue)


def z_score(first_only: int, second_only: int) -> float:
    """Return the p-value as a number of standard errors, above 0 where the first player wins more.

    Where the p-value is too small for a float, McNemar's (b - c) / sqrt(b + c).
    """
    p = p_value(first_only, second_only)
    if p == 0:
        return float((first_only - second_only) / np.sqrt(first_only + second_only))
    return float(np.copysign(stats.norm.isf(p / 2), first_only - second_only))


def paired(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> list[float]:
    """Return the 2 x 2 table of two players' games and its test: COMPARE_COLUMNS from `both` on."""
    games = len(first)
    both = int((first & second).sum())
    one, other = int((first & ~second).sum()), int((~first & second).sum())
    neither = games - both - one - other
    difference = (one - other) / games
    error = np.sqrt((one + other) / games - difference**2) / np.sqrt(games)
    tested = [z_score(one, other), p_value(one, other)]
    return [both, one, other, neither, difference, float(error), *tested]


@dataclass(frozen=True)
class Paired:
    """Games that two players won on the same boards, without the games that one of them gave up."""

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
        """Exact p-value of McNemar's test."""
        return p_value(self.first_only, self.second_only)


def pair(first: NDArray[np.uint8], second: NDArray[np.uint8]) -> Paired:
    """Return how the same games, shape (games,), end for two players (see `outcomes`).

    Raises InputError if the shapes differ or no game is left.
    """
    if first.shape != second.shape:
        raise InputError(f"first has {len(first)} games and second {len(second)}, must be the same")
    kept = (first != REDRAWN) & (second != REDRAWN)
    one, two = first[kept] == WON, second[kept] == WON
    if not len(one):
        raise InputError("games: at least one must not be given up")
    return Paired(
        both=int((one & two).sum()),
        first_only=int((one & ~two).sum()),
        second_only=int((~one & two).sum()),
        neither=int((~one & ~two).sum()),
        left_out=int((~kept).sum()),
    )
