"""From the games of the study to its tables: each first click beside the corner, and luck."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from msdensity.files.tables import check_table
from msdensity.games.boards import Board
from msdensity.stats.paired import paired
from msdensity.studies.clicks.columns import (
    CELL_COLUMNS,
    LUCK_COLUMNS,
    MAP_COLUMNS,
    ORBIT_COLUMNS,
)

LEVEL = 0.05
"""Chance that any of the simultaneous intervals of a map misses."""

Values = NDArray[np.float64]

MAP = ["board", "mines", "start"]


def click_tables(outcomes: pd.DataFrame, slopes: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the tables `cells`, `orbits` and `maps` (CELL_, ORBIT_ and MAP_COLUMNS).

    outcomes: OUTCOME_COLUMNS; slopes: WIN_RATE_COLUMNS of the corner with fewer and more mines.
    """
    cells, orbits, maps = [], [], []
    key: Any
    for key, own in outcomes.groupby(MAP, sort=False):
        head = dict(zip(MAP, key, strict=True))
        slope = slope_of(slopes, head)
        games = int(own["games"].iloc[0])
        packed = [np.frombuffer(bytes.fromhex(won), np.uint8) for won in own["won"]]
        won = np.unpackbits(packed, axis=1, count=games).astype(bool)  # (cells, games)
        p, q = Board.parse(head["board"]).shape
        orbit = orbits_of(p, q)
        cells += [head | row for row in _cells(won, orbit, q, slope)]
        places, summary = _places(won, orbit, q, slope)
        orbits += [head | row for row in places]
        density = head["mines"] / (p * q)
        maps.append(head | {"density": density, "games": games, "cells": p * q} | summary)
    made = {"cells": (cells, CELL_COLUMNS), "orbits": (orbits, ORBIT_COLUMNS)}
    made["maps"] = maps, MAP_COLUMNS
    return {n: check_table(pd.DataFrame(rows), own, n) for n, (rows, own) in made.items()}


def orbits_of(p: int, q: int) -> NDArray[np.int64]:
    """Return for each cell of a p x q board the first of those that symmetry exchanges with it."""
    index = np.arange(p * q).reshape(p, q)
    images = [index, index[::-1], index[:, ::-1], index[::-1, ::-1]]
    if p == q:
        images += [image.T for image in images]
    return np.min(images, axis=0).ravel()


def slope_of(slopes: pd.DataFrame, head: dict[str, Any]) -> tuple[float, float]:
    """Return the slope -dW/drho of a map (`board`, `mines`, `start`) and its standard error.

    slopes: WIN_RATE_COLUMNS; the nearest numbers of mines below and above that of the map count.
    """
    own = slopes[(slopes["board"] == head["board"]) & (slopes["start"] == head["start"])]
    own = own.sort_values("mines")
    low: Any = own[own["mines"] < head["mines"]].iloc[-1]
    high: Any = own[own["mines"] > head["mines"]].iloc[0]
    step = high["density"] - low["density"]
    spread = np.sqrt(sum(r["win_rate"] * (1 - r["win_rate"]) / r["games"] for r in (low, high)))
    return (low["win_rate"] - high["win_rate"]) / step, spread / step


def gain(
    difference: float, error: float, slope: tuple[float, float], prefix: str = ""
) -> dict[str, float]:
    """Return how much density a difference of win rates is worth, and its standard error.

    slope: -dW/drho and its standard error, from other games; both NaN unless the slope is positive.
    """
    steep, spread = slope
    if not steep > 0:
        return {f"{prefix}gain": np.nan, f"{prefix}gain_se": np.nan}
    value = difference / steep
    return {f"{prefix}gain": value, f"{prefix}gain_se": np.hypot(error, value * spread) / steep}


