"""Columns of the study's tables."""

from __future__ import annotations

from msdensity.files.tables import Column
from msdensity.stats.columns import WIN_RATE_COLUMNS

_TEXT, _REAL = Column("str"), Column("float64", missing=True)
_COUNT, _POSITIVE = Column("int64", low=0), Column("int64", low=1)
_RATE = Column("float64", low=0, high=1)
_EXACT_RATE = Column("float64", low=0, high=1, exact=True)
_ERROR = Column("float64", missing=True, low=0)
_P_VALUE = Column("float64", missing=True, low=0, high=1, noise=0)

_MAP = {"board": _TEXT, "mines": _POSITIVE, "start": _TEXT}
_RUN = {"seed": _COUNT, "kernel_version": _POSITIVE}
_PLACE = {"orbit": _COUNT, "row": _POSITIVE, "column": _POSITIVE}
_TO_CORNER = {"difference": _REAL, "difference_se": _ERROR}
_GAIN = {"gain": _REAL, "gain_se": _ERROR}

OUTCOME_COLUMNS: dict[str, Column] = {
    **_MAP,
    **_RUN,
    "cell": _COUNT,
    "games": _POSITIVE,
    "won": _TEXT,
}
"""A first cell a row; won: a bit for each game, in hexadecimal digits, the first game first."""

REPLAY_COLUMNS: dict[str, Column] = {
    "board": _TEXT,
    "mines": _POSITIVE,
    **_RUN,
    "replays": Column("int64", low=2),
    "won": _COUNT,
    "layouts": _COUNT,
    "no_guess": _COUNT,
}
"""How many layouts are won in so many replays, and how many of these without a guess."""

CELL_COLUMNS: dict[str, Column] = {
    **_MAP,
    "cell": _COUNT,
    **_PLACE,
    "games": _POSITIVE,
    "wins": _COUNT,
    "win_rate": Column("float64", low=0, high=1, exact=True),
    **{name: _COUNT for name in ("both", "first_only", "second_only", "neither")},
    **_TO_CORNER,
    "p_value": _P_VALUE,
    **_GAIN,
}
"""A first cell a row, beside cell 0 (`second`) on the same boards, with McNemar's test. orbit: the
first cell among those that symmetry exchanges with it."""

ORBIT_COLUMNS: dict[str, Column] = {
    **_MAP,
    **_PLACE,
    "cells": _POSITIVE,
    "win_rate": _RATE,
    "win_rate_se": _ERROR,
    **_TO_CORNER,
    "difference_low": _REAL,
    "difference_high": _REAL,
    **_GAIN,
    "below_best": Column("float64", low=0),
    "below_best_se": _ERROR,
    "like_best": Column("int64", low=0, high=1),
}
"""A place a row, the cells that symmetry exchanges: its win rate less that of the corners, with
simultaneous 95 % limits and the gain in density; how far it is below the best, and whether chance
explains that (1)."""

MAP_COLUMNS: dict[str, Column] = {
    **_MAP,
    "density": _EXACT_RATE,
    "games": _POSITIVE,
    "cells": _POSITIVE,
    "places": _POSITIVE,
    "corner": _RATE,
    "corner_se": _ERROR,
    "slope": _REAL,
    "slope_se": _ERROR,
    "contrasts": _COUNT,
    "symmetry_F": _ERROR,
    "symmetry_p": _P_VALUE,
    "above_corner": _COUNT,
    "below_corner": _COUNT,
    "best_row": _POSITIVE,
    "best_column": _POSITIVE,
    "best_difference": _REAL,
    "best_difference_se": _ERROR,
    "best_gain": _REAL,
    "best_gain_se": _ERROR,
    "like_best": _COUNT,
    "random_difference": _REAL,
    "random_difference_se": _ERROR,
    "random_gain": _REAL,
    "random_gain_se": _ERROR,
}
"""A map a row: the corner, the slope -dW/drho there, the test of symmetry, and the best place."""

LUCK_COLUMNS: dict[str, Column] = {
    "board": _TEXT,
    "mines": _POSITIVE,
    "density": _EXACT_RATE,
    "layouts": Column("int64", low=2),
    "replays": Column("int64", low=2),
    "win_rate": _RATE,
    "win_rate_se": _ERROR,
    "between": _REAL,
    "between_se": _ERROR,
    "share": _REAL,
    "share_se": _ERROR,
    **{name: _RATE for name in ("always", "never", "no_guess")},
    **{f"{name}_se": _ERROR for name in ("always", "never", "no_guess")},
}
"""A board a row: the variance of the win rate between layouts, and its share of W (1 - W)."""

TABLES: dict[str, dict[str, Column]] = {
    "outcomes": OUTCOME_COLUMNS,
    "slopes": WIN_RATE_COLUMNS,
    "replays": REPLAY_COLUMNS,
    "cells": CELL_COLUMNS,
    "orbits": ORBIT_COLUMNS,
    "maps": MAP_COLUMNS,
    "luck": LUCK_COLUMNS,
}
"""The study's tables by their names in steps."""
