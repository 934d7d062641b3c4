"""The tables of the study of perfect play: every column, its type and its range."""

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
    _SIDE,
    _TEXT,
)
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS

_PLACE = {"board": _TEXT, "cells": _POSITIVE, "mines": _POSITIVE, "density": _EXACT}
_RATIO = Column("float64", low=0)
_SIDES = {"board": _TEXT, "p": _SIDE, "q": _SIDE, "cells": _POSITIVE}

VALUE_COLUMNS: dict[str, Column] = {
    **_PLACE,
    "player": _TEXT,
    "layouts": _POSITIVE,
    "won": _TEXT,
    "win_rate": _EXACT,
}
"""Exact win rates from a safe start in the corner. player: a label, or `perfect` for the best of
all; layouts: of the mines after the first click, all as likely; won: the expected number that is
won, a whole number or a fraction; win_rate: won / layouts."""

KNOWN_COLUMNS: dict[str, Column] = {
    "board": _TEXT,
    "mines": _POSITIVE,
    "layouts": _POSITIVE,
    "won": _COUNT,
    "cpu_seconds": _RATIO,
}
"""Values of perfect play that take long to search, and how long they took on one core."""

GAME_COLUMNS: dict[str, Column] = {
    **_PLACE,
    "player": _TEXT,
    "seed": _COUNT,
    "kernel_version": _POSITIVE,
    "games": _POSITIVE,
    "wins": _COUNT,
}
"""Games of players whose win rate is not counted; every player meets the same boards."""

CLICK_COLUMNS: dict[str, Column] = {
    **_PLACE,
    "start": _TEXT,
    "cell": _COUNT,
    "orbit": _POSITIVE,
    "neighbours": _COUNT,
    "layouts": _POSITIVE,
    "won": _COUNT,
    "win_rate": _EXACT,
}
"""The optimum from each first click. cell: the first of its orbit under the symmetries of the
board; orbit: how many cells are equal to it; layouts, won: as in VALUE_COLUMNS."""

CURVE_COLUMNS: dict[str, Column] = {
    **_SIDES,
    "player": _TEXT,
    "P": _DENSITY,
    "P_note": _NOTE,
    "rho50": _DENSITY,
    "rho50_logit": _DENSITY,
    "below": Column("Int64", missing=True, low=0),
    "mean": _DENSITY,
}
"""A curve of exact win rates. P: critical density as paper 001 defines it, missing if it lies not
inside (0, 1) (P_note says why); rho50: where W is 1/2 between two numbers of mines, by a straight
line in W; rho50_logit: by one in ln(W / (1 - W)); below: the smaller of the two numbers; mean: of
W over all numbers of mines."""

SHARE_COLUMNS: dict[str, Column] = {
    **_SIDES,
    "player": _TEXT,
    "measure": _TEXT,
    "perfect": _DENSITY,
    "own": _DENSITY,
    "gap": _REAL,
    "mines": _REAL,
    "share": _REAL,
}
"""How much of a density is the player's fault. measure: P or rho50; gap: perfect - own; mines: gap
times cells; share: gap / perfect."""

AGAINST_COLUMNS: dict[str, Column] = {
    **_SIDES,
    "published": _DENSITY,
    "perfect": _DENSITY,
    "weighted": _DENSITY,
    "listing": _DENSITY,
    "listing_se": _ERROR,
    "z": _REAL,
}
"""P as the paper prints it, and P of exact win rates. listing_se: the standard error of a P from
1,000 games for each number of mines, as the paper played; z: (published - listing) / listing_se."""

BEST_COLUMNS: dict[str, Column] = {
    **_PLACE,
    "start": _TEXT,
    "cell": _COUNT,
    "place": _TEXT,
    "ties": _POSITIVE,
    "best": _TEXT,
    "win_rate": _EXACT,
    "corner": _NOTE,
    "gain": Column("float64", missing=True, low=0, high=1),
}
"""The best first click. cell, place: of the first orbit that is best; ties: orbits that are as
good; best, win_rate: the optimum from it; corner: the optimum from the corner, empty if this start
has none; gain: the difference."""

LADDER_COLUMNS: dict[str, Column] = {
    "board": _TEXT,
    "player": _TEXT,
    "how": _TEXT,
    "numbers": _POSITIVE,
    "exact": _COUNT,
    "mean": _DENSITY,
    "mean_se": _ERROR,
    "perfect": _DENSITY,
    "share": _DENSITY,
    "share_se": _ERROR,
}
"""All players on the ladder. numbers: of mines, of 1 to cells - 2 (with one more the first click
alone wins, whoever plays); exact: how many of them are counted; how: `counted`, `played` or
`in part played`; mean: of the win rate over them, each as much; perfect: the same of perfect play;
share: mean / perfect."""

CHECK_COLUMNS: dict[str, Column] = {
    "player": _TEXT,
    "boards": _TEXT,
    "exact": _COUNT,
    "above": _COUNT,
    "optimal": _COUNT,
    "played": _COUNT,
    "p_value": _P_VALUE,
    "rejected": _COUNT,
}
"""No player above the optimum. boards: which, in words: `optimal` has a row for boards on which it
searches and one for larger ones; exact: boards and numbers of mines with an exact win rate; above:
of them above the optimum; optimal: equal to it; played: those with games; p_value: the smallest
of their one-sided binomial tests; rejected: tests below the level of all of them together."""

TABLES: dict[str, dict[str, Column]] = {
    "known": KNOWN_COLUMNS,
    "optima": VALUE_COLUMNS,
    "exact": VALUE_COLUMNS,
    "rest": VALUE_COLUMNS,
    "games": GAME_COLUMNS,
    "clicks": CLICK_COLUMNS,
    "printed": PUBLISHED_COLUMNS,
    "values": VALUE_COLUMNS,
    "densities": CURVE_COLUMNS,
    "shares": SHARE_COLUMNS,
    "against": AGAINST_COLUMNS,
    "best": BEST_COLUMNS,
    "ladder": LADDER_COLUMNS,
    "checks": CHECK_COLUMNS,
}
"""The study's tables by their names in steps."""
