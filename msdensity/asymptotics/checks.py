"""What every analysis against the side asks of its input."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from msdensity.errors import InputError


def check_sizes(
    q: ArrayLike, density: ArrayLike, error: ArrayLike, *, least: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the three as arrays (n,).

    Raises InputError unless n is at least `least`, q (at least 1) rises, densities are in (0, 1)
    and errors above 0.
    """
    side, rho, spread = (np.asarray(values, float) for values in (q, density, error))
    if side.ndim != 1 or not side.shape == rho.shape == spread.shape:
        raise InputError(
            f"q has shape {side.shape}, density {rho.shape} and error {spread.shape}, "
            "must be one (n,)"
        )
    if len(side) < least:
        raise InputError(f"q has {len(side)} sizes, must have at least {least}")
    if not (side >= 1).all() or (np.diff(side) <= 0).any():
        raise InputError(f"q={side.tolist()} must rise from at least 1")
    if not ((rho > 0) & (rho < 1)).all():
        raise InputError(f"density={rho.tolist()} must be in (0, 1)")
    if not (np.isfinite(spread) & (spread > 0)).all():
        raise InputError(f"error={spread.tolist()} must be above 0")
    return side, rho, spread
