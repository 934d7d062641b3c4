"""Tables from tables: densities and their shares, the best first clicks, the ladder, the checks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from msdensity.files.tables import check_table
from msdensity.stats.testing import LEVEL
from msdensity.studies.perfect.columns import BEST_COLUMNS, CHECK_COLUMNS, LADDER_COLUMNS
from msdensity.studies.perfect.densities import (
    PERFECT,
    against_table,
    curves_table,
    shares_table,
    sides,
)
from msdensity.studies.perfect.settings import OPTIMAL_CELLS

COUNTED, PLAYED, BOTH = "counted", "played", "in part played"


def joined(
    optima: pd.DataFrame,
    exact: pd.DataFrame,
    rest: pd.DataFrame,
    games: pd.DataFrame,
    clicks: pd.DataFrame,
    printed: pd.DataFrame,
) -> dict[str, pd.DataFrame]:
    """Return the tables of all boards; TABLES. printed: Table B.2 of paper 001."""
    values = pd.concat([optima, exact], ignore_index=True)
    counted = pd.concat([values, rest], ignore_index=True)
    densities = curves_table(values)
    return {
        "values": counted,
        "games": games,
        "clicks": clicks,
        "densities": densities,
        "shares": shares_table(densities),
        "against": against_table(values, densities, printed),
        "best": best_table(clicks),
        "ladder": ladder_table(counted, games),
        "checks": checks_table(counted, games),
    }


def known_table(known: pd.DataFrame) -> pd.DataFrame:
    """Return the values that take long, in order (KNOWN_COLUMNS)."""
    return known.sort_values(["board", "mines"], ignore_index=True)


def best_table(clicks: pd.DataFrame) -> pd.DataFrame:
    """Return the best first click of every board, number of mines and start (BEST_COLUMNS).

    clicks: CLICK_COLUMNS. Without protection the first cell is free with probability 1 - density,
    and then the game is that of a safe start.
    """
    free = clicks[clicks["start"] == "safe"].assign(start="unprotected")
    rows = []
    keys = ["board", "start", "mines"]
    for (board, start, _), own in pd.concat([clicks, free]).groupby(keys, sort=False):
        cells = int(own["cells"].iloc[0])
        mines = int(own["mines"].iloc[0])
        luck = Fraction(cells - mines, cells) if start == "unprotected" else Fraction(1)
        counts = zip(own["cell"], own["won"], own["layouts"], strict=True)
        rate = {int(cell): luck * Fraction(int(won), int(n)) for cell, won, n in counts}
        best = max(rate.values())
        first = min(cell for cell, value in rate.items() if value == best)
        corner = rate.get(0)
        rows.append(
            {
                "board": board,
                "cells": cells,
                "mines": mines,
                "density": own["density"].iloc[0],
                "start": start,
                "cell": first,
                "place": place(str(board), first),
                "ties": sum(value == best for value in rate.values()),
                "best": str(best),
                "win_rate": float(best),
                "corner": "" if corner is None else str(corner),
                "gain": np.nan if corner is None else float(best - corner),
            }
        )
    return check_table(pd.DataFrame(rows, columns=[*BEST_COLUMNS]), BEST_COLUMNS, "best clicks")


def place(board: str, cell: int) -> str:
    """Return where a cell lies on a board p x q: its row and column, from 1, and what it is."""
    p, q = (int(side) for side in board.split("x"))
    row, column = divmod(cell, q)
    rims = (row in (0, p - 1)) + (column in (0, q - 1))
    if p == 1:
        kind = "end" if column in (0, q - 1) else "inside"
    else:
        kind = ("inside", "edge", "corner")[rims]
        if p % 2 == q % 2 == 1 and (row, column) == (p // 2, q // 2):
            kind = "centre"
    return f"{kind} {row + 1},{column + 1}"


def played_error(wins: Any, games: Any) -> Any:
    """Return the standard error of win rates of games: with a game more of either kind, never 0."""
    rate = (wins + 1) / (games + 2)
    return np.sqrt(rate * (1 - rate) / games)


def _ends(values: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return every win rate, counted or played, with its error and that of perfect play."""
    keys = ["board", "cells", "mines", "player"]
    own = values[[*keys, "win_rate", "won", "layouts"]].assign(error=0.0, games=0, wins=0)
    rate = games["wins"] / games["games"]
    error = played_error(games["wins"], games["games"])
    played = games[[*keys, "games", "wins"]].assign(win_rate=rate, error=error, won="", layouts=0)
    both = pd.concat([own, played], ignore_index=True)
    best = values[values["player"] == PERFECT]
    best = best[["board", "mines", "win_rate", "won"]]
    names = {"win_rate": "perfect", "won": "perfect_won"}
    return both.merge(best.rename(columns=names), on=["board", "mines"])


