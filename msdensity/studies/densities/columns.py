"""Columns of the study's tables."""

from __future__ import annotations

from msdensity.files.tables import Column
from msdensity.stats.columns import DENSITY_COLUMNS, WIN_RATE_COLUMNS

GAMES_COLUMNS: dict[str, Column] = {
    "density_of": Column("str"),
    "window_low": Column("float64", low=0, high=1),
    "window_high": Column("float64", low=0, high=1),
    **WIN_RATE_COLUMNS,
}
"""WIN_RATE_COLUMNS of the games for each density, and the window of its fit."""

TABLES: dict[str, dict[str, Column]] = {
    "games": GAMES_COLUMNS,
    "densities": DENSITY_COLUMNS,
}
"""The study's tables by their names in steps."""
