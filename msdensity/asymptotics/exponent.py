"""The local exponent of rho50: how steeply it falls with the side, size by size."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from msdensity.asymptotics.checks import check_sizes


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
