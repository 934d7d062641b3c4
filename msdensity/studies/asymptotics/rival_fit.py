"""Fits to rho50 of the law and of its rivals: a limit, a power, a multiple of the law."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import least_squares
from scipy.stats import chi2

from msdensity.errors import InputError, check_sizes
from msdensity.stats.fit import Fit, Picture, delta_error, picture_of_boards
from msdensity.stats.hyperbola import fit_squares, hyperbola
from msdensity.stats.law import law_rho50
from msdensity.stats.polish import polish

REJECTED = 0.01

RIVALS: dict[str, tuple[str, ...]] = {
    "hyperbola": ("a", "b", "c"),
    "power": ("a", "s"),
    "law": (),
    "scaled_law": ("scale",),
}
"""Rival -> its free parameters: a / (q - b) + c, a q^-s, the law, and a multiple of the law."""


_FORMULAS = {
    "hyperbola": "rho50 = a/(q - b) + c",
    "power": "rho50 = a q^-s",
    "law": "rho50 of the law",
    "scaled_law": "rho50 = scale times that of the law",
}


@dataclass(frozen=True, eq=False, repr=False)
class RivalFit(Fit):
    """One of RIVALS fitted to rho50 of q x q boards by weighted least squares.

    name: one of RIVALS; parameters: its parameters, shape (k,), 0 of them for the law; covariance:
    theirs, (k, k); sum_of_squares: of residuals in standard errors, chi2 with df degrees of freedom
    and probability p_value if the model is right; aicc: Akaike's criterion for small samples,
    without the constant that all models share (infinite where the points are too few for it);
    left_out: for every size, the prediction of the fit to all the others less the measurement,
    shape (n,), NaN where there is none; left_out_z: the same in standard errors of the difference.
    start, topology: of the law. q, rho50, error: the fitted points and their standard errors, shape
    (n,). Parameters are NaN where the fit did not converge.
    """

    name: str
    parameters: NDArray[np.float64]
    covariance: NDArray[np.float64]
    sum_of_squares: float
    df: int
    p_value: float
    aicc: float
    left_out: NDArray[np.float64]
    left_out_z: NDArray[np.float64]
    start: str
    topology: str
    q: NDArray[np.float64]
    rho50: NDArray[np.float64]
    error: NDArray[np.float64]

    @property
    def values(self) -> dict[str, float]:
        """The parameters by their names in RIVALS."""
        return dict(zip(RIVALS[self.name], self.parameters.tolist(), strict=True))

    @property
    def converged(self) -> bool:
        """Whether there is a fit."""
        return bool(np.isfinite(self.parameters).all())

    @property
    def left_out_rms(self) -> float:
        """Root mean square of the errors of leaving one size out: a density."""
        return float(np.sqrt(np.mean(self.left_out**2)))

    def predict(self, q: ArrayLike) -> NDArray[np.float64]:
        """Return rho50 of the model at sides q, of the shape of q."""
        return _curve(self.name, np.asarray(q, float), self.parameters, self.start, self.topology)

    def predict_error(self, q: ArrayLike) -> NDArray[np.float64]:
        """Return the standard error of `predict`, propagated from the covariance."""
        side = np.ravel(np.asarray(q, float))
        slopes = _slopes(self.name, side, self.parameters, self.start, self.topology)
        return delta_error(slopes, self.covariance).reshape(np.shape(q))

    def warnings(self) -> list[str]:
        """Return the warnings about this fit, one sentence each."""
        if not self.converged:
            return [f"the fit of {self.name} runs away, so no value is given"]
        texts = []
        if not np.isfinite(self.covariance).all():
            texts.append(
                f"{len(self.q)} points do not determine {len(self.parameters)} parameters and "
                "their errors"
            )
        if self.p_value < REJECTED:
            texts.append(
                f"the model is rejected: chi2 {self.sum_of_squares:.1f} with {self.df} degrees of "
                f"freedom, p = {self.p_value:.2g}"
            )
        if not np.isfinite(self.aicc):
            texts.append(f"{len(self.q)} points are too few for the AICc of {self.name}")
        return texts

    def lines(self) -> list[str]:
        """Return the lines of the report without the warnings."""
        pairs = zip(self.values.items(), self.errors.values(), strict=True)
        return [
            f"{_FORMULAS[self.name]}, {len(self.q)} square boards, q = {self.q.min():g}.."
            f"{self.q.max():g}: chi2 {self.sum_of_squares:.1f} with {self.df} degrees of freedom, "
            f"p = {self.p_value:.2g}, AICc {self.aicc:.1f}",
            *(f"{name} = {value:.6g} +- {error:.2g}" for (name, value), error in pairs),
        ]

    def picture(self) -> Picture:
        """Return what `plot` draws: the curve ends at twice the largest side."""
        line = np.geomspace(self.q.min(), 2 * self.q.max(), 101)
        labels = ("side $q$ of a $q$ × $q$ board", "$\\rho_{50}$ (half the games are won)")
        return picture_of_boards(self, self.q, self.rho50, self.error, np.nan, line, labels)


def fit_rival(
    name: str,
    q: ArrayLike,
    rho50: ArrayLike,
    error: ArrayLike,
    start: str = "corner",
    topology: str = "square8",
) -> RivalFit:
    """Fit one of RIVALS to rho50 of q x q boards.

    q: sides (at least 3), shape (n,), rising, n above the number of parameters; rho50 in (0, 1) and
    standard errors above 0: shape (n,). start, topology: of the boards, as `law` names them. Raises
    InputError out of range. A fit that runs away is no error: its values are NaN.
    """
    if name not in RIVALS:
        raise InputError(f"name={name!r} must be one of {', '.join(RIVALS)}")
    free = len(RIVALS[name])
    side, density, spread = check_sizes(q, rho50, error, least=free + 1)
    values, covariance = _fit(name, side, density, spread, start, topology)
    residuals = (_curve(name, side, values, start, topology) - density) / spread
    square = float(residuals @ residuals)
    n = len(side)
    # With known errors the deviance is chi2; the correction is that of a sample of n.
    spare = n - free - 1
    aicc = square + 2 * free + 2 * free * (free + 1) / spare if spare > 0 else np.inf
    left_out, left_out_z = np.full(n, np.nan), np.full(n, np.nan)
    if n - 1 >= max(free, 1):
        for i in range(n):
            rest = np.arange(n) != i
            those, errors = _fit(name, side[rest], density[rest], spread[rest], start, topology)
            slopes = _slopes(name, side[[i]], those, start, topology)[0]
            left_out[i] = _curve(name, side[[i]], those, start, topology)[0] - density[i]
            variance = spread[i] ** 2 + slopes @ errors @ slopes
            left_out_z[i] = left_out[i] / np.sqrt(variance)
    return RivalFit(
        name,
        values,
        covariance,
        square,
        n - free,
        float(chi2.sf(square, n - free)),
        float(aicc),
        left_out,
        left_out_z,
        start,
        topology,
        side,
        density,
        spread,
    )


def compare_rivals(
    q: ArrayLike,
    rho50: ArrayLike,
    error: ArrayLike,
    start: str = "corner",
    topology: str = "square8",
) -> list[RivalFit]:
    """Return the fits of all RIVALS, the lowest AICc first; n at least 4, else as `fit_rival`."""
    fits = [fit_rival(name, q, rho50, error, start, topology) for name in RIVALS]
    return sorted(fits, key=lambda fit: (np.isnan(fit.aicc), fit.aicc))


def _fit(
    name: str,
    q: NDArray[np.float64],
    rho50: NDArray[np.float64],
    error: NDArray[np.float64],
    start: str,
    topology: str,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the parameters and their covariance, from the errors alone."""
    if name == "hyperbola":
        fit = fit_squares(q, rho50, error)
        return np.array([fit.a, fit.b, fit.c]), fit.covariance
    if name == "power":
        weight = rho50 / error
        slope, intercept = np.polyfit(np.log(q), np.log(rho50), 1, w=weight)

        def residuals(v: NDArray[np.float64]) -> NDArray[np.float64]:
            return np.asarray((np.exp(v[0]) * q ** -v[1] - rho50) / error)

        best = least_squares(residuals, [intercept, -slope])
        values, _ = polish(
            lambda v: (_curve(name, q, v, start, topology) - rho50) / error,
            lambda v: _slopes(name, q, v, start, topology) / error[:, None],
            np.array([np.exp(best.x[0]), best.x[1]]),
        )
        slopes = _slopes(name, q, values, start, topology) / error[:, None]
        inverse = np.linalg.inv(slopes.T @ slopes)
        return values, (inverse + inverse.T) / 2
    if name == "scaled_law":
        curve = _law(q, start, topology)
        information = float(np.sum((curve / error) ** 2))
        scale = float(np.sum(curve * rho50 / error**2)) / information
        return np.array([scale]), np.array([[1 / information]])
    return np.empty(0), np.empty((0, 0))


