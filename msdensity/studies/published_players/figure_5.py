"""Figures 5.3 and 5.4 of 000: win % of the single-point players against density and board size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import curve_fit

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Task
from msdensity.stats.intervals import wilson
from msdensity.stats.polish import polish
from msdensity.studies.published_players.columns import CURVE_COLUMNS, POINT_COLUMNS
from msdensity.studies.published_players.play import play_sets
from msdensity.studies.published_players.settings import Settings

_WAYS: tuple[tuple[str, Mapping[str, str]], ...] = (
    ("naive_single_point", {"drawn": "any"}),
    ("double_set", {}),
)

DENSITY = 40 / 256
"""Mine density of Figure 5.4: "approximately 0.16, the density of an intermediate configuration"
(000, section 4.3), which has 40 mines on 16 x 16."""


def logistic_percent(density: ArrayLike, rho: float, k: float) -> NDArray[np.float64]:
    """Return 100 / (1 + exp(k (density - rho))), %: half the games are won at density rho."""
    with np.errstate(over="ignore"):  # the limit, 0, is right
        return 100 / (1 + np.exp(k * (np.asarray(density, float) - rho)))


def exponential_percent(cells: ArrayLike, A: float, n: float) -> NDArray[np.float64]:
    """Return A exp(-cells / n), %: n more cells divide the games won by e."""
    return A * np.exp(-np.asarray(cells, float) / n)


FIGURES: dict[str, tuple[Callable[..., Any], tuple[str, str], tuple[float, float]]] = {
    "5.3": (logistic_percent, ("rho", "k"), (0.15, 30.0)),
    "5.4": (exponential_percent, ("A", "n"), (100.0, 200.0)),
}
"""Each figure: curve, names of its parameters, and where the fit starts.

000 names the kinds of curves but prints no formula and no parameter; these are the simplest.
"""


def point_tasks(seed: int) -> list[tuple[str, Task]]:
    """Return the figure and the task of each point, see `points_table`."""
    boards = [("5.3", Board((9, 9)), m) for m in range(1, 31)]
    boards += [("5.4", Board((q, q)), round(DENSITY * q * q)) for q in range(5, 25)]
    return [
        (figure, Task(board, mines, player, options, Rules("random"), seed))
        for figure, board, mines in boards
        for player, options in _WAYS
    ]


def points_table(settings: Settings, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Return the points of both figures, settings.figure_games games each (POINT_COLUMNS).

    Naive single point as in PGMS, and double set, both from a random safe cell. 5.3:
    9x9 with 1 .. 30 mines; 5.4: q x q, q = 5 .. 24, with the number of mines nearest to DENSITY.
    keep: a checkpoint.
    """
    rows: list[tuple[Any, ...]] = []
    games = settings.figure_games
    for figure, task in point_tasks(settings.seed):
        wins = int(play_sets(task, games, keep)[0][:, 0].sum())
        low, high = (100 * float(end) for end in wilson(wins, games))
        x = task.density if figure == "5.3" else task.board.cells
        point = (figure, task.label, task.board.name, task.mines, x)
        rows.append((*point, games, wins, 100 * wins / games, low, high))
    return pd.DataFrame(rows, columns=list(POINT_COLUMNS))


def _residuals(
    curve: Callable[..., Any],
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    sigma: NDArray[np.float64],
    values: NDArray[np.float64],
) -> NDArray[np.float64]:
    return np.asarray((curve(x, *values) - y) / sigma)


def _slopes(
    curve: Callable[..., Any],
    x: NDArray[np.float64],
    sigma: NDArray[np.float64],
    values: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the derivatives of the residuals by the parameters, shape (len(x), parameters).

    By an imaginary step, which has no rounding error.
    """
    steps = values + 1e-100j * np.eye(len(values))
    return np.stack([curve(x, *at).imag / 1e-100 / sigma for at in steps], axis=1)


def curves_table(points: pd.DataFrame) -> pd.DataFrame:
    """Return the fits of FIGURES to the points of each figure and player (CURVE_COLUMNS).

    points: POINT_COLUMNS. Weights and se are from the games, so they do not say how well the curve
    describes the points; chi2 does. Raises InputError for an unknown figure.
    """
    rows: list[tuple[Any, ...]] = []
    for (figure, player), own in points.groupby(["figure", "player"], sort=False):
        if figure not in FIGURES:
            raise InputError(f"figure={figure!r} must be one of {', '.join(FIGURES)}")
        curve, names, start = FIGURES[figure]
        # With one more win and one more loss, so that no point is certain.
        rate = (own["wins"] + 1) / (own["games"] + 2)
        sigma = 100 * np.sqrt((rate * (1 - rate) / own["games"]).to_numpy(float))
        x, y = own["x"].to_numpy(float), own["win_percent"].to_numpy()
        near, _ = curve_fit(curve, x, y, start, sigma, absolute_sigma=True)
        slopes = partial(_slopes, curve, x, sigma)
        values, _ = polish(partial(_residuals, curve, x, y, sigma), slopes, near)
        covariance = np.linalg.inv(slopes(values).T @ slopes(values))
        chi2 = float((((y - curve(x, *values)) / sigma) ** 2).sum())
        for name, value, error in zip(names, values, np.sqrt(np.diag(covariance)), strict=True):
            rows.append((figure, player, name, value, error, chi2, len(own) - len(names)))
    return pd.DataFrame(rows, columns=list(CURVE_COLUMNS))
