"""The last digits of a least-squares fit, which an optimiser leaves to rounding errors."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

_STEPS = 100

_SETTLED, _CONVERGED = 1e-13, 1e-9

Function = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def polish(
    residuals: Function, slopes: Function, values: NDArray[np.float64]
) -> tuple[NDArray[np.float64], bool]:
    """Return the minimum near `values` by Gauss-Newton steps, and whether they converge.

    residuals: of parameters, shape (n,); slopes: their derivatives, shape (n, parameters); values:
    where an optimiser has ended, near the minimum. It ends up to 1e-4 away, at a place that differs
    from CPU to CPU; the minimum itself does not. Without convergence `values` are returned.
    """
    near = np.array(values, float)
    for _ in range(_STEPS):
        with np.errstate(all="ignore"):
            matrix, away = slopes(near), residuals(near)
        if not (np.isfinite(matrix).all() and np.isfinite(away).all()):
            return values, False
        step = np.linalg.lstsq(matrix, away, rcond=None)[0]
        near = near - step
        size = float((np.abs(step) / (1e-3 + np.abs(near))).max(initial=0))
        if size <= _SETTLED:
            break
    return (near, True) if size <= _CONVERGED else (values, False)
