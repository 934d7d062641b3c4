"""How the density at which half the games are won falls with the size of the board.

The law of unavoidable guesses, regressions that measure its terms one by one, and its rivals.
"""

from msdensity.asymptotics.exponent import local_exponent
from msdensity.asymptotics.fixed_density import FixedDensityFit, fit_fixed_density
from msdensity.asymptotics.glm import LawFit, fit_law, scan_law
from msdensity.asymptotics.law import (
    START_RULES,
    expected_guesses,
    law_exponent,
    law_rho50,
    law_terms,
    minus_log_win_rate,
    start_term,
    strip_one_rho50,
    strip_two_win_rate,
)
from msdensity.asymptotics.models import ModelFit, compare_models, fit_model, model_table
from msdensity.asymptotics.published import PublishedTest, predict_published

__all__ = [
    "START_RULES",
    "FixedDensityFit",
    "LawFit",
    "ModelFit",
    "PublishedTest",
    "compare_models",
    "expected_guesses",
    "fit_fixed_density",
    "fit_law",
    "fit_model",
    "law_exponent",
    "law_rho50",
    "law_terms",
    "local_exponent",
    "minus_log_win_rate",
    "model_table",
    "predict_published",
    "scan_law",
    "start_term",
    "strip_one_rho50",
    "strip_two_win_rate",
]
