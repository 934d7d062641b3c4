"""Print the tables of rho50.md: estimators of rho50 tried on real curves.

`python docs/explanation/rho50.py [RUNS]`; about 10 min with 1,000 runs.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from real_curves import Truth, plan, truth

from msdensity.stats.rho50.curve import HALF
from msdensity.stats.rho50.design import Design
from msdensity.stats.rho50.fit import fit_rho50
from msdensity.stats.rho50.likelihood import maximise

BOARDS, ERRORS = ("8x8", "10x10", "16x16", "32x32"), (1e-3, 3e-4, 1e-4)


def straight(x: np.ndarray, wins: np.ndarray, games: np.ndarray) -> tuple[float, float]:
    """Return ln rho50 and its error by W = 2^-((rho / rho50)^k)."""
    columns = np.vander(x, 2, increasing=True)
    ((alpha, k),), _ = maximise(columns, wins[None], games[None])
    root = (HALF - alpha) / k
    mu = np.exp(columns @ [alpha, k])
    covariance = np.linalg.inv(columns.T @ ((games * mu**2 / np.expm1(mu))[:, None] * columns))
    gradient = np.array([1, root]) / k
    return root, float(np.sqrt(gradient @ covariance @ gradient))


def bent(x: np.ndarray, wins: np.ndarray, games: np.ndarray) -> tuple[float, float]:
    """Return ln rho50 and its error by the fit of msdensity; densities are exp(x) / 10."""
    fit = fit_rho50(np.exp(x) / 10, wins, games, (0, 1))
    return float(np.log(10 * fit.rho50)), fit.error / fit.rho50


def logit(x: np.ndarray, wins: np.ndarray, games: np.ndarray) -> tuple[float, float]:
    """Return ln rho50 and its error by a logit that is a cubic in ln rho."""
    columns = np.vander(x, 4, increasing=True)
    fit = GLM(np.stack([wins, games - wins], 1), columns, family=Binomial()).fit()
    roots = np.roots(fit.params[::-1])
    root = roots.real[np.abs(roots.imag) < 1e-9]
    root = float(root[np.argmin(np.abs(root))])
    slope = np.polyval(np.polyder(fit.params[::-1]), root)
    gradient = root ** np.arange(4) / slope
    return root, float(np.sqrt(gradient @ fit.cov_params() @ gradient))


ESTIMATORS = {"line": straight, "parabola": bent, "cubic logit": logit}


def equal(planned: Design) -> np.ndarray:
    """Return the same number of games at every point."""
    return np.full(len(planned.mines), planned.total // len(planned.mines))


def trial(board: Truth, error: float, runs: int, shared: bool) -> dict[str, np.ndarray]:
    """Return (ln of estimate over truth, stated error, games) of each run, by estimator."""
    rng, made = np.random.default_rng(1), {name: [] for name in ESTIMATORS}
    for _ in range(runs):
        planned = plan(rng, board, error)
        games = planned.games if shared else equal(planned)
        wins = rng.binomial(games, board.rate(planned.mines))
        x = np.log(planned.mines / board.cells / board.rho50)
        for name, estimate in ESTIMATORS.items():
            made[name].append((*estimate(x, wins.astype(float), games.astype(float)), games.sum()))
    return {name: np.array(each) for name, each in made.items()}


def table(runs: int) -> pd.DataFrame:
    """Return bias, spread and coverage; spread in units of that of games at W = 1/2 alone."""
    rows = []
    for name in BOARDS:
        board = truth(name)
        k = (board.eta(1.001 * board.rho50) - board.eta(0.999 * board.rho50)) / 0.002
        for error in ERRORS:
            for shared in (False, True):
                for estimator, made in trial(board, error, runs, shared).items():
                    off, stated, games = made.T
                    rows.append(
                        {
                            "board": name,
                            "asked": error,
                            "games": "most at 1/2" if shared else "equal",
                            "curve": estimator,
                            "bias / spread": off.mean() / off.std(),
                            "rms / least": np.sqrt((off**2 * games).mean()) * k * np.log(2),
                            "coverage": np.mean(np.abs(off) < 1.96 * stated),
                        }
                    )
    return pd.DataFrame(rows)


if __name__ == "__main__":
    made = table(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
    print(made.to_markdown(index=False, floatfmt=("", "g", "", "", ".2f", ".2f", ".3f")))
