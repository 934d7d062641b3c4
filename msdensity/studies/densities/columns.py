"""Columns of the study's tables."""

from __future__ import annotations

from msdensity.files.tables import Column
from msdensity.stats.columns import WIN_RATE_COLUMNS

_DENSITY = Column("float64", missing=True, low=0, high=1)
_ERROR = Column("float64", missing=True, low=0)
_COUNT = Column("int64", low=0)

GAMES_COLUMNS: dict[str, Column] = {
    "density_of": Column("str"),
    "window_low": Column("float64", low=0, high=1),
    "window_high": Column("float64", low=0, high=1),
    **WIN_RATE_COLUMNS,
}
"""WIN_RATE_COLUMNS of the games for each density, and the window of its fit."""

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
    "games": GAMES_COLUMNS,
    "densities": DENSITY_COLUMNS,
}
"""The study's tables by their names in steps."""
