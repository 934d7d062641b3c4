"""The critical density of square boards as a function of their side, and its extrapolation."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import OptimizeWarning, curve_fit

from msdensity.errors import InputError, real_array, side_array
from msdensity.files.tables import check_table
from msdensity.kernel.names import topology_of
from msdensity.stats.columns import EXTRAPOLATION_COLUMNS
from msdensity.stats.fit import Fit, Picture, delta_error, picture_of_boards
from msdensity.stats.polish import polish

SMALLEST_SQUARE = 3
"""Boards with p <= 2 follow other trends (paper 001, sections 9.1 and 9.2)."""

MIN_BOARDS = 4
"""Three parameters and one more point, without which they have no errors."""


def hyperbola(q: ArrayLike, a: float, b: float, c: float) -> NDArray[np.float64]:
    """Return a / (q - b) + c (paper 001, section 9.3), of the shape of q (side, in cells)."""
    return a / (np.asarray(q, float) - b) + c


def _gradient(q: ArrayLike, a: float, b: float, c: float) -> NDArray[np.float64]:
    """Return the derivatives of `hyperbola` by a, b, c: shape (len(q), 3)."""
    distance = np.atleast_1d(np.asarray(q, float)) - b
    return np.stack([1 / distance, a / distance**2, np.ones_like(distance)], axis=-1)


@dataclass(frozen=True, eq=False, repr=False)
class ExtrapolationFit(Fit):
    """A fit of P = a / (q - b) + c; c is the critical density extrapolated to an infinite board.

    All values are NaN if the fit did not converge; standard errors and covariance (3 x 3, in the
    order a, b, c) are also NaN if the points do not determine them. q, P, sigma: the fitted points,
    shape (n,), and their standard errors if known.
    """

    a: float
    b: float
    c: float
    covariance: NDArray[np.float64]
    q_min: int
    q_max: int
    n: int
    converged: bool
    q: NDArray[np.float64]
    P: NDArray[np.float64]
    sigma: NDArray[np.float64] | None = field(repr=False, default=None)

    @property
    def values(self) -> dict[str, float]:
        """The parameters a, b, c."""
        return {"a": self.a, "b": self.b, "c": self.c}

    @property
    def a_se(self) -> float:
        """Standard error of a."""
        return float(np.sqrt(self.covariance[0, 0]))

    @property
    def b_se(self) -> float:
        """Standard error of b."""
        return float(np.sqrt(self.covariance[1, 1]))

    @property
    def c_se(self) -> float:
        """Standard error of c."""
        return float(np.sqrt(self.covariance[2, 2]))

    def predict(self, q: ArrayLike) -> NDArray[np.float64]:
        """Return P of the fitted curve at sides q (cells), of the shape of q."""
        return hyperbola(q, self.a, self.b, self.c)

    def predict_error(self, q: ArrayLike) -> NDArray[np.float64]:
        """Return the standard error of the curve at sides q, propagated from the covariance."""
        gradient = _gradient(np.ravel(q), self.a, self.b, self.c)
        return delta_error(gradient, self.covariance).reshape(np.shape(q))

    def warnings(self) -> list[str]:
        """Return the warnings about this fit, one sentence each."""
        if not self.converged:
            return [
                f"the fit to q = {self.q_min}..{self.q_max} runs away: b moves towards a pole "
                "of the curve or a grows without end, so no value is given"
            ]
        texts = []
        if not np.isfinite(self.c_se):
            texts.append(f"{self.n} points do not determine 3 parameters and their errors")
        elif self.c_se > 0.1 * abs(self.c):
            texts.append(
                f"c is poorly determined: standard error {self.c_se:.2g} is more than a tenth of it"
            )
        if self.b > self.q_min - 1:
            texts.append(
                f"the pole of the curve at q = b = {self.b:.3g} lies within one side of the "
                "smallest board, which then decides the fit"
            )
        return texts

    def lines(self) -> list[str]:
        """Return the lines of the report without the warnings."""
        lines = [f"P = a/(q - b) + c, {self.n} square boards, q = {self.q_min}..{self.q_max}"]
        if self.converged:
            for name in ("a", "b", "c"):
                lines.append(
                    f"{name} = {getattr(self, name):.6g} +- {getattr(self, name + '_se'):.2g}"
                )
        return lines

    def picture(self) -> Picture:
        """Return what `plot` draws: the curve ends at twice the largest side."""
        away = self.P - self.predict(self.q)
        spare = self.n - 3
        scatter = float(np.sqrt(away @ away / spare)) if spare else np.nan
        line = np.linspace(self.q_min, 2 * self.q_max, 401)
        labels = ("side $q$ of a $q$ × $q$ board", "critical density $P$")
        return picture_of_boards(self, self.q, self.P, self.sigma, scatter, line, labels)


def fit_squares(q: ArrayLike, P: ArrayLike, sigma: ArrayLike | None = None) -> ExtrapolationFit:
    """Fit P = a / (q - b) + c to critical densities of q x q boards.

    q: sides, shape (n,), all different, in 1..10^9; P: critical densities, shape (n,), in [0, 1].
    sigma: their standard errors, shape (n,); without it all points have the same weight, as in the
    paper, and the errors of a, b, c come from the scatter about the curve. Source: paper 001,
    section 9.3 and Figure 9.6. Raises InputError for fewer than 3 points or values out of these
    ranges. A fit that runs away is not an error: see ExtrapolationFit.
    """
    side, density = side_array(q), real_array("P", P)
    if side.shape != density.shape:
        raise InputError(f"q has shape {side.shape} and P {density.shape}, must be the same (n,)")
    if len(side) < 3:
        raise InputError(f"q has {len(side)} boards, must have at least 3 for three parameters")
    if not ((density >= 0) & (density <= 1)).all():
        raise InputError(f"P={density.tolist()} must be in 0..1")
    error = None if sigma is None else real_array("sigma", sigma)
    if error is not None and (error.shape != side.shape or not (error > 0).all()):
        raise InputError(f"sigma={error.tolist()} must hold {len(side)} values above 0")

    # With b = 0 the curve is linear in a and c; this gives a start near the answer.
    slope, intercept = np.polyfit(1 / side, density, 1)
    values, covariance, converged = np.full(3, np.nan), np.full((3, 3), np.nan), True
    try:
        # Tolerances far below the usual 1e-8: the sum of squares is so flat along b that the usual
        # ones stop at its fourth digit.
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore", OptimizeWarning)
            values, covariance = curve_fit(
                hyperbola,
                side,
                density,
                p0=[slope, 0, intercept],
                sigma=error,
                absolute_sigma=error is not None,
                jac=_gradient,
                method="lm",
                ftol=1e-15,
                xtol=1e-15,
                gtol=1e-15,
                maxfev=20_000,
            )
    except RuntimeError:  # curve_fit's word for too many evaluations
        converged = False
    if np.isfinite(values).all():
        weight = 1.0 if error is None else 1 / error
        values, _ = polish(
            lambda v: (hyperbola(side, *v) - density) * weight,
            lambda v: _gradient(side, *v) * np.reshape(weight, (-1, 1)),
            values,
        )
        covariance = _covariance(side, density, error, values)
    # Of equal densities every b is right.
    flat = np.ptp(density) <= 1e-12
    covariance = np.where(np.isfinite(covariance) & ~flat, covariance, np.nan)
    a, b, c = (float(value) for value in values)
    ends = int(side.min()), int(side.max())
    return ExtrapolationFit(a, b, c, covariance, *ends, len(side), converged, side, density, error)


def _covariance(
    side: NDArray[np.float64],
    density: NDArray[np.float64],
    error: NDArray[np.float64] | None,
    values: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the covariance of a, b, c; without errors of the densities from the scatter."""
    scale = 1.0 if error is None else error[:, None]
    inverse = np.linalg.pinv(_gradient(side, *values) / scale)
    covariance = np.asarray(inverse @ inverse.T)
    if error is not None:
        return covariance
    spare = len(side) - 3
    square = float(np.sum((hyperbola(side, *values) - density) ** 2))
    return covariance * square / spare if spare else np.full((3, 3), np.nan)


