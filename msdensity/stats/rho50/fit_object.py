"""The fit of rho50 as an object: its numbers, its interval and its warnings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import chi2

from msdensity.stats.fit import Fit, Picture, delta_error, picture_of_rates
from msdensity.stats.intervals import Estimate, wilson
from msdensity.stats.rho50.curve import win_rate_curve

SMALL_BOARD = 36
"""Boards with fewer cells have few numbers of mines near W = 1/2: their W(m) says more."""

FEW_POINTS = 4
"""With fewer points no degree of freedom is left to test the curve."""

REJECTED = 0.01
"""A curve whose deviance is less likely than this is rejected."""

_FEW_COUNTS = 5


@dataclass(frozen=True)
class Bootstrap:
    """rho50 over parametric replicates: standard deviation, interval, how many, how many failed."""

    error: float
    interval: Estimate
    replicates: int
    failed: int


_NOTHING = Estimate(np.nan, np.nan, np.nan)


def _unknown() -> NDArray[np.float64]:
    return np.full((3, 3), np.nan)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Rho50Fit(Fit):
    """A fit of W = 2^-(r^(k + bend ln r)), r = rho / rho50, to counts within a window of densities.

    window: lowest and highest density used; density, wins, games: the points within it, shape (n,);
    outside: points left out. confidence: of the intervals; effective: whether the games are
    effective ones, computed from standard errors; cells: of the board, if known. crossing: where
    the falling sequence of all points, inside the window or not, crosses 1/2. degree: 2, or 1 if
    the points determine no bend, which then is 0 with an error of 0. covariance: of (rho50, k,
    bend), 3 x 3, if the curve is right; deviance: of the curve against free win rates; scale: of
    the errors, above 1 for a rejected curve. interval: profile-likelihood interval of rho50;
    at_bound: its ends ("low", "high") that the search did not reach. no_fit: why there is no fit
    (then all its numbers are NaN), empty if there is one. bootstrap: check of error and interval,
    if any; own_window: whether the window was taken from the fitted counts; exact: whether the win
    rates, wins / games, are exact; notes: warnings about the games.
    """

    window: tuple[float, float]
    density: NDArray[np.float64]
    wins: NDArray[np.float64]
    games: NDArray[np.float64]
    outside: int
    confidence: float
    effective: bool
    cells: int | None
    crossing: Estimate
    rho50: float = np.nan
    k: float = np.nan
    bend: float = np.nan
    degree: int = 2
    covariance: NDArray[np.float64] = field(default_factory=_unknown)
    deviance: float = np.nan
    scale: float = 1.0
    interval: Estimate = _NOTHING
    at_bound: tuple[str, ...] = ()
    no_fit: str = ""
    bootstrap: Bootstrap | None = None
    own_window: bool = False
    exact: bool = False
    notes: tuple[str, ...] = ()

    def without_fit(self, why: str) -> Self:
        """Return the same points without a fit."""
        points = "window", "density", "wins", "games", "outside", "confidence", "effective"
        kept = *points, "cells", "crossing", "own_window", "exact", "notes"
        return type(self)(no_fit=why, **{name: getattr(self, name) for name in kept})

    @property
    def values(self) -> dict[str, float]:
        """The parameters rho50, k and bend."""
        return {"rho50": self.rho50, "k": self.k, "bend": self.bend}

    @property
    def errors(self) -> dict[str, float]:
        """The standard errors of the values, times `scale`; 0 for a bend that is not fitted."""
        return {name: self.scale * error for name, error in super().errors.items()}

    @property
    def error(self) -> float:
        """Standard error of rho50."""
        return self.errors["rho50"]

    @property
    def points(self) -> int:
        """Number of points within the window."""
        return len(self.density)

    @property
    def df(self) -> int:
        """Degrees of freedom of the deviance."""
        return max(self.points - self.degree - 1, 0)

    @property
    def p_value(self) -> float:
        """Probability of a larger deviance if the curve is right; NaN if df is 0."""
        return float(chi2.sf(self.deviance, self.df)) if self.df else np.nan

    def predict(self, density: ArrayLike) -> NDArray[np.float64]:
        """Return the fitted win rate at mine densities, of the shape of density."""
        return win_rate_curve(density, self.rho50, self.k, self.bend)

    curve = predict
    """The former name of `predict`."""

    def predict_error(self, density: ArrayLike) -> NDArray[np.float64]:
        """Return the standard error of the curve at mine densities, from the covariance."""
        rho = np.ravel(np.asarray(density, float))
        t = np.log(np.where(rho > 0, rho, self.rho50) / self.rho50)  # its term is 0 at 0
        power = np.where(rho > 0, np.exp((self.k + self.bend * t) * t), 0)
        slope = -np.log(2) * power * self.predict(rho)
        centre = -(self.k + 2 * self.bend * t) / self.rho50
        gradient = slope[:, None] * np.stack([centre, t, t**2], 1)
        return self.scale * delta_error(gradient, self.covariance).reshape(np.shape(density))

    def warnings(self) -> list[str]:
        """Return the warnings about this fit, one sentence each."""
        texts = list(self.notes)
        if self.exact:
            texts.append("no sampling error: the win rates are exact")
        if self.cells is not None and self.cells < SMALL_BOARD:
            texts.append(
                f"a board of {self.cells} cells, fewer than {SMALL_BOARD}, has too few numbers of "
                "mines for a curve: report W(m) itself"
            )
        if self.no_fit:
            return [*texts, f"no fit: {self.no_fit}"]
        if self.exact:
            return texts
        if not self.df:
            texts.append(
                f"{self.points} points in the window for {self.degree + 1} parameters: the curve "
                "is not tested"
            )
        for end in self.at_bound:
            texts.append(
                f"the interval is open: its {end} end {getattr(self.interval, end):.4g} is the "
                "bound of the search, not set by the data"
            )
        if self.p_value < REJECTED:
            texts.append(
                f"the curve is rejected: deviance {self.deviance:.1f} with {self.df} degrees of "
                f"freedom, p = {self.p_value:.2g}; errors and interval are {self.scale:.1f} times "
                "as long as if it were right; a narrower window= in Python may be described better"
            )
        least = min(self.wins.min(), (self.games - self.wins).min())
        if least < _FEW_COUNTS:
            texts.append(
                f"a point has only {least:.3g} wins or losses, must be {_FEW_COUNTS} for the "
                "deviance to mean what its p says"
            )
        if self.own_window:
            texts.append(
                f"the window {self.window[0]:.4f} to {self.window[1]:.4f} was chosen from the "
                "counts fitted, so that interval and p are not exact; a window= from other games "
                "makes them so"
            )
        texts += self._disagreements()
        return texts

    def _disagreements(self) -> list[str]:
        texts = []
        if not self.crossing.low <= self.rho50 <= self.crossing.high and np.isfinite(
            self.crossing.low
        ):
            texts.append(
                f"the falling sequence crosses 1/2 between {self.crossing.low:.5f} and "
                f"{self.crossing.high:.5f}, which does not hold rho50"
            )
        if self.bootstrap is not None:
            ratio = self.bootstrap.error / self.error
            if not 0.8 < ratio < 1.25:
                texts.append(f"the bootstrap spread is {ratio:.2f} times the standard error")
            if self.bootstrap.failed:
                texts.append(f"{self.bootstrap.failed} bootstrap replicates did not converge")
        return texts

    def picture(self) -> Picture:
        """Return what `plot` draws: the window and a little beyond it."""
        marks = ((self.rho50, f"$\\rho_{{50}}$ = {self.rho50:.4f}"),)
        if len(self.density):
            low, high = self.density[0], self.density[-1]
        else:
            low, high = self.window
        line = np.linspace(0.9 * low, min(1.1 * high, 1), 401)
        exact = np.full(len(self.density), self.exact)
        counts = (self.wins, self.games)
        return picture_of_rates(self, self.density, *counts, line, exact=exact, marks=marks)

    def lines(self) -> list[str]:
        """Return the lines of the report without the warnings: estimate, interval, checks."""
        lines = []
        share = f"{self.confidence:.0%}"
        if self.exact and not self.no_fit:
            lines.append(
                f"rho50 = {self.rho50:.5f}, k = {self.k:.3f}: where W first falls below 1/2, by a "
                "straight line"
            )
        elif not self.no_fit:
            kind = "effective games" if self.effective else "games"
            lines += [
                f"rho50 = {self.rho50:.5f} +- {self.error:.2g}, {share} interval "
                f"{self.interval.low:.5f} to {self.interval.high:.5f}, k = {self.k:.3f} +- "
                f"{self.errors['k']:.2g}"
                + (
                    f", bend = {self.bend:.2f} +- {self.errors['bend']:.2g}"
                    if self.degree > 1
                    else ""
                ),
                f"{self.points} points with {self.games.sum():,.0f} {kind} in the window "
                f"{self.window[0]:.4f} to {self.window[1]:.4f}, deviance {self.deviance:.1f} with "
                f"{self.df} degrees of freedom" + (f", p = {self.p_value:.2g}" if self.df else ""),
                f"falling sequence {self.crossing.best:.5f}"
                + (
                    f" ({self.crossing.low:.5f} to {self.crossing.high:.5f})"
                    if np.isfinite(self.crossing.low)
                    else ""
                ),
            ]
            if self.bootstrap is not None:
                b = self.bootstrap
                lines.append(
                    f"bootstrap +- {b.error:.2g}, {b.interval.low:.5f} to {b.interval.high:.5f}"
                )
        if self.cells is not None and self.cells < SMALL_BOARD:
            low, high = wilson(self.wins, self.games, self.confidence)
            lines += [
                f"W({round(rho * self.cells)}) = {won / played:.4f}"
                + (", exact" if self.exact else f" ({a:.4f} to {b:.4f})")
                for rho, won, played, a, b in zip(
                    self.density, self.wins, self.games, low, high, strict=True
                )
            ]
        return lines
