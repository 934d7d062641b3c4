"""The tables of the study of difficulty: every column, its type and its range."""

from __future__ import annotations

from msdensity.files.tables import Column
from msdensity.games.difficulty import COUNTS
from msdensity.stats.columns import (
    _COUNT,
    _ERROR,
    _EXACT,
    _NOTE,
    _P_VALUE,
    _POSITIVE,
    _RATE,
    _TEXT,
)

_SHARE = Column("float64", missing=True, low=0, high=1)
_PLACE = {"board": _TEXT, "first_click": _TEXT, "start": _TEXT}
_RUN = {"seed": _COUNT, "kernel_version": _POSITIVE}

CLASS_COLUMNS: dict[str, Column] = {
    **_PLACE,
    "mines": _POSITIVE,
    "density": _EXACT,
    **_RUN,
    "games": _POSITIVE,
    **dict.fromkeys(COUNTS, _COUNT),
}
"""Games by what they take, see `games.difficulty`."""

SHARE_COLUMNS: dict[str, Column] = {
    "level": _TEXT,
    **_PLACE,
    "mines": _POSITIVE,
    "hardest": _TEXT,
    "games": _COUNT,
    "share": _RATE,
    "share_se": _ERROR,
    "low": _RATE,
    "high": _RATE,
    "alone": _RATE,
    "alone_se": _ERROR,
}
"""The classes of the games of each level with its own mines, a row each. share: of the games whose
hardest step this is, with the multinomial error and Wilson's interval; alone: share of the games
that these rules open by themselves, or, for a guess, that the player wins."""

SPOT_COLUMNS: dict[str, Column] = {
    **_PLACE,
    "by": _TEXT,
    "win_rate": _RATE,
    "rho": _SHARE,
    "rho_se": _ERROR,
    "mines": Column("float64", missing=True, low=0),
    "mines_se": _ERROR,
    "below": _COUNT,
    "below_rate": _SHARE,
    "below_rate_se": _ERROR,
    "above": _COUNT,
    "above_rate": _SHARE,
    "above_rate_se": _ERROR,
    "closest": _COUNT,
    **_RUN,
    "games": _COUNT,
    "p_value": _P_VALUE,
    "note": _NOTE,
}
"""Sweet spots. by: a set of rules, without a guess, or a player; rho: the mine density; mines: rho
times cells; below, above: the whole numbers on both sides, with their fitted win rates; closest:
that of the two whose win rate is closest to the wanted one; p_value: of the fitted curve. All are
empty, or 0, where there is no such density."""

TABLES: dict[str, dict[str, Column]] = {
    "classes": CLASS_COLUMNS,
    "shares": SHARE_COLUMNS,
    "spots": SPOT_COLUMNS,
}
"""The study's tables by their names in steps."""
