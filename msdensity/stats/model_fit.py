"""A model fitted to one win-rate curve by maximum likelihood, with bootstrap errors and AICc.

The likelihood is binomial, for the wins of every row that the W-correction keeps (it sets the
others to 0 because they are luck). Win rates of the model are kept 1e-9 away from 0 and 1. A row
with an exact win rate W counts as its n games with n W wins, their mean: the maximum is then the
curve nearest in Kullback-Leibler divergence.

AICc = deviance + (2 - s) k + 2 k (k + 1) / (n - k - 1) for k parameters and n rows, where the
deviance is -2 ln likelihood minus that of free win rates, which all models share, and s is the
share of exact rows. The chance of games lowers a deviance by about 1 for each parameter; exact rows
do not. With s = 1 the difference of two models is thus about the mean difference that so many games
show, if each model is nearly right. With s between 0 and 1 it is a rule of thumb. AICc of exact
rows is no test: the number of games sets its scale, not how well the win rates are known.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import least_squares
from scipy.special import xlogy
from scipy.stats import chi2

from msdensity.errors import InputError, integer, real_array, shown
from msdensity.stats.curve import Curve
from msdensity.stats.fit import Fit, Picture, picture_of_rates
from msdensity.stats.models import Model, Values

MAX_REPLICATES = 100_000

REPLICATES = 200
"""The default number of bootstrap replicates if there are counts."""

BOOTSTRAP_SEED = 20240503
"""Seed of the default generator: the same counts have the same errors."""

REJECTED = 0.01
"""A model whose deviance is less likely than this is rejected."""

_EDGE = 1e-9

_MAX_EVALUATIONS = 1000


def read_bootstrap(
    replicates: int | None, rng: np.random.Generator | None
) -> tuple[int, np.random.Generator]:
    """Return number and generator of a bootstrap, by default REPLICATES and a fixed seed."""
    number = (
        REPLICATES if replicates is None else integer("replicates", replicates, 0, MAX_REPLICATES)
    )
    if rng is None:
        rng = np.random.default_rng(BOOTSTRAP_SEED)
    if not isinstance(rng, np.random.Generator):
        raise InputError(f"rng={shown(rng)} must be a numpy Generator")
    return number, rng


@dataclass(frozen=True, eq=False, repr=False)
class ModelFit(Fit):
    """A model fitted to a win-rate curve, and the critical density P = Q clipped to [0, 1].

    parameters: fitted values, shape (k,); at_bound: names of those at one of their bounds; data:
    the curve; parameter_replicates: the parameters of every converged bootstrap replicate, shape
    (replicates, k); replicates_failed: how many did not converge; no_error: why there are no
    errors, empty if there are. Q is the critical density of the model.
    """

    model: Model
    parameters: NDArray[np.float64]
    at_bound: tuple[str, ...]
    converged: bool
    data: Curve
    parameter_replicates: NDArray[np.float64]
    replicates_failed: int = 0
    no_error: str = ""

    @property
    def values(self) -> dict[str, float]:
        """The parameters by their names."""
        return dict(zip(self.model.parameters, self.parameters.tolist(), strict=True))

    @cached_property
    def covariance(self) -> NDArray[np.float64]:
        """Covariance of the parameters over the replicates, shape (k, k).

        NaN without replicates, and for a parameter at its bound, because the bound sets it.
        """
        count = len(self.parameters)
        if len(self.parameter_replicates) < 2:
            return np.full((count, count), np.nan)
        drawn = self.parameter_replicates - self.parameter_replicates[0]
        covariance = np.cov(drawn, rowvar=False).reshape(count, count)
        at = [self.model.parameters.index(name) for name in self.at_bound]
        covariance[at] = covariance[:, at] = np.nan
        return covariance

    @property
    def Q(self) -> float:
        """The critical density of the model, not clipped."""
        return float(self.model.critical_density(self.parameters))

    @property
    def P(self) -> float:
        """The critical density, Q clipped to [0, 1]."""
        return float(np.clip(self.Q, 0, 1))

    @cached_property
    def replicates(self) -> NDArray[np.float64]:
        """Q of every converged bootstrap replicate."""
        return np.array([self.model.critical_density(row) for row in self.parameter_replicates])

    @property
    def P_replicates(self) -> NDArray[np.float64]:
        """P of every converged bootstrap replicate."""
        return np.clip(self.replicates, 0, 1)

    @property
    def Q_sd(self) -> float:
        """Standard deviation of Q over the bootstrap replicates; NaN without them."""
        if len(self.replicates) < 2:
            return np.nan
        # Subtract the first value, so that equal replicates have a spread of exactly 0.
        return float(np.std(self.replicates - self.replicates[0], ddof=1))

    @property
    def Q_low(self) -> float:
        """2.5 % quantile of Q over the bootstrap replicates; NaN without them."""
        return float(np.quantile(self.replicates, 0.025)) if len(self.replicates) > 1 else np.nan

    @property
    def Q_high(self) -> float:
        """97.5 % quantile of Q over the bootstrap replicates; NaN without them."""
        return float(np.quantile(self.replicates, 0.975)) if len(self.replicates) > 1 else np.nan

    def results(self) -> dict[str, float]:
        """Return Q, P, Q_sd, Q_low and Q_high by their names, as tables hold them."""
        return {name: getattr(self, name) for name in ("Q", "P", "Q_sd", "Q_low", "Q_high")}

    @cached_property
    def deviance(self) -> float:
        """Deviance at the maximum likelihood, from free win rates; NaN without counts."""
        return deviance(self.model, self.data, self.parameters)

    @property
    def rows(self) -> int:
        """Rows of the likelihood; 0 without counts."""
        return 0 if self.data.wins is None else len(self.data.rows()[0])

    @property
    def aicc(self) -> float:
        """AICc of the model at its maximum likelihood (see the top of this file).

        Infinite if the rows are too few for the correction, NaN without counts. Compare only models
        of the same curve: the lowest is the best. Of exact rows it is what games would show in the
        mean, not a test of the models.
        """
        count = len(self.parameters)
        spare = self.rows - count - 1
        correction = 2 * count * (count + 1) / spare if spare > 0 else np.inf
        exact = float(self.data.known_rows().mean()) if self.rows else 0.0
        return self.deviance + (2 - exact) * count + correction

    def predict(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return the fitted win rate at mine densities x, of the shape of x."""
        return self.model.rates(x, self.parameters)

    curve = predict
    """The former name of `predict`."""

    def predict_error(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return the standard error of the curve at densities x: its spread over the replicates."""
        density = np.asarray(x, float)
        if len(self.parameter_replicates) < 2:
            return np.full(density.shape, np.nan)
        drawn = [self.model.rates(density, row) for row in self.parameter_replicates]
        return np.asarray(np.std(drawn, axis=0, ddof=1))

    def warnings(self) -> list[str]:
        """Return the warnings about this fit, one sentence each."""
        texts = [] if self.converged else ["the fit did not converge"]
        texts += [
            f"{name} is at its bound: the bound, not the data, sets it" for name in self.at_bound
        ]
        spare = self.rows - len(self.parameters)
        if spare < 1:
            texts.append(
                f"{self.rows} rows for {len(self.parameters)} parameters: nothing is tested"
            )
        elif self.data.known.any():
            pass  # chi-square is the law of the games' chance, which these rows do not have
        elif (p := float(chi2.sf(self.deviance, spare))) < REJECTED:
            texts.append(
                f"the model is rejected: deviance {self.deviance:.1f} with {spare} degrees of "
                f"freedom, p = {p:.2g}"
            )
        if not 0 <= self.Q <= 1:
            texts.append(f"Q = {self.Q:.4g} is not inside 0..1, and P is clipped to {self.P:g}")
        return texts + self.bootstrap_warnings()

    def bootstrap_warnings(self) -> list[str]:
        """Return the warnings about the error bars."""
        texts = [_of_exact(self.data)] if self.data.known.any() else []
        if len(self.replicates) > 1:
            for edge in (0.0, 1.0):
                share = float(np.mean(self.P_replicates == edge))
                if share > 0 and self.P != edge:
                    texts.append(f"P is clipped to {edge:g} in {share:.0%} of bootstrap replicates")
                elif 0 < share < 1 and self.P == edge:
                    texts.append(f"P is not {edge:g} in {1 - share:.0%} of bootstrap replicates")
            if self.Q_sd == 0 and not self.data.known.all():
                texts.append("Q_sd is 0: the win rates have no sampling error")
        if self.no_error:
            texts.append(f"no error bars: {self.no_error}")
        if self.replicates_failed:
            texts.append(f"{self.replicates_failed} bootstrap replicates did not converge")
        return texts

    def lines(self) -> list[str]:
        """Return the lines of the report without the warnings."""
        pairs = zip(self.values.items(), self.errors.values(), strict=True)
        parameters = [f"{name} = {value:.5g}{plus_minus(error)}" for (name, value), error in pairs]
        return [
            f"P = {self.P:.4f} from Q = {self.Q:.4f}{plus_minus(self.Q_sd)}, "
            f"model {self.model.name}, {self.rows} rows",
            ", ".join(parameters) + f"; deviance {self.deviance:.1f}, AICc {self.aicc:.1f}",
        ]

    def picture(self) -> Picture:
        """Return what `plot` draws."""
        density, wins, games = self.data.rows()
        marks = ((self.P, f"$P$ = {self.P:.4f}"),)
        line = np.linspace(0, 1, 401)
        counts = (wins.astype(float), games.astype(float))
        exact = self.data.known_rows()
        return picture_of_rates(self, density, *counts, line, exact=exact, marks=marks)


def plus_minus(error: float) -> str:
    """Return a standard error as a report shows it beside its value; empty if it is 0 or NaN."""
    return f" +- {error:.2g}" if error > 0 else ""


def _of_exact(curve: Curve) -> str:
    """Return what exact win rates mean for the errors of a fit, in words."""
    if curve.known.all():
        return "exact win rates: no sampling error; what is left is the model's misfit"
    exact, n = int(curve.known.sum()), len(curve.known)
    return f"{exact} of {n} win rates are exact: the errors are of the others"


def fit_by_likelihood(
    model: Model, curve: Curve, replicates: int, rng: np.random.Generator
) -> ModelFit:
    """Return the maximum-likelihood fit with bootstrap errors.

    A replicate draws the wins of each row from a binomial distribution at the raw win rate, unless
    that is exact; its fit starts at the fit of the data. Raises InputError for a model that returns
    no win rates.
    """
    best = maximise(model, curve)
    density, _, games = curve.rows()
    drawn = curve.draw(replicates, rng)
    # On small boards many draws are equal: fit each once.
    counts, copies = np.unique(drawn, axis=0, return_counts=True)
    fits = [_fit(model, density, count, games, best.values) for count in counts]
    good = np.array([fit.converged for fit in fits], bool)
    values = np.array([fit.values for fit in fits]).reshape(-1, len(model.parameters))
    kept = np.repeat(values[good], copies[good], axis=0)
    no_error = ""
    if replicates < 2:
        no_error = "no bootstrap was asked for"
    elif len(kept) < 2:
        no_error = "fewer than 2 bootstrap replicates converged"
    return ModelFit(
        model,
        best.values,
        best.at_bound,
        best.converged,
        curve,
        kept,
        int(copies[~good].sum()),
        no_error,
    )


class Maximum(NamedTuple):
    """The parameters of a maximum likelihood, shape (k,), those at a bound, and success."""

    values: NDArray[np.float64]
    deviance: float
    at_bound: tuple[str, ...]
    converged: bool


def maximise(model: Model, curve: Curve, *starts: Values) -> Maximum:
    """Return the maximum likelihood from the model's start and from `starts`.

    Raises InputError without counts, and for a model that returns no win rates.
    """
    density, wins, games = curve.rows()
    low, high = (np.asarray(ends) for ends in model.bounds)
    proposed = model.start(np.r_[0, curve.density, 1], np.r_[1, curve.rate, 0])
    first = real_array(f"start of model {model.name}", proposed)
    if first.shape != low.shape or not ((first >= low) & (first <= high)).all():
        raise InputError(
            f"start of model {model.name}={first.tolist()} must be a value within the bounds for "
            f"each of {', '.join(model.parameters)}"
        )
    rates = model.rates(density, first)
    if rates.shape != density.shape or not np.isfinite(rates).all():
        raise InputError(
            f"function of model {model.name} must return finite win rates of the shape of density, "
            f"{density.shape}; it returns shape {rates.shape}, at its start {first.tolist()}"
        )
    ends = [_fit(model, density, wins, games, start) for start in (first, *starts)]
    return min(ends, key=lambda end: end.deviance)


def deviance(model: Model, curve: Curve, values: Values) -> float:
    """Return the deviance of a model with these parameters; NaN without counts."""
    if curve.wins is None:
        return np.nan
    density, wins, games = curve.rows()
    return float(np.sum(_residuals(model.rates(density, values), wins, games) ** 2))


def _residuals(
    rate: NDArray[np.float64], wins: NDArray[np.int64], games: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the deviance residuals: the sum of their squares is the deviance."""
    # A model may return NaN far from its points: treat it as the worst value.
    p = np.clip(np.nan_to_num(rate, nan=0.0), _EDGE, 1 - _EDGE)
    losses = games - wins
    deviance = xlogy(wins, wins / (games * p)) + xlogy(losses, losses / (games * (1 - p)))
    return np.sign(wins - games * p) * np.sqrt(2 * np.maximum(deviance, 0))


def _fit(
    model: Model,
    density: NDArray[np.float64],
    wins: NDArray[np.int64],
    games: NDArray[np.int64],
    start: Values,
) -> Maximum:
    """Return the maximum likelihood near a start: the least sum of squared deviance residuals."""
    low, high = (np.asarray(ends) for ends in model.bounds)
    inside = np.clip(start, low, high)
    if not len(density):
        return Maximum(inside, 0.0, (), False)

    def residuals(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return _residuals(model.rates(density, values), wins, games)

    # So close to the minimum that the written digits are the same on every CPU.
    end = least_squares(
        residuals,
        inside,
        bounds=(low, high),
        x_scale="jac",
        max_nfev=_MAX_EVALUATIONS,
        jac="3-point",
        ftol=1e-14,
        xtol=1e-14,
        gtol=1e-14,
    )
    at = tuple(n for n, held in zip(model.parameters, end.active_mask, strict=True) if held)
    return Maximum(end.x, float(2 * end.cost), at, bool(end.success))
