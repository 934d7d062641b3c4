"""Exact win rates in a table of played games, and the test of these games against them."""

from __future__ import annotations

import re
import sys
from fractions import Fraction

import numpy as np
import pandas as pd
from scipy.stats import chi2

from msdensity.errors import InputError, require_kind, shown
from msdensity.files.tables import check_table, quotient, require_columns
from msdensity.stats.columns import CORRECTED_COLUMNS, CURVE, EXACT_COLUMNS, EXACT_TEST_COLUMNS
from msdensity.stats.correction import w_correction
from msdensity.stats.rho50.reduced import checked_win_rates

ALARM = 1e-4
"""Games of a player less probable than this by their exact win rates are an error."""

MIN_EXPECTED = 20
"""Expected wins, or losses if these are fewer, of a term of chi-square. Rows with fewer are one
term together, and none if they are still too few."""

_ROUNDING = 1e-9

_KEYS = [*(name for name in CURVE if name != "seed"), "mines"]

_RATE = ["win_rate", "win_rate_low", "win_rate_high"]


def join_exact(win_rates: pd.DataFrame, exact: pd.DataFrame) -> pd.DataFrame:
    """Return win rates with the exact ones in place of those played, where there are any.

    win_rates: WIN_RATE_COLUMNS, or CORRECTED_COLUMNS, whose correction is made anew; exact:
    EXACT_COLUMNS. A row with an exact win rate has it as a fraction in the column `exact`, and as
    win_rate and both ends of the interval. Wins, games and all other columns stay. A table without
    such a row stays as it is. Raises InputError for a number of mines that `exact` has twice.
    """
    check_rates(win_rates)
    exact = check_table(exact, EXACT_COLUMNS, "exact win rates")
    twice = exact.duplicated(_KEYS)
    if twice.any():
        row = exact[twice].iloc[0]
        raise InputError(
            f"exact win rates: board={row['board']}, player={row['player']},"
            f" mines={row['mines']} must be in one row"
        )
    fractions = pd.Series(
        list(map(_fraction, exact["won"], exact["layouts"], exact["win_rate"], range(len(exact)))),
        pd.MultiIndex.from_frame(exact[_KEYS]),
        dtype="str",
    )
    text = fractions.reindex(pd.MultiIndex.from_frame(win_rates[_KEYS])).fillna("").to_numpy()
    if not (text != "").any():
        return win_rates
    if "exact" in win_rates:
        text = np.where(text == "", win_rates["exact"].fillna(""), text)
    corrected = [name for name in ("win_rate_corrected", "correction_rule") if name in win_rates]
    table = win_rates.drop(columns=corrected).assign(exact=text)
    rate = table["exact"].map(quotient)
    for name in _RATE:
        table[name] = rate.fillna(table[name])
    return w_correction(table) if corrected else table


def check_rates(win_rates: pd.DataFrame) -> pd.DataFrame:
    """Return the known columns of a table of win rates; InputError where `join_exact` refuses."""
    require_kind("win_rates", win_rates, pd.DataFrame, "a DataFrame")
    require_columns(win_rates, [*_KEYS, *_RATE], "the table of win rates")
    columns = {name: spec for name, spec in CORRECTED_COLUMNS.items() if name in win_rates}
    return check_table(win_rates[list(columns)], columns, "the table of win rates")


def _fraction(won: str, layouts: int, rate: float, row: int) -> str:
    """Return layouts won over layouts in whole numbers, not reduced; InputError unless the rate."""
    if re.fullmatch(r"[0-9]{1,300}(/[1-9][0-9]{0,299})?", won):
        number = Fraction(won)
        if abs(number / layouts - Fraction(rate)) < _ROUNDING:
            return f"{number.numerator}/{number.denominator * layouts}"
    raise InputError(
        f"exact win rates: row {row + 1}: won={shown(won)} must be win_rate of layouts,"
        f" {rate} of {layouts}"
    )


def is_exact(table: pd.DataFrame) -> pd.Series:
    """Return which rows of a table of win rates have an exact one."""
    if "exact" not in table:
        return pd.Series(False, table.index)
    return table["exact"].fillna("") != ""


def exact_test(win_rates: pd.DataFrame) -> pd.DataFrame:
    """Return the test of played games against exact win rates (EXACT_TEST_COLUMNS).

    win_rates: a table of `join_exact`. The rows of a player are games of their own, so that the
    squares of their deviations, in standard errors, add up to chi-square. Players are tested apart
    because they play the same boards.
    """
    own = win_rates[is_exact(win_rates)]
    rate, games = own["win_rate"], own["games"]
    # Of the rarer outcome: a deviation of losses is one of wins.
    rare, wins = np.minimum(rate, 1 - rate), own["wins"]
    own = own.assign(
        expected=games * rate,
        rare=games * rare,
        away=np.where(rate < 0.5, wins - games * rate, games * rate - wins),
        variance=games * rate * (1 - rate),
        impossible=((rate == 0) & (wins > 0)) | ((rate == 1) & (wins < games)),
    )
    rows = []
    for player, each in own.groupby("player", sort=False):
        large = each["rare"] >= MIN_EXPECTED
        small = each.loc[~large, ["rare", "away", "variance"]].sum()
        squares = [*(each["away"] ** 2 / each["variance"])[large]]
        if small["rare"] >= MIN_EXPECTED:
            squares.append(small["away"] ** 2 / small["variance"])
        impossible = int(each["impossible"].sum())
        p_value = float(chi2.sf(sum(squares), len(squares))) if squares else np.nan
        rows.append(
            {
                "player": player,
                "boards": each["board"].nunique(),
                "rows": len(each),
                **{name: each[name].sum() for name in ("games", "wins", "expected")},
                "impossible": impossible,
                "chi_square": float(sum(squares)),
                "df": len(squares),
                "p_value": 0.0 if impossible else p_value,
            }
        )
    table = pd.DataFrame(rows, columns=list(EXACT_TEST_COLUMNS))
    return check_table(table, EXACT_TEST_COLUMNS, "test against exact win rates")


def require_agreement(test: pd.DataFrame) -> None:
    """Raise InputError if the games of a player do not agree with exact win rates (ALARM).

    test: EXACT_TEST_COLUMNS.
    """
    for row in test[test["p_value"] < ALARM].to_dict("records"):
        raise InputError(
            f"player={row['player']}: {row['wins']:,} wins in {row['games']:,} games, expected"
            f" {row['expected']:,.1f} by exact win rates; chi-square is {row['chi_square']:.1f}"
            f" with {row['df']} degrees of freedom, and {row['impossible']} rows are impossible: p"
            f" is {row['p_value']:.1g}, must be at least {ALARM:g}. Games or exact win rates are"
            " wrong: `msdensity verify` replays the games; exact_cells: 0 counts none exactly"
        )


def exact_win_rates(raw: pd.DataFrame, exact: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the tables `win_rates` (CORRECTED_COLUMNS, with exact ones) and `exact_test`.

    raw: WIN_RATE_COLUMNS; exact: EXACT_COLUMNS. Prints the second to stderr. Raises InputError as
    `checked_win_rates`, `join_exact` and `require_agreement`.
    """
    table = join_exact(checked_win_rates(raw), exact)
    test = exact_test(table)
    print(test.to_string(index=False), file=sys.stderr)
    require_agreement(test)
    return {"win_rates": table, "exact_test": test}
