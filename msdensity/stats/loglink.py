"""Binomial regression of W = exp(-X b); an ordinary fit would leave its domain X b > 0.

The logarithm of the likelihood is concave on X b > 0, so Newton's method with steps that end before
the edge finds its only maximum from any start inside. The iteration of statsmodels has no such
guard for the log link; from a start at the maximum, it only confirms it and returns errors and
deviance.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import chi2

from msdensity.errors import InputError
from msdensity.stats.fit import Fit, Picture, delta_error
from msdensity.stats.intervals import wilson

_STEPS = 200


@dataclass(frozen=True, eq=False, repr=False)
class LogLinkFit(Fit):
    """Coefficients b of W = exp(-X b), their covariance, and the deviance with its probability.

    b: shape (terms,); covariance: (terms, terms); p_value: NaN without degrees of freedom;
    converged: False if the maximum lies on the edge of the domain or is not unique; then b,
    covariance and deviance are NaN. columns: X, shape (rows, terms); wins, games: shape (rows,).
    """

    b: NDArray[np.float64]
    covariance: NDArray[np.float64]
    deviance: float
    df: int
    p_value: float
    converged: bool
    columns: NDArray[np.float64]
    wins: NDArray[np.float64]
    games: NDArray[np.float64]

    @property
    def values(self) -> dict[str, float]:
        """The coefficients b0, b1, and so on."""
        return {f"b{i}": float(b) for i, b in enumerate(self.b)}

    def predict(self, columns: ArrayLike) -> NDArray[np.float64]:
        """Return the fitted win rates, shape (rows,), of columns X, shape (rows, terms)."""
        return np.exp(-np.asarray(columns, float) @ self.b)

    def predict_error(self, columns: ArrayLike) -> NDArray[np.float64]:
        """Return the standard errors of `predict`, shape (rows,)."""
        X = np.asarray(columns, float)
        return delta_error(X * self.predict(X)[:, None], self.covariance)

    def warnings(self) -> list[str]:
        """Return the warnings about this fit, one sentence each."""
        if self.converged:
            return []
        return [
            f"no fit: {len(self.wins)} rows do not determine {len(self.b)} coefficients with "
            "-ln W above 0 in every row"
        ]

    def lines(self) -> list[str]:
        """Return the lines of the report without the warnings."""
        if not self.converged:
            return []
        pairs = zip(self.values.items(), self.errors.values(), strict=True)
        return [
            f"W = exp(-X b), {len(self.wins)} win rates: deviance {self.deviance:.1f} with "
            f"{self.df} degrees of freedom, p = {self.p_value:.2g}",
            *(f"{name} = {value:.4g} +- {error:.2g}" for (name, value), error in pairs),
        ]

    def picture(self) -> Picture:
        """Return what `plot` draws: win rates over the fitted x = -ln W, and W = exp(-x)."""
        fitted = self.predict(self.columns)
        order = np.argsort(-fitted)
        x = -np.log(fitted)
        low, high = wilson(self.wins, self.games)
        rate = self.wins / self.games
        residuals = (rate - fitted) / np.sqrt(fitted * (1 - fitted) / self.games)
        line = (x[order], fitted[order], self.predict_error(self.columns)[order])
        labels = ("fitted $-\\ln W$", "win rate $W$")
        return Picture(x, rate, low, high, residuals, *line, labels)


def fit_log_link(
    columns: NDArray[np.float64],
    wins: NDArray[np.float64],
    games: NDArray[np.float64],
    start: NDArray[np.float64],
) -> LogLinkFit:
    """Fit W = exp(-columns @ b) to counts by maximum likelihood.

    columns: (rows, terms); wins, games: (rows,), 0 <= wins <= games, games > 0; start: b with
    columns @ start > 0 in every row. Raises InputError for another start or counts out of range.
    """
    if not (columns @ start > 0).all():
        raise InputError(f"start={start.tolist()} must give -ln W above 0 in every row")
    if not ((wins >= 0) & (wins <= games) & (games > 0)).all():
        raise InputError("wins must be in 0..games in every row, and games above 0")
    terms = columns.shape[1]
    df = len(wins) - terms
    no_values = np.full(terms, np.nan)
    data = (columns, wins, games)
    unknown = np.full((terms, terms), np.nan)
    failed = LogLinkFit(no_values, unknown, np.nan, max(df, 0), np.nan, False, *data)
    scale = np.abs(columns).max(axis=0)
    if df < 0 or not (scale > 0).all() or np.linalg.matrix_rank(columns / scale) < terms:
        return failed
    if _runs_away(columns / scale, wins, games):
        return failed
    b, converged = _maximise(columns / scale, wins, games, start * scale)
    if not converged:
        return failed

    # Imported here: it takes a second.
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.families.links import Log
    from statsmodels.genmod.generalized_linear_model import GLM

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # the log link may leave its domain, but not from here
        model = GLM(np.stack([wins, games - wins], 1), -columns / scale, Binomial(link=Log()))
        fit = model.fit(start_params=b, maxiter=25, tol=1e-10)
    agrees = np.abs(np.asarray(fit.params) - b) <= 1e-3 * np.asarray(fit.bse)
    if not agrees.all():
        return failed
    deviance = max(float(fit.deviance), 0.0)
    return LogLinkFit(
        b / scale,
        np.asarray(fit.cov_params(), float) / np.outer(scale, scale),
        deviance,
        df,
        float(chi2.sf(deviance, df)) if df else np.nan,
        True,
        *data,
    )


def _runs_away(
    x: NDArray[np.float64], wins: NDArray[np.float64], games: NDArray[np.float64]
) -> bool:
    """Whether the likelihood rises for ever along some b: it has no maximum there.

    Along such a b, -ln W grows in rows that were never won, may fall in rows that were never lost,
    and stays in all others.
    """
    from scipy.optimize import linprog

    lost, won = wins == 0, wins == games
    mixed = ~(lost | won)
    gain = np.r_[x[lost], -x[won]]
    if not len(gain):
        return False
    no_fall = {"A_ub": -gain, "b_ub": np.zeros(len(gain))}
    same = {"A_eq": x[mixed], "b_eq": np.zeros(mixed.sum())} if mixed.any() else {}
    best = linprog(-gain.sum(axis=0), **no_fall, **same, bounds=(-1, 1))
    return bool(best.status != 0 or -best.fun > 1e-9)


def _maximise(
    x: NDArray[np.float64],
    wins: NDArray[np.float64],
    games: NDArray[np.float64],
    b: NDArray[np.float64],
) -> tuple[NDArray[np.float64], bool]:
    """Return the maximum by Newton's method within x @ b > 0, and whether it was reached."""
    losses = games - wins
    value = _log_likelihood(x @ b, wins, losses)
    for _ in range(_STEPS):
        eta = x @ b
        odds = 1 / np.expm1(eta)  # W / (1 - W)
        slope = x.T @ (losses * odds - wins)
        curvature = (x * (losses * odds * (1 + odds))[:, None]).T @ x
        try:
            step = np.linalg.solve(curvature, slope)
        except np.linalg.LinAlgError:
            return b, False
        decrement = float(slope @ step)
        if decrement < 1e-14:
            return b + step, True
        move = x @ step
        towards = move < 0
        # Below this, rounding decides whether the likelihood rises.
        flat = max(1e-9, 8 * np.finfo(float).eps * abs(value))
        # At most nine tenths of the way to the edge, then halved until the likelihood rises.
        size = min(1.0, 0.9 * float((eta[towards] / -move[towards]).min(initial=np.inf)))
        while size > 1e-10:
            after = _log_likelihood(eta + size * move, wins, losses)
            if after >= value + 1e-4 * size * decrement or decrement < flat:
                break
            size /= 2
        else:
            return b, False
        b, value = b + size * step, after
    return b, False


def _log_likelihood(
    eta: NDArray[np.float64], wins: NDArray[np.float64], losses: NDArray[np.float64]
) -> float:
    return float(-wins @ eta + losses @ np.log(-np.expm1(-eta)))
