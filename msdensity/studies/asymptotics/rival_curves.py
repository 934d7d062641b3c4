"""Curves of rho50 against the side that rival each other: to a limit, to none, and the law."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq

from msdensity.stats.hyperbola import hyperbola
from msdensity.stats.law import law_rho50, minus_log_win_rate

Values = NDArray[np.float64]


class Curve(ABC):
    """A model of rho50 against the side q of a square board.

    start, topology: of the boards, as `law` names them.
    """

    parameters: ClassVar[tuple[str, ...]]
    """Names of the free parameters; `c` is a limit for q to infinity."""
    formula: ClassVar[str]

    def __init__(self, start: str, topology: str) -> None:
        self.start, self.topology = start, topology

    @abstractmethod
    def at(self, q: Values, values: Values) -> Values:
        """Return rho50 at sides q, shape (n,)."""

    @abstractmethod
    def slopes(self, q: Values, values: Values) -> Values:
        """Return the derivatives by the parameters, shape (n, parameters)."""

    def first(self, q: Values, rho50: Values, error: Values) -> Values:
        """Return values near the best ones, to begin the fit with; shape (parameters,)."""
        return np.empty(0)


class Hyperbola(Curve):
    """The paper's curve."""

    parameters = ("a", "b", "c")
    formula = "a/(q - b) + c"

    def at(self, q: Values, values: Values) -> Values:
        return hyperbola(q, *values)

    def slopes(self, q: Values, values: Values) -> Values:
        a, b, _ = values
        return np.stack([1 / (q - b), a / (q - b) ** 2, np.ones_like(q)], 1)

    def first(self, q: Values, rho50: Values, error: Values) -> Values:
        slope, intercept = np.polyfit(1 / q, rho50, 1)
        return np.array([slope, 0, intercept])


class Power(Curve):
    """A power of the side."""

    parameters = ("a", "s")
    formula = "a q^-s"

    def at(self, q: Values, values: Values) -> Values:
        return np.asarray(values[0] * q ** -values[1])

    def slopes(self, q: Values, values: Values) -> Values:
        a, s = values
        return np.stack([q**-s, -a * q**-s * np.log(q)], 1)

    def first(self, q: Values, rho50: Values, error: Values) -> Values:
        slope, intercept = np.polyfit(np.log(q), np.log(rho50), 1, w=rho50 / error)
        return np.array([np.exp(intercept), -slope])


class ShiftedPower(Curve):
    """A power of the side that begins elsewhere: as many parameters as the hyperbola, no limit."""

    parameters = ("a", "b", "s")
    formula = "a (q - b)^-s"

    def at(self, q: Values, values: Values) -> Values:
        a, b, s = values
        with np.errstate(invalid="ignore"):  # NaN from b on
            return np.asarray(a * (q - b) ** -s)

    def slopes(self, q: Values, values: Values) -> Values:
        a, b, s = values
        if not (q > b).all():
            return np.full((len(q), 3), np.nan)
        power = (q - b) ** -s
        return np.stack([power, a * s * power / (q - b), -a * power * np.log(q - b)], 1)

    def first(self, q: Values, rho50: Values, error: Values) -> Values:
        tried = [
            (square, b, line)
            for b in -np.geomspace(1, 300, 40)
            for square, line in [_line(q - b, rho50, error)]
        ]
        _, b, (slope, intercept) = min(tried, key=lambda each: each[0])
        return np.array([np.exp(intercept), b, -slope])


class PowerToLimit(Curve):
    """A power of the side that ends at a limit."""

    parameters = ("a", "s", "c")
    formula = "a q^-s + c"

    def at(self, q: Values, values: Values) -> Values:
        a, s, c = values
        return np.asarray(a * q**-s + c)

    def slopes(self, q: Values, values: Values) -> Values:
        a, s, _ = values
        return np.stack([q**-s, -a * q**-s * np.log(q), np.ones_like(q)], 1)

    def first(self, q: Values, rho50: Values, error: Values) -> Values:
        limits = rho50.min() * np.linspace(-1, 0.98, 100)
        tried = [(square, c, line) for c in limits for square, line in [_line(q, rho50 - c, error)]]
        _, c, (slope, intercept) = min(tried, key=lambda each: each[0])
        return np.array([np.exp(intercept), -slope, c])


