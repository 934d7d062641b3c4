"""Two players' games on the same boards, and McNemar's test of equal win rates."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from msdensity.errors import InputError

LOST, WON, REDRAWN = 0, 1, 2
"""The end of a game; REDRAWN if its player gave it up and was dealt another board."""

Ends = NDArray[np.uint8] | NDArray[np.bool_]
"""The ends of games, or whether each is won."""


def p_value(first_only: int, second_only: int) -> float:
    """Return the two-sided p-value of McNemar's exact test; 1 where no game ends differently."""
    if first_only == second_only:
        return 1.0
    return float(stats.binomtest(first_only, first_only + second_only).pvalue)


def z_score(first_only: int, second_only: int) -> float:
    """Return the same test as a number of standard errors, above 0 where the first wins more.

    Its two-sided normal p-value is `p_value`, also where that is too small for a float; 0 where
    each player wins as many games that the other loses.
    """
    games, more = first_only + second_only, max(first_only, second_only)
    if 2 * more == games:
        return 0.0
    log_p = math.log(p_value(first_only, second_only) or 1)
    if not log_p:  # below any float
        log_p = math.log(2) + special.logsumexp(
            stats.binom.logpmf(np.arange(more, games + 1), games, 0.5)
        )
    size = -special.ndtri_exp(log_p - math.log(2))
    return float(np.copysign(size, first_only - second_only))


def difference_error(first_only: int, second_only: int, games: int) -> float:
    """Return the standard error of the difference of two win rates on the same boards.

    games: all that were compared, at least 1. With one more game that each player alone wins
    (Bonett and Price, 2012), so that it is never 0: n games alike do not prove equal players.
    """
    n = games + 2
    difference = (first_only - second_only) / n
    return math.sqrt(((first_only + second_only + 2) / n - difference**2) / n)


def paired(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> list[float]:
    """Return the 2 x 2 table of two players' games and its test: COMPARE_COLUMNS from `both` on."""
    games = len(first)
    both = int((first & second).sum())
    one, other = int((first & ~second).sum()), int((~first & second).sum())
    neither = games - both - one - other
    error = difference_error(one, other, games)
    tested = [z_score(one, other), p_value(one, other)]
    return [both, one, other, neither, (one - other) / games, error, *tested]


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
    def difference_se(self) -> float:
        """Standard error of the difference, see `difference_error`."""
        return difference_error(self.first_only, self.second_only, self.games)

    @property
    def error_ratio(self) -> float:
        """The standard error over that of two independent samples; below 1 for alike players.

        Each sample with one more game of either kind, as in `difference_error`.
        """
        n = self.games
        rates = [(self.both + one + 1) / (n + 2) for one in (self.first_only, self.second_only)]
        return self.difference_se / math.sqrt(sum(rate * (1 - rate) for rate in rates) / n)

    @property
    def p_value(self) -> float:
        """Exact p-value of McNemar's test."""
        return p_value(self.first_only, self.second_only)


def pair(first: Ends, second: Ends) -> Paired:
    """Return how the same games, shape (games,), end for two players: LOST, WON or REDRAWN.

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
