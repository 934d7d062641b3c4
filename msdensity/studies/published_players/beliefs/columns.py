"""The tables of the beliefs of 004: every column, its type and its range."""

from __future__ import annotations

from msdensity.files.tables import Column
from msdensity.stats.columns import _COUNT, _ERROR, _POSITIVE, _RATE, _REAL, _TEXT

_PERCENT = Column("float64", missing=True, low=0, high=100)

_WHERE = {"player": _TEXT, "board": _TEXT, "mines": _POSITIVE, "games": _POSITIVE}

DECISION_COLUMNS: dict[str, Column] = _WHERE | {
    "decision": _TEXT,
    "count": _COUNT,
    "percent": _PERCENT,
    "se": _ERROR,
    "low": _PERCENT,
    "high": _PERCENT,
}
"""Figure 5 of 004: decisions by where they are made, in % of all of a player on a board, with
standard error and 95 % interval over games."""

GUESS_COLUMNS: dict[str, Column] = (
    {"part": _TEXT}
    | _WHERE
    | {
        "bin_low": _COUNT,
        "bin_high": _COUNT,
        "guesses": _POSITIVE,
        "survived": _COUNT,
        "expected": Column("float64", low=0),
        "variance": Column("float64", low=0, noise=0),
        "percent": _PERCENT,
        "se": _ERROR,
        "low": _PERCENT,
        "high": _PERCENT,
        "won": _COUNT,
        "won_percent": _PERCENT,
        "won_se": _ERROR,
        "won_low": _PERCENT,
        "won_high": _PERCENT,
    }
)
"""Guesses by their stated safety in % (above bin_low, at most bin_high): how many opened no mine
(`survived`), with the sums of stated safeties p and of p (1 - p), and how many were in a game that
was won in the end; both in %, with standard error and 95 % interval over games."""

CONVERGENCE_COLUMNS: dict[str, Column] = _WHERE | {
    "iterations": _POSITIVE,
    "positions": _POSITIVE,
    "converged": _COUNT,
    "percent": _PERCENT,
    "low": _PERCENT,
    "high": _PERCENT,
}
"""Positions of guesses beside a number in which one of the first iterations moved no belief by .001
or more."""

ERROR_COLUMNS: dict[str, Column] = _WHERE | {
    "positions": _POSITIVE,
    "distance": _TEXT,
    "cells": _POSITIVE,
    "measure": _TEXT,
    "value": _REAL,
    "se": _ERROR,
    "low": _REAL,
    "high": _REAL,
}
"""Beliefs less exact safeties, by steps from the nearest opened cell; se and interval over games,
missing for the largest error."""

POSITION_COLUMNS: dict[str, Column] = {
    "mines": _POSITIVE,
    "player": _TEXT,
    "configurations": _POSITIVE,
    "cell": _TEXT,
    "safety": _RATE,
}
"""The position of Table 11 of 004: what a player believes of each unknown cell, or its exact
safety."""

TABLES: dict[str, dict[str, Column]] = {
    "belief_decisions": DECISION_COLUMNS,
    "belief_guesses": GUESS_COLUMNS,
    "belief_convergence": CONVERGENCE_COLUMNS,
    "belief_errors": ERROR_COLUMNS,
    "belief_position": POSITION_COLUMNS,
}
"""The tables by the names that steps give them."""
