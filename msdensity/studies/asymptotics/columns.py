"""The tables of the study of large boards: every column, its type and its range."""

from __future__ import annotations

from msdensity.files.tables import Column
from msdensity.stats.columns import _COUNT, _ERROR, _EXACT, _P_VALUE, _REAL, WIN_RATE_COLUMNS
from msdensity.stats.columns import _DENSITY as _SHARE
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS

POINT_COLUMNS: dict[str, Column] = {
    "board": Column("str"),
    "rule": Column("str"),
    "mines": Column("int64", low=1),
    "share": Column("float64", low=0, high=1),
    "rho50": Column("float64", low=0, high=1),
    "k": Column("float64", low=0),
    "window_low": Column("float64", low=0, high=1),
    "window_high": Column("float64", low=0, high=1),
    "unit_error": Column("float64", low=0),
}
"""A number of mines to play a row, and its share of the games. Of its board: the pilot's rho50 and
k, the window of the fit, and the relative error of rho50 from a single game shared so."""

GAMES_COLUMNS: dict[str, Column] = {
    "family": Column("str"),
    "rule": Column("str"),
    **WIN_RATE_COLUMNS,
    "reduced": Column("float64"),
    "reduced_se": Column("float64", low=0),
    "plain_se": Column("float64", low=0),
    "gain": Column("float64", low=0),
    "z": Column("float64", missing=True),
    "note": Column("str", missing=True),
}
"""A number of mines of a board a row: WIN_RATE_COLUMNS, family and start rule, the win rate with
the control variate and its error, the error of the plain one, their variance ratio, and the mean of
Z_0 in its own standard errors."""

SAFETY_COLUMNS: dict[str, Column] = {
    "games_of": Column("str"),
    "rows": Column("int64", low=1),
    "games": Column("int64", low=1),
    "guesses": Column("int64", low=0),
    "mean_z0": Column("float64"),
    "z": Column("float64", missing=True),
    "largest_z": Column("float64", missing=True),
}
"""The test of the stated safeties by part of the study, `all` last: mean of Z_0, in standard
errors (z), and the largest |z| of a single row with at least 1000 guesses."""

PLAN_COLUMNS: dict[str, Column] = {
    "games_of": Column("str"),
    "board": Column("str"),
    "rule": Column("str"),
    "points": Column("int64", low=1),
    "games": Column("int64", low=1),
    "expected_error": Column("float64", missing=True, low=0),
    "cpu_seconds": Column("float64", low=0),
}
"""What is played of a board: numbers of mines, games of all, expected relative error of rho50, and
about how many CPU seconds it takes."""

_BOARD: dict[str, Column] = {
    "family": Column("str"),
    "rule": Column("str"),
    "board": Column("str"),
    "p": Column("int64", low=1),
    "q": Column("int64", low=1),
    "topology": Column("str"),
}

RHO50_COLUMNS: dict[str, Column] = {
    **_BOARD,
    "points": _COUNT,
    "games": _COUNT,
    "rho50": _SHARE,
    "error": _ERROR,
    "low": _SHARE,
    "high": _SHARE,
    "k": _ERROR,
    "k_error": _ERROR,
    "bend": _REAL,
    "bend_error": _ERROR,
    "deviance": _ERROR,
    "df": _COUNT,
    "p_value": _P_VALUE,
    "plain": _SHARE,
    "plain_error": _ERROR,
    "plain_low": _SHARE,
    "plain_high": _SHARE,
    "plain_deviance": _ERROR,
    "plain_p_value": _P_VALUE,
    "gain": _ERROR,
    "crossing": _REAL,
    "law": _SHARE,
    "note": Column("str", missing=True),
}
"""rho50 of a board a row: from win rates with the control variate, with its 95 % profile interval,
and from plain counts (plain_*); games of all points; gain: variance ratio of the two; crossing: a
check; law: what theory says; note: warnings."""

CRITICAL_COLUMNS: dict[str, Column] = {
    "player": Column("str"),
    "q": Column("int64", low=1),
    "points": _COUNT,
    "games": _COUNT,
    "P": _SHARE,
    "P_sd": _ERROR,
    "k": _ERROR,
    "note": Column("str", missing=True),
}
"""The published critical density P of a q x q board and a player: points of the logistic fit (those
after the first W = 0 too), games for each, and the spread of P by bootstrap."""

GLM_COLUMNS: dict[str, Column] = {
    "counts": Column("str"),
    "orders": Column("str"),
    "main": Column("int64", low=0, high=1),
    "highest_density": _SHARE,
    "smallest_side": _COUNT,
    "rows": _COUNT,
    "term": Column("str"),
    "value": _REAL,
    "error": _ERROR,
    "law": _REAL,
    "z": _REAL,
    "deviance": _ERROR,
    "df": _COUNT,
    "p_value": _P_VALUE,
    "agreement": _P_VALUE,
    "agreement_of_size": _P_VALUE,
    "condition": _REAL,
    "detectable": _ERROR,
}
"""A coefficient of the law a row, of a regression on `plain` or `reduced` counts with the `leading`
terms or the `next` orders too; main: 1 at the density and side of the configuration. Of the whole
regression: agreement, the probability of the joint test of all coefficients that the law knows;
agreement_of_size, of these without the start; condition, the condition number of its terms;
detectable, how far off, as a share, a law that is wrong by one factor would have to be to fail the
joint test in 9 of 10 studies."""

