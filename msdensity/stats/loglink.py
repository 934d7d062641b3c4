"""Binomial regression of W = exp(-X b), whose domain X b > 0 an ordinary fit runs out of.

The logarithm of the likelihood is concave on X b > 0, so that Newton's method with steps cut short
at the edge finds its one maximum from any start inside. statsmodels' own iteration has no such
guard with the log link; started at the maximum it only has to confirm it and to supply errors and
deviance.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import chi2

from msdensity.errors import InputError
from msdensity.stats.fit import Fit, Picture, delta_error
from msdensity.stats.intervals import wilson

_STEPS = 200


@dataclass(frozen=True, eq=False)
class LogLinkFit(Fit):
    """Coefficients b of W = exp(-X b), their covariance, and the deviance with its probability.

    b: shape (terms,); covariance: (terms, terms); p_value: NaN without degrees of freedom;
    converged: False where the maximum lies on the edge of the domain or is not unique, and then b,
    covariance and deviance are NaN. columns: X, shape (rows, terms); wins, games: shape (rows,).
    """

    b: NDArray[np.float64]
    covariance: NDArray[np.float64] = field(repr=False)
    deviance: float
    df: int
    p_value: float
    converged: bool
    columns: NDArray[np.float64] = field(repr=False)
    wins: NDArray[np.float64] = field(repr=False)
    games: NDArray[np.float64] = field(repr=False)

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
        """Return what to be careful about in this fit, one sentence an entry; empty if nothing."""
        if self.converged:
            return []
        return [
            f"no fit: {len(self.wins)} rows do not determine {len(self.b)} coefficients with "
            "-ln W above 0 in every row"
        ]

    def lines(self) -> list[str]:
        """Return the lines of the report but for the warnings."""
        if not self.converged:
            return []
        pairs = zip(self.values.items(), self.errors.values(), strict=True)
        return [
            f"W = exp(-X b), {len(self.wins)} win rates: deviance {self.deviance:.1f} with "
            f"{self.df} degrees of freedom, p = {self.p_value:.2g}",
            *(f"{name} = {value:.4g} +- {error:.2g}" for (name, value), error in pairs),
        ]

    def picture(self) -> Picture:
        """Return what `plot` draws: win rates against the fitted -ln W, on which W = exp(-x)."""
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
    columns @ start > 0 in every row. Raises InputError if it is not, or for counts out of range.
    """
    if not (columns @ start > 0).all():
        raise InputError(f"start={start.tolist()} must give -ln W above 0 in every row")
    if not ((wins >= 0) & (wins <= games) & (games > 0)).all():
        raise InputError("wins must be in 0..games in every row, and games above 0")
    terms = columns.shape[1]
    df = len(wins) - terms
    nothing = np.full(terms, np.nan)
    data = (columns, wins, games)
    unknown = np.full((terms, terms), np.nan)
    failed = LogLinkFit(nothing, unknown, np.nan, max(df, 0), np.nan, False, *data)
    scale = np.abs(columns).max(axis=0)
    if df < 0 or not (scale > 0).all() or np.linalg.matrix_rank(columns / scale) < terms:
        return failed
    b, found = _maximise(columns / scale, wins, games, start * scale)
    if not found:
        return failed

    # A second to import.
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.families.links import Log
    from statsmodels.genmod.generalized_linear_model import GLM

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # that the log link may leave the domain: it cannot here
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
            return b, True
        move = x @ step
        towards = move < 0
        # Nine tenths of the way to the edge at most, then halved until the likelihood rises.
        size = min(1.0, 0.9 * float((eta[towards] / -move[towards]).min(initial=np.inf)))
        while size > 1e-10:
            after = _log_likelihood(eta + size * move, wins, losses)
            if after >= value + 1e-4 * size * decrement or decrement < 1e-9:
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
