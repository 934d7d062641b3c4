"""Tables."""

from __future__ import annotations

import pandas as pd

from msdensity.studies.asymptotics.law_tests import fixed_table, glm_table, guess_table
from msdensity.studies.asymptotics.results import (
    aspect_table,
    critical_table,
    rho50_table,
    strips_table,
)
from msdensity.studies.asymptotics.rivals import exponents_table, models_table, published_table
from msdensity.studies.asymptotics.settings import Settings


def results(
    study: Settings,
    points: pd.DataFrame,
    games: pd.DataFrame,
    low_density: pd.DataFrame,
    curves: pd.DataFrame,
    printed: pd.DataFrame,
) -> dict[str, pd.DataFrame]:
    """Return every table of results by name (RESULT_COLUMNS).

    points: POINT_COLUMNS; games, low_density, curves: GAMES_COLUMNS of the three parts of the
    study; printed: Table B.2 of paper 001.
    """
    rho50 = rho50_table(games, points)
    critical = critical_table(curves, study.curves, study.replicates)
    return {
        "rho50": rho50,
        "critical": critical,
        "glm": glm_table(low_density, study.low_density),
        "fixed": fixed_table(low_density, study.low_density),
        "guesses": guess_table(low_density),
        "models": models_table(rho50),
        "exponents": exponents_table(rho50),
        "published": published_table(rho50, critical, printed),
        "aspect": aspect_table(rho50),
        "strips": strips_table(rho50, games),
    }