WHOLE_LAW_COLUMNS: dict[str, Column] = {
    "rule": Column("str"),
    "topology": Column("str"),
    "density": Column("float64", low=0, high=1, missing=True),
    "declared": Column("int64", low=0, high=1),
    "law": Column("str"),
    "counts": Column("str"),
    "rows": _COUNT,
    "chi2": _ERROR,
    "p_value": _P_VALUE,
    "excess": _REAL,
    "excess_error": _ERROR,
    "detectable": _ERROR,
}
"""The law without a fitted number against the win rates (`plain` or `reduced`) of a series up to a
density; `all`: all series, each up to its declared density. law: the `complete` one, its `leading`
terms, without the lines (`no lines`), or of boards with `shuffled` sides. chi2 has a degree of
freedom a row; excess: the share by which -ln W exceeds the law's; detectable: the share by which a
law would have to be off to be rejected in 9 of 10 studies."""

FIXED_COLUMNS: dict[str, Column] = {
    "rule": Column("str"),
    "topology": Column("str"),
    "density": _SHARE,
    "model": Column("str"),
    "boards": _COUNT,
    "q_max": _COUNT,
    "term": Column("str"),
    "value": _REAL,
    "error": _ERROR,
    "law": _REAL,
    "above_0": _REAL,
    "z": _REAL,
    "deviance": _ERROR,
    "df": _COUNT,
    "p_value": _P_VALUE,
}
"""-ln W = A + B q + C q^2 at one density, one row per term; model: its terms, of which a torus has
no B and is fitted without A too; above_0: value in standard errors; z: its distance from the
law."""

RISE_COLUMNS: dict[str, Column] = {
    "rule": Column("str"),
    "topology": Column("str"),
    "density": _SHARE,
    "q_low": _COUNT,
    "q_high": _COUNT,
    "low": _REAL,
    "low_error": _ERROR,
    "high": _REAL,
    "high_error": _ERROR,
    "rise": _REAL,
    "error": _ERROR,
    "z": _REAL,
    "law": _REAL,
    "half": _REAL,
}
"""-ln W at one density on the smallest and on the largest square, and how much it rises from one to
the other, with the law's rise; half: the side where -ln W is ln 2 by the law."""

CONDITIONAL_COLUMNS: dict[str, Column] = {
    **_BOARD,
    "mines": _COUNT,
    "density": _EXACT,
    "games": _COUNT,
    "plain": _SHARE,
    "plain_se": _ERROR,
    "weight": _REAL,
    "weight_se": _ERROR,
    "gain": _ERROR,
    "paired_z": _REAL,
    "best": _REAL,
    "best_se": _ERROR,
    "best_gain": _ERROR,
    "minus_log": _REAL,
    "minus_log_se": _ERROR,
    "law": _ERROR,
    "z": _REAL,
    "note": Column("str", missing=True),
}
"""-ln W by conditional play, a number of mines of a board a row. Win rates of the same games:
`plain`, wins over games; `weight`, the mean weight; `best`, the mean weight with what the forced
guesses in the first layouts say of it. gain, best_gain: variance ratios to the plain one at equal
games; paired_z: mean of weight less win, in standard errors. minus_log: -ln of `best`, beside the
law's (z)."""

GUESS_COLUMNS: dict[str, Column] = {
    **_BOARD,
    "mines": _COUNT,
    "density": _EXACT,
    "games": _COUNT,
    "no_guess": _SHARE,
    "win_squared": _SHARE,
    "difference_se": _ERROR,
    "no_guess_z": _REAL,
    "guesses": _ERROR,
    "guesses_se": _ERROR,
    "twice_log": _ERROR,
    "twice_log_se": _ERROR,
    "law_guesses": _ERROR,
    "walled": _SHARE,
}
"""Games won without a guess beside W^2 (z of the difference), and the mean number of guesses beside
-2 ln W and what the law expects; walled: the share of starts whose first 0 has no 0 beside it."""

MODEL_COLUMNS: dict[str, Column] = {
    "rule": Column("str"),
    "topology": Column("str"),
    "q_min": _COUNT,
    "n": _COUNT,
    "model": Column("str"),
    "chi2": _ERROR,
    "df": _COUNT,
    "p_value": _P_VALUE,
    "aicc": _REAL,
    "delta_aicc": _REAL,
    "left_out_rms": _ERROR,
    "left_out_z": _ERROR,
    "limit": _REAL,
    "limit_error": _ERROR,
    "parameters": Column("str", missing=True),
}
"""A model of rho50 against q a row, by smallest side; limit: c of the hyperbola."""

