"""The page of densities: the numbers that page.md.j2 puts into words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from msdensity.studies.densities.results import squares_of
from msdensity.studies.densities.settings import Settings
from msdensity.studies.page import Page, Tables, rows

SIGMAS = 3.29
"""|z| above this is called a difference: chance gives as much once in 1,000."""

LARGE_SIDE = 8
"""On smaller squares odd and even sides differ by more than the densities do."""


def facts(tables: Tables, settings: Settings) -> dict[str, Any]:
    """Return what the template names."""
    table = tables["densities"]
    square = squares_of(table[table["q"] >= LARGE_SIDE])
    square = square.dropna(subset=["rho50", "no_guess", "P"])
    gap = square["P"] - square["rho50"]
    z: Any = gap / np.hypot(square["P_se"], square["rho50_se"])
    compared = square.assign(gap=gap, z=z, ratio=square["no_guess"] / square["rho50"])
    return {
        "study": settings,
        "table": table,
        "boards": len(table),
        "games": int(table["games"].sum()),
        "squares": compared,
        "ends": list(rows(compared.iloc[[0, -1]])) if len(compared) > 1 else [],
        "apart": list(rows(compared[compared["z"].abs() > SIGMAS])),
        "steeper": _steeper(compared),
        "steepest": list(rows(compared.loc[[compared["k"].idxmax()]])) if len(compared) else [],
        "chi_square": float((z**2).sum()),
        "large_side": LARGE_SIDE,
        "sigmas": SIGMAS,
    }


def _steeper(squares: pd.DataFrame) -> float:
    """Return by how many standard errors k of the largest square is above that of the smallest."""
    if len(squares) < 2:
        return np.nan
    k, error = squares["k"].iloc[[0, -1]], squares["k_se"].iloc[[0, -1]]
    return float((k.iloc[1] - k.iloc[0]) / np.hypot(*error))


page = Page("densities", "densities/page.md.j2", "densities/finding.md.j2", facts)
"""The page: see `Page`."""
