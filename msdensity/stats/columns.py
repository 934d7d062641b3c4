"""Columns of the tables of the standard analysis: win rates, fits, extrapolation, series."""

from __future__ import annotations

from dataclasses import replace

from msdensity.files.tables import Column
from msdensity.kernel.measures import MEASURES, SIGNED

_TEXT = Column("str")

_NOTE = Column("str", missing=True)

_COUNT = Column("int64", low=0)

_WHOLE = Column("int64")

_POSITIVE = Column("int64", low=1)

_SIDE = Column("Int64", missing=True, low=1)  # missing on a board without rows and columns

_RATE = Column("float64", low=0, high=1)

_EXACT = Column("float64", low=0, high=1, exact=True)  # a quotient of whole numbers

_P_VALUE = Column("float64", missing=True, low=0, high=1, noise=0)

_REAL = Column("float64", missing=True)

_ERROR = Column("float64", missing=True, low=0)

_DENSITY = Column("float64", missing=True, low=0, high=1)

CURVE = ("board", "topology", "player", "first_click", "start", "seed", "kernel_version")
"""The columns that identify a win-rate curve."""

WIN_RATE_COLUMNS: dict[str, Column] = {
    "board": _TEXT,
    "p": _SIDE,
    "q": _SIDE,
    "topology": _TEXT,
    "player": _TEXT,
    "first_click": _TEXT,
    "start": _TEXT,
    "seed": _COUNT,
    "kernel_version": _POSITIVE,
    "mines": _POSITIVE,
    "density": _EXACT,
    "games": _POSITIVE,
    **{name: _WHOLE if name in SIGNED else _COUNT for name in MEASURES},
    "win_rate": _EXACT,
    "win_rate_low": _RATE,
    "win_rate_high": _RATE,
    "no_zero": Column("Int64", missing=True, low=0, optional=True),
    "exact": Column("str", missing=True, optional=True),
}
"""Raw win rates, one row for each curve and number of mines; the interval is Wilson's, 95 %.

`no_zero` is in tables with a start at the first 0: games on boards without one. `exact` is in
tables with exact win rates: layouts won over layouts, such as 3/8. In a row that has it, win_rate
and both ends of the interval are this fraction; wins and games are those played.
"""

EXACT_COLUMNS: dict[str, Column] = {
    **{name: WIN_RATE_COLUMNS[name] for name in CURVE if name != "seed"},
    "mines": _POSITIVE,
    "density": _EXACT,
    "layouts": _POSITIVE,
    "won": _TEXT,
    "win_rate": _EXACT,
}
"""Exact win rates, one row for each curve and number of mines: how many of all layouts are won.

`won` is a whole number, or a fraction such as 7/2 where chance decides between cells: the expected
number."""

EXACT_TEST_COLUMNS: dict[str, Column] = {
    "player": _TEXT,
    "boards": _POSITIVE,
    "rows": _POSITIVE,
    "games": _POSITIVE,
    "wins": _COUNT,
    "expected": Column("float64", low=0),
    "impossible": _COUNT,
    "chi_square": Column("float64", low=0),
    "df": _COUNT,
    "p_value": _P_VALUE,
}
"""Games played beside exact win rates, one row a player: wins, and those expected; impossible: rows
with a win where none can be, or a loss; chi-square of the others with its degrees of freedom."""

CORRECTED_COLUMNS: dict[str, Column] = {
    **WIN_RATE_COLUMNS,
    "win_rate_corrected": _EXACT,
    "correction_rule": Column("int64", low=0, high=2),
}
"""WIN_RATE_COLUMNS and what the W-correction adds."""

