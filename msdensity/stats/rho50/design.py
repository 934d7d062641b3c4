"""The games needed for a wanted standard error of rho50, from a pilot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil, floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from msdensity.errors import InputError, integer
from msdensity.kernel.limits import MAX_GAMES
from msdensity.stats.rho50.control_variate import MIN_OUTCOMES
from msdensity.stats.rho50.curve import (
    check_curve,
    density_window,
    information,
    win_rate_curve,
)
from msdensity.stats.rho50.fit_object import FEW_POINTS, SMALL_BOARD

MAX_POINTS = 7

WIDE, NARROW = (0.2, 0.8), (0.3, 0.7)
"""Win rates between which games are played."""

FINE = 5e-4
"""Below this relative error the narrower window is taken."""

MIN_SMALL_GAMES = 1000
"""On a small board, where few games cost nothing and 100 tell too little of the slope."""

MIN_GAMES = 100
"""On each number of mines; with fewer games the fit and its error are far from normal."""


FLANK = 1 / 3
"""Share of the games that is spread evenly over all numbers of mines, which gives steepness and
bend. The rest goes to the two numbers of mines around rho50. On curves of 8 x 8 to 32 x 32 the
error is then 1.1 to 1.2 times that of games at W = 1/2 alone; 1.55 times with equal games."""


@dataclass(frozen=True, eq=False)
class Design:
    """Games on some numbers of mines.

    mines: shape (n,), rising; games: on each of them, shape (n,); error: expected standard error of
    rho50; cpu_seconds: of all games; window: lowest and highest density of the fit, with all of
    `mines` between them; rates: expected win rates, shape (n,); cells: of the board.
    """

    mines: NDArray[np.int64]
    games: NDArray[np.int64]
    error: float
    cpu_seconds: float
    window: tuple[float, float]
    rates: NDArray[np.float64] = field(repr=False)
    cells: int

    @property
    def total(self) -> int:
        """Games on all numbers of mines."""
        return int(self.games.sum())

    def warnings(self) -> list[str]:
        """Return the warnings about this design, one sentence each."""
        texts = []
        if self.cells < SMALL_BOARD:
            texts.append(
                f"a board of {self.cells} cells, fewer than {SMALL_BOARD}: report W(m) itself"
            )
        elif len(self.mines) < FEW_POINTS:
            texts.append(
                f"only {len(self.mines)} numbers of mines have an expected win rate in the range "
                "asked for: the curve will hardly be tested"
            )
        if not self.rates[-1] <= 0.5 <= self.rates[0]:
            texts.append("the numbers of mines do not enclose W = 1/2")
        return texts

    def report(self) -> str:
        """Return the design in words, with its cost."""
        played = ", ".join(f"{m} ({n:,})" for m, n in zip(self.mines, self.games, strict=True))
        lines = [
            f"m (games): {played}; W {self.rates[0]:.2f} to {self.rates[-1]:.2f}; {self.total:,} "
            f"games; expected error of rho50 {self.error:.2g}, {self.cpu_seconds:.3g} CPU seconds",
        ]
        lines += [f"warning: {text}" for text in self.warnings()]
        return "\n".join(lines)


def design(
    rho50: float,
    k: float,
    cells: int,
    error: float,
    seconds_per_game: float | Mapping[int, float],
    *,
    gain: float = 1.0,
    rates: tuple[float, float] | None = None,
    most_mines: int | None = None,
) -> Design:
    """Return the games that give rho50 the standard error `error`.

    rho50 in (0, 1), k > 0: from a pilot; cells: of the board, at least 2; most_mines: that a game
    can start with, 1..cells - 1 (None: cells - 1); error > 0; seconds_per_game >= 0: CPU
    seconds, of every game or by number of mines (rising), with straight lines between; gain >= 1:
    variance ratio of the control variate, which needs 30 wins and 30 losses; rates: lowest and
    highest win rate (None: WIDE, or NARROW for a fine error on a board with at least 7 numbers of
    mines there, because so many games see more of the curve than a bend). Up to 7 numbers of mines
    are taken: all within `rates` if the board has no more, else 7 in equal steps across them; and
    the two around rho50. Each gets at least 100 games.

    One game at W = 1/2 gives rho50 with variance (1/2 / slope)^2, slope = k (ln 2)/2 / rho50, so N
    games give the error .5 / (sqrt(N) slope). The games here follow from the Fisher information of
    rho50, k and bend at all points, which takes more (see FLANK). Raises InputError out of range.
    """
    check_curve(rho50, k)
    if cells < 2:
        raise InputError(f"cells={cells} must be at least 2")
    for name, value in (("error", error), ("gain", gain)):
        if not (value > 0 and np.isfinite(value)):
            raise InputError(f"{name}={value} must be above 0")
    known = seconds_per_game if isinstance(seconds_per_game, Mapping) else {1: seconds_per_game}
    if not min(known.values()) >= 0:
        raise InputError(f"seconds_per_game={seconds_per_game} must be at least 0")
    most = integer("most_mines", cells - 1 if most_mines is None else most_mines, 1, cells - 1)
    window = density_window(rho50, k, rates or WIDE)
    if rates is None and error < FINE * rho50:
        narrow = density_window(rho50, k, NARROW)
        if (narrow[1] - narrow[0]) * cells > MAX_POINTS:
            window = narrow
    mines = _choose(window, cells, rho50, most)
    share = shares(mines, rho50 * cells)
    density = mines / cells
    # On a small board only the two numbers of mines around rho50 are fitted.
    fitted = _around(mines, rho50 * cells) if cells < SMALL_BOARD else slice(None)
    unit = unit_error(density[fitted], share[fitted], rho50, k)
    most_total = MAX_GAMES / share.max()
    if not (error / unit) ** 2 * gain * most_total >= 1:
        raise InputError(
            f"error={error} must be at least {unit / np.sqrt(most_total * gain):.2g},"
            f" of {MAX_GAMES:,} games"
        )
    expected = win_rate_curve(density, rho50, k)
    rarest = np.minimum(expected, 1 - expected)

    least = MIN_SMALL_GAMES if cells < SMALL_BOARD else MIN_GAMES

    def games(gain: float) -> NDArray[np.int64]:
        return np.maximum(np.ceil(share * (unit / error) ** 2 / gain), least).astype(int)

    # Rates with too few games for the control variate are plain ones.
    played = games(gain)
    if gain > 1 and (played * rarest < MIN_OUTCOMES).any():
        enough = np.ceil(MIN_OUTCOMES / np.maximum(rarest, 1 / MAX_GAMES)).astype(int)
        with_it, plain = np.maximum(played, enough), games(1.0)
        reduced = with_it.sum() <= plain.sum()
        played, gain = (with_it, gain) if reduced else (plain, 1.0)
    return Design(
        mines,
        played,
        unit_error(density[fitted], played[fitted] * gain, rho50, k),
        float(played @ np.interp(mines, list(known), list(known.values()))),
        outward(min(window[0], float(density[0])), max(window[1], float(density[-1]))),
        expected,
        int(cells),
    )


def shares(mines: NDArray[np.int64], centre: float) -> NDArray[np.float64]:
    """Return the share of all games that each number of mines gets, shape (n,).

    mines: rising, with one at or below `centre` and one above it if there is; centre: mines at
    W = 1/2. FLANK is spread evenly, the rest goes to the two around the centre, more to the nearer.
    """
    if len(mines) == 1:
        return np.ones(1)
    share = np.full(len(mines), FLANK / len(mines))
    around = _around(mines, centre)
    low, high = mines[around]
    nearer = float(np.clip((centre - low) / (high - low), 0, 1))
    share[around] += (1 - FLANK) * np.array([1 - nearer, nearer])
    return share


def _around(mines: NDArray[np.int64], centre: float) -> slice:
    """Return the place of the two numbers of mines around `centre`, or of the only one."""
    after = int(np.clip(np.searchsorted(mines, centre), 1, max(len(mines) - 1, 1)))
    return slice(after - 1, after + 1)


def unit_error(density: NDArray[np.float64], games: NDArray[Any], rho50: float, k: float) -> float:
    """Return the expected standard error of rho50 of games at densities, all shape (n,).

    The bend is unknown if there are at least 3 densities, k if there are 2.
    """
    size = min(len(density), 3)
    found = information(density, games, rho50, k)[:size, :size]
    return float(np.sqrt(np.linalg.inv(found)[0, 0]))


def outward(low: float, high: float) -> tuple[float, float]:
    """Return a window of densities widened to six decimals, which a table holds exactly."""
    return floor(low * 1e6) / 1e6, min(ceil(high * 1e6) / 1e6, 1.0)


def _choose(window: tuple[float, float], cells: int, rho50: float, most: int) -> NDArray[np.int64]:
    if cells < SMALL_BOARD:  # two around rho50, and one more on each side for a pilot that is off
        below = min(int(rho50 * cells), most - 1)
        return np.arange(max(below - 1, 1), min(below + 2, most) + 1)
    first, last = ceil(window[0] * cells), int(window[1] * cells)
    inside = np.arange(max(first, 1), min(last, most) + 1)
    if len(inside) <= MAX_POINTS:
        if len(inside) > 1:
            # With too few mines or too many at both ends the curve alone would say where 1/2 is.
            below = min(max(int(rho50 * cells), 1), most)
            return np.arange(min(below, inside[0]), max(min(below + 1, most), inside[-1]) + 1)
        # At most one inside: take the two numbers of mines around rho50.
        below = min(max(int(rho50 * cells), 1), most)
        return np.array([below, below + 1] if below < most else [below])
    step = (len(inside) - 1) // (MAX_POINTS - 1)
    last_start = int(inside[-1]) - (MAX_POINTS - 1) * step
    start = int(np.clip(round(rho50 * cells) - MAX_POINTS // 2 * step, inside[0], last_start))
    below = min(int(rho50 * cells), most - 1)
    return np.union1d(start + step * np.arange(MAX_POINTS), [below, below + 1])
