"""-ln W at low density by conditional play, beside the law of unavoidable guesses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from msdensity.stats.law import minus_log_win_rate
from msdensity.stats.weights import weighted_rate
from msdensity.studies.asymptotics.columns import CONDITIONAL_COLUMNS
from msdensity.studies.asymptotics.results import BOARD, checked, sort_games


def conditional_table(conditional_games: pd.DataFrame) -> pd.DataFrame:
    """Return -ln W by weights and by the law (CONDITIONAL_COLUMNS).

    conditional_games: GAMES_COLUMNS of the player `conditional`. Where its games have too few wins
    or losses for a regression, `best` is the mean weight.
    """
    rows: list[dict[str, Any]] = []
    records: list[Any] = sort_games(conditional_games).to_dict("records")
    for row in records:
        own = weighted_rate(row)
        noted = isinstance(row["note"], str) and row["note"] != ""
        best, best_se = (own.rate, own.error) if noted else (row["reduced"], row["reduced_se"])
        law = float(
            minus_log_win_rate(
                (row["p"], row["q"]),
                row["density"],
                row["rule"],
                row["topology"],
                fixed_mines=True,
            )
        )
        known = best > 0 and best_se > 0
        value = -math.log(best) if known else np.nan
        error = best_se / best if known else np.nan
        rows.append(
            {name: row[name] for name in (*BOARD, "mines", "density", "games")}
            | {
                "plain": own.plain,
                "plain_se": own.plain_error,
                "weight": own.rate,
                "weight_se": own.error,
                "gain": own.gain if math.isfinite(own.gain) else np.nan,
                "paired_z": row["z"],
                "best": best,
                "best_se": best_se,
                "best_gain": (own.plain_error / best_se) ** 2 if best_se > 0 else np.nan,
                "minus_log": value,
                "minus_log_se": error,
                "law": law,
                "z": (value - law) / error if known else np.nan,
                "note": row["note"] if noted else "",
            }
        )
    return checked(rows, CONDITIONAL_COLUMNS, "conditional play")
