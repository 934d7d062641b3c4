"""Where a mean meets its target, where it is largest, and how a density goes with the side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import optimize, stats

from msdensity.stats.rho50.control_variate import effective_counts
from msdensity.stats.rho50.fit import fit_rho50, fit_rho50_rates
from msdensity.stats.rho50.fit_object import REJECTED, Rho50Fit
from msdensity.studies.definitions.means import Definition

Values = NDArray[np.float64]

HIGH = 0.75
"""The top of a peak is where a pilot, as means of three neighbours, has at least this share of its
largest value."""

MIN_POINTS = 5
"""Densities that a peak needs at its top."""


def crossing(pilot: pd.DataFrame, means: pd.DataFrame, definition: Definition) -> Rho50Fit | None:
    """Return the fit of the density at which a definition is met, None where the pilot has none.

    pilot, means: MEAN_COLUMNS of one measure, start and side. The pilot alone chooses the window:
    about .2 to .8 of the rate, below the density at which its rate is least. In the window the rate
    is that of a win-rate curve (`msdensity.stats.rho50`).
    """
    rho, rate, error = definition.rates(pilot)
    falling = slice(0, int(np.argmin(rate)) + 1)
    if rate[falling].min() > 0.5 or rate[0] < 0.5:
        return None
    first = fit_rho50(rho[falling], *effective_counts(rate[falling], error[falling]))
    return fit_rho50_rates(*definition.rates(means), first.window)


@dataclass(frozen=True)
class Peak:
    """The density of the largest mean, its error, the largest mean, and the fit."""

    density: float
    error: float
    value: float
    points: int
    deviance: float
    df: int

    @property
    def p_value(self) -> float:
        """The p-value of the deviance; NaN without degrees of freedom."""
        return float(stats.chi2.sf(self.deviance, self.df)) if self.df > 0 else np.nan


def peak(pilot: pd.DataFrame, means: pd.DataFrame) -> Peak | None:
    """Return the peak of a mean, by a cubic for its logarithm near the top.

    pilot, means: as in `crossing`. The pilot chooses the densities. None if they are too few, lie
    at an end of what is played, or the cubic has no maximum among them. The error follows by the
    delta method; if the cubic is rejected (p below .01) it is scaled by sqrt(deviance / df).
    """
    pilot, means = (table.sort_values("density", kind="stable") for table in (pilot, means))
    heights = pilot["mean"].rolling(3, center=True, min_periods=1).mean().to_numpy(float)
    top = int(heights.argmax())
    high = heights >= HIGH * heights[top]
    below, above = (np.flatnonzero(~high[:top]), np.flatnonzero(~high[top:]))
    first = int(below[-1]) + 1 if len(below) else 0
    last = top + int(above[0]) if len(above) else len(high)
    own = means.iloc[first:last]
    rho, mean, error = (own[name].to_numpy(float) for name in ("density", "mean", "mean_se"))
    if len(own) < MIN_POINTS or not len(above) or not len(below) or not (error > 0).all():
        return None
    middle, scale = rho.mean(), np.ptp(rho) / 2
    x, y, w = (rho - middle) / scale, np.log(mean), mean / error
    powers = np.vander(x, 4, increasing=True) * w[:, None]
    values, *_ = np.linalg.lstsq(powers, y * w, rcond=None)
    covariance = np.linalg.inv(powers.T @ powers)
    _, b, c, d = values
    roots = np.roots([3 * d, 2 * c, b])
    tops = [r.real for r in roots if abs(r.imag) < 1e-12 and 2 * c + 6 * d * r.real < 0]
    tops = [r for r in tops if -1 <= r <= 1]
    if len(tops) != 1:
        return None
    at = tops[0]
    slope = np.array([0, 1, 2 * at, 3 * at**2])
    curvature = 2 * c + 6 * d * at
    se = float(np.sqrt(slope @ covariance @ slope)) / abs(curvature)
    deviance = float(np.sum((y * w - powers @ values) ** 2))
    made = Peak(
        float(middle + scale * at),
        se * scale,
        float(np.exp(np.polynomial.polynomial.polyval(at, values))),
        len(own),
        deviance,
        len(own) - 4,
    )
    if made.p_value < REJECTED:
        grown = made.error * float(np.sqrt(deviance / made.df))
        made = Peak(made.density, grown, made.value, made.points, deviance, made.df)
    return made


@dataclass(frozen=True)
class SideCurve:
    """A fit c + a q^-b over sides q; c is 0 and has no error without a limit above 0."""

    limit: float
    limit_se: float
    power: float
    power_se: float
    deviance: float
    df: int


def fit_sides(side: Values, density: Values, error: Values, *, limit: bool) -> SideCurve | None:
    """Return the least-squares fit of a q^-b, or of c + a q^-b; None without a degree of freedom.

    With a limit c is at least 0; where that is the best c, the fit is the one without.

    side, density, error: (n,), errors above 0. If the curve is rejected (p below .01) the errors
    are scaled by sqrt(deviance / df).
    """
    terms = 3 if limit else 2
    if len(side) <= terms:
        return None
    log_q = np.log(side / side.max())

    def model(_: Values, *values: float) -> Values:
        a, b = values[:2]
        return a * np.exp(-b * log_q) + (values[2] if limit else 0)

    slope = -np.polyfit(log_q, np.log(density), 1)[0]
    start = [density[-1], slope] if not limit else [density[-1] / 2, 2 * slope, density[-1] / 2]
    low, high = [-np.inf, 0.02, -np.inf][:terms], [np.inf, 5, np.inf][:terms]
    start[1] = float(np.clip(start[1], 0.03, 4))
    try:
        values, covariance = optimize.curve_fit(
            model,
            side,
            density,
            p0=start,
            sigma=error,
            absolute_sigma=True,
            bounds=(low, high),
            x_scale=np.maximum(np.abs(start), 1e-3),
            max_nfev=20_000,
        )
    except RuntimeError:  # no minimum within the bounds
        return None
    deviance, df = float(np.sum(((density - model(side, *values)) / error) ** 2)), len(side) - terms
    scale = np.sqrt(deviance / df) if stats.chi2.sf(deviance, df) < REJECTED else 1.0
    if limit and values[2] <= 0:
        return fit_sides(side, density, error, limit=False)
    errors = scale * np.sqrt(np.diag(covariance))
    c, c_se = (float(values[2]), float(errors[2])) if limit else (0.0, np.nan)
    return SideCurve(c, c_se, float(values[1]), float(errors[1]), deviance, df)


def gain_p(without: SideCurve, with_limit: SideCurve) -> float:
    """Return the probability that a limit gains so much by chance where there is none.

    The F test of a nested fit if the larger one is rejected, else chi-square; half of it, because c
    has an edge at 0. 1 if the best c is 0.
    """
    if with_limit.limit == 0:
        return 1.0
    gained = max(without.deviance - with_limit.deviance, 0)
    scale = with_limit.deviance / with_limit.df
    if stats.chi2.sf(with_limit.deviance, with_limit.df) < REJECTED:
        return float(stats.f.sf(gained / scale, 1, with_limit.df)) / 2
    return float(stats.chi2.sf(gained, 1)) / 2
