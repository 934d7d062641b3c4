"""How much of each density is the player's fault: what the page and its finding say of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from msdensity.players.registry import label
from msdensity.stats.testing import LEVEL, detectable
from msdensity.studies.page import f, rows
from msdensity.studies.perfect.densities import AGAINST, MEASURES, PERFECT, WIDE, may_guess

TEXT, PROGRAM = "weighted", "listing"
"""The player of paper 001's text with the program's ties (Annex A.1), and the program itself."""

TIES = label(TEXT, {"ties": "random"})
"""The player of the text as Algorithm 4.2 says: it draws among the safest cells."""


def beside(densities: pd.DataFrame, boards: list[str]) -> pd.DataFrame:
    """Return P and rho50 of every counted player that guesses, a row for each board."""
    own = densities[densities["board"].isin(boards)]
    players = [player for player in dict.fromkeys(own["player"]) if may_guess(player)]
    return _shown(_measures(own, boards, players), ".4f")


def few_rows(densities: pd.DataFrame) -> pd.DataFrame:
    """Return P and rho50 of perfect play and of the player of the text on one and two rows."""
    own = densities[(densities["p"] < WIDE).fillna(False)].sort_values(["p", "q"])
    table = _measures(own, list(dict.fromkeys(own["board"])), [PERFECT, TEXT, TIES])
    return _shown(table[table.drop(columns="board").notna().any(axis=1)], ".4f")


def no_inflection(densities: pd.DataFrame) -> dict[str, int]:
    """Return how many boards of two rows have no P of perfect play, and for how many it is 0."""
    own = densities[(densities["p"] == 2).fillna(False) & (densities["player"] == PERFECT)]
    zero = own["P_note"].fillna("").str.startswith("P = 0")
    return {"n": len(own), "missing": int(own["P"].isna().sum()), "zero": int(zero.sum())}


def _measures(densities: pd.DataFrame, boards: list[str], players: list[str]) -> pd.DataFrame:
    """Return a column for each measure and player, a row for each board."""
    table = pd.DataFrame({"board": boards})
    for measure in MEASURES:
        by = densities.pivot_table(index="board", columns="player", values=measure, dropna=False)
        for player in players:
            column = by.get(player)
            name = f"{measure}, {player}"
            table[name] = np.nan if column is None else table["board"].map(column)
    return table


def _shown(table: pd.DataFrame, specification: str) -> pd.DataFrame:
    """Return a table with its numbers as text, without the columns that are empty."""
    kept = table.dropna(axis=1, how="all")
    reals = kept.select_dtypes("float").columns
    return kept.assign(**{name: [f(x, specification) for x in kept[name]] for name in reals})


def _of(shares: pd.DataFrame, boards: list[str], measure: str, player: str) -> pd.DataFrame:
    own = shares[(shares["player"] == player) & (shares["measure"] == measure)]
    return own[own["board"].isin(boards)]


def shares_shown(shares: pd.DataFrame, boards: list[str], measure: str) -> pd.DataFrame:
    """Return the fault of each player that guesses on each board, in percent and in mines."""
    table = pd.DataFrame({"board": boards})
    for player in filter(may_guess, dict.fromkeys(shares["player"])):
        own = _of(shares, boards, measure, player).set_index("board")
        table[f"{player}, %"] = table["board"].map(100 * own["share"])
        table[f"{player}, mines"] = table["board"].map(own["mines"])
    return _shown(table, ".2f")


def span(shares: pd.DataFrame, boards: list[str], measure: str, player: str) -> dict[str, Any]:
    """Return the smallest and largest share and number of mines of a player on some boards.

    names: those of the boards that have a share.
    """
    own = _of(shares, boards, measure, player)
    if not len(own):
        return {}
    low, *_, high = rows(own.sort_values("share").iloc[[0, -1]])
    return {
        "low": 100 * low.share,
        "low_board": low.board,
        "high": 100 * high.share,
        "high_board": high.board,
        "mines_low": own["mines"].min(),
        "mines_high": own["mines"].max(),
        "names": [board for board in boards if board in set(own["board"])],
    }


def trend(shares: pd.DataFrame, boards: list[str]) -> dict[str, Any]:
    """Return Kendall's rank correlation of the share of TEXT in rho50 with the cells of a board.

    least: the smallest p that so many boards can give. The test can find something only if that is
    below LEVEL.
    """
    own = _of(shares, boards, "rho50", TEXT)
    if len(own) < 3 or own["share"].nunique() == 1:
        return {}
    found = stats.kendalltau(own["cells"], own["share"])
    least = float(stats.kendalltau(own["cells"], own["cells"]).pvalue)
    p = float(found.pvalue)
    return {"tau": float(found.statistic), "p": p, "least": least, "boards": len(own)}


def squares(shares: pd.DataFrame, measure: str) -> list[Any]:
    """Return the rows of TEXT on squares of at least three rows, the small ones first."""
    own = shares[(shares["player"] == TEXT) & (shares["p"] == shares["q"]).fillna(False)]
    own = own[(own["p"] >= WIDE) & (own["measure"] == measure)]
    return list(rows(own.sort_values("cells")))


def lines(shares: pd.DataFrame) -> dict[str, Any]:
    """Return how many boards of one row have a share of TEXT, on how many it is 0, and the most."""
    own = shares[(shares["player"] == TEXT) & (shares["p"] == 1).fillna(False)]
    own = own[own["measure"] == "P"]
    if not len(own):
        return {}
    most = own.sort_values("share").iloc[-1]
    zero = own.loc[own["gap"].abs() < 1e-9, "q"]
    nowhere = int(zero.max()) if len(zero) else 0
    return {"n": len(own), "zero": len(zero), "to": nowhere, "most": 100 * most["share"]} | {
        "board": most["board"]
    }


def logit(densities: pd.DataFrame) -> dict[str, float]:
    """Return what the other interpolation changes: the most of rho50 in mines, and of shares."""
    own = densities.dropna(subset=["rho50", "rho50_logit"])
    moved = (own["rho50"] - own["rho50_logit"]).abs() * own["cells"]
    by = own.pivot_table(index="board", columns="player", values=["rho50", "rho50_logit"])
    apart = [0.0]
    if TEXT in own["player"].to_numpy():
        line, other = (1 - by[name][TEXT] / by[name][PERFECT] for name in ("rho50", "rho50_logit"))
        apart = (100 * (line - other).abs()).dropna().tolist()
    return {"mines": float(moved.max()), "share": max(apart)}


def joint(against: pd.DataFrame) -> dict[str, float]:
    """Return chi-square of the published P against those of the program with exact win rates."""
    z = against["z"].dropna()
    square = float((z**2).sum())
    worst = against.loc[z.abs().sort_values().index[-1:], "board"].to_list()
    chance = float(stats.chi2.sf(square, max(len(z), 1)))
    return {
        "n": len(z),
        "square": square,
        "p": chance,
        "found": detectable(max(len(z), 1)),
        "worst": ", ".join(worst),
        "z": z.abs().max(),
    }


def parts(against: pd.DataFrame, densities: pd.DataFrame, boards: list[str]) -> dict[str, Any]:
    """Return how far the published P of some boards lie below perfect play, and why.

    In percent of P of perfect play, the mean over the boards on which all players are counted: all
    of it, what is left to chance (the program less the published P), and for either way with ties
    the parts of guesses (perfect play less the text's player) and of the program's faults (the
    text's player less the program). se: the standard error of all and of chance, from the games of
    the published P; explained: whether chance differs from 0 by no more than the level allows.
    """
    drawn = densities[densities["player"] == TIES].set_index("board")["P"]
    own = against[against["board"].isin(boards)].dropna(subset=[*AGAINST])
    own = own.assign(**{TIES: own["board"].map(drawn)})
    ways = [TEXT, TIES] if len(drawn) else [TEXT]
    own = own.dropna(subset=ways)
    if not len(own):
        return {}
    best = own[PERFECT]

    def mean(high: str, low: str) -> float:
        return float((100 * (own[high] - own[low]) / best).mean())

    error = 100 * float(np.sqrt(((own["listing_se"] / best) ** 2).sum())) / len(own)
    chance = mean(PROGRAM, "published")
    return {
        "names": own["board"].tolist(),
        "all": mean(PERFECT, "published"),
        "mines": float(((best - own["published"]) * own["cells"]).mean()),
        "chance": chance,
        "se": error,
        "explained": float(2 * stats.norm.sf(abs(chance) / error)) >= LEVEL,
        "ways": {
            way: {"faults": mean(way, PROGRAM), "guesses": mean(PERFECT, way)} for way in ways
        },
    }
