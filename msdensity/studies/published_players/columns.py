"""The tables of the published players: every column, its type and its range."""

from __future__ import annotations

from msdensity.files.tables import Column
from msdensity.stats.columns import (
    _COUNT,
    _ERROR,
    _P_VALUE,
    _POSITIVE,
    _RATE,
    _REAL,
    _SIDE,
    _TEXT,
    CORRECTED_COLUMNS,
    FIT_COLUMNS,
)
from msdensity.studies.published_players.beliefs.columns import TABLES as BELIEF_TABLES
from msdensity.studies.published_players.resolution.columns import RESOLUTION_TABLES

_PERCENT = Column("float64", low=0, high=100)

PUBLISHED_COLUMNS: dict[str, Column] = {
    "table": _TEXT,
    "board": _TEXT,
    "mines": _POSITIVE,
    "games": Column("float64", missing=True, low=1),
    "measure": _TEXT,
    "value": Column("float64"),
    "decimals": _COUNT,
}
"""The printed numbers of 000, 003 and 004; games of the authors, missing if they do not say."""

STUDY_COLUMNS: dict[str, Column] = {
    "table": _TEXT,
    "player": _TEXT,
    "first_click": _TEXT,
    "start": _TEXT,
    "role": _TEXT,
    "board": _TEXT,
    "mines": _POSITIVE,
    "games": _POSITIVE,
    "measure": _TEXT,
    "published": Column("float64"),
    "ours": _REAL,
    "ours_se": _ERROR,
    "ours_low": _REAL,
    "ours_high": _REAL,
    "published_se": _ERROR,
    "z": _REAL,
    "detectable": _ERROR,
    "verdict": _TEXT,
    "no_zero": Column("Int64", missing=True, low=0, optional=True),
}
"""Printed numbers beside ours with its 95 % interval (Wilson's for shares of games); published_se
also holds the rounding of the printed number; detectable: the difference that the test of z finds
with 90 % probability; no_zero: of starts at the first 0, games on boards without one."""

PAIR_COLUMNS: dict[str, Column] = {
    "question": _TEXT,
    "board": _TEXT,
    "mines": _POSITIVE,
    "first": _TEXT,
    "second": _TEXT,
    **dict.fromkeys(("games", "both", "first_only", "second_only", "neither"), _COUNT),
    "difference": _REAL,
    "difference_se": _ERROR,
    "z": _REAL,
    "p_value": _P_VALUE,
}
"""The 2 x 2 tables of wins of two players, by question."""

MEASURE_COLUMNS: dict[str, Column] = {
    "player": _TEXT,
    "board": _TEXT,
    "mines": _POSITIVE,
    "measure": _TEXT,
    "games": _POSITIVE,
    "value": _REAL,
    "se": _ERROR,
    "low": _REAL,
    "high": _REAL,
}
"""What every player wins, guesses, loses and misses, with standard error and 95 % interval
(Wilson's for shares; missing where nothing was counted that is no share)."""

COST_COLUMNS: dict[str, Column] = {
    "player": _TEXT,
    "board": _TEXT,
    "mines": _SIDE,
    "games": _POSITIVE,
    "cpu_us": Column("float64", low=0),
}
"""CPU time per game; mines is missing where games of every number of mines are averaged."""

POINT_COLUMNS: dict[str, Column] = {
    "figure": _TEXT,
    "player": _TEXT,
    "board": _TEXT,
    "mines": _POSITIVE,
    "x": Column("float64", low=0, exact=True),
    "games": _POSITIVE,
    "wins": _COUNT,
    "win_percent": _PERCENT,
    "win_percent_low": _PERCENT,
    "win_percent_high": _PERCENT,
}
"""Points of Figures 5.3 and 5.4; x: mine density (5.3), cells (5.4); low, high: Wilson's 95 %."""

CURVE_COLUMNS: dict[str, Column] = {
    "figure": _TEXT,
    "player": _TEXT,
    "parameter": _TEXT,
    "value": _REAL,
    "se": _ERROR,
    "chi2": _ERROR,
    "degrees": _COUNT,
}
"""Fits of the points, one row per parameter; chi2 of all points, with degrees of freedom."""

FORMULA_COLUMNS: dict[str, Column] = {
    "formula": _TEXT,
    "board": _TEXT,
    "mines": _POSITIVE,
    "first_click": _TEXT,
    "neighbours": _COUNT,
    "start": _TEXT,
    "value": _RATE,
    "games": _POSITIVE,
    "measured": _RATE,
    "low": _RATE,
    "high": _RATE,
    "z": _REAL,
    "detectable": _ERROR,
    "verdict": _TEXT,
}
"""Formulas beside dealt games; value and measured are probabilities, low and high Wilson's 95 %;
detectable: the difference that the test of z finds with 90 % probability."""

CROSSING_COLUMNS = ("rho50", "rho50_sd", "rho50_low", "rho50_high")
"""Where the win rate falls below 1/2: value, bootstrap standard deviation and 95 % interval."""

DENSITY_COLUMNS: dict[str, Column] = FIT_COLUMNS | dict.fromkeys(CROSSING_COLUMNS, _REAL)
"""P and rho50 of every curve."""

TABLES: dict[str, dict[str, Column]] = {
    "published": PUBLISHED_COLUMNS,
    "tables": STUDY_COLUMNS,
    "pairs": PAIR_COLUMNS,
    "measures": MEASURE_COLUMNS,
    "cost": COST_COLUMNS,
    "curves": CORRECTED_COLUMNS,
    "density": DENSITY_COLUMNS,
    "points": POINT_COLUMNS,
    "point_fits": CURVE_COLUMNS,
    "formulas": FORMULA_COLUMNS,
    **BELIEF_TABLES,
    **RESOLUTION_TABLES,
}
"""The tables of the study by the names that steps give them."""