class Law(Curve):
    """The law of unavoidable guesses; see `stats.law`."""

    parameters: ClassVar[tuple[str, ...]] = ()
    formula = "law"

    def at(self, q: Values, values: Values) -> Values:
        found = [_law_rho50(float(side), self.start, self.topology) for side in q.ravel()]
        return np.reshape(found, q.shape)

    def slopes(self, q: Values, values: Values) -> Values:
        return np.empty((len(q), 0))


class ScaledLaw(Law):
    """A multiple of the law."""

    parameters = ("scale",)
    formula = "scale x law"

    def at(self, q: Values, values: Values) -> Values:
        return values[0] * super().at(q, values)

    def slopes(self, q: Values, values: Values) -> Values:
        return super().at(q, values)[:, None]

    def first(self, q: Values, rho50: Values, error: Values) -> Values:
        return np.ones(1)


class CorrectedLaw(Law):
    """The law with -ln W times a factor that tends to 1 as the density falls: its limit is 0."""

    parameters = ("d", "g")
    formula = "law of -ln W times exp((ρ/d)^g)"

    def at(self, q: Values, values: Values) -> Values:
        return np.reshape([self._root(float(side), *values) for side in q.ravel()], q.shape)

    def slopes(self, q: Values, values: Values) -> Values:
        # Of the root of excess(ln rho; d, g): -(d excess / d value) / (d excess / d ln rho).
        d, g = values
        density = self.at(q, values)
        factor = (density / d) ** g
        steepness = [
            float(_log_law(float(side), self.start, self.topology)(np.log(rho), 1))
            for side, rho in zip(q, density, strict=True)
        ]
        own = np.stack([g / d * factor, -factor * np.log(density / d)], 1)
        return own * (density / (steepness + g * factor))[:, None]

    def first(self, q: Values, rho50: Values, error: Values) -> Values:
        law = [
            float(_log_law(float(side), self.start, self.topology)(np.log(rho)))
            for side, rho in zip(q, rho50, strict=True)
        ]
        excess = _LOG_HALF - np.array(law)
        use = excess > 0.01
        if use.sum() < 2:
            return np.array([0.5, 4.0])
        slope, intercept = np.polyfit(np.log(rho50[use]), np.log(excess[use]), 1)
        return np.array([np.exp(-intercept / slope), slope])

    def _root(self, side: float, d: float, g: float) -> float:
        law = _log_law(side, self.start, self.topology)

        def excess(x: float) -> float:
            # At most 1e300: a wild guess of d and g gives more than a number holds.
            return float(law(x)) + np.exp(min(g * (x - np.log(d)), 690)) - _LOG_HALF

        if not (d > 0 and g > 0 and excess(_RANGE[0]) < 0):
            return np.nan
        return float(np.exp(brentq(excess, *_RANGE, xtol=1e-14)))


_LOG_HALF = float(np.log(np.log(2)))

_RANGE = (float(np.log(1e-4)), float(np.log(0.6)))
"""Of ln rho: wide enough that the law is far below and far above ln 2 at its ends."""


_law_rho50 = cache(law_rho50)


@cache
def _log_law(side: float, start: str, topology: str) -> CubicSpline:
    """Return ln(-ln W) of the law against ln rho: many roots of a few boards are looked for."""
    x = np.linspace(*_RANGE, 1000)
    return CubicSpline(x, np.log(minus_log_win_rate((side, side), np.exp(x), start, topology)))


def _line(x: Values, y: Values, error: Values) -> tuple[float, Values]:
    """Return the sum of squares of ln y against ln x and the line; infinite where y is not > 0."""
    if not (y > 0).all():
        return np.inf, np.zeros(2)
    weight = y / error
    line = np.polyfit(np.log(x), np.log(y), 1, w=weight)
    away = weight * (np.polyval(line, np.log(x)) - np.log(y))
    return float(away @ away), line


CURVES: dict[str, type[Curve]] = {
    "hyperbola": Hyperbola,
    "power_to_limit": PowerToLimit,
    "power": Power,
    "shifted_power": ShiftedPower,
    "law": Law,
    "scaled_law": ScaledLaw,
    "corrected_law": CorrectedLaw,
}
"""Model -> its curve: two with a limit c, two powers without, and three with the law."""
