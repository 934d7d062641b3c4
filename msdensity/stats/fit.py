"""The base of every fit: values with errors, warnings, a report, a curve with its error, a plot."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from msdensity.stats.intervals import wilson


@dataclass(frozen=True, eq=False)
class Picture:
    """The contents of a plot of a fit.

    x, y: the fitted points, shape (n,); low, high: ends of their 95 % intervals, NaN for none;
    residuals: of the points about the curve, in units of `unit`; line, curve, error: the x at which
    the curve is drawn, its height and standard error, shape (m,); marks: vertical lines (x, label);
    added: points (x, y) that the fit adds to the measured ones; exact: which points have no error,
    shape (n,), None for none.
    """

    x: NDArray[np.float64]
    y: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    residuals: NDArray[np.float64]
    line: NDArray[np.float64]
    curve: NDArray[np.float64]
    error: NDArray[np.float64]
    labels: tuple[str, str]
    unit: str = "standard error"
    marks: tuple[tuple[float, str], ...] = ()
    added: tuple[tuple[float, float], ...] = ()
    exact: NDArray[np.bool_] | None = None


class Fit(ABC):
    """A fit of a curve y = f(x; values) to points.

    The values are NaN if there is no fit; the errors are also NaN if the points do not determine
    them. `warnings` then says why.
    """

    if TYPE_CHECKING:

        @property
        def covariance(self) -> NDArray[np.float64]:
            """Covariance of the values, shape (n, n), in their order; NaN if unknown."""

    @property
    @abstractmethod
    def values(self) -> dict[str, float]:
        """The fitted values by their names."""

    @property
    def errors(self) -> dict[str, float]:
        """The standard errors of the values by their names; NaN if unknown."""
        return dict(zip(self.values, np.sqrt(np.diag(self.covariance)).tolist(), strict=True))

    @abstractmethod
    def warnings(self) -> list[str]:
        """Return the warnings about this fit, one sentence each."""

    @abstractmethod
    def lines(self) -> list[str]:
        """Return the lines of the report without the warnings."""

    @abstractmethod
    def predict(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return the fitted curve at x, of the shape of x."""

    @abstractmethod
    def predict_error(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return the standard error of the curve at each x, of the shape of x; NaN if unknown."""

    @abstractmethod
    def picture(self) -> Picture:
        """Return what `plot` draws."""

    def report(self) -> str:
        """Return the fit in words, with its warnings."""
        return "\n".join([*self.lines(), *(f"warning: {text}" for text in self.warnings())])

    def __str__(self) -> str:
        """Return the report."""
        return self.report()

    def __repr__(self) -> str:
        """Return the values with their standard errors in one line."""
        pairs = zip(self.values.items(), self.errors.values(), strict=True)
        numbers = ", ".join(f"{name}={value:.6g} +- {error:.2g}" for (name, value), error in pairs)
        return f"{type(self).__name__}({numbers})"

    def plot(self, ax: Any = None) -> Any:
        """Draw points with 95 % intervals, the curve with its 95 % band, and the residuals below.

        ax: None for a new figure, matplotlib axes for the curve only, or two axes for the curve and
        the residuals. Returns the matplotlib Figure. Raises InputError for anything else.
        """
        # No import statement, because the sources of a step are what it imports: a change of the
        # look of fits is no reason to fit again.
        return import_module("msdensity.stats.plot").draw(self, ax)

    def _repr_html_(self) -> str:
        """Return the fit as HTML for a notebook."""
        rows = "".join(
            f"<tr><td>{escape(name)}</td><td>{value:.6g}</td>"
            f"<td>{f'{error:.2g}' if np.isfinite(error) else 'unknown'}</td></tr>"
            for (name, value), error in zip(self.values.items(), self.errors.values(), strict=True)
        )
        head = escape((self.lines() or ["no fit"])[0])
        notes = "".join(f"<p>warning: {escape(text)}</p>" for text in self.warnings())
        return (
            f"<table><caption>{head}</caption>"
            f"<tr><th>name</th><th>value</th><th>standard error</th></tr>{rows}</table>{notes}"
        )


def delta_error(
    gradient: NDArray[np.float64], covariance: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return standard errors, shape (m,), by the delta method.

    gradient: derivatives by the parameters, shape (m, n); covariance: of these, shape (n, n).
    """
    variance = np.einsum("ni,ij,nj->n", gradient, covariance, gradient)
    return np.sqrt(np.maximum(variance, 0))


def picture_of_rates(
    fit: Fit,
    x: NDArray[np.float64],
    wins: NDArray[np.float64],
    games: NDArray[np.float64],
    line: NDArray[np.float64],
    *,
    exact: NDArray[np.bool_] | None = None,
    **others: Any,
) -> Picture:
    """Return the picture of a fit to win rates.

    line: the densities of the curve; exact: which win rates are exact, shape (n,); others: further
    fields of the picture. The intervals are Wilson's, and none where the win rate is exact; the
    unit of residuals is the standard error of a win rate at the curve, which is kept half a game
    away from 0 and 1. An exact win rate has the unit that its games would have.
    """
    low, high = wilson(wins, games)
    if exact is not None and exact.any():
        low, high = (np.where(exact, wins / games, end) for end in (low, high))
        others |= {"exact": exact, "unit": "standard error\nof the games"}
    fitted = fit.predict(x)
    edge = 0.5 / (games + 1)
    rate = np.clip(fitted, edge, 1 - edge)
    residuals = (wins / games - fitted) / np.sqrt(rate * (1 - rate) / games)
    shown = _band(fit.predict, fit.predict_error, line)
    labels = ("mine density $\\rho$", "win rate $W$")
    return Picture(x, wins / games, low, high, residuals, *shown, labels, **others)


def picture_of_boards(
    fit: Fit,
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    sigma: NDArray[np.float64] | None,
    scatter: float,
    line: NDArray[np.float64],
    labels: tuple[str, str],
) -> Picture:
    """Return the picture of a fit to critical densities y at sides x.

    sigma: their standard errors, None if unknown; scatter: the standard deviation about the curve,
    the unit of the residuals if sigma is None.
    """
    known = sigma is not None and (sigma > 0).all()
    unit = sigma if known and sigma is not None else np.full(len(x), scatter)
    half = 1.96 * unit if known else np.full(len(x), np.nan)
    with np.errstate(
        divide="ignore", invalid="ignore"
    ):  # a curve through every point has no scatter
        residuals = (y - fit.predict(x)) / unit
    shown = _band(fit.predict, fit.predict_error, line)
    name = "standard error" if known else "scatter"
    return Picture(x, y, y - half, y + half, residuals, *shown, labels, name)


def _band(
    predict: Callable[..., NDArray[np.float64]],
    predict_error: Callable[..., NDArray[np.float64]],
    line: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    return line, predict(line), predict_error(line)
