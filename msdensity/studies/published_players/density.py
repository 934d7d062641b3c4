"""How much critical density each player reaches: P and rho50 of square boards."""

from __future__ import annotations

from typing import Any

import pandas as pd

from msdensity.stats.logistic import fits_table
from msdensity.stats.rho50.fit import fit_rho50
from msdensity.studies.published_players.columns import CROSSING_COLUMNS


def density_table(curves: pd.DataFrame, replicates: int) -> pd.DataFrame:
    """Return P and rho50 of every curve: FIT_COLUMNS and CROSSING_COLUMNS.

    curves: CORRECTED_COLUMNS. P is from the fit of 001 (`fit_critical_density`), its error from
    `replicates` binomial bootstraps seeded by board and player; rho50 is from `fit_rho50`.
    """
    fits = fits_table(curves, replicates)
    rows: list[list[float]] = []
    row: Any
    for row in fits.itertuples():
        own = curves[(curves["board"] == row.board) & (curves["player"] == row.player)]
        fit = fit_rho50(own)
        rows.append([fit.rho50, fit.error, fit.interval.low, fit.interval.high])
    return fits.join(pd.DataFrame(rows, columns=list(CROSSING_COLUMNS)))
