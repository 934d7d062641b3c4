"""Tests of numbers by the many: the level, what they would find, and claims that come together."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, special, stats

from msdensity.errors import InputError

LEVEL = 1e-3
"""Probability of a false alarm of each test on the pages, fixed before anything is played."""

DIFFERS = 3.29
"""|z| of a number that differs at LEVEL."""

POWER = 0.9
"""Probability with which a test finds the deviation that a page names beside "agrees"."""


def detectable(numbers: int = 1, level: float = LEVEL, power: float = POWER) -> float:
    """Return the deviation, in standard errors, that a test of several numbers would find.

    numbers: how many have this deviation each, at least 1. The test is chi-square of all of them,
    which for one number is the two-sided normal test; level: its probability of a false alarm;
    power: with which it finds the deviation, above the level. Raises InputError out of range.
    """
    if not (numbers >= 1 and 0 < level < power < 1):
        raise InputError(
            f"numbers={numbers} must be at least 1 and 0 < level={level} < power={power} < 1"
        )
    limit = stats.chi2.isf(level, numbers)

    def missing(shift: float) -> float:
        return float(stats.ncx2.sf(limit, numbers, numbers * shift**2)) - power

    most = stats.norm.isf(level / 2) + stats.norm.isf(1 - power)  # one number; more need less
    return float(optimize.brentq(missing, 1e-9, max(most, 0) + 1))


def student_z(t: float, degrees: int) -> float:
    """Return the z with the p-value of Student's t: |z| < |t| where few samples gave the error.

    degrees: of freedom, at least 1.
    """
    log_p = stats.t.logsf(abs(t), degrees)
    return float(np.copysign(-special.ndtri_exp(log_p), t)) if np.isfinite(log_p) else t


def detectable_student(degrees: int, level: float = LEVEL, power: float = POWER) -> float:
    """Return `detectable` of one number whose error has degrees of freedom, about."""
    return float(stats.t.isf(level / 2, degrees) + stats.t.isf(1 - power, degrees))


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Return the p-values of claims that are judged together, adjusted by Holm's method.

    Of all claims that are called true below a level, one is a false alarm with at most that
    probability. p_values: shape (n,), in 0..1; the result has that shape.
    """
    # Imported here: it takes half a second.
    from statsmodels.stats.multitest import multipletests

    given = np.asarray(p_values, float)
    return np.asarray(multipletests(given, method="holm")[1]) if len(given) else given
