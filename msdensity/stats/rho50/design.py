"""The games needed for a wanted standard error of rho50, from a pilot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from msdensity.errors import InputError, integer
from msdensity.kernel.limits import MAX_GAMES
from msdensity.stats.rho50.control_variate import MIN_OUTCOMES
from msdensity.stats.rho50.fit_object import FEW_POINTS, SMALL_BOARD
from msdensity.stats.rho50.weibull import check_curve, density_window

MAX_POINTS = 7

MIN_GAMES = 100
"""On each number of mines; with fewer games the fit and its error are far from normal."""


@dataclass(frozen=True, eq=False)
class Design:
    """Equal games on some numbers of mines.

    mines: shape (n,), rising; games: on each of them; error: expected standard error of rho50;
    cpu_seconds: of all games; window: lowest and highest density of the fit, with all of `mines`
    between them; rates: expected win rates, shape (n,); cells: of the board.
    """

    mines: NDArray[np.int64]
    games: int
    error: float
    cpu_seconds: float
    window: tuple[float, float]
    rates: NDArray[np.float64] = field(repr=False)
    cells: int

    @property
    def total(self) -> int:
        """Games on all numbers of mines."""
        return self.games * len(self.mines)

    def warnings(self) -> list[str]:
        """Return the warnings about this design, one sentence each."""
        texts = []
        if self.cells < SMALL_BOARD:
            texts.append(
                f"a board of {self.cells} cells, fewer than {SMALL_BOARD}: report W(m) itself"
            )
        if len(self.mines) < FEW_POINTS:
            texts.append(
                f"only {len(self.mines)} numbers of mines have an expected win rate in the range "
                "asked for: the curve will hardly be tested"
            )
        if not self.rates[-1] <= 0.5 <= self.rates[0]:
            texts.append("the numbers of mines do not enclose W = 1/2")
        return texts

    def report(self) -> str:
        """Return the design in words, with its cost."""
        lines = [
            f"{self.games:,} games on each of m = {', '.join(str(m) for m in self.mines)} "
            f"(W {self.rates[0]:.2f} to {self.rates[-1]:.2f}): expected error of rho50 "
            f"{self.error:.2g}, {self.cpu_seconds:.3g} CPU seconds",
        ]
        lines += [f"warning: {text}" for text in self.warnings()]
        return "\n".join(lines)


def design(
    rho50: float,
    k: float,
    cells: int,
    target_error: float,
    seconds_per_game: float | Mapping[int, float],
    *,
    gain: float = 1.0,
    rates: tuple[float, float] = (0.2, 0.8),
    most_mines: int | None = None,
) -> Design:
    """Return the games that give rho50 the standard error `target_error`.

    rho50 in (0, 1), k > 0: from a pilot; cells: of the board, at least 2; most_mines: that a game
    can start with, 1..cells - 1 (None: cells - 1); target_error > 0; seconds_per_game >= 0: CPU
    seconds, of every game or by number of mines (rising), with straight lines between; gain >= 1:
    variance ratio of the control variate, which needs 30 wins and 30 losses; rates: lowest and
    highest win rate. Up to 7 numbers of mines are taken: all within `rates` if the board has no
    more, else 7 in equal steps across them, because on a large board adjacent ones would all lie to
    one side of rho50 if the pilot missed it. Each gets the same games, at least 100.

    One game at W = 1/2 gives rho50 with variance (1/2 / slope)^2, slope = k (ln 2)/2 / rho50, so N
    games give the error .5 / (sqrt(N) slope). The games here follow from the Fisher information of
    rho50 and k at all points, which takes a few more. Raises InputError out of range.
    """
    check_curve(rho50, k)
    if cells < 2:
        raise InputError(f"cells={cells} must be at least 2")
    for name, value in (("target_error", target_error), ("gain", gain)):
        if not (value > 0 and np.isfinite(value)):
            raise InputError(f"{name}={value} must be above 0")
    known = seconds_per_game if isinstance(seconds_per_game, Mapping) else {1: seconds_per_game}
    if not min(known.values()) >= 0:
        raise InputError(f"seconds_per_game={seconds_per_game} must be at least 0")
    most = integer("most_mines", cells - 1 if most_mines is None else most_mines, 1, cells - 1)
    window = density_window(rho50, k, rates)
    mines = _choose(window, cells, rho50, most)
    density = mines / cells
    per_game = information(density, rho50, k)
    if len(mines) > 1:
        # The information on rho50 with k unknown.
        per_game_rho50 = float(1 / np.linalg.inv(per_game)[0, 0])
    else:
        per_game_rho50 = float(per_game[0, 0])
    inverse_games = target_error**2 * per_game_rho50 * gain
    if not inverse_games * MAX_GAMES >= 1:  # so small an error squared is 0
        raise InputError(
            f"target_error={target_error} must be at least"
            f" {1 / np.sqrt(MAX_GAMES * per_game_rho50 * gain):.2g}, of {MAX_GAMES:,} games"
        )
    games = max(MIN_GAMES, ceil(1 / inverse_games))
    rarest = float(np.exp2(-((density / rho50) ** k)).min())
    rarest = min(rarest, 1 - float(np.exp2(-((density / rho50) ** k)).max()))
    if games * rarest < MIN_OUTCOMES and gain > 1:
        # Too few games for the control variate; without it they do not reach the target error.
        alone = max(MIN_GAMES, ceil(1 / (target_error**2 * per_game_rho50)))
        games = min(alone, max(games, ceil(MIN_OUTCOMES / rarest)) if rarest > 0 else alone)
        if games * rarest < MIN_OUTCOMES:
            gain = 1.0
    return Design(
        mines,
        games,
        float(1 / np.sqrt(games * per_game_rho50 * gain)),
        games * float(np.interp(mines, list(known), list(known.values())).sum()),
        outward(min(window[0], float(density[0])), max(window[1], float(density[-1]))),
        np.exp2(-((density / rho50) ** k)),
        int(cells),
    )


def outward(low: float, high: float) -> tuple[float, float]:
    """Return a window of densities widened to six decimals, which a table holds exactly."""
    return floor(low * 1e6) / 1e6, min(ceil(high * 1e6) / 1e6, 1.0)


def information(density: NDArray[np.float64], rho50: float, k: float) -> NDArray[np.float64]:
    """Return the Fisher information on (rho50, k) of one game at every density, shape (2, 2)."""
    mu = np.log(2) * (density / rho50) ** k
    weight = mu**2 / np.expm1(mu)
    slopes = np.stack([np.full_like(density, -k / rho50), np.log(density / rho50)], 1)
    return np.asarray(slopes.T @ (weight[:, None] * slopes))


def _choose(window: tuple[float, float], cells: int, rho50: float, most: int) -> NDArray[np.int64]:
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
    return start + step * np.arange(MAX_POINTS)
