"""What is measured of a game, and what each definition of a critical density asks of its mean."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from msdensity.files.tables import check_table
from msdensity.studies.definitions.columns import MEAN_COLUMNS
from msdensity.studies.definitions.settings import COMPLETE, GUESSER, ZEROS

MEASURES = {
    "won": (GUESSER, "wins"),
    "no_guess": (GUESSER, "no_guess"),
    "guesses": (GUESSER, "guesses"),
    "opened": (GUESSER, "opened"),
    "component": (GUESSER, "component"),
    "inferred": (COMPLETE, "opened"),
    "cascade": (ZEROS, "opened"),
}
"""Measures of games: who plays, and the sum. `opened`, `inferred` and `cascade` are shares of the
safe cells. Of boards alone: `clicks`, in units of the safe cells."""


@dataclass(frozen=True)
class Definition:
    """A definition of the critical density: the mean of a measure is `target` there.

    rises: whether the share rises with the density, so that its complement falls through one half.
    """

    measure: str
    target: float = 0.5
    rises: bool = False

    def rates(
        self, means: pd.DataFrame
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return density, rate and its error, (n,) each: the rate falls through 1/2 at the target.

        means: rows of MEAN_COLUMNS of one measure. A mean G of guesses has the rate
        2^(-G / target), so that ln G has the form that ln(-ln W) has for win rates.
        """
        ordered = means.sort_values("density", kind="stable")
        density, mean, error, games = (
            ordered[name].to_numpy(float) for name in ("density", "mean", "mean_se", "games")
        )
        if self.measure == "guesses":
            rate = np.exp2(-mean / self.target)
            error = rate * log(2) / self.target * error
        else:
            rate = 1 - mean if self.rises else mean
        inside = np.clip(rate, 0.5 / games, 1 - 0.5 / games)
        least = np.sqrt(inside * (1 - inside) / games)
        return density, inside, np.where((error > 0) & (rate == inside), error, least)


DEFINITIONS = {
    "won": Definition("won"),
    "no_guess": Definition("no_guess"),
    "one_guess": Definition("guesses", 1.0),
    "ln2_guesses": Definition("guesses", log(2)),
    "opened": Definition("opened"),
    "inferred": Definition("inferred"),
    "cascade": Definition("cascade"),
    "clicks": Definition("clicks", rises=True),
}
"""The definitions by name, in the order of the page."""

PEAKED = ("guesses", "component")
"""Measures whose largest mean is a definition too."""


def means_table(games: pd.DataFrame, layouts: pd.DataFrame) -> pd.DataFrame:
    """Return the mean of each measure; MEAN_COLUMNS.

    games, layouts: GAME_COLUMNS and LAYOUT_COLUMNS.
    """
    parts = []
    for measure, (player, name) in MEASURES.items():
        own = games[games["player"] == player]
        safe = (own["side"] ** 2 - own["mines"]) if name == "opened" else 1
        squares = own[f"{name}_squared"] if f"{name}_squared" in own else own[name]
        parts.append(_means(measure, own, own[name] / safe, squares / safe**2))
    boards = layouts.assign(start="zero")
    safe = boards["side"] ** 2 - boards["mines"]
    sums, squares = boards["clicks"], boards["clicks_squared"]
    parts.append(_means("clicks", boards, sums / safe, squares / safe**2))
    return check_table(pd.concat(parts, ignore_index=True), MEAN_COLUMNS, "means")


def _means(measure: str, rows: pd.DataFrame, sums: pd.Series, squares: pd.Series) -> pd.DataFrame:
    n = rows["games"]
    mean = sums / n
    variance = (squares / n - mean**2).clip(lower=0)
    made = rows.assign(measure=measure, mean=mean, mean_se=np.sqrt(variance / (n - 1)))
    return made[[*MEAN_COLUMNS]]
