"""The one error that bad input raises, and the checks that raise it.

Only the checks of arrays load numpy: a command that only shows its help does not need it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from math import inf, isfinite
from numbers import Integral, Real
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


class InputError(ValueError):
    """A value from outside is not allowed; the message names field, value and what is allowed."""


class OwnFileError(InputError):
    """A value names code or a board of the user's own, whose file is not here or has changed."""


def printable(text: str) -> str:
    """Return a name from outside, such as a path, as errors show it: in one line."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


_SHOWN = 200


def shown(value: object) -> str:
    """Return a value from outside as errors show it: in one line, cut if it is long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits; nested too deeply
        return f"({type(value).__name__} too long to show)"
    text = " ".join(text.split()) if "\n" in text else text  # a table has many lines
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def require_kind(name: str, value: object, kind: type | tuple[type, ...], what: str) -> None:
    """Raise InputError unless a value is of a kind; what: the kind in words, such as "a Task"."""
    if not isinstance(value, kind):
        raise InputError(f"{name}={shown(value)} must be {what}")


def check_path(name: str, value: object) -> None:
    """Raise InputError unless a value is a path that a system can have."""
    require_kind(name, value, (str, os.PathLike), "a path")
    if "\0" in os.fspath(value):  # type: ignore[call-overload]
        raise InputError(f"{name}={shown(value)} must be a path without a NUL character")


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """Return a question that names the word that may be meant; empty if none is close."""
    from difflib import get_close_matches

    text, names = shown(word).strip("'").lower(), {name.lower(): name for name in known}
    begun = [name for name in names if len(text) > 2 and name.startswith(text)]
    close = begun or get_close_matches(text, names, n=1)
    return f" (did you mean {names[close[0]]!r}?)" if close else ""


def real_array(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return the values as floats in the same shape; InputError unless all are finite."""
    import numpy as np

    try:
        given = np.asarray(values)
        kind = given.dtype.kind
        if kind in "SUMmc" or (kind == "O" and any(isinstance(v, str | bytes) for v in given.flat)):
            raise TypeError("numpy would read digits in a text, times, and parts of complex values")
        array = np.asarray(values, float)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name}={shown(values)} must be numbers, in rows of one length") from None
    wrong = ~np.isfinite(array)
    if wrong.any():
        raise InputError(f"{name}={array[wrong][0]} must be finite")
    return array


def whole_array(name: str, values: ArrayLike) -> NDArray[np.int64]:
    """Return the values as integers in the same shape; InputError unless they are whole."""
    import numpy as np

    if isinstance(values, np.ndarray) and np.can_cast(values.dtype, np.int64):
        return np.asarray(values).astype(np.int64)  # there may be millions: no check can fail
    array = real_array(name, values)
    wrong = array != np.rint(array)
    if wrong.any():
        raise InputError(f"{name}={array[wrong][0]} must be a whole number")
    wrong = abs(array) >= 2.0**63
    if wrong.any():
        raise InputError(f"{name}={array[wrong][0]:.0f} must be less than 2^63 in size")
    return array.astype(np.int64)


def integer(name: str, value: object, low: int, high: int | None = None) -> int:
    """Return `value` if it is a whole number in low..high (None: no upper end), else InputError.

    Integers of numpy are allowed and come back as a Python int.
    """
    allowed = f"at least {low}" if high is None else f"in {low}..{high}"
    number = None if isinstance(value, bool) or not isinstance(value, Integral) else int(value)
    if number is not None and low <= number and (high is None or number <= high):
        return number
    raise InputError(f"{name}={shown(value)} must be a whole number {allowed}")


def number(name: str, value: object) -> float:
    """Return `value` as a float if it is a finite number, else InputError."""
    try:
        found = float(value) if isinstance(value, Real) else inf
    except OverflowError:  # a whole number of hundreds of digits
        found = inf
    if not isfinite(found):
        raise InputError(f"{name}={shown(value)} must be a finite number")
    return found


def fraction(name: str, value: object) -> float:
    """Return `value` if it is a number between 0 and 1, both excluded, else InputError."""
    with suppress(InputError):
        if 0 < (found := number(name, value)) < 1:
            return found
    raise InputError(f"{name}={shown(value)} must be in (0, 1)")


MAX_SIDE = 10**9
"""Cells of a side in a fit: beyond, powers of its inverse leave the range of numbers."""


def side_array(values: ArrayLike) -> NDArray[np.float64]:
    """Return q as floats (n,); InputError unless they are different sides in 1..MAX_SIDE."""
    import numpy as np

    side = real_array("q", values)
    if side.ndim != 1:
        raise InputError(f"q has shape {side.shape}, must be (n,)")
    if len(np.unique(side)) < len(side) or not ((side >= 1) & (side <= MAX_SIDE)).all():
        raise InputError(f"q={shown(side.tolist())} must hold different sides in 1..{MAX_SIDE:,}")
    return side


def check_sizes(
    q: ArrayLike, density: ArrayLike, error: ArrayLike, *, least: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the three as arrays (n,).

    Raises InputError unless n is at least `least`, q (1..MAX_SIDE) rises, densities are in (0, 1)
    and errors above 0.
    """
    import numpy as np

    named = (("q", q), ("density", density), ("error", error))
    side, rho, spread = (real_array(name, values) for name, values in named)
    if side.ndim != 1 or not side.shape == rho.shape == spread.shape:
        raise InputError(
            f"q has shape {side.shape}, density {rho.shape} and error {spread.shape}, "
            "must be one (n,)"
        )
    if len(side) < least:
        raise InputError(f"q has {len(side)} sizes, must have at least {least}")
    if not ((side >= 1) & (side <= MAX_SIDE)).all() or (np.diff(side) <= 0).any():
        raise InputError(f"q={shown(side.tolist())} must rise within 1..{MAX_SIDE:,}")
    if not ((rho > 0) & (rho < 1)).all():
        raise InputError(f"density={rho.tolist()} must be in (0, 1)")
    if not (spread > 0).all():
        raise InputError(f"error={spread.tolist()} must be above 0")
    return side, rho, spread
