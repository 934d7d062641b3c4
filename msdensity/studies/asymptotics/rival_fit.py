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
from msdensity.stats.polish import polish
from msdensity.studies.asymptotics.rival_curves import CURVES, Curve

REJECTED = 0.01


@dataclass(frozen=True, eq=False, repr=False)
class RivalFit(Fit):
    """One of CURVES fitted to rho50 of q x q boards by weighted least squares.

    name: one of CURVES; parameters: its parameters, shape (k,), 0 of them for the law; covariance:
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
        """The parameters by their names."""
        return dict(zip(CURVES[self.name].parameters, self.parameters.tolist(), strict=True))

    @property
    def converged(self) -> bool:
        """Whether there is a fit."""
        return bool(np.isfinite(self.parameters).all())

    @property
    def left_out_rms(self) -> float:
        """Root mean square of the errors of leaving one size out: a density."""
        return float(np.sqrt(np.mean(self.left_out**2)))

    @property
    def curve(self) -> Curve:
        """The model."""
        return CURVES[self.name](self.start, self.topology)

    def predict(self, q: ArrayLike) -> NDArray[np.float64]:
        """Return rho50 of the model at sides q, of the shape of q."""
        return self.curve.at(np.asarray(q, float), self.parameters)

    def predict_error(self, q: ArrayLike) -> NDArray[np.float64]:
        """Return the standard error of `predict`, propagated from the covariance."""
        side = np.ravel(np.asarray(q, float))
        slopes = self.curve.slopes(side, self.parameters)
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
            f"rho50 = {self.curve.formula}, {len(self.q)} square boards, q = {self.q.min():g}.."
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
    """Fit one of CURVES to rho50 of q x q boards.

    q: sides (at least 3), shape (n,), rising, n above the number of parameters; rho50 in (0, 1) and
    standard errors above 0: shape (n,). start, topology: of the boards, as `law` names them. Raises
    InputError out of range. A fit that runs away is no error: its values are NaN.
    """
    if name not in CURVES:
        raise InputError(f"name={name!r} must be one of {', '.join(CURVES)}")
    curve = CURVES[name](start, topology)
    free = len(curve.parameters)
    side, density, spread = check_sizes(q, rho50, error, least=free + 1)
    values, covariance = _fit(curve, side, density, spread)
    residuals = (curve.at(side, values) - density) / spread
    square = float(residuals @ residuals)
    n = len(side)
    # With known errors the deviance is chi2; the correction is that of a sample of n.
    spare = n - free - 1
    aicc = square + 2 * free + 2 * free * (free + 1) / spare if spare > 0 else np.inf
    left_out, left_out_z = np.full(n, np.nan), np.full(n, np.nan)
    if n - 1 >= max(free, 1):
        for i in range(n):
            rest = np.arange(n) != i
            those, errors = _fit(curve, side[rest], density[rest], spread[rest], near=values)
            slopes = curve.slopes(side[[i]], those)[0]
            left_out[i] = curve.at(side[[i]], those)[0] - density[i]
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
    """Return the fits of all CURVES, the lowest AICc first; n at least 4, else as `fit_rival`."""
    fits = [fit_rival(name, q, rho50, error, start, topology) for name in CURVES]
    return sorted(fits, key=lambda fit: (np.isnan(fit.aicc), fit.aicc))


def _fit(
    curve: Curve,
    q: NDArray[np.float64],
    rho50: NDArray[np.float64],
    error: NDArray[np.float64],
    near: NDArray[np.float64] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the parameters and their covariance, from the errors alone; NaN where it runs away.

    near: values to begin with.
    """
    free = len(curve.parameters)
    if free == 0:
        return np.empty(0), np.empty((0, 0))

    def away(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return (curve.at(q, values) - rho50) / error

    def slopes(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return curve.slopes(q, values) / error[:, None]

    try:
        with np.errstate(all="ignore"):
            begin = curve.first(q, rho50, error) if near is None else near
            best = least_squares(away, begin, slopes, x_scale="jac", xtol=1e-12, max_nfev=2000)
        values, settled = polish(away, slopes, best.x)
        matrix = slopes(values)
        inverse = np.linalg.inv(matrix.T @ matrix)
        settled = settled and bool((np.diag(inverse) > 0).all())
    except (ValueError, np.linalg.LinAlgError):  # of a curve that is not finite, or has no root
        settled = False
    if not settled:
        return np.full(free, np.nan), np.full((free, free), np.nan)
    return values, (inverse + inverse.T) / 2


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
