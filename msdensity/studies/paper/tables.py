"""The tables of paper 001 and the numbers to quote in a text, from our games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from msdensity.files.tables import check_table, require_columns, rounded
from msdensity.games.boards import Board
from msdensity.stats.exact_rates import is_exact
from msdensity.stats.hyperbola import fit_squares
from msdensity.studies.paper.columns import B1_COLUMNS, B2_COLUMNS

LARGEST_SIDE = 10
"""Tables B.1 and B.2 hold all boards p <= q <= 10."""

PUBLISHED = {
    "limit_c": 0.158938,
    "limit_a": 0.366581,
    "limit_b": 0.0305678,
    "win_rate_10x10_20": 0.468,
}
"""Numbers printed in sections 9.3 and 10.2."""

CLAIMED_LIMIT = 0.159
"""The limit of the critical density for large boards, as the abstract and section 9.3 round it."""

FIGURE_3_1 = (("....", ".F21", "2210"), 3)
"""Rows and mines of the position in Figure 3.1, rebuilt from the equations of section 3.1."""

FIGURE_4_1 = (("01F..", "024..", "12F..", "..2..", "....."), 6)
"""Rows and mines of a position as in Figure 4.1, which the text does not describe well enough to
rebuild it: the same size and mines, and four cells that are equally safe."""


def printed_boards(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the boards that the paper's tables hold; columns board, p, q needed."""
    usual = np.array([Board.parse(name).topology == "square8" for name in table["board"]], bool)
    return table[usual & (table["q"] <= LARGEST_SIDE).fillna(False)]


def table_b1(win_rates: pd.DataFrame) -> pd.DataFrame:
    """Return Table B.1 (B1_COLUMNS) from a table with CORRECTED_COLUMNS.

    Rows are sorted by board, number of mines and player; boards that the paper does not play come
    last. The paper prints no such table, but refers to a file of win rates. Exact win rates, if
    any, are there as fractions too.
    """
    require_columns(win_rates, B1_COLUMNS, "corrected win rates")
    printed = printed_boards(win_rates).index
    rows = win_rates.assign(other=~win_rates.index.isin(printed))
    rows = rows.sort_values(["other", "p", "q", "board", "mines", "player"], ignore_index=True)
    columns = [name for name in B1_COLUMNS if name in rows]
    return check_table(rows[columns], B1_COLUMNS, "Table B.1")


def table_b2(fits: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Return Table B.2 (B2_COLUMNS): every printed board, 1x1 with no P as printed, then others.

    fits: FIT_COLUMNS; published: PUBLISHED_COLUMNS. P_low and P_high are the bootstrap interval of
    Q (95 %) clipped to [0, 1]; boards that were not played have empty values. The note says which
    are of exact win rates.
    """
    names = [f"{p}x{q}" for p, q in zip(published["p"], published["q"], strict=True)]
    printed = published.rename(columns={"P": "P_published"}).assign(board=names)
    players = pd.DataFrame({"player": fits["player"].drop_duplicates()})
    ours = fits.drop(columns=["p", "q"])
    table = printed.merge(players, how="cross").merge(ours, how="left", on=["board", "player"])
    table = table.sort_values(["p", "q", "player"])
    others = fits[~fits["board"].isin(names)].sort_values(["p", "q", "board", "player"])
    table = pd.concat([table, others.assign(P_published=np.nan)], ignore_index=True)
    for end in ("low", "high"):
        table[f"P_{end}"] = table[f"Q_{end}"].clip(0, 1)
    return check_table(table[list(B2_COLUMNS)], B2_COLUMNS, "Table B.2")


def quoted_numbers(
    win_rates: pd.DataFrame,
    fits: pd.DataFrame,
    extrapolation: pd.DataFrame,
    series: pd.DataFrame,
    published: pd.DataFrame,
) -> dict[str, Any]:
    """Return the numbers to quote in a text, as nested dictionaries of plain numbers.

    Arguments: tables with CORRECTED_, FIT_, EXTRAPOLATION_, SERIES_ and PUBLISHED_COLUMNS.
    `published` holds the printed values and the paper's curve fitted again to its Table B.2; then
    each player has its own. A number is null where it was not played or has no error; `exact`:
    whether a P is of exact win rates alone, or a win rate is exact.
    """
    printed = published[(published["p"] == published["q"]) & (published["q"] >= 3)]
    again = fit_squares(printed["q"].to_numpy(float), printed["P"])
    result: dict[str, Any] = {
        "published": PUBLISHED | {"refitted": _fit_numbers(again)},
        "players": {},
    }
    for player, own in fits.groupby("player", sort=False):
        played = win_rates[win_rates["player"] == player]
        exact = is_exact(played)
        sampled = {*played.loc[~exact, "board"]}
        numbers: dict[str, Any] = {"games": int(played["games"].sum()), "boards": len(own)}
        numbers["P"] = {
            row.board: {
                "P": _plain(row.P),
                "sd": _plain(row.Q_sd),
                "exact": row.board not in sampled,
            }
            for row in own.itertuples()
            if row.board in ("2x10", "8x8", "10x10", "1x10", "1x50")
        }
        spot = played[(played["board"] == "10x10") & (played["mines"] == 20)]
        numbers["win_rate_10x10_20"] = (
            {
                "win_rate": _plain(spot["win_rate"].iloc[0]),
                "low": _plain(spot["win_rate_low"].iloc[0]),
                "high": _plain(spot["win_rate_high"].iloc[0]),
                "exact": bool(exact[spot.index[0]]),
            }
            if len(spot)
            else None
        )
        limits = extrapolation[extrapolation["player"] == player]
        numbers["squares"] = [_fit_numbers(row) for row in limits.itertuples()]
        limits = series[(series["player"] == player) & (series["n"] == 0)]
        numbers["strips_a0"] = [
            {
                "terms": row.terms,
                "q_min": row.q_min,
                "q_max": row.q_max,
                "a0": _plain(row.a),
                "se": _plain(row.a_se),
            }
            for row in limits.itertuples()
        ]
        result["players"][player] = numbers
    return result


def _fit_numbers(fit: Any) -> dict[str, Any]:
    """Return the parameters, errors and range of a fit of P = a / (q - b) + c."""
    names = ("a", "a_se", "b", "b_se", "c", "c_se", "q_min", "q_max", "n")
    plain = {name: _plain(getattr(fit, name)) for name in names}
    return {n: v if v is None or n in names[-3:] else rounded(v) for n, v in plain.items()}


def _plain(value: Any) -> float | int | None:
    """Return a number that JSON can hold, None for a missing one."""
    if pd.isna(value) or not np.isfinite(value):
        return None
    return int(value) if isinstance(value, (int, np.integer)) else float(value)
