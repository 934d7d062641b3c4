"""The fit of rho50 as an object: its numbers, its interval and its warnings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from msdensity.stats.fit import Fit, Picture, delta_error, picture_of_rates
from msdensity.stats.intervals import Estimate, wilson
from msdensity.stats.rho50.crossing import LocalLogit, local_logit
from msdensity.stats.rho50.weibull import win_rate_curve

SMALL_BOARD = 36
"""Boards with fewer cells have few numbers of mines near W = 1/2: their W(m) says more."""

FEW_POINTS = 4
"""With fewer points at most one degree of freedom is left to test the curve."""

REJECTED = 0.01
"""A curve whose deviance is less likely than this is rejected."""

_FEW_COUNTS = 5

_DISAGREE = 3.0


@dataclass(frozen=True)
class Bootstrap:
    """rho50 over parametric replicates: standard deviation, interval, how many, how many failed."""

    error: float
    interval: Estimate
    replicates: int
    failed: int


@dataclass(frozen=True, eq=False, repr=False)
class Rho50Fit(Fit):
    """A fit of W = 2^-((rho / rho50)^k) to counts within a window of densities.

    interval: profile-likelihood interval of rho50 at `confidence`; error: standard error of rho50;
    covariance: of (rho50, k), 2 x 2; deviance, df, p_value: of the curve against free win rates
    (p_value NaN without degrees of freedom). window: lowest and highest density used; density,
    wins, games: the points within it, shape (n,); outside: points left out. effective: whether the
    games are effective ones, computed from standard errors. at_bound: ends of the interval
    ("low", "high") that the search did not reach. cells: of the board, if known. no_fit: why there
    is no fit (then all its numbers are NaN), empty if there is one. crossing: where the falling
    sequence of all points, inside the window or not, crosses 1/2; bootstrap: check of error and
    interval, if any; own_window: whether the window was taken from the fitted counts; notes:
    warnings about the games.
    """

    rho50: float
    k: float
    interval: Estimate
    error: float
    covariance: NDArray[np.float64]
    deviance: float
    df: int
    p_value: float
    window: tuple[float, float]
    density: NDArray[np.float64]
    wins: NDArray[np.float64]
    games: NDArray[np.float64]
    outside: int
    confidence: float
    effective: bool
    at_bound: tuple[str, ...]
    cells: int | None
    no_fit: str
    crossing: Estimate
    bootstrap: Bootstrap | None = None
    own_window: bool = False
    notes: tuple[str, ...] = ()

    @property
    def values(self) -> dict[str, float]:
        """The parameters rho50 and k."""
        return {"rho50": self.rho50, "k": self.k}

    @property
    def points(self) -> int:
        """Number of points within the window."""
        return len(self.density)

    @cached_property
    def logit(self) -> LocalLogit:
        """Where a local logit of the same points crosses W = 1/2; NaN if there is no fit."""
        if self.no_fit:
            return LocalLogit(np.nan, np.nan, 1)
        return local_logit(self.density, self.wins, self.games)

    @property
    def k_error(self) -> float:
        """Standard error of k."""
        return float(np.sqrt(self.covariance[1, 1]))

    def predict(self, density: ArrayLike) -> NDArray[np.float64]:
        """Return the fitted win rate at mine densities, of the shape of density."""
        return win_rate_curve(density, self.rho50, self.k)

    curve = predict
    """The former name of `predict`."""

    def predict_error(self, density: ArrayLike) -> NDArray[np.float64]:
        """Return the standard error of the curve at mine densities, from the covariance."""
        rho = np.ravel(np.asarray(density, float))
        power = (rho / self.rho50) ** self.k
        slope = np.log(2) * power * self.predict(rho)
        logarithm = np.log(np.where(rho > 0, rho, self.rho50) / self.rho50)  # its term is 0 at 0
        gradient = np.stack([slope * self.k / self.rho50, -slope * logarithm], 1)
        return delta_error(gradient, self.covariance).reshape(np.shape(density))

    def warnings(self) -> list[str]:
        """Return the warnings about this fit, one sentence each."""
        texts = list(self.notes)
        if self.cells is not None and self.cells < SMALL_BOARD:
            texts.append(
                f"a board of {self.cells} cells, fewer than {SMALL_BOARD}, has too few numbers of "
                "mines for a curve: report W(m) itself"
            )
        if self.no_fit:
            return [*texts, f"no fit: {self.no_fit}"]
        if self.points < FEW_POINTS:
            texts.append(
                f"{self.points} points in the window for 2 parameters: the curve is hardly tested"
            )
        low, high = self.density[0], self.density[-1]
        if not low <= self.rho50 <= high:
            texts.append(
                f"rho50 = {self.rho50:.4g} lies outside the densities fitted, {low:.4g} to "
                f"{high:.4g}: it rests on the curve, not on games near W = 1/2"
            )
        for end in self.at_bound:
            texts.append(
                f"the interval is open: its {end} end {getattr(self.interval, end):.4g} is the "
                "bound of the search, not set by the data"
            )
        if self.p_value < REJECTED:
            texts.append(
                f"the curve is rejected: deviance {self.deviance:.1f} with {self.df} degrees of "
                f"freedom, p = {self.p_value:.2g}; use the local logit, or pass a narrower "
                "window= in Python"
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
        difference = self.logit.rho50 - self.rho50
        # Both use the same games, so the smaller error is part of the larger one.
        spread = np.sqrt(max(self.logit.error**2 - self.error**2, 0.05 * self.error**2))
        # The skewness of the curve bends a straight logit, which is no evidence against the curve.
        if self.logit.degree > 1 and abs(difference) > _DISAGREE * spread:
            texts.append(
                f"a local logit puts W = 1/2 at {self.logit.rho50:.5f}, "
                f"{abs(difference) / spread:.1f} standard errors of the difference away"
            )
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
        return picture_of_rates(self, self.density, self.wins, self.games, line, marks=marks)

    def lines(self) -> list[str]:
        """Return the lines of the report without the warnings: estimate, interval, checks."""
        lines = []
        share = f"{self.confidence:.0%}"
        if not self.no_fit:
            kind = "effective games" if self.effective else "games"
            lines += [
                f"rho50 = {self.rho50:.5f} +- {self.error:.2g}, {share} interval "
                f"{self.interval.low:.5f} to {self.interval.high:.5f}, k = {self.k:.3f} +- "
                f"{self.k_error:.2g}",
                f"{self.points} points with {self.games.sum():,.0f} {kind} in the window "
                f"{self.window[0]:.4f} to {self.window[1]:.4f}, deviance {self.deviance:.1f} with "
                f"{self.df} degrees of freedom" + (f", p = {self.p_value:.2g}" if self.df else ""),
                f"local logit {self.logit.rho50:.5f} +- {self.logit.error:.2g}; falling sequence "
                f"{self.crossing.best:.5f}"
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
                f"W({round(rho * self.cells)}) = {won / played:.4f} ({a:.4f} to {b:.4f})"
                for rho, won, played, a, b in zip(
                    self.density, self.wins, self.games, low, high, strict=True
                )
            ]
        return lines
