"""Columns."""

from __future__ import annotations

from msdensity.files.tables import Column
from msdensity.stats.columns import _COUNT, _DENSITY, _ERROR, _NOTE, _POSITIVE, _RATE, _TEXT

B1_COLUMNS: dict[str, Column] = {
    "p": _POSITIVE,
    "q": _POSITIVE,
    "mines": _POSITIVE,
    "player": _TEXT,
    "games": _POSITIVE,
    "wins": _COUNT,
    "win_rate": _RATE,
    "win_rate_low": _RATE,
    "win_rate_high": _RATE,
    "win_rate_corrected": _RATE,
}
"""Table B.1 of paper 001: the win rate of every board and number of mines, one row a player."""

B2_COLUMNS: dict[str, Column] = {
    "p": _POSITIVE,
    "q": _POSITIVE,
    "player": _TEXT,
    "P_published": _DENSITY,
    "P": _DENSITY,
    "Q_sd": _ERROR,
    "P_low": _DENSITY,
    "P_high": _DENSITY,
    "note": _NOTE,
}
"""Table B.2 of paper 001: critical densities, ours beside the published ones, one row a player."""

FIRST_CLICK_COLUMNS: dict[str, Column] = {
    "board": _TEXT,
    "mines": _POSITIVE,
    "density": _RATE,
    "first_click": _TEXT,
    "neighbours": _COUNT,
    "zero_formula": _RATE,
    "zero_games": _POSITIVE,
    "zeros": _COUNT,
    "zero_low": _RATE,
    "zero_high": _RATE,
    "games": _POSITIVE,
    "wins": _COUNT,
    "win_rate": _RATE,
    "win_rate_low": _RATE,
    "win_rate_high": _RATE,
    "difference": Column("float64", missing=True, low=-1, high=1),
    "difference_se": _ERROR,
}
"""What the first cell is worth, one row a board, number of mines and place of the first cell."""

INFERENCE_COLUMNS: dict[str, Column] = {
    "board": _TEXT,
    "mines": _POSITIVE,
    "density": _RATE,
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
"""Certain cells that the text's inference misses, one row a board and number of mines."""

PUBLISHED_COLUMNS: dict[str, Column] = {"p": _POSITIVE, "q": _POSITIVE, "P": _DENSITY}
"""A published table of critical densities."""