def squares(fits: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of square boards with q >= 3 and a critical density, by q, and `topology`.

    fits: a table of `stats.logistic.fits_table`.
    """
    rows = fits[(fits["p"] == fits["q"]).fillna(False) & fits["P"].notna()]
    rows = rows[rows["q"] >= SMALLEST_SQUARE]
    topology = [topology_of(name) for name in rows["board"]]
    return rows.assign(topology=topology).sort_values(["player", "topology", "q"])


def extrapolation_table(fits: pd.DataFrame) -> pd.DataFrame:
    """Return fits of P = a / (q - b) + c (EXTRAPOLATION_COLUMNS) by player, topology and range.

    fits: a table of `stats.logistic.fits_table`. Square boards with q >= 3 are fitted with equal
    weights, as in the paper: first all of them, then every range of at least MIN_BOARDS consecutive
    ones. If there are fewer, there is one row, and its `note` says so.
    """
    rows: list[dict[str, object]] = []
    names = fits.assign(topology=[topology_of(name) for name in fits["board"]])
    boards = squares(fits)
    for player, topology in names[["player", "topology"]].drop_duplicates().itertuples(index=False):
        points = boards[(boards["player"] == player) & (boards["topology"] == topology)]
        head = {"player": player, "topology": topology}
        rows += [head | row for row in range_rows(points["q"], points["P"])]
    table = pd.DataFrame(rows, columns=list(EXTRAPOLATION_COLUMNS))
    return check_table(table, EXTRAPOLATION_COLUMNS, "extrapolation table")


def range_rows(q: ArrayLike, P: ArrayLike) -> list[dict[str, object]]:
    """Return the columns of `extrapolation_table` from `a` on for one player, one row a range.

    q: sides, shape (n,), rising; P: critical densities, shape (n,), in [0, 1].
    """
    side, density = np.asarray(q, float), np.asarray(P, float)
    n = len(side)
    if n < MIN_BOARDS:
        ends = (int(side[0]), int(side[-1])) if n else (pd.NA, pd.NA)
        values = dict.fromkeys(("a", "a_se", "b", "b_se", "c", "c_se"), np.nan)
        note = f"{n} square boards with q >= 3, must be at least {MIN_BOARDS} for a fit"
        return [{**values, "q_min": ends[0], "q_max": ends[1], "n": n, "note": note}]
    ranges = [(i, j) for i in range(n) for j in range(i + MIN_BOARDS, n + 1)]
    ranges.sort(key=lambda ends: ends != (0, n))
    rows = []
    for i, j in ranges:
        fit = fit_squares(side[i:j], density[i:j])
        names = ("a", "a_se", "b", "b_se", "c", "c_se", "q_min", "q_max", "n")
        row: dict[str, object] = {name: getattr(fit, name) for name in names}
        rows.append(row | {"note": "; ".join(fit.warnings())})
    return rows


def whole_range(extrapolation: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of `extrapolation_table` that use all square boards of their player."""
    return extrapolation.groupby(["player", "topology"], sort=False).head(1)
