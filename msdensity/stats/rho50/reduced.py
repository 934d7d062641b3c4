"""Variance-reduced win rates of whole tables, and the test of the stated safeties."""

from __future__ import annotations

import math
import sys
from typing import Any

import pandas as pd

from msdensity.errors import InputError
from msdensity.files.tables import check_table
from msdensity.kernel.measures import PRODUCT_SCALE, Z_SCALE
from msdensity.stats.columns import CURVE, REDUCED_COLUMNS, SAFETY_COLUMNS
from msdensity.stats.correction import w_correction
from msdensity.stats.rho50.control_variate import (
    ALARM,
    enough_to_test,
    reduced_win_rates,
)


def reduced_table(win_rates: pd.DataFrame) -> pd.DataFrame:
    """Return the reduced win rates (REDUCED_COLUMNS) of the players that state exact safeties.

    win_rates: WIN_RATE_COLUMNS. Each row takes the coefficients of neighbouring numbers of mines.
    Both rates of a row are of the games, also where win_rates has an exact one.
    """
    rows: list[dict[str, Any]] = []
    win_rates = win_rates.assign(win_rate=win_rates["wins"] / win_rates["games"])
    for _, curve in win_rates.groupby(list(CURVE), sort=False):
        if not (curve["z0_z0"] > 0).any():
            continue
        ordered = curve[curve["games"] > 1].sort_values("mines")
        records: list[dict[Any, Any]] = ordered.to_dict("records")
        for record, rate in zip(records, reduced_win_rates(records), strict=True):
            head = {name: record[name] for name in list(REDUCED_COLUMNS)[:6]}
            rows.append(
                head
                | {
                    "reduced": rate.rate.best,
                    "reduced_low": rate.rate.low,
                    "reduced_high": rate.rate.high,
                    "reduced_se": rate.error,
                    "gain": rate.gain,
                    "z": rate.z,
                    "note": rate.note,
                }
            )
    table = pd.DataFrame(rows, columns=list(REDUCED_COLUMNS))
    return check_table(table, REDUCED_COLUMNS, "reduced win rates")


def reduced_tables(win_rates: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the tables `reduced` (REDUCED_COLUMNS) and `safeties` (SAFETY_COLUMNS).

    win_rates: WIN_RATE_COLUMNS. Prints the second to stderr. Raises InputError for a safety that is
    wrong.
    """
    safeties = safety_table(win_rates)
    print(safeties.to_string(index=False), file=sys.stderr)
    require_right_safeties(safeties)
    return {"reduced": reduced_table(win_rates), "safeties": safeties}


def checked_win_rates(raw: pd.DataFrame) -> pd.DataFrame:
    """Return win rates with their W-correction, if the safeties stated in these games are right.

    raw: as for `w_correction`, whose errors it raises; InputError too for a safety that is wrong.
    Every later table comes from this one, so that none comes from wrong games.
    """
    require_right_safeties(safety_table(raw))
    return w_correction(raw)


def mean_of_z0(rows: pd.DataFrame) -> tuple[float, float]:
    """Return the mean of Z_0 over all games of some rows, and the same in standard errors.

    rows: WIN_RATE_COLUMNS. The second is NaN without a guess.
    """
    games = int(rows["games"].sum())
    mean = float(rows["z0"].sum()) / Z_SCALE / games
    square = float(rows["z0_z0"].sum()) / PRODUCT_SCALE / games
    error = math.sqrt(max(square - mean**2, 0) / games)
    return mean, mean / error if error > 0 else math.nan


def safety_table(win_rates: pd.DataFrame) -> pd.DataFrame:
    """Return the test of all safeties stated by each player (SAFETY_COLUMNS).

    win_rates: WIN_RATE_COLUMNS. Players that state none are left out.
    """
    rows = []
    for player, own in win_rates.groupby("player", sort=False):
        if own["z0_z0"].sum() > 0:
            games, wins, guesses = (int(own[name].sum()) for name in ("games", "wins", "guesses"))
            mean, z = mean_of_z0(own)
            tested = enough_to_test(games, wins, guesses, mean * games)
            row = {"player": player, "games": games, "guesses": guesses, "mean_z": mean}
            rows.append(row | {"z": z if tested else math.nan})
    table = pd.DataFrame(rows, columns=list(SAFETY_COLUMNS))
    return check_table(table, SAFETY_COLUMNS, "safety test")


def require_right_safeties(safeties: pd.DataFrame) -> None:
    """Raise InputError if the mean of Z_0 of a row is too far from 0 for chance (1e-4).

    safeties: first a column that names the row; also `games` and `z`.
    """
    named = safeties.columns[0]
    for row in safeties[safeties["z"].abs() > ALARM].to_dict("records"):
        raise InputError(
            f"{named}={row[named]}: mean of Z_0 is {row['z']:+.1f} standard errors from 0 over "
            f"{row['games']:,} games, must be within {ALARM:g}: a stated safety is wrong, or a"
            " count was changed. Do not use these games: `msdensity verify` replays them; if they"
            " are as played, delete their ledgers, and play with a version without the fault"
        )
