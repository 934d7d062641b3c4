"""Win rates at low density beside the law of unavoidable guesses of each topology."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from msdensity.files.tables import check_table
from msdensity.games.boards import Board
from msdensity.stats.lattice_law import (
    expected_walled_in,
    lattice_law,
    lattice_terms,
    place_count,
)
from msdensity.stats.rho50.control_variate import reduced_win_rates
from msdensity.stats.testing import LEVEL, detectable
from msdensity.studies.topologies.columns import POINT_COLUMNS, RISE_COLUMNS, TEST_COLUMNS
from msdensity.studies.topologies.settings import LATTICES

Array = NDArray[np.float64]

LAWS = {"leading": "law", "next": "law_next", "never": "law_never", "always": "law_always"}
"""Models without a free number, and their columns of POINT_COLUMNS: the leading terms, these and
the next ones, and all of them with u = 0 or u = 1."""

LINE = "line"
"""The model x / law = intercept + slope rho, with two free numbers."""


def law_tables(law_games: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the tables `points`, `tests` and `rises`. law_games: WIN_RATE_COLUMNS."""
    points = point_table(law_games)
    return {"points": points, "tests": law_test_table(points), "rises": rise_table(points)}


def law_with(shape: Sequence[float], density: float, topology: str, share: float) -> float:
    """Return all terms of the law with a given share u of walled-in cells that is lost."""
    return sum(
        place_count(term, shape, topology)
        * float(term.T + share * float(term.U))
        * density**term.power
        for term in lattice_terms(topology)
    )


def point_table(law_games: pd.DataFrame) -> pd.DataFrame:
    """Return -ln W at low density beside the law (POINT_COLUMNS). law_games: WIN_RATE_COLUMNS.

    From reduced win rates, but where a game was approximate or the reduction makes the error
    larger from plain ones. Boards that were always or never won are left out.
    """
    rows = [row for _, own in law_games.groupby("board", sort=False) for row in _points(own)]
    table = pd.DataFrame(rows, columns=list(POINT_COLUMNS))
    order = table["topology"].map(LATTICES.index)
    table = table.assign(order=order).sort_values(["order", "cells", "mines"], ignore_index=True)
    return check_table(table[list(POINT_COLUMNS)], POINT_COLUMNS, "points")


def _points(games: pd.DataFrame) -> Iterator[dict[str, Any]]:
    records: list[dict[Any, Any]] = games.sort_values("mines").to_dict("records")
    for record, reduced in zip(records, reduced_win_rates(records), strict=True):
        W, W_se, gain = reduced.rate.best, reduced.error, reduced.gain
        if record["approximate"] or not gain > 1:
            W, gain = record["wins"] / record["games"], 1.0
            W_se = np.sqrt(W * (1 - W) / record["games"])
        if not (0 < W < 1 and W_se > 0):
            continue
        board, rho = Board.parse(record["board"]), record["density"]
        shape, topology = board.shape, board.topology
        x, error = -np.log(W), W_se / W
        law = float(lattice_law(shape, rho, topology))
        yield {
            "topology": topology,
            "side": shape[0],
            "cells": board.cells,
            "mines": record["mines"],
            "density": rho,
            "games": record["games"],
            "lost": record["games"] - record["wins"],
            "approximate": record["approximate"],
            "x": x,
            "x_se": error,
            "gain": gain,
            "walled_in": expected_walled_in(shape, rho, topology),
            "law": law,
            "law_next": float(lattice_law(shape, rho, topology, next_orders=True)),
            "law_never": law_with(shape, rho, topology, 0.0),
            "law_always": law_with(shape, rho, topology, 1.0),
            "ratio": x / law,
            "ratio_se": error / law,
        }


def law_test_table(points: pd.DataFrame) -> pd.DataFrame:
    """Return the tests of the law on each topology (TEST_COLUMNS). points: POINT_COLUMNS.

    A model that is the same as the leading terms on a topology is left out there.
    """
    rows: list[dict[str, Any]] = []
    for topology, own in points.groupby("topology", sort=False):
        x, error = own["x"].to_numpy(), own["x_se"].to_numpy()
        for model, column in LAWS.items():
            law = own[column].to_numpy()
            same = ("law", "law_next")[: 1 if model == "next" else 2]
            if model != "leading" and any(np.allclose(law, own[c], rtol=1e-12) for c in same):
                continue
            chi2 = float((((x - law) / error) ** 2).sum())
            row = {"topology": topology, "model": model, "chi2": chi2, "df": len(own)}
            if law.any():  # a law that is 0 has no share
                sharpness = float(((law / error) ** 2).sum())
                row["detectable"] = detectable(len(own)) * np.sqrt(len(own) / sharpness)
            rows.append(row)
        if len(own) > 2:
            rows.append({"topology": topology, "model": LINE, **_line(own)})
    table = pd.DataFrame(rows, columns=list(TEST_COLUMNS))
    table["points"] = table["topology"].map(points["topology"].value_counts())
    table["p_value"] = stats.chi2.sf(table["chi2"].to_numpy(float), table["df"].to_numpy(float))
    return check_table(table, TEST_COLUMNS, "tests")


def _line(points: pd.DataFrame) -> dict[str, float]:
    """Fit x / law = intercept + slope rho by weighted least squares."""
    ratio, error = points["ratio"].to_numpy(), points["ratio_se"].to_numpy()
    design = np.stack([np.ones(len(ratio)), points["density"].to_numpy()], axis=1) / error[:, None]
    covariance = np.linalg.pinv(design.T @ design)
    values = covariance @ design.T @ (ratio / error)
    spread = np.sqrt(np.diag(covariance))
    return {
        "chi2": float(((ratio / error - design @ values) ** 2).sum()),
        "df": len(ratio) - 2,
        "intercept": values[0],
        "intercept_se": spread[0],
        "slope": values[1],
        "slope_se": spread[1],
    }


def rise_table(points: pd.DataFrame) -> pd.DataFrame:
    """Return -ln W of one density on the smallest and the largest board (RISE_COLUMNS).

    points: POINT_COLUMNS. The n-th density of a board is that of the others, to half a mine.
    """
    rows = []
    for topology, own in points.groupby("topology", sort=False):
        sides = sorted(own["side"].unique())
        for large in own[own["side"] == sides[-1]].itertuples():
            alike = own[(own["side"] < sides[-1]) & _alike(own, large.density)]
            if not len(alike):
                continue
            small: Any = next(alike.sort_values("side").itertuples())
            rows.append(
                {
                    "topology": topology,
                    "density": large.density,
                    "small": small.side,
                    "large": large.side,
                    "x_small": small.x,
                    "x_small_se": small.x_se,
                    "x_large": large.x,
                    "x_large_se": large.x_se,
                    "z": (large.x - small.x) / np.hypot(large.x_se, small.x_se),
                }
            )
    return check_table(pd.DataFrame(rows, columns=list(RISE_COLUMNS)), RISE_COLUMNS, "rises")


def _alike(points: pd.DataFrame, density: Any) -> Any:
    return (points["density"] - density).abs() <= 0.5 / points["cells"] + 1e-9


def rejects(p_value: float) -> bool:
    """Whether a test says no at the level that was fixed before anything was played."""
    return bool(p_value < LEVEL)
