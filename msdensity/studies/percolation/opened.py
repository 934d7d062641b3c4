"""The power of L by which the opened share falls at the critical density.

At rho_c the share of the cells that a front opens falls as L^(-beta / nu), because the opened
region is no solid area but full of holes of every size. In ordinary percolation in two dimensions
beta / nu = 5/48. Near rho_c

    ln F(rho, L) = c0 - x ln L + c1 u + c2 u^2 + c3 u^3,    u = (rho - rho_c) L^(3/4)

with x fitted by weighted least squares to F, the means of the boards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import optimize, stats

from msdensity.games.front import KNOWN, WIDE
from msdensity.studies.percolation.scaling import NU

ORDINARY = 5 / 48
"""beta / nu of ordinary percolation in two dimensions."""

WINDOW = 0.26
"""Points with a larger |u| are left out: there the cubic curve need not hold."""

SMALLEST = 64
"""Smaller boards are left out: the known columns lead to most of their cells."""


@dataclass(frozen=True)
class Power:
    """The power x with its standard error, and chi-square with its degrees of freedom.

    The error holds what the error of rho_c does to x.
    """

    value: float
    error: float
    deviance: float
    df: int

    @property
    def p_value(self) -> float:
        """Chance of such a chi-square or a larger one, if the curve is right."""
        return float(stats.chi2.sf(self.deviance, self.df)) if self.df else np.nan

    @property
    def z(self) -> float:
        """Standard errors above the power of ordinary percolation."""
        return (self.value - ORDINARY) / self.error


def opened_power(
    fronts: pd.DataFrame, rho_c: float, error: float, smallest: int = SMALLEST
) -> Power | None:
    """Return the power of L by which the opened share falls; None if too few boards say it.

    fronts: FRONT_COLUMNS of one topology and set of rules; rho_c, error: their critical density;
    smallest: boards of fewer rows are left out. At least two sides and one point more than
    parameters must be left.
    """
    side = fronts["side"].to_numpy(float)
    share, share_error = opened_share(fronts)
    size = len(np.unique(side[side >= smallest]))

    def fit(at: float) -> tuple[float, float, float, int] | None:
        u = (fronts["density"].to_numpy() - at) * side ** (1 / NU)
        kept = (np.abs(u) <= WINDOW) & (side >= smallest) & (share > 0) & (share_error > 0)
        columns = [np.ones(kept.sum()), -np.log(side[kept]), *(u[kept] ** k for k in (1, 2, 3))]
        design = np.stack(columns, axis=1)
        if len(design) <= design.shape[1] or np.linalg.matrix_rank(design) < design.shape[1]:
            return None
        y, sigma = share[kept], share_error[kept]
        start = np.linalg.lstsq(design, np.log(y), rcond=None)[0]

        # The shares themselves: their logarithms would weigh those that chance made large more.
        def residuals(values: NDArray[np.float64]) -> NDArray[np.float64]:
            return np.asarray((np.exp(design @ values) - y) / sigma)

        found = optimize.least_squares(residuals, start)
        jac = np.asarray(found.jac)
        variance = float(np.linalg.inv(jac.T @ jac)[1, 1])
        return float(found.x[1]), variance**0.5, float(2 * found.cost), len(y) - len(found.x)

    middle, ends = fit(rho_c), [fit(rho_c + sign * error) for sign in (-1, 1)]
    if size < 2 or middle is None or None in ends:
        return None
    low, high = (end[0] for end in ends if end)
    value, own, chi2, df = middle
    return Power(value, float(np.hypot(own, (high - low) / 2)), chi2, df)


def opened_share(fronts: pd.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean share of the safe cells beyond the known columns that are opened, and errors.

    fronts: FRONT_COLUMNS. Known columns hold their share of the safe cells on average.
    """
    games, side = fronts["games"].to_numpy(float), fronts["side"].to_numpy(float)
    safe = 3 * side**2 - fronts["mines"].to_numpy(float)
    mean = fronts["opened"].to_numpy(float) / games / safe
    variance = fronts["opened_squared"].to_numpy(float) / games / safe**2 - mean**2
    error = np.sqrt(np.maximum(variance, 0) / np.maximum(games - 1, 1))
    known = fronts["topology"].map(lambda name: WIDE.get(name, KNOWN)).to_numpy() / (3 * side)
    return (mean - known) / (1 - known), error / (1 - known)


def site_power(sites: pd.DataFrame) -> Power | None:
    """Return the same power of ordinary site percolation; None from fewer than two sides.

    sites: SITE_COLUMNS, at the critical density.
    """
    used = sites[(sites["side"] >= SMALLEST) & (sites["opened"] > 0) & (sites["opened_se"] > 0)]
    if len(used) < 2:
        return None
    weight = (used["opened"] / used["opened_se"]).to_numpy()
    x, y = -np.log(used["side"].to_numpy(float)), np.log(used["opened"].to_numpy(float))
    values, covariance = np.polyfit(x, y, 1, w=weight, cov="unscaled")
    chi2 = float(((weight * (y - np.polyval(values, x))) ** 2).sum())
    return Power(float(values[0]), float(np.sqrt(covariance[0, 0])), chi2, len(used) - 2)
