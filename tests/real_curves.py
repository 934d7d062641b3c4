"""Win rates of real boards, as truths that are not of any fitted form, and studies of them."""

from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import brentq

from msdensity.games.boards import Board
from msdensity.runs.measure import REFINED
from msdensity.stats.rho50.curve import HALF
from msdensity.stats.rho50.design import Design, design
from msdensity.stats.rho50.fit import fit_power, fit_rho50
from places import DATA

PILOT_GAMES, PILOT_SPREAD = 500, np.linspace(0.75, 1.25, 7)

BRACKET_ERROR = 0.03
"""A pilot's first guess of rho50 is off by about this share."""

_POWERS = 6


class Truth(NamedTuple):
    """Win rates of a board by density, through a million games a point, and where they are 1/2."""

    cells: int
    rho50: float
    error: float
    middle: float
    coefficients: NDArray[np.float64]

    def rate(self, mines: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return W of numbers of mines."""
        return np.exp(-np.exp(self.eta(np.asarray(mines) / self.cells)))

    def eta(self, density: NDArray[np.float64] | float) -> NDArray[np.float64]:
        """Return ln(-ln W): a polynomial in ln density of a higher degree than any fitted one."""
        return np.polyval(self.coefficients, np.log(density) - self.middle)


@cache
def truth(name: str) -> Truth:
    """Return the truth of a board of rho50_curves.csv."""
    table = pd.read_csv(DATA / "rho50_curves.csv").query(f"board == '{name}'")
    rate = (table["wins"] / table["games"]).to_numpy()
    table, rate = table[(rate > 0.03) & (rate < 0.97)], rate[(rate > 0.03) & (rate < 0.97)]
    cells = Board(name).cells
    x = np.log(table["mines"].to_numpy() / cells)
    middle = float(x.mean())
    error = np.sqrt((1 - rate) / (rate * table["games"].to_numpy())) / -np.log(rate)
    fit, covariance = np.polyfit(
        x - middle, np.log(-np.log(rate)), _POWERS, w=1 / error, cov="unscaled"
    )
    made = Truth(cells, 0.0, 0.0, middle, fit)
    rho50 = brentq(lambda rho: made.eta(rho) - HALF, np.exp(x[0]), np.exp(x[-1]))
    at = np.log(rho50) - middle
    powers = at ** np.arange(_POWERS, -1, -1)
    slope = np.polyval(np.polyder(fit), at)
    return made._replace(rho50=rho50, error=rho50 * np.sqrt(powers @ covariance @ powers) / slope)


def pilot(rng: np.random.Generator, board: Truth) -> tuple[float, float]:
    """Return rho50 and k of a pilot's few games, as `msdensity.runs.measure.pilot` plays them."""
    near = board.rho50 * (1 + BRACKET_ERROR * rng.standard_normal())
    mines = np.unique(np.rint(near * PILOT_SPREAD * board.cells).astype(int))
    games = np.full(len(mines), PILOT_GAMES // len(mines))
    wins = rng.binomial(games, board.rate(mines))
    return fit_power(mines / board.cells, wins, games) or (near, 4.0)


def plan(rng: np.random.Generator, board: Truth, error: float) -> Design:
    """Return a design from a refined pilot for a wanted error of rho50."""
    rho50, k = pilot(rng, board)
    planned = design(rho50, k, board.cells, REFINED * error, 0)
    if planned.total > 2 * PILOT_GAMES:
        wins = rng.binomial(planned.games, board.rate(planned.mines))
        fit = fit_rho50(planned.mines / board.cells, wins, planned.games, planned.window)
        rho50, k = (rho50, k) if fit.no_fit else (fit.rho50, fit.k)
    return design(rho50, k, board.cells, error, 0)


def study(rng: np.random.Generator, board: Truth, error: float) -> tuple[Design, NDArray[np.int64]]:
    """Return the plan of a study and the wins of its games."""
    planned = plan(rng, board, error)
    return planned, rng.binomial(planned.games, board.rate(planned.mines))
