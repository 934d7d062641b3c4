"""The shares of games by what they take, with their errors."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from typing import Any

from msdensity.games.difficulty import CLASSES, opened_alone
from msdensity.stats.intervals import wilson


def class_rows(counts: Mapping[str, int], games: int) -> list[dict[str, Any]]:
    """Return a row a class, from the easiest on. counts: COUNTS of so many games.

    share: of the games, with its multinomial standard error and Wilson interval; alone: share of
    the games that these rules open by themselves (`guess`: that the player wins).
    """
    alone = opened_alone(counts)
    rows = []
    for name in CLASSES:
        share, open_alone = counts[name] / games, alone[name] / games
        low, high = wilson(counts[name], games)
        rows.append(
            {
                "hardest": name,
                "games": counts[name],
                "share": share,
                "share_se": sqrt(share * (1 - share) / games),
                "low": float(low),
                "high": float(high),
                "alone": open_alone,
                "alone_se": sqrt(open_alone * (1 - open_alone) / games),
            }
        )
    return rows
