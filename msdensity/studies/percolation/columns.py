"""The tables of the study of percolation: every column, its type and its range."""

from __future__ import annotations

from msdensity.files.tables import Column
from msdensity.stats.columns import _COUNT, _ERROR, _EXACT, _P_VALUE, _POSITIVE, _RATE, _REAL, _TEXT

_RUN = {"seed": _COUNT, "kernel_version": _POSITIVE}
_SHARE = Column("float64", missing=True, low=0, high=1)

FRONT_COLUMNS: dict[str, Column] = {
    "topology": _TEXT,
    "rules": _TEXT,
    "side": _POSITIVE,
    "mines": _POSITIVE,
    "density": _EXACT,
    **_RUN,
    "games": _POSITIVE,
    "crossed": _COUNT,
    "opened": _COUNT,
    "opened_squared": _COUNT,
    "over": _COUNT,
}
"""Boards of `side` rows and three times as many columns, `games` with each number of mines.
crossed: on how many a cell in the middle column is opened; opened: safe cells opened, those of the
known columns too, and the sum of their squares; over: boards that end with a component too large to
count exactly."""

ZERO_COLUMNS: dict[str, Column] = {
    "side": _POSITIVE,
    **_RUN,
    "mines": _POSITIVE,
    "boards": _POSITIVE,
}
"""Square boards of this side whose 0s no longer cross with so many mines, but do with one less."""

SITE_COLUMNS: dict[str, Column] = {
    "side": _POSITIVE,
    "seed": _COUNT,
    "density": _EXACT,
    "games": _POSITIVE,
    "crossed": _COUNT,
    "crossing": _RATE,
    "crossing_se": _ERROR,
    "opened": _RATE,
    "opened_se": _ERROR,
}
"""Ordinary site percolation in the shape of the fronts: the share of boards that are crossed, and
of the cells beyond the first two columns that are reached."""

GAME_COLUMNS: dict[str, Column] = {
    "rules": _TEXT,
    "side": _POSITIVE,
    "mines": _POSITIVE,
    "density": _EXACT,
    **_RUN,
    "games": _POSITIVE,
    "wins": _COUNT,
    "opened": _COUNT,
    "opened_squared": _COUNT,
}
"""Games on square boards with the first click on a 0 in the middle. rules: a set of rules that
never guesses, or the player that may guess; opened: safe cells opened in all games, and the sum of
their squares over games."""

FIT_COLUMNS: dict[str, Column] = {
    "topology": _TEXT,
    "rules": _TEXT,
    "model": _TEXT,
    "sizes": _TEXT,
    "smallest": _POSITIVE,
    "points": _POSITIVE,
    "games": _POSITIVE,
    "rho_c": _REAL,
    "rho_c_se": _ERROR,
    "nu": _REAL,
    "nu_se": _ERROR,
    "b": _REAL,
    "b_se": _ERROR,
    **{f"c{i}": _REAL for i in range(4)},
    "crossing": _SHARE,
    "crossing_se": _ERROR,
    "deviance": Column("float64", low=0),
    "df": _COUNT,
    "p_value": _P_VALUE,
}
"""Fits of `scaling` to the boards of side `smallest` and above. model: nu `fixed` at 4/3, `free`,
or `corrected` by b / L; sizes: `own`, or `shuffled`, a control that must be rejected; crossing: R
at rho_c on large boards."""

THRESHOLD_COLUMNS: dict[str, Column] = {
    "topology": _TEXT,
    "rules": _TEXT,
    "method": _TEXT,
    "sides": _TEXT,
    "games": _POSITIVE,
    "rho_c": Column("float64", low=0, high=1),
    "error": Column("float64", low=0),
    "fixed": _REAL,
    "fixed_se": _ERROR,
    "nu": _REAL,
    "nu_se": _ERROR,
    "crossing": _SHARE,
    "crossing_se": _ERROR,
    "deviance": _ERROR,
    "df": _COUNT,
    "p_value": _P_VALUE,
    "shuffled_p": _P_VALUE,
    "over": _RATE,
}
"""A critical density a row. method: `fronts`, or `duality` (0s alone). error: that of the fit, and
the distance to the fit without b / L (`fixed`), which says what small boards do. nu: fitted with
all sides; deviance to p_value: of the fit with nu = 4/3 that gives rho_c; shuffled_p: of the
control; over: share of boards that end with a component too large to count exactly, of which more
may be open."""

LOSS_COLUMNS: dict[str, Column] = {
    "side": _POSITIVE,
    "boards": _POSITIVE,
    "mean": _RATE,
    "mean_se": _ERROR,
    "sd": _ERROR,
    "sd_se": _ERROR,
    "crossing": _RATE,
    "crossing_se": _ERROR,
}
"""Density at which the 0s of square boards no longer cross, and the share of boards whose 0s still
cross at the critical density of 0s."""

HALF_COLUMNS: dict[str, Column] = {
    "rules": _TEXT,
    "side": _POSITIVE,
    "measure": _TEXT,
    "density": Column("float64", low=0, high=1),
    "density_se": _ERROR,
}
"""Density at which half of the games are won (measure W) or half of the safe cells are opened on
average (F), between two numbers of mines on a straight line."""

TABLES: dict[str, dict[str, Column]] = {
    "fronts": FRONT_COLUMNS,
    "zeros": ZERO_COLUMNS,
    "sites": SITE_COLUMNS,
    "games": GAME_COLUMNS,
    "fits": FIT_COLUMNS,
    "thresholds": THRESHOLD_COLUMNS,
    "losses": LOSS_COLUMNS,
    "halves": HALF_COLUMNS,
}
"""The study's tables by their names in steps."""
