"""Curves of rho50 against the size of a board, with a limit and without."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import optimize, stats
from scipy.interpolate import CubicSpline

from msdensity.files.tables import check_table
from msdensity.stats.lattice_law import SMALLEST_SIDE, lattice_law
from msdensity.studies.topologies.columns import LIMIT_COLUMNS
from msdensity.studies.topologies.settings import axes_of

Array = NDArray[np.float64]

POWER, POWER_LIMIT = "a n^-s", "c + a n^-s"
HYPERBOLA, CORRECTED = "c + a / (q - b)", "law exp(d rho + e rho²)"
"""The curves of rho50: two powers of the cells, the curve of paper 001, and the law with a
correction that vanishes with the density."""

LIMIT, EXPONENT = "limit", "exponent"
"""Parameters that have a column."""

_GRID = np.geomspace(0.005, 0.9, 120)
"""Densities at which the law is computed; between them a spline in logarithms follows it."""


@dataclass(frozen=True)
class Curve:
    """A curve of rho50. parameters: their names; start: first values; at(values): at each board."""

    model: str
    parameters: tuple[str, ...]
    start: tuple[float, ...]
    at: Callable[[Array], Array]

    @property
    def has_limit(self) -> bool:
        """Whether the curve may end above 0."""
        return LIMIT in self.parameters


def curves(topology: str, side: Array, rho50: Array) -> list[Curve]:
    """Return the curves that are fitted to the boards of a topology.

    side, rho50: shape (boards,), of boards with equal sides.
    """
    n = side ** axes_of(topology)
    least, last = float(rho50.min()), float(rho50[np.argmax(n)])
    a = last * float(n.max()) ** 0.15
    made = [
        Curve(POWER, ("a", EXPONENT), (a, 0.15), lambda v: v[0] * n ** -v[1]),
        Curve(
            POWER_LIMIT,
            ("a", EXPONENT, LIMIT),
            (a, 0.25, least / 2),
            lambda v: v[2] + v[0] * n ** -v[1],
        ),
        Curve(
            HYPERBOLA,
            ("a", "b", LIMIT),
            (float((rho50.max() - least) * side.min()), 0.0, least / 2),
            lambda v: v[2] + v[0] / (side - v[1]),
        ),
    ]
    if side.min() >= SMALLEST_SIDE:
        law = [_log_law(topology, float(q)) for q in side]
        made.append(
            Curve(
                CORRECTED,
                ("d", "e"),
                (1.0, 0.0),
                lambda v: np.array([_root(each, v) for each in law]),
            )
        )
    return made


def _log_law(topology: str, side: float) -> CubicSpline:
    values = lattice_law((side,) * axes_of(topology), _GRID, topology)
    return CubicSpline(np.log(_GRID), np.log(values))


def _root(law: CubicSpline, values: Array) -> float:
    """Return the density at which the law times exp(d rho + e rho²) is ln 2."""

    def excess(log_rho: float) -> float:
        rho = math.exp(log_rho)
        wanted = math.log(math.log(2))
        return float(law(log_rho)) + values[0] * rho + values[1] * rho**2 - wanted

    ends = math.log(_GRID[0]), math.log(_GRID[-1])
    if excess(ends[0]) * excess(ends[1]) > 0:
        return float(_GRID[-1])
    return math.exp(float(optimize.brentq(excess, *ends)))


def limit_table(halves: pd.DataFrame, fits_from: Sequence[int]) -> pd.DataFrame:
    """Fit all curves to the boards of each topology from each of some sides on (LIMIT_COLUMNS).

    halves: HALF_COLUMNS. Fits to too few boards are left out.
    """
    rows = []
    known = halves.dropna(subset=["rho50_se"])
    for (topology, boards), smallest in product(known.groupby("topology", sort=False), fits_from):
        own = boards[boards["side"] >= smallest]
        if not len(own):
            continue
        side, rho50, error = (own[c].to_numpy(float) for c in ("side", "rho50", "rho50_se"))
        for curve in curves(str(topology), side, rho50):
            if len(own) > len(curve.parameters):
                rows.append(
                    {
                        "topology": topology,
                        "model": curve.model,
                        "has_limit": int(curve.has_limit),
                        "smallest": smallest,
                        "largest": int(side.max()),
                        "points": len(own),
                        **fit_curve(curve, rho50, error),
                    }
                )
    return check_table(pd.DataFrame(rows, columns=list(LIMIT_COLUMNS)), LIMIT_COLUMNS, "limits")


def fit_curve(curve: Curve, rho50: Array, error: Array) -> dict[str, Any]:
    """Fit a curve by weighted least squares; return its columns of LIMIT_COLUMNS."""

    def residuals(values: Array) -> Array:
        return (curve.at(values) - rho50) / error

    lowest = [0.0 if name == LIMIT else -np.inf for name in curve.parameters]
    fit = optimize.least_squares(
        residuals,
        curve.start,
        bounds=(lowest, np.inf),
        x_scale="jac",
        xtol=1e-12,
        ftol=1e-12,
        gtol=1e-12,
        max_nfev=2000,
    )
    chi2, df = float(2 * fit.cost), len(rho50) - len(curve.parameters)
    slopes = np.asarray(fit.jac, float)
    spread = np.sqrt(np.diag(np.linalg.pinv(slopes.T @ slopes)))
    named: dict[str, Any] = {}
    for name in (LIMIT, EXPONENT):
        there = name in curve.parameters
        at = curve.parameters.index(name) if there else 0
        named[name] = fit.x[at] if there else np.nan
        named[f"{name}_se"] = spread[at] if there else np.nan
    p_value = float(stats.chi2.sf(chi2, df))
    return {**named, "chi2": chi2, "df": df, "p_value": p_value}
