"""The critical density of 1 x q boards as a series in 1/q (paper 001, section 9.1)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from msdensity.errors import InputError, integer, real_array
from msdensity.files.tables import check_table
from msdensity.kernel.names import topology_of
from msdensity.stats.columns import SERIES_COLUMNS
from msdensity.stats.fit import Fit, Picture, delta_error, picture_of_boards

MAX_TERMS = 10

_DECIMALS = 60
"""Digits of the normal equations of ten terms, which lose up to 30."""

SMALLEST_SIDES = (2, 5)
"""Ranges of q start here: all boards, as in the paper, or only those with 0 < P < 1."""


@dataclass(frozen=True, eq=False, repr=False)
class SeriesFit(Fit):
    """The sum of a_n q^-n, n = 0 .. terms - 1, fitted to P of 1 x q boards.

    a: coefficients, shape (terms,), where a[0] is the limit for infinite q; se: their standard
    errors from the scatter about the curve (NaN unless there are more points than terms);
    covariance: of the coefficients, (terms, terms); sampling_se: the standard errors from the
    errors of P only (NaN if these are not known). scatter: standard deviation of P about the curve.
    q_min, q_max: sides of the shortest and longest board; n: boards; q, P, sigma: the fitted
    points, shape (n,), and the standard errors of P if known.
    """

    a: NDArray[np.float64]
    se: NDArray[np.float64]
    sampling_se: NDArray[np.float64]
    scatter: float
    q_min: int
    q_max: int
    n: int
    covariance: NDArray[np.float64]
    q: NDArray[np.float64]
    P: NDArray[np.float64]
    sigma: NDArray[np.float64] | None = field(repr=False, default=None)

    @property
    def values(self) -> dict[str, float]:
        """The coefficients a0, a1, and so on."""
        return {f"a{n}": float(a) for n, a in enumerate(self.a)}

    def predict(self, q: ArrayLike) -> NDArray[np.float64]:
        """Return P of the fitted series at sides q (cells), of the shape of q."""
        values = np.polynomial.polynomial.polyval(1 / np.asarray(q, float), self.a)
        return np.asarray(values, np.float64)

    def predict_error(self, q: ArrayLike) -> NDArray[np.float64]:
        """Return the standard error of the series at sides q, propagated from the covariance."""
        powers = np.vander(1 / np.ravel(np.asarray(q, float)), len(self.a), increasing=True)
        return delta_error(powers, self.covariance).reshape(np.shape(q))

    def warnings(self) -> list[str]:
        """Return the warnings about this fit, one sentence each."""
        if self.n > len(self.a):
            return []
        return [f"no error bars: {self.n} boards for {len(self.a)} terms leave none to spare"]

    def lines(self) -> list[str]:
        """Return the lines of the report without the warnings."""
        head = f"P = sum of a_n q^-n, {len(self.a)} terms, {self.n} boards 1 x q, "
        lines = [f"{head}q = {self.q_min}..{self.q_max}, scatter {self.scatter:.2g}"]
        lines += [
            f"a{n} = {a:.6g} +- {se:.2g} (from the errors of P alone: {own:.2g})"
            for n, (a, se, own) in enumerate(zip(self.a, self.se, self.sampling_se, strict=True))
        ]
        return lines

    def picture(self) -> Picture:
        """Return what `plot` draws."""
        line = np.linspace(self.q_min, 1.25 * self.q_max, 401)
        labels = ("length $q$ of a 1 × $q$ board", "critical density $P$")
        return picture_of_boards(self, self.q, self.P, self.sigma, self.scatter, line, labels)


def fit_series(q: ArrayLike, P: ArrayLike, terms: int, sigma: ArrayLike | None = None) -> SeriesFit:
    """Fit the first `terms` (1..10) terms of the series to P of 1 x q boards, equally weighted.

    q: sides (cells), shape (n,), all different, at least 1; P: shape (n,), in [0, 1]; sigma:
    standard errors of P, shape (n,), at least 0, which change no coefficient. Source: paper 001,
    section 9.1, Figures 9.3 and 9.4. Raises InputError for values out of these ranges or fewer
    points than terms.
    """
    side, density = real_array("q", q), real_array("P", P)
    if side.ndim != 1 or side.shape != density.shape:
        raise InputError(f"q has shape {side.shape} and P {density.shape}, must be the same (n,)")
    terms = integer("terms", terms, 1, MAX_TERMS)
    error = None if sigma is None else real_array("sigma", sigma)
    if error is not None and (error.shape != side.shape or not (error >= 0).all()):
        raise InputError(f"sigma={error.tolist()} must hold {len(side)} values of at least 0")
    if len(side) < terms:
        raise InputError(f"q has {len(side)} boards, must have at least {terms} for {terms} terms")
    if len(np.unique(side)) < len(side) or not (side >= 1).all():
        raise InputError(f"q={side.tolist()} must hold different sides of at least 1")
    if not ((density >= 0) & (density <= 1)).all():
        raise InputError(f"P={density.tolist()} must be in 0..1")
    a, unit, inverse, square = _least_squares(side, density, terms)
    spare = len(side) - terms
    scatter = math.sqrt(square / spare) if spare else np.nan
    sampling_se = np.full(terms, np.nan)
    if error is not None:
        sampling_se = np.sqrt(((inverse * error) ** 2).sum(axis=1))
    return SeriesFit(
        a,
        scatter * np.sqrt(np.diag(unit)),
        sampling_se,
        scatter,
        int(side.min()),
        int(side.max()),
        len(side),
        scatter**2 * unit,
        side,
        density,
        error,
    )


def _least_squares(
    side: NDArray[np.float64], density: NDArray[np.float64], terms: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], float]:
    """Return the coefficients, their covariance for a scatter of 1, the matrix (terms, n) that
    gives them from the densities, and the sum of squared residuals.

    In decimal numbers, because floating point numbers keep eight digits of ten terms, and others on
    another CPU.
    """
    with localcontext(prec=_DECIMALS):
        x = 1 / _decimal(side)
        columns = np.stack([x**n for n in range(terms)], axis=1)
        unit = _inverse(columns.T @ columns)
        inverse = unit @ columns.T
        a = inverse @ _decimal(density)
        away = _decimal(density) - columns @ a
        square = float((away * away).sum())
        exact = [values.astype(float) for values in (a, unit, inverse)]
    # Ten equations in ten unknowns leave only the rounding errors of the decimal numbers.
    return exact[0], exact[1], exact[2], square if square > 1e-30 else 0.0


def _decimal(values: NDArray[np.float64]) -> NDArray[Any]:
    return np.array([Decimal(value) for value in values.tolist()], dtype=object)


def _inverse(matrix: NDArray[Any]) -> NDArray[Any]:
    """Return the inverse of a symmetric positive matrix of decimal numbers (Gauss-Jordan)."""
    n = len(matrix)
    rows = np.hstack([matrix, np.array([[Decimal(i == j) for j in range(n)] for i in range(n)])])
    for i in range(n):
        rows[i] = rows[i] / rows[i, i]
        for j in range(n):
            if j != i:
                rows[j] = rows[j] - rows[j, i] * rows[i]
    return np.asarray(rows[:, n:])


def strips(fits: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of `fits_table` for 1 x q boards of the usual topology, by player and q."""
    usual = np.array([topology_of(name) == "square8" for name in fits["board"]], bool)
    rows = fits[(fits["p"] == 1).fillna(False) & usual & fits["P"].notna()]
    return rows.sort_values(["player", "q"])


