"""The tables of the study of topologies: every column, its type and its range."""

from __future__ import annotations

from msdensity.files.tables import Column
from msdensity.stats.columns import (
    _COUNT,
    _DENSITY,
    _ERROR,
    _EXACT,
    _NOTE,
    _P_VALUE,
    _POSITIVE,
    _RATE,
    _REAL,
    _TEXT,
    WIN_RATE_COLUMNS,
)

GAME_COLUMNS: dict[str, Column] = {
    "low": Column("float64", low=0, high=1),
    "high": Column("float64", low=0, high=1),
    **WIN_RATE_COLUMNS,
}
"""WIN_RATE_COLUMNS of the games around W = 1/2, and the window of the fit."""

HALF_COLUMNS: dict[str, Column] = {
    "board": _TEXT,
    "topology": _TEXT,
    "side": _POSITIVE,
    "cells": _POSITIVE,
    "games": _POSITIVE,
    "rho50": _DENSITY,
    "rho50_se": _ERROR,
    "rho50_low": _DENSITY,
    "rho50_high": _DENSITY,
    "steepness": _REAL,
    "deviance": _ERROR,
    "df": _COUNT,
    "approximate": _RATE,
    "law": _DENSITY,
    "law_next": _DENSITY,
    "note": _NOTE,
}
"""Where half of the games are won. approximate: share of games with a position beyond exact
counting; from 1 % on the control variate, which needs exact safeties, is left out; law: the same
density by the leading terms of the law, and with the next ones that are known."""

EXPONENT_COLUMNS: dict[str, Column] = {
    "topology": _TEXT,
    "side": _POSITIVE,
    "twice": _POSITIVE,
    "exponent": _REAL,
    "exponent_se": _ERROR,
    "law": _REAL,
    "limit": _REAL,
}
"""-d ln rho50 / d ln n between boards of a side and of twice this side: measured, by the leading
terms of the law, and 1/k of the bulk, which all large boards approach."""

LIMIT_COLUMNS: dict[str, Column] = {
    "topology": _TEXT,
    "model": _TEXT,
    "has_limit": Column("int64", low=0, high=1),
    "smallest": _POSITIVE,
    "largest": _POSITIVE,
    "points": _POSITIVE,
    "limit": _REAL,
    "limit_se": _ERROR,
    "exponent": _REAL,
    "exponent_se": _ERROR,
    "chi2": _ERROR,
    "df": _COUNT,
    "p_value": _P_VALUE,
}
"""Curves of rho50 with a limit of at least 0 and without, fitted to the boards from the side
`smallest` to `largest`; exponent: of n, where the curve has one."""

POINT_COLUMNS: dict[str, Column] = {
    "topology": _TEXT,
    "side": _POSITIVE,
    "cells": _POSITIVE,
    "mines": _POSITIVE,
    "density": _EXACT,
    "games": _POSITIVE,
    "lost": _COUNT,
    "approximate": _COUNT,
    "x": _REAL,
    "x_se": _ERROR,
    "gain": _ERROR,
    "walled_in": _ERROR,
    "law": _ERROR,
    "law_next": _ERROR,
    "law_never": _ERROR,
    "law_always": _ERROR,
    "ratio": _REAL,
    "ratio_se": _ERROR,
}
"""Games at low density. x: -ln W, from reduced win rates, or plain ones (gain 1) where a game was
approximate; gain: of their variance; walled_in: the expected number of cells with mines all around,
lambda; law: the leading terms; law_next: with the next ones that are known; law_never, law_always:
all of these terms if the mine count always settles a walled-in cell (u = 0), or never (u = 1);
ratio: x / law."""

TEST_COLUMNS: dict[str, Column] = {
    "topology": _TEXT,
    "model": _TEXT,
    "points": _POSITIVE,
    "chi2": _ERROR,
    "df": _COUNT,
    "p_value": _P_VALUE,
    "detectable": _ERROR,
    "intercept": _REAL,
    "intercept_se": _ERROR,
    "slope": _REAL,
    "slope_se": _ERROR,
}
"""Tests of x against the law at all densities and sizes of a topology together. detectable: the
common deviation, as a share of the law, that the test would find; intercept, slope: of the model
`line`, x / law = intercept + slope rho."""

RISE_COLUMNS: dict[str, Column] = {
    "topology": _TEXT,
    "density": _EXACT,
    "small": _POSITIVE,
    "large": _POSITIVE,
    "x_small": _REAL,
    "x_small_se": _ERROR,
    "x_large": _REAL,
    "x_large_se": _ERROR,
    "z": _REAL,
}
"""x = -ln W at one density on the smallest and on the largest board; z: of the difference."""

TABLES: dict[str, dict[str, Column]] = {
    "games": GAME_COLUMNS,
    "law_games": WIN_RATE_COLUMNS,
    "halves": HALF_COLUMNS,
    "exponents": EXPONENT_COLUMNS,
    "limits": LIMIT_COLUMNS,
    "points": POINT_COLUMNS,
    "tests": TEST_COLUMNS,
    "rises": RISE_COLUMNS,
}
"""The study's tables by their names in steps."""
