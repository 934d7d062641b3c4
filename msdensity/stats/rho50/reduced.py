"""Win rates of less variance for whole tables, and the test of safeties that comes with them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from msdensity.errors import InputError
from msdensity.files.tables import Column, check_table
from msdensity.kernel.measures import PRODUCT_SCALE, Z_SCALE
from msdensity.stats.columns import CURVE
from msdensity.stats.rho50.control_variate import (
    ALARM,
    ReducedRate,
    enough_to_test,
    reduced_win_rate,
)

REDUCED_COLUMNS: dict[str, Column] = {
    "board": Column("str"),
    "player": Column("str"),
    "mines": Column("int64", low=1),
    "density": Column("float64", low=0, high=1),
    "games": Column("int64", low=2),
    "win_rate": Column("float64", low=0, high=1),
    "reduced": Column("float64"),
    "reduced_low": Column("float64", low=0, high=1),
    "reduced_high": Column("float64", low=0, high=1),
    "reduced_se": Column("float64", low=0),
    "gain": Column("float64", low=0),
    "z": Column("float64", missing=True),
    "note": Column("str", missing=True),
}
"""Plain and reduced win rates; gain: variance ratio; z: mean of Z_0 in standard errors."""

SAFETY_COLUMNS: dict[str, Column] = {
    "player": Column("str"),
    "games": Column("int64", low=1),
    "guesses": Column("int64", low=0),
    "mean_z": Column("float64"),
    "z": Column("float64", missing=True),
}
"""All games of a player together: mean of Z_0 a game, and in standard errors (missing where there
are too few guesses for a test, see `control_variate.enough_to_test`)."""


def reduced_table(win_rates: pd.DataFrame) -> pd.DataFrame:
    """Return the reduced win rates (REDUCED_COLUMNS) of the players that state exact safeties.

    win_rates: WIN_RATE_COLUMNS. Where there are fewer than 30 wins or losses the coefficients are
    those of the nearest number of mines of the same curve that has more.
    """
    rows: list[dict[str, Any]] = []
    for _, curve in win_rates.groupby(list(CURVE), sort=False):
        if not (curve["z0_z0"] > 0).any():
            continue
        ordered = curve[curve["games"] > 1].sort_values("mines")
        records: list[dict[Any, Any]] = ordered.to_dict("records")
        own = [reduced_win_rate(record) for record in records]
        for place, (record, found) in enumerate(zip(records, own, strict=True)):
            if not found.own:
                found = reduced_win_rate(record, coefficients=_nearest(own, place))  # noqa: PLW2901
            head = {name: record[name] for name in list(REDUCED_COLUMNS)[:6]}
            rows.append(
                head
                | {
                    "reduced": found.rate.best,
                    "reduced_low": found.rate.low,
                    "reduced_high": found.rate.high,
                    "reduced_se": found.error,
                    "gain": found.gain,
                    "z": found.z,
                    "note": found.note,
                }
            )
    table = pd.DataFrame(rows, columns=list(REDUCED_COLUMNS))
    return check_table(table, REDUCED_COLUMNS, "reduced win rates")


def _nearest(rates: list[ReducedRate], place: int) -> NDArray[np.float64] | None:
    """Return the coefficients of the nearest rate that has its own; None without one."""
    found = [i for i, rate in enumerate(rates) if rate.own]
    return rates[min(found, key=lambda i: abs(i - place))].coefficients if found else None


def safety_table(win_rates: pd.DataFrame) -> pd.DataFrame:
    """Return the test of all safeties that each player stated (SAFETY_COLUMNS).

    win_rates: WIN_RATE_COLUMNS. Players that state none are left out.
    """
    rows = []
    for player, own in win_rates.groupby("player", sort=False):
        games = int(own["games"].sum())
        mean = own["z0"].sum() / Z_SCALE / games
        square = own["z0_z0"].sum() / PRODUCT_SCALE / games
        if square > 0:
            wins, guesses = int(own["wins"].sum()), int(own["guesses"].sum())
            tested = enough_to_test(games, wins, guesses, mean * games)
            z = mean / math.sqrt((square - mean**2) / games) if tested else math.nan
            row = {"player": player, "games": games, "guesses": guesses, "mean_z": mean, "z": z}
            rows.append(row)
    table = pd.DataFrame(rows, columns=list(SAFETY_COLUMNS))
    return check_table(table, SAFETY_COLUMNS, "safety test")


def require_right_safeties(safeties: pd.DataFrame) -> None:
    """Raise InputError if a row of `safety_table` is beyond chance (about 1e-4)."""
    row: Any
    for row in safeties.itertuples():
        if abs(row.z) > ALARM:
            raise InputError(
                f"player={row.player}: mean of Z_0 is {row.z:+.1f} standard errors from 0 over "
                f"{row.games:,} games, must be within {ALARM:g}: a safety that it states is wrong"
            )
