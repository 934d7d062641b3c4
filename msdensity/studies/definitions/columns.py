"""The tables of the study of definitions: every column, its type and its range."""

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
    _REAL,
    _TEXT,
)

_PLACE = {"side": _POSITIVE, "mines": _POSITIVE, "density": _EXACT}
_RUN = {"seed": _COUNT, "kernel_version": _POSITIVE, "games": Column("int64", low=2)}

SUMS = (
    *("wins", "no_guess", "guesses", "guesses_squared", "won_guesses"),
    *("opened", "opened_squared", "component", "component_squared"),
)
"""The sums over games that are kept."""

GAME_COLUMNS: dict[str, Column] = {
    "part": _TEXT,
    "player": _TEXT,
    "start": _TEXT,
    **_PLACE,
    **_RUN,
    **{name: _COUNT for name in SUMS},
}
"""Games of one player on square boards with one number of mines, as sums over games. part:
`pilot`, which chooses windows, or `games`; won_guesses: guesses of the games that are won; opened:
safe cells opened; component: cells decided by a whole component; `_squared`: of squares."""

LAYOUT_COLUMNS: dict[str, Column] = {
    "part": _TEXT,
    **_PLACE,
    **_RUN,
    "clicks": _COUNT,
    "clicks_squared": _COUNT,
}
"""The fewest clicks that open all safe cells of a board without knowing more than the mines: one
for each cascade of 0s, and one for each cell that no cascade opens."""

MEAN_COLUMNS: dict[str, Column] = {
    "part": _TEXT,
    "measure": _TEXT,
    "start": _TEXT,
    **_PLACE,
    "games": Column("int64", low=2),
    "mean": Column("float64", low=0),
    "mean_se": Column("float64", low=0),
}
"""The mean of a measure over games, see `means.MEASURES`."""

CRITICAL_COLUMNS: dict[str, Column] = {
    "definition": _TEXT,
    "start": _TEXT,
    "side": _POSITIVE,
    "density": _DENSITY,
    "density_se": _ERROR,
    "low": _DENSITY,
    "high": _DENSITY,
    "points": _COUNT,
    "games": _COUNT,
    "deviance": _ERROR,
    "df": _COUNT,
    "p_value": _P_VALUE,
    "note": _NOTE,
}
"""Density at which a definition is met on a square board, with its 95 % interval and the fit."""

LIMIT_COLUMNS: dict[str, Column] = {
    "definition": _TEXT,
    "start": _TEXT,
    "model": _TEXT,
    "smallest": _POSITIVE,
    "points": _POSITIVE,
    "limit": _REAL,
    "limit_se": _ERROR,
    "power": _REAL,
    "power_se": _ERROR,
    "deviance": Column("float64", low=0),
    "df": _POSITIVE,
    "p_value": _P_VALUE,
    "gain_p": _P_VALUE,
}
"""Fits over the sides q >= smallest. model: `none` a q^-b, or `limit` c + a q^-b; limit: c; power:
b; gain_p: probability that c gains so much by chance if there is none."""

STEP_COLUMNS: dict[str, Column] = {
    "definition": _TEXT,
    "start": _TEXT,
    "side": _POSITIVE,
    "next": _POSITIVE,
    "exponent": Column("float64"),
    "exponent_se": _ERROR,
}
"""-d ln density / d ln n between two sides, n = q^2."""

PEAK_COLUMNS: dict[str, Column] = {
    "measure": _TEXT,
    "start": _TEXT,
    "side": _POSITIVE,
    "density": _DENSITY,
    "density_se": _ERROR,
    "value": _ERROR,
    "points": _COUNT,
    "deviance": _ERROR,
    "df": _COUNT,
    "p_value": _P_VALUE,
}
"""Where the mean of a measure is largest; missing if it lies at an end of what is played."""

RELATION_COLUMNS: dict[str, Column] = {
    "start": _TEXT,
    **_PLACE,
    "games": Column("int64", low=2),
    "W": _EXACT,
    "P": _EXACT,
    "power": _REAL,
    "power_se": _ERROR,
    "guesses": Column("float64", low=0),
    "ratio": _REAL,
    "ratio_se": _ERROR,
}
"""On the same games: power = ln P / ln W (P: won without a guess), and ratio = guesses over
2 (1 - W); their errors know that the games are the same."""

FIRST_COLUMNS: dict[str, Column] = {
    "place": _TEXT,
    "neighbours": _POSITIVE,
    "side": Column("Int64", missing=True, low=1),
    "density": Column("float64", low=0, high=1),
}
"""Density at which a safe first cell shows 0 with probability one half, exactly; without a side:
on a board without end."""

TABLES: dict[str, dict[str, Column]] = {
    "games": GAME_COLUMNS,
    "layouts": LAYOUT_COLUMNS,
    "means": MEAN_COLUMNS,
    "cost": MEAN_COLUMNS,
    "critical": CRITICAL_COLUMNS,
    "limits": LIMIT_COLUMNS,
    "steps": STEP_COLUMNS,
    "peaks": PEAK_COLUMNS,
    "cost_peaks": PEAK_COLUMNS,
    "relations": RELATION_COLUMNS,
    "first_cells": FIRST_COLUMNS,
}
"""The study's tables by their names in steps."""
