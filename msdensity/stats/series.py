"""The critical density of 1 x q boards as a series in 1/q (paper 001, section 9.1)."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from msdensity.errors import InputError, integer, real_array, side_array
from msdensity.files.tables import check_table
from msdensity.kernel.names import topology_of
from msdensity.stats.columns import SERIES_COLUMNS
from msdensity.stats.fit import Fit, Picture, picture_of_boards

MAX_TERMS = 10

_DECIMALS = (60, 120, 240, 480, 960)
"""Digits of the normal equations, the first that suffice: ten terms lose up to 30, and far more if
all sides are nearly equal."""

_EXACT = Decimal("1e-20")
"""Of the inverse of the normal equations times these, less 1."""

_MAX_TERM = 1e10
"""Sum of the sizes of the terms at the shortest board, beside a P of at most 1: coefficients that
are floating point numbers then still give P to 1e-6."""

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
        """Return the standard error of the series at sides q, from the scatter.

        In decimal numbers too, because the parts of its square nearly cancel each other.
        """
        sides = np.ravel(np.asarray(q, float))
        known = np.abs(sides) > 0
        errors = np.full(len(sides), np.nan)
        least = Decimal(self.q.min())
        unit, _, digits = _normal_equations(self.q, len(self.a))
        with localcontext(prec=digits):
            powers = _powers(least / _decimal(sides[known]), len(self.a))
            square = ((powers @ unit) * powers).sum(axis=1).astype(float)
        errors[known] = self.scatter * np.sqrt(square)
        return errors.reshape(np.shape(q))

    def warnings(self) -> list[str]:
        """Return the warnings about this fit, one sentence each."""
        texts = []
        if self.n <= len(self.a):
            texts.append(
                f"no error bars: {self.n} boards for {len(self.a)} terms leave none to spare"
            )
        if self.se[0] > 1:
            texts.append(
                f"the boards do not determine the limit a0: its error is {self.se[0]:.2g}, and P is"
                " in 0..1; use fewer terms or sides further apart"
            )
        return texts

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

    q: sides (cells), shape (n,), all different, in 1..10^9; P: shape (n,), in [0, 1]; sigma:
    standard errors of P, shape (n,), at least 0, which change no coefficient. Source: paper 001,
    section 9.1, Figures 9.3 and 9.4. Raises InputError for values out of these ranges, fewer points
    than terms, and sides so nearly equal that the terms cancel to no digit of P.
    """
    side, density = side_array(q), real_array("P", P)
    if side.shape != density.shape:
        raise InputError(f"q has shape {side.shape} and P {density.shape}, must be the same (n,)")
    terms = integer("terms", terms, 1, MAX_TERMS)
    error = None if sigma is None else real_array("sigma", sigma)
    if error is not None and (error.shape != side.shape or not (error >= 0).all()):
        raise InputError(f"sigma={error.tolist()} must hold {len(side)} values of at least 0")
    if len(side) < terms:
        raise InputError(f"q has {len(side)} boards, must have at least {terms} for {terms} terms")
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
    another CPU. The variable is the shortest side over q, so that all powers are at most 1.
    """
    least = Decimal(side.min())
    unit, columns, digits = _normal_equations(side, terms)
    with localcontext(prec=digits):
        inverse = unit @ columns.T
        a = inverse @ _decimal(density)
        away = _decimal(density) - columns @ a
        square = float((away * away).sum())
        if abs(a).sum() > _MAX_TERM:
            raise InputError(
                f"q={side.min():g}..{side.max():g}: {terms} terms of {abs(a).sum():.0e} cancel to a"
                " P in 0..1, too closely to give its digits; use fewer terms or sides further apart"
            )
        scale = _powers(np.array([least]), terms)[0]
        unit, inverse = unit * np.outer(scale, scale), inverse * scale[:, None]
        exact = [values.astype(float) for values in (a * scale, unit, inverse)]
    # Ten equations in ten unknowns leave only the rounding errors of the decimal numbers.
    return exact[0], exact[1], exact[2], square if square > 1e-30 else 0.0


def _normal_equations(
    side: NDArray[np.float64], terms: int
) -> tuple[NDArray[Any], NDArray[Any], int]:
    """Return the inverse of the normal equations in q_min / q, its powers (n, terms), and the
    digits that these need, all in decimal numbers.
    """
    for digits in _DECIMALS:
        with localcontext(prec=digits), suppress(ArithmeticError):  # too few digits, or a 0
            columns = _powers(Decimal(side.min()) / _decimal(side), terms)
            equations = columns.T @ columns
            unit = _inverse(equations)
            if abs(unit @ equations - np.eye(terms, dtype=int)).max() < _EXACT:
                return unit, columns, digits
    raise InputError(
        f"q={side.min():g}..{side.max():g}: the sides are too nearly equal for {terms} terms"
    )


def _powers(x: NDArray[Any], terms: int) -> NDArray[Any]:
    """Return x^n, n = 0 .. terms - 1, shape (len(x), terms), of decimal numbers; 0^0 is 1."""
    powers = [np.array([Decimal(1)] * len(x), dtype=object)]
    for _ in range(terms - 1):
        powers.append(powers[-1] * x)
    return np.stack(powers, axis=1)


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

    fits: a table of `stats.logistic.fits_table`. There are always fewer terms than boards,
    and no more than the sides can tell apart.
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
                try:
                    fit = fit_series(used["q"].to_numpy(float), used["P"], terms, sigma)
                except InputError:
                    if terms == 1:
                        raise
                    break  # more terms than boards of such sides can tell apart
                head = {"player": player, "q_min": fit.q_min, "q_max": fit.q_max}
                head |= {"boards": fit.n, "terms": terms, "scatter": fit.scatter}
                rows += [
                    head | {"n": n, "a": fit.a[n], "a_se": fit.se[n], "sampling_se": own}
                    for n, own in enumerate(fit.sampling_se)
                ]
    table = pd.DataFrame(rows, columns=list(SERIES_COLUMNS))
    return check_table(table, SERIES_COLUMNS, "series table")
