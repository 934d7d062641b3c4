"""A test of the published curve: fitted to small boards, it predicts large ones."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from msdensity.errors import InputError, check_sizes
from msdensity.stats.hyperbola import fit_squares

FIT = ("a", "a_se", "b", "b_se", "c", "c_se", "q_min", "q_max")
"""The columns that describe the fit, in every row."""


def predict_published(
    small_q: ArrayLike,
    small_density: ArrayLike,
    small_error: ArrayLike | None,
    q: ArrayLike,
    measured: ArrayLike,
    measured_error: ArrayLike,
) -> pd.DataFrame:
    """Return what a / (q - b) + c, fitted to small boards, says of larger ones, a row each.

    Columns: FIT; q, predicted, predicted_error, measured, measured_error; z: measured less
    predicted, in standard errors of the difference; below_limit: c less measured, in those of that
    difference. All predictions rest on one fit: their errors are not independent.

    small_q, small_density: sides and critical densities (or rho50), shape (s,), s at least 4;
    small_error: their standard errors, or None for equal weights as published, where the error of
    the prediction comes from the scatter about the curve. q (rising), measured (in (0, 1)),
    measured_error (above 0): shape (n,). Both must be of one player and one kind of density: the
    test is of the curve alone. Source: paper 001, section 9.3. Raises InputError out of range.
    """
    side, density, spread = check_sizes(q, measured, measured_error, least=1)
    few = np.asarray(small_q, float)
    if few.ndim != 1 or len(few) < 4:
        raise InputError(f"small_q={few.tolist()} must have at least 4 sizes for three parameters")
    if side[0] <= few.max():
        raise InputError(f"q={side[0]:g} must be above the largest size fitted, {few.max():g}")
    fit = fit_squares(few, small_density, small_error)
    table = pd.DataFrame({name: getattr(fit, name) for name in FIT}, index=range(len(side)))
    table = table.assign(q=side, measured=density, measured_error=spread)
    table = table.assign(predicted=fit.predict(side), predicted_error=fit.predict_error(side))
    table["z"] = (density - table["predicted"]) / np.hypot(table["predicted_error"], spread)
    table["below_limit"] = (fit.c - density) / np.hypot(fit.c_se, spread)
    return table
