"""The tables of the part on 002: every column, its type and its range."""

from __future__ import annotations

from msdensity.files.tables import Column
from msdensity.stats.columns import _COUNT, _ERROR, _POSITIVE, _REAL, _TEXT

_SHARE = {"se": _ERROR, "low": _REAL, "high": _REAL}
_PLACE = {"board": _TEXT, "mines": _POSITIVE}

COVERAGE_COLUMNS: dict[str, Column] = {
    **_PLACE,
    "knowledge": _TEXT,
    "method": _TEXT,
    "games": _POSITIVE,
    **dict.fromkeys(("positions", "certain", "found", "false"), _COUNT),
    "share": _REAL,
    **{f"share_{name}": column for name, column in _SHARE.items()},
    **dict.fromkeys(("certain_positions", "any_positions"), _COUNT),
    "any": _REAL,
    **{f"any_{name}": column for name, column in _SHARE.items()},
    "beside_text": _REAL,
    "beside_text_se": _ERROR,
}
"""What a method decides of the certain cells, at positions where single numbers say no more.

knowledge: what makes them certain (methods.CLUES or TOTAL); found: certain cells that the method
decides in one call; false: cells that it decides wrongly; certain_positions: with a certain cell,
any_positions: those of them in which the method decides one. share, any: in percent. beside_text:
the share less that of "002, resolution too", in points, with its error from the same games."""

LEVEL_COLUMNS: dict[str, Column] = {
    **_PLACE,
    "level": _TEXT,
    "games": _POSITIVE,
    "positions": _COUNT,
    "percent": _REAL,
    **_SHARE,
}
"""How many positions need each of methods.LEVELS, and their share of all positions."""

GUESS_COLUMNS: dict[str, Column] = {
    "player": _TEXT,
    **_PLACE,
    "knowledge": _TEXT,
    "games": _POSITIVE,
    **dict.fromkeys(("guesses", "needless"), _COUNT),
    "percent": _REAL,
    **_SHARE,
}
"""Guesses at which exact inference knew a safe cell."""

TIME_COLUMNS: dict[str, Column] = {
    **_PLACE,
    "method": _TEXT,
    "positions": _COUNT,
    "cpu_us": Column("float64", missing=True, low=0),
}
"""CPU time of a method at a position, exact inference included."""

SIZE_COLUMNS: dict[str, Column] = {
    **_PLACE,
    "player": _TEXT,
    "games": _POSITIVE,
    "cpu_us": Column("float64", low=0),
    "opened": Column("float64", low=0),
}
"""CPU time of a game on boards of one density, and cells opened in it."""

RESOLUTION_TABLES = {
    "resolution_coverage": COVERAGE_COLUMNS,
    "resolution_levels": LEVEL_COLUMNS,
    "resolution_guesses": GUESS_COLUMNS,
    "resolution_time": TIME_COLUMNS,
    "resolution_sizes": SIZE_COLUMNS,
}
"""The tables of this part by the names that steps give them."""
