"""Finite-size scaling of the share of boards that are crossed.

Near a continuous transition the share R of the boards of side L with mine density rho depends on
one number alone, once L is large:

    logit R(rho, L) = c0 + c1 u + c2 u^2 + c3 u^3 (+ b / L),    u = (rho - rho_c) L^(1 / nu)

In two dimensions ordinary percolation has nu = 4/3. The counts are binomial, and the curve is
fitted by maximum likelihood; the deviance says whether it fits. b / L stands for the corrections of
small boards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special, stats

NU = 4 / 3
"""The exponent of the correlation length of ordinary percolation in two dimensions."""

LOW, HIGH = 0.03, 0.995
"""Points with another share are left out: there the cubic curve need not hold."""

FIXED, FREE, CORRECTED = "fixed", "free", "corrected"
"""nu = 4/3; nu fitted; nu = 4/3 and b / L."""

MODELS = (FIXED, FREE, CORRECTED)

CUBIC = 4
"""Coefficients of the curve."""

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Scaling:
    """A fit: the parameters rho_c, c0 .. c3 and, by the model, nu or b, with their covariance.

    points: counts that were fitted; deviance: their distance from the curve.
    """

    model: str
    values: Array
    covariance: Array
    points: int
    deviance: float

    @property
    def df(self) -> int:
        """Degrees of freedom."""
        return self.points - len(self.values)

    @property
    def p_value(self) -> float:
        """Chance of such a deviance or a larger one, if the curve is right."""
        return float(stats.chi2.sf(self.deviance, self.df)) if self.df > 0 else np.nan

    def parameter(self, name: str) -> tuple[float, float]:
        """Return a parameter and its standard error; without an error if the model fixes it.

        name: rho_c, nu, b, c0, c1, c2 or c3.
        """
        last = {FREE: "nu", CORRECTED: "b"}.get(self.model)
        names = ["rho_c", "c0", "c1", "c2", "c3", *([last] if last else [])]
        if name not in names:
            return {"nu": NU, "b": 0.0}[name], np.nan
        i = names.index(name)
        return float(self.values[i]), float(np.sqrt(self.covariance[i, i]))

    @property
    def crossing(self) -> tuple[float, float]:
        """R at rho_c on a large board, and its standard error."""
        c0, error = self.parameter("c0")
        share = float(special.expit(c0))
        return share, share * (1 - share) * error

    def share(self, rho: Array, side: Array) -> Array:
        """Return R of boards of these densities and sides."""
        return special.expit(_logit(self.model, self.values, rho, side))


def _logit(model: str, values: Array, rho: Array, side: Array) -> Array:
    nu = values[5] if model == FREE else NU
    u = (rho - values[0]) * side ** (1 / nu)
    added = values[5] / side if model == CORRECTED else 0.0
    return np.polynomial.polynomial.polyval(u, values[1:5]) + added


def fit_scaling(
    rho: Array, side: Array, games: Array, crossed: Array, model: str = FIXED
) -> Scaling | None:
    """Fit the curve to counts, one element each; None if they are too few or do not say it.

    rho: mine densities; side: L; games: boards; crossed: those that were crossed; model: one of
    MODELS. Points with R outside LOW .. HIGH are left out. At least two sides must be left (three
    with b / L), and more points than parameters.
    """
    kept = (crossed > LOW * games) & (crossed < HIGH * games)
    rho, side, games, crossed = (
        np.asarray(each, float)[kept] for each in (rho, side, games, crossed)
    )
    size = 1 + CUBIC + (model != FIXED)
    if len(rho) <= size or len(set(side)) < (3 if model == CORRECTED else 2):
        return None
    start = _start(rho, side, games, crossed)
    if model != FIXED:
        start = np.append(start, NU if model == FREE else 0.0)
    scale = np.array([0.01, 1, 10, 30, 100, *([0.2] if model == FREE else [10.0])])[:size]

    def residuals(x: Array) -> Array:
        return _residuals(_logit(model, x * scale, rho, side), games, crossed)

    found = optimize.least_squares(residuals, start / scale, x_scale="jac", max_nfev=500)
    values = found.x * scale
    slopes = _slopes(lambda x: _logit(model, x, rho, side), values, scale)
    R = special.expit(_logit(model, values, rho, side))
    information = slopes.T @ (slopes * (games * R * (1 - R))[:, None])
    if (
        not found.success
        or np.linalg.matrix_rank(information / np.outer(1 / scale, 1 / scale)) < size
    ):
        return None
    covariance = np.asarray(np.linalg.inv(information), float)
    return Scaling(model, values, covariance, len(rho), float(2 * found.cost))


def _start(rho: Array, side: Array, games: Array, crossed: Array) -> Array:
    """Return the first values: a straight line in rho for all sides, turned at R = 1/2."""
    y = special.logit((crossed + 0.5) / (games + 1))
    slope, level = np.polyfit(rho, y, 1)
    middle = -level / slope if slope < 0 else rho.mean()
    width = np.mean(side) ** (1 / NU)
    return np.array(
        [np.clip(middle, rho.min(), rho.max()), 0.5, min(slope / width, -1.0), 0.0, 0.0]
    )


def _residuals(logit: Array, games: Array, crossed: Array) -> Array:
    """Return the signed roots of each point's part of the deviance."""
    share = crossed / games
    # log R and log(1 - R) without a difference of large numbers
    log_r, log_s = -np.logaddexp(0, -logit), -np.logaddexp(0, logit)
    parts = special.xlogy(share, share) + special.xlogy(1 - share, 1 - share)
    parts = parts - share * log_r - (1 - share) * log_s
    return np.sign(share - special.expit(logit)) * np.sqrt(2 * games * np.maximum(parts, 0))


def _slopes(f: Callable[[Array], Array], values: Array, scale: Array) -> Array:
    """Return the derivatives of f by each parameter, shape (points, parameters)."""
    columns = []
    for i, size in enumerate(scale):
        step = np.zeros(len(values))
        step[i] = 1e-4 * size
        columns.append((f(values + step) - f(values - step)) / (2e-4 * size))
    return np.stack(columns, axis=1)


def fit_losses(side: Array, mean: Array, error: Array, power: float) -> tuple[Array, Array, float]:
    """Fit mean(L) = rho_z + a L^-power by weighted least squares.

    Returns the values (rho_z, a), their standard errors, and the deviance.
    """
    design = np.stack([np.ones(len(side)), side**-power], axis=1) / error[:, None]
    covariance = np.linalg.inv(design.T @ design)
    values = covariance @ design.T @ (mean / error)
    deviance = float((((mean / error) - design @ values) ** 2).sum())
    return values, np.sqrt(np.diag(covariance)), deviance
