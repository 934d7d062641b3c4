"""Variance-reduced win rates from guesses whose safety is known exactly.

A guess of a cell with safety s adds (1{safe} - s) (u / U)^k to Z_k of its game, k = 0, 1, 2 (u:
safe cells still closed, U: all safe cells). If every safety is right, the mean of Z_k is 0. So
wins - b Z has the same mean as wins for any b, and for the b of a regression of 1{win} on Z a much
smaller variance. Each b comes from other games than those it is used on, because the coefficients
of the same games are correlated with their mean of Z, which moves the win rate upwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import norm

from msdensity.errors import InputError, fraction, integer, real_array, require_kind
from msdensity.kernel.measures import PRODUCT_SCALE, Z_SCALE
from msdensity.stats.intervals import Estimate

MIN_OUTCOMES = 30
"""With fewer wins or losses a regression on three variables fits their noise."""

ALARM = 4.0
"""A mean of Z_0 this many standard errors from 0 means a wrong safety: about 1e-4 by chance."""

MIN_LOSSES = 300
"""Least number of lost guesses, and of survived ones, expected by the stated safeties. With fewer
the sum of Z_0 is too skewed for ALARM; that of a Poisson variable of mean 300 hardly is."""


@dataclass(frozen=True, eq=False)
class ReducedRate:
    """A win rate with the control variate and without.

    rate: reduced estimate with a normal interval, its ends cut off at 0 and 1; error: its standard
    error; plain, plain_error: wins over games and its standard error; gain: variance ratio plain
    over reduced, at most MAX_GAIN: the plain rate needs this many times the games. mean_z: mean of
    Z_0; z: mean_z in standard errors, NaN without a guess; tested: whether there are enough guesses
    for a normal z (MIN_LOSSES); note: why the rate is the plain one, else empty.
    """

    games: int
    wins: int
    rate: Estimate
    error: float
    plain: float
    plain_error: float
    gain: float
    mean_z: float
    z: float
    tested: bool
    note: str

    @property
    def safeties_wrong(self) -> bool:
        """Whether the mean of Z_0 is too far from 0 for chance; False if not `tested`."""
        return self.tested and abs(self.z) > ALARM

    def report(self) -> str:
        """Return the estimate in words, with the test of the safeties."""
        lines = [
            f"W = {self.rate.best:.5f} +- {self.error:.2g} ({self.plain:.5f} +- "
            f"{self.plain_error:.2g} from {self.wins:,} wins in {self.games:,} games alone), "
            f"variance / {self.gain:.2f}",
            f"mean of Z_0 {self.mean_z:.2g}, z = {self.z:.2f}",
        ]
        if self.safeties_wrong:
            lines.append(f"warning: |z| is above {ALARM:g}: a safety is wrong")
        if self.note:
            lines.append(f"warning: {self.note}")
        return "\n".join(lines)


MAX_GAIN = 1000.0
"""A larger variance ratio is noise: the sums of products are rounded to 2^-16 a game, and on the
smallest boards the safeties of the guesses leave no variance at all."""

FEW = f"plain rate: fewer than {MIN_OUTCOMES} wins or losses"

NO_COEFFICIENTS = "plain rate: no other games to take the coefficients from"


@dataclass(frozen=True, eq=False)
class _Moments:
    """Means over games: of the win, of Z_k (3,), of Z_j Z_k (3, 3) and of Z_k of games won (3,)."""

    games: int
    wins: int
    z: NDArray[np.float64]
    products: NDArray[np.float64]
    win_z: NDArray[np.float64]

    @property
    def few(self) -> bool:
        """Whether there are too few wins or losses for a regression."""
        return min(self.wins, self.games - self.wins) < MIN_OUTCOMES

    @property
    def spread(self) -> NDArray[np.float64]:
        """Covariances of Z, shape (3, 3)."""
        return self.products - np.outer(self.z, self.z)

    @property
    def shared(self) -> NDArray[np.float64]:
        """Covariances of the win and Z, shape (3,)."""
        return self.win_z - self.wins / self.games * self.z


Counts = Mapping[str, int]
"""`games` (at least 2), `wins`, `z*`, `z*_z*` and `win_z*` of some games, in the units of
`msdensity.kernel.measures`; all are additive. `guesses` may be missing: then one in each game."""


def control_coefficients(counts: Counts) -> NDArray[np.float64] | None:
    """Return the coefficients b of these games, shape (3,), for use on other games.

    counts: see Counts. None with fewer than 30 wins or losses, and without a guess. Raises
    InputError for a missing measure, and for counts that no games have.
    """
    moments = _moments(counts)
    return None if moments.few else _regress(moments.spread, moments.shared)


def reduced_win_rate(
    counts: Counts, coefficients: ArrayLike | None = None, *, confidence: float = 0.95
) -> ReducedRate:
    """Return the reduced win rate of some games.

    counts: see Counts; coefficients: of other games, such as those of a neighbouring number of
    mines, shape (3,). Without them, and with fewer than 30 wins or losses, it is the plain rate.
    Raises InputError as `control_coefficients`, and for values out of range. The estimate itself
    may lie outside 0..1 by chance.
    """
    fraction("confidence", confidence)
    moments = _moments(counts)
    note = FEW if moments.few else NO_COEFFICIENTS if coefficients is None else ""
    given = np.zeros(3) if coefficients is None else _array("coefficients", coefficients, (3,))
    slopes = np.zeros(3) if note else given
    games, plain = moments.games, moments.wins / moments.games
    variance = plain * (1 - plain)
    left = float(variance - 2 * slopes @ moments.shared + slopes @ moments.spread @ slopes)
    error, plain_error = (np.sqrt(max(each, 0.0) / (games - 1)) for each in (left, variance))
    best = float(plain - slopes @ moments.z)
    mean_z, z_spread = float(moments.z[0]), float(moments.spread[0, 0])
    return ReducedRate(
        games,
        moments.wins,
        _interval(best, float(error), confidence),
        float(error),
        plain,
        float(plain_error),
        _gain(variance, left),
        mean_z,
        mean_z / float(np.sqrt(z_spread / (games - 1))) if z_spread > 0 else float("nan"),
        enough_to_test(games, moments.wins, int(counts.get("guesses", games)), mean_z * games),
        note,
    )


def reduced_win_rates(rows: Sequence[Counts], *, confidence: float = 0.95) -> list[ReducedRate]:
    """Return the reduced win rates of one curve, whose rows also have `mines` (rising).

    Each row takes the coefficients of the other numbers of mines, by straight lines between the
    nearest ones that have some; without any it is the plain rate. Raises InputError as
    `reduced_win_rate`, and if mines do not rise.
    """
    mines = np.array([row["mines"] for row in rows], float)
    if (np.diff(mines) <= 0).any():
        raise InputError(f"mines={mines.tolist()} must rise")
    own = [control_coefficients(row) for row in rows]
    rates = []
    for i, row in enumerate(rows):
        others = [j for j, each in enumerate(own) if each is not None and j != i]
        lent = None
        if others:
            table = np.array([own[j] for j in others])
            lent = [np.interp(mines[i], mines[others], column) for column in table.T]
        rates.append(reduced_win_rate(row, lent, confidence=confidence))
    return rates


def reduced_by_halves(first: Counts, second: Counts, *, confidence: float = 0.95) -> ReducedRate:
    """Return the reduced win rate of one number of mines, from two halves of its games.

    Each half takes the coefficients of the other; if either has none, it is the plain rate of both.
    Raises InputError as `reduced_win_rate`.
    """
    total = {name: first.get(name, 0) + second.get(name, 0) for name in {**first, **second}}
    plain = reduced_win_rate(total, confidence=confidence)
    if min(first.get("games", 0), second.get("games", 0)) < 2:
        return plain
    lent = control_coefficients(second), control_coefficients(first)
    if lent[0] is None or lent[1] is None:
        return replace(plain, note=plain.note if plain.note == FEW else f"{FEW} in half the games")
    halves = [reduced_win_rate(*each) for each in zip((first, second), lent, strict=True)]
    share = np.array([half.games for half in halves]) / plain.games
    best = float(share @ [half.rate.best for half in halves])
    error = float(np.sqrt(share**2 @ [half.error**2 for half in halves]))
    return replace(
        plain,
        rate=_interval(best, error, confidence),
        error=error,
        gain=_gain(plain.plain_error**2, error**2),
        note="",
    )


def _gain(variance: float, left: float) -> float:
    if not variance:
        return 1.0
    return float(variance / left) if left * MAX_GAIN > variance else MAX_GAIN


def _interval(best: float, error: float, confidence: float) -> Estimate:
    reach = float(norm.ppf((1 + confidence) / 2)) * error
    return Estimate(float(np.clip(best - reach, 0, 1)), best, float(np.clip(best + reach, 0, 1)))


def _moments(counts: Counts) -> _Moments:
    pairs = [[f"z{min(i, j)}_z{max(i, j)}" for j in range(3)] for i in range(3)]
    single = [f"z{i}" for i in range(3)], [f"win_z{i}" for i in range(3)]
    require_kind("counts", counts, Mapping, "counts of games by name")
    for name in ("games", "wins", *single[0], *single[1], *(name for row in pairs for name in row)):
        if name not in counts:
            raise InputError(f"counts lack the measure {name!r}")
    games = integer("games", counts["games"], 2)
    wins = integer("wins", counts["wins"], 0)
    if wins > games:
        raise InputError(f"wins={wins} must be in 0..games={games}")
    z, win_z = (_array(names[0], [counts[name] for name in names], (3,)) for names in single)
    products = _array("products", [[counts[name] for name in names] for names in pairs], (3, 3))
    integer("guesses", counts.get("guesses", games), 0)
    scale = PRODUCT_SCALE * games
    moments = _Moments(games, wins, z / Z_SCALE / games, products / scale, win_z / scale)
    squares = np.diag(moments.products) + _ROUNDING
    if (squares < 0).any():
        raise InputError(f"products={products.tolist()} must have sums of squares of at least 0")
    # Cauchy and Schwarz: no games have larger means than these.
    for name, mean, share in (("z", moments.z, 1.0), ("win_z", moments.win_z, wins / games)):
        wrong = np.abs(mean) > np.sqrt(squares * share) + _ROUNDING
        if wrong.any():
            raise InputError(
                f"{name}{int(np.argmax(wrong))} is too large for the sums of squares, which no"
                " games have"
            )
    return moments


def enough_to_test(games: int, wins: int, guesses: int, z0: float) -> bool:
    """Return whether there are enough guesses to test their safeties; z0: the sum of Z_0.

    By the stated safeties, games - wins + z0 lost guesses are expected; this number does not depend
    on chance in the outcomes.
    """
    lost = games - wins + z0
    return min(lost, guesses - lost) >= MIN_LOSSES


def effective_counts(
    win_rate: ArrayLike, error: ArrayLike
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the (wins, games), as fractions, whose win rates have these standard errors.

    win_rate in (0, 1) and error above 0 have one shape, and so has the result: W (1 - W) / error^2
    games. A fit that takes counts takes these. Raises InputError out of range.
    """
    rate, spread = np.asarray(win_rate, float), np.asarray(error, float)
    if rate.shape != spread.shape:
        raise InputError(f"win_rate has shape {rate.shape} and error {spread.shape}, must be one")
    wrong = ~((rate > 0) & (rate < 1))
    if wrong.any():
        raise InputError(f"win_rate={rate[wrong][0]:g} must be in (0, 1)")
    wrong = ~(np.isfinite(spread) & (spread > 0))
    if wrong.any():
        raise InputError(f"error={spread[wrong][0]:g} must be above 0")
    games = rate * (1 - rate) / spread**2
    return rate * games, games


_HARDLY = 1e-3
"""Share of the largest variance of a direction of Z below which a direction is left out."""

_ROUNDING = 2.0**-14
"""Sums of products and of Z are rounded by less than this a game."""


def _regress(
    spread: NDArray[np.float64], shared: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """Return least-squares coefficients; None if no variable varies.

    With one guess a game, always at the same moment, the three variables are equal up to a factor,
    and on large boards Z_1 and Z_2 nearly are. Directions in which they hardly vary are left out:
    there the rounding of the sums would decide, and large coefficients of neighbours would make
    the error of the rate noise. Variables are scaled first, because Z_2 is far smaller than Z_0.
    """
    scale = np.sqrt(np.maximum(np.diag(spread), 0))
    if not (scale > 0).any():
        return None
    scale[scale == 0] = np.inf
    scaled = spread / np.outer(scale, scale)
    answer = np.linalg.lstsq(scaled, shared / scale, rcond=_HARDLY)[0]
    return np.asarray(answer / scale, float)


def _array(name: str, values: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
    array = real_array(name, values)
    if array.shape != shape:
        raise InputError(f"{name} has shape {array.shape}, must be {shape}")
    return array