FIT_COLUMNS: dict[str, Column] = {
    "board": _TEXT,
    "p": _SIDE,
    "q": _SIDE,
    "player": _TEXT,
    "b": _REAL,
    "L": Column("float64", missing=True, low=0, high=3),
    "k": _ERROR,
    "Q": _REAL,
    "P": _DENSITY,
    "Q_sd": _ERROR,
    "Q_low": _REAL,
    "Q_high": _REAL,
    "at_bound": _NOTE,
    "note": _NOTE,
    "model": Column("str", optional=True),
    "parameters": Column("str", optional=True),
    "aicc": Column("float64", missing=True, optional=True),
}
"""One fit a row: parameters, critical density P, bootstrap spread of Q (95 % interval). Only a
configuration that names models has the last three columns; b, L, k belong to the logistic."""

MODEL_COLUMNS: dict[str, Column] = {
    **{name: replace(column, optional=False) for name, column in FIT_COLUMNS.items()},
    "difference": _ERROR,
}
"""FIT_COLUMNS of every model, and how far its AICc is above the lowest of the curve."""

EXTRAPOLATION_COLUMNS: dict[str, Column] = {
    "player": _TEXT,
    "topology": _TEXT,
    "a": _REAL,
    "a_se": _ERROR,
    "b": _REAL,
    "b_se": _ERROR,
    "c": _REAL,
    "c_se": _ERROR,
    "q_min": _SIDE,
    "q_max": _SIDE,
    "n": _COUNT,
    "note": _NOTE,
}
"""P = a / (q - b) + c over square boards, one row a player, topology and range of q."""

SERIES_COLUMNS: dict[str, Column] = {
    "player": _TEXT,
    "q_min": _POSITIVE,
    "q_max": _POSITIVE,
    "boards": _POSITIVE,
    "terms": Column("int64", low=1, high=10),
    "scatter": _ERROR,
    "n": Column("int64", low=0, high=9),
    "a": Column("float64", missing=True, exact=True),  # the terms nearly cancel each other
    "a_se": _ERROR,
    "sampling_se": _ERROR,
}
"""P = sum of a_n q^-n over 1 x q boards, one row a player, range of q, number of terms and n."""

REDUCED_COLUMNS: dict[str, Column] = {
    "board": Column("str"),
    "player": Column("str"),
    "mines": Column("int64", low=1),
    "density": _EXACT,
    "games": Column("int64", low=2),
    "win_rate": _EXACT,
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
"""All games of a player together: mean of Z_0 per game, and in standard errors (missing if there
are too few guesses for a test, see `control_variate.enough_to_test`)."""

DENSITY_COLUMNS: dict[str, Column] = {
    "board": Column("str"),
    "p": Column("int64", low=1),
    "q": Column("int64", low=1),
    "rho50": _DENSITY,
    "rho50_se": _ERROR,
    "no_guess": _DENSITY,
    "no_guess_se": _ERROR,
    "P": _DENSITY,
    "P_se": _ERROR,
    "k": _ERROR,
    "k_se": _ERROR,
    "P_win_rate": _DENSITY,
    "P_win_rate_se": _ERROR,
    "player": Column("str"),
    "first_click": Column("str"),
    "start": Column("str"),
    "seed": _COUNT,
    "kernel_version": Column("int64", low=1),
    "games": _COUNT,
    "note": Column("str", missing=True),
}
"""A board a row: the densities with standard errors, and who played how many games for them.

rho50: half the games are won; no_guess: half are won without a guess after the first click; P: the
critical density of the logistic curve (paper 001, section 9); k: steepness of the win rate at
rho50; P_win_rate: share of the games won at P. Missing where there is none."""

TABLES: dict[str, dict[str, Column]] = {
    "raw": WIN_RATE_COLUMNS,
    "exact": EXACT_COLUMNS,
    "win_rates": CORRECTED_COLUMNS,
    "exact_test": EXACT_TEST_COLUMNS,
    "reduced": REDUCED_COLUMNS,
    "safeties": SAFETY_COLUMNS,
    "fits": FIT_COLUMNS,
    "models": MODEL_COLUMNS,
    "extrapolation": EXTRAPOLATION_COLUMNS,
    "series": SERIES_COLUMNS,
}
"""The tables of the standard analysis by their names in steps."""