def _place(cell: int, q: int) -> dict[str, int]:
    return {"row": cell // q + 1, "column": cell % q + 1}


def _cells(
    won: NDArray[np.bool_], orbit: NDArray[np.int64], q: int, slope: tuple[float, float]
) -> list[dict[str, Any]]:
    """Return the columns of CELL_COLUMNS after `start`, by cell."""
    rows = []
    for cell, own in enumerate(won):
        both, one, other, neither, difference, error, _, p_value = paired(own, won[0])
        rows.append(
            {"cell": cell, "orbit": orbit[cell], "games": own.size, "wins": own.sum()}
            | _place(cell, q)
            | {"win_rate": own.mean(), "both": both, "first_only": one, "second_only": other}
            | {"neither": neither, "difference": difference, "difference_se": error}
            | {"p_value": p_value}
            | gain(difference, error, slope)
        )
    return rows


def _places(
    won: NDArray[np.bool_], orbit: NDArray[np.int64], q: int, slope: tuple[float, float]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the columns of ORBIT_COLUMNS by orbit, and of MAP_COLUMNS after `cells`.

    A game counts with the share of the cells of an orbit from which it is won, so that the errors
    know that the cells share their boards.
    """
    first, which, sizes = np.unique(orbit, return_inverse=True, return_counts=True)
    games, count = won.shape[1], len(first)
    shares = np.stack([won[which == k].mean(axis=0) for k in range(count)])
    means, spread = shares.mean(axis=1), np.atleast_2d(np.cov(shares)) / games
    best = int(means.argmax())
    to_corner, corner_se = means - means[0], _errors(spread, 0)
    to_best, best_se = means[best] - means, _errors(spread, best)
    # The corner is named before the games; the best place is chosen by them, so all pairs count.
    wide = stats.norm.isf(LEVEL / 2 / max(count - 1, 1))
    wider = stats.norm.isf(LEVEL / max(count * (count - 1), 1))
    like_best = to_best <= wider * best_se
    low, high = to_corner - wide * corner_se, to_corner + wide * corner_se
    rows = [
        {"orbit": first[k], "cells": sizes[k], "win_rate": means[k]}
        | _place(int(first[k]), q)
        | {"win_rate_se": np.sqrt(spread[k, k])}
        | {"difference": to_corner[k], "difference_se": corner_se[k]}
        | {"difference_low": low[k], "difference_high": high[k]}
        | gain(to_corner[k], corner_se[k], slope)
        | {"below_best": to_best[k], "below_best_se": best_se[k], "like_best": int(like_best[k])}
        for k in range(count)
    ]
    anywhere = sizes / sizes.sum() - (np.arange(count) == 0)
    random, random_se = anywhere @ means, np.sqrt(max(anywhere @ spread @ anywhere, 0))
    summary = {
        "places": count,
        "corner": means[0],
        "corner_se": np.sqrt(spread[0, 0]),
        **dict(zip(("slope", "slope_se"), slope, strict=True)),
        **symmetry(won, orbit),
        "above_corner": int((low > 0).sum()),
        "below_corner": int((high < 0).sum()),
        **{f"best_{name}": value for name, value in _place(int(first[best]), q).items()},
        "best_difference": to_corner[best],
        "best_difference_se": corner_se[best],
        **gain(to_corner[best], corner_se[best], slope, "best_"),
        "like_best": int(like_best.sum()) - 1,
        "random_difference": random,
        "random_difference_se": random_se,
        **gain(random, random_se, slope, "random_"),
    }
    return rows, summary


def _errors(spread: Values, k: int) -> Values:
    """Return the standard errors of all differences to mean k. spread: covariance of the means."""
    variance = np.diag(spread) + spread[k, k] - 2 * spread[k]
    return np.sqrt(np.where(np.arange(len(spread)) == k, 0, np.maximum(variance, 0)))


def symmetry(won: NDArray[np.bool_], orbit: NDArray[np.int64]) -> dict[str, Any]:
    """Return Hotelling's test that all cells of every orbit win equally often.

    won: (cells, games); orbit: (cells,), the first cell of each orbit is named by its index. One
    contrast for each other cell; F and its p-value are NaN if the games are too few to know their
    covariance.
    """
    others = np.flatnonzero(orbit != np.arange(len(orbit)))
    contrasts, games = len(others), won.shape[1]
    apart = won[others].astype(float) - won[orbit[others]]
    found = {"contrasts": contrasts, "symmetry_F": np.nan, "symmetry_p": np.nan}
    if not 0 < contrasts < games:
        return found
    spread = np.atleast_2d(np.cov(apart)) / games
    if np.linalg.matrix_rank(spread) < contrasts:
        return found
    mean = apart.mean(axis=1)
    t_squared = mean @ np.linalg.solve(spread, mean)
    F = (games - contrasts) / (contrasts * (games - 1)) * t_squared
    return found | {
        "symmetry_F": F,
        "symmetry_p": stats.f.sf(F, contrasts, games - contrasts),
    }


def luck_table(replays: pd.DataFrame) -> pd.DataFrame:
    """Return how much of winning the layout decides (LUCK_COLUMNS). replays: REPLAY_COLUMNS."""
    rows = []
    key: Any
    for key, own in replays.groupby(["board", "mines"], sort=False):
        board, mines = key
        ordered = own.sort_values("won")
        layouts = ordered["layouts"].to_numpy(float)
        total = layouts.sum()
        shares = {
            "always": layouts[-1] / total,
            "never": layouts[0] / total,
            "no_guess": ordered["no_guess"].sum() / total,
        }
        rows.append(
            {"board": board, "mines": mines, "layouts": int(total), "replays": len(layouts) - 1}
            | {"density": mines / Board.parse(board).cells}
            | luck(layouts)
            | shares
            | {f"{n}_se": np.sqrt(share * (1 - share) / total) for n, share in shares.items()}
        )
    return check_table(pd.DataFrame(rows), LUCK_COLUMNS, "luck")


def luck(layouts: Values) -> dict[str, float]:
    """Return the win rate, its variance between layouts, and the share of W (1 - W), with errors.

    layouts: (replays + 1,), how many layouts are won in 0, 1, ... replays. The errors are those of
    the jackknife that leaves out one layout.
    """
    names = ("win_rate", "between", "share")
    total, kinds = layouts.sum(), np.flatnonzero(layouts)
    values = np.array(_moments(layouts))
    without = np.array([_moments(layouts - (np.arange(len(layouts)) == k)) for k in kinds])
    weights = layouts[kinds] / total
    spread = weights @ (without - weights @ without) ** 2
    errors = np.sqrt((total - 1) * spread)
    return dict(zip(names, values.tolist(), strict=True)) | {
        f"{name}_se": error for name, error in zip(names, errors.tolist(), strict=True)
    }


def _moments(layouts: Values) -> tuple[float, float, float]:
    """Return W, Var(p) and Var(p) / (W (1 - W)), p the win rate of a layout.

    Two replays of one layout estimate the mean of p², and two layouts W², both without bias.
    """
    r, total = len(layouts) - 1, layouts.sum()
    won = np.arange(r + 1.0)
    mean = layouts @ won / (total * r)
    squares = layouts @ (won * (won - 1)) / (total * r * (r - 1))
    square = ((layouts @ won) ** 2 - layouts @ won**2) / (r**2 * total * (total - 1))
    between, whole = squares - square, mean - square
    return mean, between, between / whole if whole > 0 else np.nan
