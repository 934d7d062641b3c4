"""The tables of paper 001: every column, its type and its range."""

from __future__ import annotations

from dataclasses import replace

from msdensity.files.tables import Column
from msdensity.stats import columns as stats
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
    _SIDE,
    _TEXT,
)

_BOARD = Column("str", optional=True)  # tables of version 0.1.0 lack it
_PUBLISHED = replace(_DENSITY, exact=True)
_GAMES_ALONE = Column("Int64", missing=True, low=0, optional=True)

B1_COLUMNS: dict[str, Column] = {
    "board": _BOARD,
    "p": _SIDE,
    "q": _SIDE,
    "mines": _POSITIVE,
    "player": _TEXT,
    "games": _POSITIVE,
    "wins": _COUNT,
    "win_rate": _EXACT,
    "win_rate_low": _RATE,
    "win_rate_high": _RATE,
    "win_rate_corrected": _EXACT,
    "exact": Column("str", missing=True, optional=True),
}
"""Table B.1 of paper 001: the win rate of every board and number of mines, one row per player.

`exact`: layouts won over layouts, where the win rate is exact."""

B2_COLUMNS: dict[str, Column] = {
    "board": _BOARD,
    "p": _SIDE,
    "q": _SIDE,
    "player": _TEXT,
    "P_published": _PUBLISHED,
    "P": _DENSITY,
    "Q_sd": _ERROR,
    "P_low": _DENSITY,
    "P_high": _DENSITY,
    "note": _NOTE,
}
"""Table B.2 of paper 001: critical densities, ours and the published ones, one row per player.

Boards that the paper does not print come last."""

FIRST_CLICK_COLUMNS: dict[str, Column] = {
    "board": _TEXT,
    "mines": _POSITIVE,
    "density": _EXACT,
    "first_click": _TEXT,
    "neighbours": _COUNT,
    "zero_formula": _RATE,
    "zero_games": _POSITIVE,
    "zeros": _COUNT,
    "zero_low": _RATE,
    "zero_high": _RATE,
    "games": _POSITIVE,
    "wins": _COUNT,
    "win_rate": _EXACT,
    "win_rate_low": _RATE,
    "win_rate_high": _RATE,
    "difference": Column("float64", missing=True, low=-1, high=1),
    "difference_se": _ERROR,
    # Tables of version 0.1.0 lack these.
    "corner_only": _GAMES_ALONE,
    "place_only": _GAMES_ALONE,
    "error_ratio": replace(_ERROR, optional=True),
    "p_value": replace(_P_VALUE, optional=True),
}
"""What the first cell is worth, one row per board, number of mines and place of the first cell.

The difference from the corner is of games on the same boards: `corner_only` and `place_only` won
from one of the two places alone, `error_ratio` the standard error over that of independent samples,
`p_value` of McNemar's exact test."""

INFERENCE_COLUMNS: dict[str, Column] = {
    "board": _TEXT,
    "mines": _POSITIVE,
    "density": _EXACT,
    "games": _POSITIVE,
    "positions": _COUNT,
    "certain": _COUNT,
    "missed_local": _COUNT,
    "missed": _COUNT,
    "stuck": _COUNT,
    "over_limit": _COUNT,
    "missed_share": _DENSITY,
    "missed_share_se": _ERROR,
}
"""Certain cells that the text's inference misses, one row per board and number of mines."""

PUBLISHED_COLUMNS: dict[str, Column] = {"p": _POSITIVE, "q": _POSITIVE, "P": _PUBLISHED}
"""A published table of critical densities."""

PILOT_COLUMNS: dict[str, Column] = {
    "board": _TEXT,
    "player": _TEXT,
    "cells": _POSITIVE,
    "rho50": _REAL,
    "k": _REAL,
}
"""rho50 and the slope k of a board and player from a pilot: they set the window of the fit."""

RHO50_COLUMNS: dict[str, Column] = {
    "board": _TEXT,
    "p": _SIDE,
    "q": _SIDE,
    "player": _TEXT,
    "rho50": _DENSITY,
    "rho50_low": _DENSITY,
    "rho50_high": _DENSITY,
    "rho50_se": _REAL,
    "k": _REAL,
    "bend": Column("float64", missing=True, optional=True),
    "plain": _DENSITY,
    "plain_low": _DENSITY,
    "plain_high": _DENSITY,
    "plain_se": _REAL,
    "points": _COUNT,
    "window_low": _DENSITY,
    "window_high": _DENSITY,
    "deviance": _REAL,
    "df": _COUNT,
    "crossing": _REAL,
    "note": _NOTE,
}
"""rho50 per board and player: from reduced win rates where there are any, and from wins alone
(`plain`), each with a profile-likelihood interval of 95 %; deviance of the plain fit; crossing of
the falling sequence; note: warnings."""

TABLES: dict[str, dict[str, Column]] = stats.TABLES | {
    "published": PUBLISHED_COLUMNS,
    "pilots": PILOT_COLUMNS,
    "rho50": RHO50_COLUMNS,
    "table_b1": B1_COLUMNS,
    "table_b2": B2_COLUMNS,
    "first_click": FIRST_CLICK_COLUMNS,
    "inference": INFERENCE_COLUMNS,
}
"""The tables of the study by the names that steps give them."""