def ladder_table(values: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return all players on the boards of the ladder, the best first (LADDER_COLUMNS).

    values: VALUE_COLUMNS; games: GAME_COLUMNS, whose boards are those of the ladder. Means leave
    out all cells but one mined: there the first click alone wins, whoever plays.
    """
    ends = _ends(values, games)
    ends = ends[ends["board"].isin(games["board"].unique()) & (ends["mines"] < ends["cells"] - 1)]
    rows = []
    for (board, player), own in ends.groupby(["board", "player"], sort=False):
        exact = int((own["games"] == 0).sum())
        how = COUNTED if exact == len(own) else BOTH if exact else PLAYED
        mean, perfect = own["win_rate"].mean(), own["perfect"].mean()
        error = float(np.sqrt((own["error"] ** 2).sum())) / len(own)
        head = {"board": board, "player": player, "how": how, "numbers": len(own)}
        means = {"exact": exact, "mean": mean, "mean_se": error, "perfect": perfect}
        shares = {"share": mean / perfect, "share_se": error / perfect}
        rows.append(head | means | shares)
    table = pd.DataFrame(rows, columns=[*LADDER_COLUMNS])
    table = table.assign(cells=[sides(str(board))["cells"] for board in table["board"]])
    table = table.sort_values(["cells", "mean"], ascending=[True, False], ignore_index=True)
    return check_table(table[[*LADDER_COLUMNS]], LADDER_COLUMNS, "ladder")


def how_found(own: pd.DataFrame) -> str:
    """Return how a player's win rates were found on all boards: "counted; on 5x5 played".

    own: its rows of LADDER_COLUMNS.
    """
    (first, _), *others = own.groupby("how", sort=False)["board"].agg(", ".join).items()
    return "; ".join([str(first), *(f"on {boards} {how}" for how, boards in others)])


def checks_table(values: pd.DataFrame, games: pd.DataFrame) -> pd.DataFrame:
    """Return whether a player is above the optimum anywhere (CHECK_COLUMNS).

    values, games: as `ladder_table`. Counted wins are compared as fractions. Played ones have a
    one-sided binomial test each; LEVEL is the chance of one false alarm in all of them together.
    The player `optimal` has two rows, because it searches on boards of few cells alone.
    """
    ends = _ends(values, games)
    ends = ends[ends["player"] != PERFECT]
    is_counted = ends["games"] == 0
    wins = ends["wins"].to_numpy(float)
    chance = stats.binom.sf(wins - 1, ends["games"].to_numpy(float), ends["perfect"])
    ends = ends.assign(p=np.where(is_counted, np.nan, chance))
    level = LEVEL / max(int((~is_counted).sum()), 1)
    rows = []
    split = np.where(ends["cells"] <= OPTIMAL_CELLS, "up to", "more than")
    named = [f"{text} {OPTIMAL_CELLS} cells" for text in split]
    ends = ends.assign(boards=np.where(ends["player"] == "optimal", named, "all"))
    for (player, boards), own in ends.groupby(["player", "boards"], sort=False):
        exact = own[own["games"] == 0]
        won = [Fraction(text) for text in exact["won"]]
        best = [Fraction(text) for text in exact["perfect_won"]]
        rows.append(
            {
                "player": player,
                "boards": boards,
                "exact": len(exact),
                "above": sum(a > b for a, b in zip(won, best, strict=True)),
                "optimal": sum(a == b for a, b in zip(won, best, strict=True)),
                "played": len(own) - len(exact),
                "p_value": own["p"].min(),
                "rejected": int((own["p"] < level).sum()),
            }
        )
    players = ends["player"].unique().tolist()
    rows.sort(key=lambda row: players.index(row["player"]))
    return check_table(pd.DataFrame(rows, columns=[*CHECK_COLUMNS]), CHECK_COLUMNS, "checks")