def published_strips(published: pd.DataFrame) -> pd.DataFrame:
    """Return the published 1 x q boards as rows for `series_table`, with player "published".

    published: a table with PUBLISHED_COLUMNS, which has no errors of P: Q_sd is NaN.
    """
    printed = published[(published["p"] == 1) & published["P"].notna()]
    boards = [f"1x{q}" for q in printed["q"]]
    return printed.assign(player="published", board=boards, Q_sd=np.nan)


def series_table(fits: pd.DataFrame) -> pd.DataFrame:
    """Return the coefficients (SERIES_COLUMNS) of 1..10 terms for every player and range of q.

    fits: a table of `stats.logistic.fits_table`. There are always fewer terms than boards.
    sampling_se is NaN for a player whose P have no errors (Q_sd). A P of 0 or 1 without Q_sd is
    decided and has the error 0. Raises InputError if some other P of a player have an error and
    others have none.
    """
    rows = []
    for player, own in strips(fits).groupby("player", sort=False):
        points, known = own, own["Q_sd"].notna()
        if known.any():
            points = own.assign(Q_sd=own["Q_sd"].mask(~known & own["P"].isin([0, 1]), 0.0))
        unknown = points["Q_sd"].isna()
        if unknown.any() and not unknown.all():
            boards = ", ".join(points.loc[unknown, "board"])
            raise InputError(
                f"player={player}: Q_sd must be a number for every 1 x q board or for none;"
                f" it is missing for {boards}"
            )
        for smallest in SMALLEST_SIDES:
            used = points[points["q"] >= smallest]
            if len(used) == len(points) and smallest > SMALLEST_SIDES[0]:
                continue  # the same boards as before
            for terms in range(1, min(MAX_TERMS, len(used) - 1) + 1):
                sigma = None if unknown.all() else used["Q_sd"]
                fit = fit_series(used["q"].to_numpy(float), used["P"], terms, sigma)
                head = {"player": player, "q_min": fit.q_min, "q_max": fit.q_max}
                head |= {"boards": fit.n, "terms": terms, "scatter": fit.scatter}
                rows += [
                    head | {"n": n, "a": fit.a[n], "a_se": fit.se[n], "sampling_se": own}
                    for n, own in enumerate(fit.sampling_se)
                ]
    table = pd.DataFrame(rows, columns=list(SERIES_COLUMNS))
    return check_table(table, SERIES_COLUMNS, "series table")
