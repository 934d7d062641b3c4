"""The tables of the study of forced guesses: every column, its type and its range."""

from __future__ import annotations

from msdensity.files.tables import Column
from msdensity.stats.columns import (
    _COUNT,
    _ERROR,
    _POSITIVE,
    _REAL,
    _TEXT,
    WIN_RATE_COLUMNS,
)
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS

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
    "flags": Column("str", missing=True),
}
"""Differences of two layouts that no opened cell tells apart, each once for all places alike and
both signs; cells as "row,column" from the upper left of the drawing, with spaces between."""

LATTICE_COLUMNS: dict[str, Column] = {
    "topology": _TEXT,
    "place": _TEXT,
    "places": _TEXT,
    "power": _POSITIVE,
    "T": _TEXT,
    "U": _TEXT,
    "T_law": _TEXT,
    "U_law": _TEXT,
    "by": _TEXT,
    "differences_to": _COUNT,
    "sets_to": _COUNT,
    "sets": _COUNT,
    "ambiguous": _COUNT,
}
"""The lowest term (T + u U) rho^power of each place, T and U fractions; places: how many there are
on p x q or N^3; T_law, U_law: those of the law. by: `sets` (all sets of so many mines), else
`differences` of two layouts (all of so many mines) or `boxes` (those in small boxes); `sums`: not
the lowest but the next order of the place.
differences_to: all differences of at most so many mines were looked for; sets_to: all sets that
hang together of at most so many mines were tried; sets, ambiguous: how many, and those of them that
leave more than one layout."""

LATTICE_PATTERN_COLUMNS: dict[str, Column] = {
    "topology": _TEXT,
    "board": _TEXT,
    "place": _TEXT,
    "mines": _POSITIVE,
    "kind": _TEXT,
    "first": _TEXT,
    "second": Column("str", missing=True),
    "flags": Column("str", missing=True),
}
"""A difference of each kind (T: equally many mines; U: not) at each place, as in PATTERN_COLUMNS,
but cells are those of the board."""

PLAYER_ORDER_COLUMNS: dict[str, Column] = {
    "player": _TEXT,
    "place": _TEXT,
    "mines": _POSITIVE,
    "sets": _COUNT,
    "guessed": _COUNT,
    "loss": _REAL,
    "error": _ERROR,
    "exact": Column("str", missing=True),
}
"""Sets of so many mines at a place (corner, edge, bulk); guessed: those at which the player
guesses or stops; loss: the sum of the chances that one is lost, with its standard error; exact: the
same as a whole number where every set is always won or always lost."""

PLAYER_SLOPE_COLUMNS: dict[str, Column] = {
    "player": _TEXT,
    "board": _TEXT,
    "low": _REAL,
    "high": _REAL,
    "x_low": _REAL,
    "x_low_error": _ERROR,
    "x_high": _REAL,
    "x_high_error": _ERROR,
    "slope": _REAL,
    "error": _ERROR,
    "law": _REAL,
}
"""-ln W (x) at two mine densities and d ln x / d ln rho between them, and the law's of `weighted`;
the start is a 0 in the middle."""

LINE_COLUMNS: dict[str, Column] = {
    "board": _TEXT,
    "mines": _POSITIVE,
    "games": _POSITIVE,
    "lines": _COUNT,
    "x": _REAL,
    "error": _ERROR,
    "law": _REAL,
    "law_without_lines": _REAL,
    "z": _REAL,
    "z_without_lines": _REAL,
}
"""-ln W (x) of `weighted`, and the law's with and without lines; lines: 1 if the board has such."""

DIP_COLUMNS: dict[str, Column] = {
    "series": _TEXT,
    "quantity": _TEXT,
    "p": _POSITIVE,
    "value": _REAL,
    "error": _ERROR,
    "law": _REAL,
    "law_without_lines": _REAL,
    "contrast": _REAL,
    "contrast_error": _ERROR,
    "z": _REAL,
    "law_contrast": _REAL,
    "contrast_without_lines": _REAL,
}
"""A density of p x 10 or p x p, less the mean of those at p - 1 and p + 1 (contrast); quantity:
`published P` of Table B.2, P or rho50 of `weighted`; the law's is rho50."""

TABLES: dict[str, dict[str, Column]] = {
    "orders": ORDER_COLUMNS,
    "coefficients": COEFFICIENT_COLUMNS,
    "patterns": PATTERN_COLUMNS,
    "line_patterns": PATTERN_COLUMNS,
    "lattices": LATTICE_COLUMNS,
    "lattice_patterns": LATTICE_PATTERN_COLUMNS,
    "player_orders": PLAYER_ORDER_COLUMNS,
    "players_slopes": PLAYER_SLOPE_COLUMNS,
    "lines": LINE_COLUMNS,
    "dips": DIP_COLUMNS,
    "games": WIN_RATE_COLUMNS,
    "line_games": WIN_RATE_COLUMNS,
    "printed": PUBLISHED_COLUMNS,
}
"""The study's tables by their names in steps."""