def _curve(
    name: str, q: NDArray[np.float64], values: NDArray[np.float64], start: str, topology: str
) -> NDArray[np.float64]:
    if name == "hyperbola":
        return hyperbola(q, *values)
    if name == "power":
        return np.asarray(values[0] * q ** -values[1])
    scale = values[0] if name == "scaled_law" else 1.0
    return scale * _law(q, start, topology)


def _slopes(
    name: str, q: NDArray[np.float64], values: NDArray[np.float64], start: str, topology: str
) -> NDArray[np.float64]:
    """Return the derivatives of a model by its parameters, shape (len(q), parameters)."""
    if name == "hyperbola":
        a, b, _ = values
        return np.stack([1 / (q - b), a / (q - b) ** 2, np.ones_like(q)], 1)
    if name == "power":
        a, s = values
        return np.stack([q**-s, -a * q**-s * np.log(q)], 1)
    if name == "scaled_law":
        return _law(q, start, topology)[:, None]
    return np.empty((len(q), 0))


def _law(q: NDArray[np.float64], start: str, topology: str) -> NDArray[np.float64]:
    values = [law_rho50(float(side), start, topology) for side in q.ravel()]
    return np.reshape(values, q.shape)


def local_exponent(q: ArrayLike, rho50: ArrayLike, error: ArrayLike) -> pd.DataFrame:
    """Return -d ln rho50 / d ln q between each size and the next.

    q: sides, shape (n,), n at least 2, rising; rho50 in (0, 1) and its standard errors above 0:
    shape (n,). Columns: q_low, q_high, q (their geometric mean, where the exponent applies),
    exponent, error. Neighbouring rows share a size: their errors are anticorrelated. Raises
    InputError out of range.
    """
    side, density, spread = check_sizes(q, rho50, error, least=2)
    x, y, relative = np.log(side), np.log(density), spread / density
    width = np.diff(x)
    return pd.DataFrame(
        {
            "q_low": side[:-1],
            "q_high": side[1:],
            "q": np.exp((x[:-1] + x[1:]) / 2),
            "exponent": -np.diff(y) / width,
            "error": np.hypot(relative[:-1], relative[1:]) / width,
        }
    )


def exponent_covariance(q: ArrayLike, rho50: ArrayLike, error: ArrayLike) -> NDArray[np.float64]:
    """Return the covariance of the exponents of `local_exponent`, shape (n - 1, n - 1)."""
    side, density, spread = check_sizes(q, rho50, error, least=2)
    differences = np.diff(np.eye(len(side)), axis=0) / np.diff(np.log(side))[:, None]
    return np.asarray((differences * (spread / density) ** 2) @ differences.T)
