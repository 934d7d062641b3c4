"""Arrays from outside: numbers, or one error that names the field."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from msdensity.errors import InputError, shown


def real_array(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return the values as floats, of their own shape; InputError unless all are finite."""
    try:
        array = np.asarray(values, float)
    except (TypeError, ValueError):
        raise InputError(f"{name}={shown(values)} must be numbers, in rows of one length") from None
    wrong = ~np.isfinite(array)
    if wrong.any():
        raise InputError(f"{name}={array[wrong][0]} must be finite")
    return array


def whole_array(name: str, values: ArrayLike) -> NDArray[np.int64]:
    """Return the values as integers, of their own shape; InputError unless they are whole."""
    array = real_array(name, values)
    wrong = array != np.rint(array)
    if wrong.any():
        raise InputError(f"{name}={array[wrong][0]} must be a whole number")
    return array.astype(np.int64)
