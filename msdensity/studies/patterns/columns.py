"""The tables of the study of forced guesses: every column, its type and its range."""

from __future__ import annotations

from msdensity.files.tables import Column
from msdensity.stats.columns import _COUNT, _POSITIVE, _REAL, _TEXT

ORDER_COLUMNS: dict[str, Column] = {
    "part": _TEXT,
    "board": _TEXT,
    "start": _TEXT,
    "mines": _POSITIVE,
    "sets": _COUNT,
    "lost": _COUNT,
    "loss": _TEXT,
    "guesses": Column("str", missing=True),
}
"""Sets of so many mines on a board; lost: how many of them lose the game by themselves; loss: the
sum of mu (`losses`) over them, from a corner the coefficient of rho^mines in -ln W, a fraction;
guesses: the same sum of guesses, empty where it is not counted. start: none (one in the open),
zero, or corner."""

COEFFICIENT_COLUMNS: dict[str, Column] = {
    "term": _TEXT,
    "order": _POSITIVE,
    "coefficient": _TEXT,
    "value": _REAL,
    "law": _REAL,
    "boards": _TEXT,
    "tested_on": Column("str", missing=True),
}
"""Coefficients of rho^order in -ln W, for each corner, cell of a side, cell or start. coefficient:
a fraction, and value the same; law: that of the law, 0 where it has none; boards: those that it
follows from; tested_on: others, on which it agrees (`differs on` others)."""

PATTERN_COLUMNS: dict[str, Column] = {
    "place": _TEXT,
    "mines": _POSITIVE,
    "first": _TEXT,
    "second": _TEXT,
    "flags": _TEXT,
}
"""Differences of two layouts that no opened cell tells apart, each once for all places alike and
both signs; cells as "row,column" from the upper left of the drawing, with spaces between."""

TABLES: dict[str, dict[str, Column]] = {
    "orders": ORDER_COLUMNS,
    "coefficients": COEFFICIENT_COLUMNS,
    "patterns": PATTERN_COLUMNS,
}
"""The study's tables by their names in steps."""
