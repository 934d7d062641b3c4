"""The part of the page on 002: the numbers that its template puts into words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import norm

from msdensity.stats.testing import LEVEL, holm
from msdensity.studies.page import Tables, between, rows
from msdensity.studies.published_players.resolution.methods import ADDED, CLUES, LEVELS, TOTAL

SIMPLE = ("pair rule", "unit refutation")
"""Methods that are simpler than 002 and compared with it."""


def resolution_facts(tables: Tables) -> dict[str, Any]:
    """Return the facts of the part on 002; tables: RESOLUTION_TABLES by their names."""
    coverage = tables["resolution_coverage"]
    clues = coverage[coverage["knowledge"] == CLUES]
    levels = tables["resolution_levels"]
    return {
        "games": coverage["games"].iloc[0],
        "positions": int(clues.drop_duplicates(["board", "mines"])["positions"].sum()),
        "false": int(clues["false"].sum()),
        "conclusions": int(clues.loc[clues["method"] != ADDED, "found"].sum()),
        "places": len(clues.drop_duplicates(["board", "mines"])),
        "range": {method: _range(own) for method, own in clues.groupby("method", sort=False)},
        "beside": _beside_text(clues),
        "added": _added(clues),
        "shares": _by_place(clues, "share"),
        "anys": _by_place(clues, "any"),
        "totals": _by_place(coverage[coverage["knowledge"] == TOTAL], "share"),
        "levels": _levels(levels),
        "hardest": _hardest(levels),
        "guesses": tables["resolution_guesses"],
        "needless": _needless(tables["resolution_guesses"]),
        "sizes": tables["resolution_sizes"].assign(
            each=tables["resolution_sizes"]["cpu_us"] / tables["resolution_sizes"]["opened"]
        ),
        "slow": _slow(tables["resolution_sizes"]),
        "times": _times(tables["resolution_time"]),
    }


def _place(table: pd.DataFrame) -> pd.Series[str]:
    return table["board"] + "/" + table["mines"].astype(str)


def _range(own: pd.DataFrame) -> dict[str, Any]:
    """Return the lowest and highest share of a method over all places, and the sums."""
    return {
        "low": own["share"].min(),
        "high": own["share"].max(),
        "any_low": own["any"].min(),
        "any_high": own["any"].max(),
        "found": int(own["found"].sum()),
        "certain": int(own["certain"].sum()),
    }


def _beside_text(clues: pd.DataFrame) -> list[dict[str, Any]]:
    """Return on how many boards simple methods find more or fewer certain cells than 002.

    The boards of both methods are judged together: two-sided tests of the differences over games,
    Holm's method, at LEVEL.
    """
    own = clues[clues["method"].isin(SIMPLE) & (clues["beside_text_se"] > 0)]
    z = own["beside_text"] / own["beside_text_se"]
    sure = holm(2 * norm.sf(z.abs())) < LEVEL
    found = own.assign(more=sure & (z > 0), fewer=sure & (z < 0), z=z)
    return [
        {
            "method": method,
            "boards": len(each),
            "more": int(each["more"].sum()),
            "fewer": int(each["fewer"].sum()),
            "low": each["beside_text"].min(),
            "high": each["beside_text"].max(),
        }
        for method, each in found.groupby("method", sort=False)
    ]


def _added(clues: pd.DataFrame) -> dict[str, Any]:
    """Return what resolution adds to forward chaining: by place, and its sum."""
    own = clues[clues["method"] == ADDED]
    return {
        "cells": int(own["found"].sum()),
        "certain": int(own["certain"].sum()),
        "positions": int(own["any_positions"].sum()),
        "places": int((own["found"] > 0).sum()),
        "most": next(rows(own.sort_values("share", ascending=False))),
        "table": own,
    }


def _by_place(table: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return a measure with its 95 % interval, as text: places by methods."""
    ends = (f"{measure}_low", f"{measure}_high")
    text = [
        between(value, low, high)
        for value, low, high in zip(table[measure], *(table[end] for end in ends), strict=True)
    ]
    shown = table.assign(board=_place(table), text=text)
    shown = shown[shown["method"] != ADDED]
    wide = shown.pivot(index="board", columns="method", values="text")
    return wide.loc[shown["board"].unique(), shown["method"].unique()].reset_index()


def _levels(levels: pd.DataFrame) -> pd.DataFrame:
    """Return the shares of all levels, in percent with intervals: places by levels."""
    text = [between(row.percent, row.low, row.high) for row in rows(levels)]
    shown = levels.assign(board=_place(levels), text=text)
    wide = shown.pivot(index="board", columns="level", values="text")
    return wide.loc[shown["board"].unique(), list(LEVELS)].reset_index()


def _hardest(levels: pd.DataFrame) -> dict[str, float]:
    """Return how many positions there are, and how many of them need which methods, in percent."""
    sums = levels.groupby("level")["positions"].sum()
    decided = sums.sum() - sums["guess"]
    easy = sums["single numbers"] + sums["pair rule"]
    return {
        "positions": int(sums.sum()),
        "decided": int(decided),
        "easy": 100 * easy / decided,
        "beyond": int(sums["counting"]),
        "total": int(sums["mine count"]),
    }


def _needless(guesses: pd.DataFrame) -> dict[str, Any]:
    """Return the rows of each player, by what makes a cell certain."""
    return {
        str(player): {
            "clues": list(rows(own[own["knowledge"] == CLUES])),
            "total": list(rows(own[own["knowledge"] == TOTAL])),
        }
        for player, own in guesses.groupby("player", sort=False)
    }


def _slow(sizes: pd.DataFrame) -> dict[str, Any]:
    """Return how the time of a game grows from the smallest board to the largest."""
    cells = sizes["board"].str.split("x").map(lambda sides: int(sides[0]) * int(sides[1]))
    wide = sizes.assign(cells=cells).pivot(index="cells", columns="player", values="cpu_us")
    first, last = wide.iloc[0], wide.iloc[-1]
    return {
        "cells": wide.index[-1] / wide.index[0],
        "growth": last["002"] / first["002"],
        "weighted": last["weighted"] / first["weighted"],
        "least": (wide["002"] / wide["weighted"]).min(),
        "most": (wide["002"] / wide["weighted"]).max(),
        "player": np.exp(np.log(wide["player"] / wide["weighted"]).mean()),
        "spared": (wide["002"] / wide["player"]).min(),
    }


def _times(times: pd.DataFrame) -> pd.DataFrame:
    """Return CPU microseconds of each method at a position: places by methods."""
    shown = times.assign(board=_place(times), text=times["cpu_us"].map("{:.0f}".format))
    wide = shown.pivot(index="board", columns="method", values="text")
    return wide.loc[shown["board"].unique(), shown["method"].unique()].reset_index()