EXPONENT_COLUMNS: dict[str, Column] = {
    "rule": Column("str"),
    "topology": Column("str"),
    "q_low": _COUNT,
    "q_high": _COUNT,
    "q": Column("float64", low=1),
    "exponent": _REAL,
    "error": _ERROR,
    "law": _REAL,
    "z": _REAL,
    "chi2": _ERROR,
    "df": _COUNT,
    "p_value": _P_VALUE,
    "trend": _REAL,
    "trend_error": _ERROR,
}
"""-d ln rho50 / d ln q between two sides, and the law's between the same. Of the whole series: chi2
of all exponents against the law's, with their correlation, and their rise per unit of ln q."""

PUBLISHED_TEST_COLUMNS: dict[str, Column] = {
    "fitted": Column("str"),
    "weights": Column("str"),
    "q_min": _COUNT,
    "q_max": _COUNT,
    "a": _REAL,
    "a_se": _ERROR,
    "b": _REAL,
    "b_se": _ERROR,
    "c": _REAL,
    "c_se": _ERROR,
    "quantity": Column("str"),
    "q": _COUNT,
    "predicted": _REAL,
    "predicted_error": _ERROR,
    "measured": _SHARE,
    "measured_error": _ERROR,
    "z": _REAL,
    "below_limit": _REAL,
}
"""a / (q - b) + c fitted to small squares, and its prediction of a large one. fitted: `printed`
(Table B.2), `P` or `rho50` of our player; weights: `equal` as published, or `errors`; quantity:
what is measured at q; z: measured less predicted; below_limit: c less measured; both in standard
errors of the difference."""

ASPECT_COLUMNS: dict[str, Column] = {
    "rule": Column("str"),
    "q": _COUNT,
    "square": _SHARE,
    "square_error": _ERROR,
    "double": _SHARE,
    "double_error": _ERROR,
    "ratio": _ERROR,
    "ratio_error": _ERROR,
    "law_ratio": _ERROR,
    "z_equal": _REAL,
    "z_law": _REAL,
}
"""rho50 of q x 2q over that of q x q; z_equal: ratio less 1, z_law: less the law's."""

STRIP_COLUMNS: dict[str, Column] = {
    "p": _COUNT,
    "q": _COUNT,
    "measured": _SHARE,
    "error": _ERROR,
    "theory": _SHARE,
    "z": _REAL,
}
"""rho50 of p x q strips, beside the exact one of 1 x q and 2 x q."""

STRIP_EXACT_COLUMNS: dict[str, Column] = {
    "p": _COUNT,
    "q": _COUNT,
    "mines": _COUNT,
    "won": Column("str"),
    "of": Column("str"),
    "exact": _EXACT,
    "games": _COUNT,
    "measured": _SHARE,
    "low": _SHARE,
    "high": _SHARE,
    "z": _REAL,
}
"""The win rate of 1 x q and 2 x q is exactly won / of; games: played, and the win rate measured."""

STRIP_PUBLISHED_COLUMNS: dict[str, Column] = {
    "p": _COUNT,
    "q": _COUNT,
    "published": _SHARE,
    "P": _SHARE,
    "Q": _REAL,
    "L": _REAL,
    "rho50": _SHARE,
}
"""P of Table B.2 beside P, Q and L of the published fit to exact win rates, and their rho50."""

RESULT_COLUMNS: dict[str, dict[str, Column]] = {
    "rho50": RHO50_COLUMNS,
    "critical": CRITICAL_COLUMNS,
    "whole_law": WHOLE_LAW_COLUMNS,
    "glm": GLM_COLUMNS,
    "fixed": FIXED_COLUMNS,
    "rises": RISE_COLUMNS,
    "guesses": GUESS_COLUMNS,
    "conditional": CONDITIONAL_COLUMNS,
    "models": MODEL_COLUMNS,
    "exponents": EXPONENT_COLUMNS,
    "published": PUBLISHED_TEST_COLUMNS,
    "aspect": ASPECT_COLUMNS,
    "strips": STRIP_COLUMNS,
    "strips_exact": STRIP_EXACT_COLUMNS,
    "strips_published": STRIP_PUBLISHED_COLUMNS,
}
"""The tables of results by the names of their files."""

TABLES: dict[str, dict[str, Column]] = RESULT_COLUMNS | {
    "printed": PUBLISHED_COLUMNS,
    "points": POINT_COLUMNS,
    "plan": PLAN_COLUMNS,
    "win_rates": GAMES_COLUMNS,
    "low_density": GAMES_COLUMNS,
    "conditional_games": GAMES_COLUMNS,
    "curves": GAMES_COLUMNS,
    "listing": WIN_RATE_COLUMNS,
    "safeties": SAFETY_COLUMNS,
}
"""The tables of the study by the names that steps give them."""
