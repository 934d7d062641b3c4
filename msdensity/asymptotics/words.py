"""Words and numbers as the page of large boards writes them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

CLAIMED_LIMIT = 0.159
"""The asymptotic critical density of paper 001 (abstract and section 9.3), as rounded there."""

SIGMAS = 3.0
"""Called agreement up to so many standard errors: beyond, chance gives one in 370."""

REJECTED = 0.01

NAMES = {
    ("corner", "square8"): "corner",
    ("zero", "square8"): "zero",
    ("zero", "torus8"): "torus",
}

Tables = Mapping[str, pd.DataFrame]
"""RESULT_COLUMNS by name, `safeties`, `low_density` (GAMES_COLUMNS) and `plan`."""


def start_words(rule: str, topology: str) -> str:
    """Return the name of a start rule and topology."""
    if topology == "torus8":
        return "zero start on a torus"
    return "corner start" if rule == "corner" else "zero start in the middle"


def rows(table: pd.DataFrame) -> Iterator[Any]:
    """Yield the rows with the columns as attributes."""
    return iter(table.itertuples())


def listed(values: pd.Series) -> str:
    """Return the values joined by commas."""
    return ", ".join(str(value) for value in values)


def signed(value: float, specification: str) -> str:
    """Return a number with a minus sign of the width of a plus."""
    return format(value, specification).replace("-", "\N{MINUS SIGN}")


def with_error(value: float, error: float, specification: str = ".5f") -> str:
    """Return value ± standard error, to the second digit of the error; empty without a value.

    specification: of a value without an error.
    """
    if not np.isfinite(value):
        return ""
    if not (np.isfinite(error) and error > 0):
        return signed(value, specification)
    decimals = max(0, 1 - math.floor(math.log10(error)))
    return f"{signed(value, f'.{decimals}f')} ± {error:.{decimals}f}"


def with_errors(
    table: pd.DataFrame, value: str, error: str, specification: str = ".5f"
) -> list[str]:
    """Return `with_error` of every row."""
    pairs = zip(table[value], table[error], strict=True)
    return [with_error(float(a), float(b), specification) for a, b in pairs]
