"""Win rates from the weights of the player `conditional`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from msdensity.errors import InputError, integer
from msdensity.kernel.measures import PRODUCT_SCALE, Z_SCALE


@dataclass(frozen=True)
class WeightedRate:
    """The mean weight of some games, an unbiased estimate of the win rate, beside their wins.

    error: its standard error; plain, plain_error: wins over games and its standard error; gain:
    variance ratio of the two, infinite where all weights are equal.
    """

    games: int
    rate: float
    error: float
    plain: float
    plain_error: float
    gain: float


def weighted_rate(counts: Mapping[str, int]) -> WeightedRate:
    """Return the mean weight of games of `conditional`.

    counts: `games` (at least 2), `wins`, `z0`, `z0_z0` and `win_z0`, in the units of
    `msdensity.kernel.measures`: Z_0 is weight - 1{won}. Each weight counts to 2^-21. Raises
    InputError for a missing measure, and for sums that no weights in 0..1 have.
    """
    for name in ("games", "wins", "z0", "z0_z0", "win_z0"):
        if name not in counts:
            raise InputError(f"counts lack the measure {name!r}")
    games = integer("games", counts["games"], 2)
    wins = integer("wins", counts["wins"], 0, games)
    plain = wins / games
    rate = plain + counts["z0"] / Z_SCALE / games
    square = plain + (counts["z0_z0"] + 2 * counts["win_z0"]) / PRODUCT_SCALE / games
    slack = 2.0 / PRODUCT_SCALE
    if not (rate**2 - slack <= square <= rate + slack and -slack <= rate <= 1 + slack):
        raise InputError(
            f"z0={counts['z0']}, z0_z0={counts['z0_z0']}, win_z0={counts['win_z0']} must be sums of"
            f" {games} games of the player conditional, with weights in 0..1"
        )
    variance, plain_variance = max(square - rate**2, 0.0), plain * (1 - plain)
    return WeightedRate(
        games,
        rate,
        float(np.sqrt(variance / (games - 1))),
        plain,
        float(np.sqrt(plain_variance / (games - 1))),
        plain_variance / variance if variance > 0 else float("inf"),
    )
