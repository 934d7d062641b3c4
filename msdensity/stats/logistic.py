"""The logistic fit of paper 001 and the critical density P that it defines."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import OptimizeResult, least_squares

from msdensity.errors import InputError, integer, real_array, whole_array
from msdensity.files.tables import check_table, require_columns
from msdensity.stats.columns import FIT_COLUMNS
from msdensity.stats.correction import correct

PARAMETERS = ("b", "L", "k", "Q")

LOW = (-np.inf, 0.0, 0.0, -np.inf)

HIGH = (np.inf, 3.0, np.inf, np.inf)
"""Bounds of b, L, k, Q (Annex A.2, line 36)."""

MAX_EVALUATIONS = 1_000_000
"""Annex A.2, line 40."""

_REPLICATE_EVALUATIONS = 10_000
"""A replicate has never needed 300; one that runs on must not hold up the others."""

_PATH_DEPENDENT_POINTS = 5
"""Up to this many points for four parameters (1x2..1x4 and 2x2) the start decides the answer."""

_PATH_DEPENDENT_REPLICATES = 30
"""Their replicates must start as the published fit does, which on 2x2 takes 0.1 s for each."""

_GAUSS_NEWTON_STEPS = 40


def logistic(x: ArrayLike, b: Any, L: Any, k: Any, Q: Any) -> NDArray[np.float64]:
    """Return b + L / (1 + exp(k (x - Q))) (paper 001, formula 7.2), of the shape of x.

    The parameters are numbers, or arrays that broadcast with x.
    """
    with np.errstate(over="ignore"):  # an infinite exponential is the right limit: 0 for the term
        return b + L / (1 + np.exp(k * (np.asarray(x, float) - Q)))


def _jacobian(x: NDArray[np.float64], b: Any, L: Any, k: Any, Q: Any) -> NDArray[np.float64]:
    """Return the derivatives of `logistic` by b, L, k, Q along a new last axis.

    The parameters are numbers or arrays that broadcast with x.
    """
    s = logistic(x, 0, 1, k, Q)
    slope = L * s * (1 - s)
    return np.stack([np.ones_like(s), s, -slope * (x - Q), slope * k], axis=-1)


def _fit(
    x: NDArray[np.float64], y: NDArray[np.float64], start: Any, **options: Any
) -> OptimizeResult:
    def residuals(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return logistic(x, *values) - y

    return least_squares(residuals, start, bounds=(LOW, HIGH), method="dogbox", **options)


def _published_fit(x: NDArray[np.float64], y: NDArray[np.float64]) -> OptimizeResult:
    """Fit as Annex A.2 does: what curve_fit(method="dogbox") runs, without its covariance."""
    start = [y.min(), y.max() - y.min(), 10, np.median(x)]
    return _fit(x, y, start, max_nfev=MAX_EVALUATIONS)


def _replicate_fit(
    x: NDArray[np.float64], y: NDArray[np.float64], start: NDArray[np.float64]
) -> OptimizeResult:
    """Fit a replicate from the fit of the data: the same minimum, ten times as fast."""

    def derivatives(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return _jacobian(x, *values)

    return _fit(x, y, start, jac=derivatives, max_nfev=_REPLICATE_EVALUATIONS)


def _gauss_newton(
    x: NDArray[np.float64], curves: NDArray[np.float64], start: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Fit all curves, shape (n, len(x)), at once from one start that is near every answer.

    Returns the parameters, shape (n, 4), and which of them are a minimum within the bounds, with
    the same parameters at a bound as the start; least_squares, which takes 2 ms for each, has to
    look at the others only.
    """
    values = np.tile(start, (len(curves), 1))
    found = np.zeros(len(curves), bool)
    at_high, at_low = start >= HIGH, start <= LOW
    free = np.flatnonzero(~at_high & ~at_low)
    for _ in range(_GAUSS_NEWTON_STEPS):
        rest = np.flatnonzero(~found)
        if not len(rest):
            break
        slopes, residuals = _linearise(x, values[rest], curves[rest])
        slopes = slopes[:, :, free]
        try:
            step = np.linalg.solve(
                np.einsum("nxi,nxj->nij", slopes, slopes),
                -np.einsum("nxi,nx->ni", slopes, residuals)[:, :, None],
            )[:, :, 0]
        except np.linalg.LinAlgError:  # one that runs away must not hold up the others
            break
        values[np.ix_(rest, free)] += step
        size = 1 + np.abs(values[np.ix_(rest, free)])
        found[rest] = (np.abs(step) <= 1e-9 * size).all(axis=1)
    slopes, residuals = _linearise(x, values, curves)
    uphill = np.einsum("nxi,nx->ni", slopes, residuals)
    # A bound holds only if the sum of squares would fall beyond it.
    held = (uphill[:, at_high] <= 0).all(axis=1) & (uphill[:, at_low] >= 0).all(axis=1)
    inside = ((values > LOW) & (values < HIGH))[:, free].all(axis=1)
    return values, found & inside & held


def _linearise(
    x: NDArray[np.float64], values: NDArray[np.float64], curves: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return derivatives (n, len(x), 4) and residuals (n, len(x)) of n fits."""
    columns = [values[:, i, None] for i in range(len(PARAMETERS))]
    with np.errstate(invalid="ignore"):
        return _jacobian(x[None, :], *columns), logistic(x[None, :], *columns) - curves


@dataclass(frozen=True, eq=False)
class LogisticFit:
    """A fitted b + L / (1 + exp(k (rho - Q))) and the critical density P = Q clipped to [0, 1].

    at_bound: names of the parameters at one of their bounds. residual_sum: sum of squared
    residuals. points: fitted points, (0, 1) and (1, 0) included; first, last: density and win rate
    of the least and the most dense point beside those two. replicates: Q of every converged
    bootstrap replicate, shape (at most the number asked for,); replicates_failed: those that did
    not converge. no_error: why there is no Q_sd, empty if there is one.
    """

    b: float
    L: float
    k: float
    Q: float
    P: float
    at_bound: tuple[str, ...]
    converged: bool
    residual_sum: float
    points: int
    first: tuple[float, float]
    last: tuple[float, float]
    replicates: NDArray[np.float64] = field(repr=False)
    replicates_failed: int = 0
    no_error: str = ""

    @property
    def Q_sd(self) -> float:
        """Standard deviation of Q over the bootstrap replicates; NaN without them."""
        if len(self.replicates) < 2:
            return np.nan
        # From the first value, so that equal replicates have a spread of exactly 0.
        return float(np.std(self.replicates - self.replicates[0], ddof=1))

    @property
    def Q_low(self) -> float:
        """2.5 % quantile of Q over the bootstrap replicates; NaN without them."""
        return float(np.quantile(self.replicates, 0.025)) if len(self.replicates) > 1 else np.nan

    @property
    def Q_high(self) -> float:
        """97.5 % quantile of Q over the bootstrap replicates; NaN without them."""
        return float(np.quantile(self.replicates, 0.975)) if len(self.replicates) > 1 else np.nan

    @property
    def P_replicates(self) -> NDArray[np.float64]:
        """P of every converged bootstrap replicate."""
        return np.clip(self.replicates, 0, 1)

    def curve(self, density: ArrayLike) -> NDArray[np.float64]:
        """Return the fitted win rate at mine densities, of the shape of density."""
        return logistic(density, self.b, self.L, self.k, self.Q)

    @property
    def degenerate(self) -> str:
        """Why the curve has no inflection inside (0, 1) and P is 0 or 1; empty if it has one.

        This is so on the boards 1x2 to 1x4 and 2x2 (P = 1), and 2xq (P = 0).
        """
        (sparse, most), (dense, least) = self.first, self.last
        if self.Q > 1:
            return (
                f"P = 1 because W = {least:.3g} at the highest density played, {dense:.3g}: the "
                "fall that the curve follows is the one to the point (1, 0), which the fit adds"
            )
        if self.Q < 0:
            return (
                f"P = 0 because the win rate falls fastest at once: from the point (0, 1), which "
                f"the fit adds, to W = {most:.3g} at the lowest density played, {sparse:.3g}, and "
                "ever more slowly after it, so that an inflection would lie below density 0"
            )
        return ""

    def warnings(self) -> list[str]:
        """Return what to distrust in this fit, one sentence an entry; empty if nothing."""
        found = []
        if not self.converged:
            found.append("the fit did not converge")
        if self.points <= _PATH_DEPENDENT_POINTS:
            found.append(
                f"{self.points} points for 4 parameters: where the fit starts decides the answer"
            )
        for name in self.at_bound:
            index = PARAMETERS.index(name)
            value = getattr(self, name)
            bound = HIGH[index] if value > 1 else LOW[index]
            found.append(f"{name} is at its bound {bound:g}: the bound, not the data, sets Q")
        if self.degenerate:
            found.append(self.degenerate)
            side = "below 0" if self.Q < 0 else "above 1"
            found.append(
                f"Q = {self.Q:.4g} is {side}: no inflection inside (0, 1), and P is clipped to "
                f"{self.P:g}"
            )
        if len(self.replicates) > 1:
            for edge in (0.0, 1.0):
                share = float(np.mean(self.P_replicates == edge))
                if share > 0 and self.P != edge:
                    found.append(f"P is clipped to {edge:g} in {share:.0%} of bootstrap replicates")
                elif 0 < share < 1 and self.P == edge:
                    found.append(f"P is not {edge:g} in {1 - share:.0%} of bootstrap replicates")
            if self.Q_sd == 0:
                found.append("Q_sd is 0: the win rates have no sampling error")
        if self.no_error:
            found.append(f"no Q_sd: {self.no_error}")
        if self.replicates_failed:
            found.append(f"{self.replicates_failed} bootstrap replicates did not converge")
        return found

    def report(self) -> str:
        """Return the fit in words: parameters, spread, and what to distrust."""
        spread = f" +- {self.Q_sd:.2g}" if np.isfinite(self.Q_sd) else ""
        lines = [
            f"P = {self.P:.4f} from Q = {self.Q:.4f}{spread}, {self.points} points",
            f"b = {self.b:.4f}, L = {self.L:.4f}, k = {self.k:.4f}, "
            f"sum of squared residuals {self.residual_sum:.3g}",
        ]
        lines += [f"distrust: {text}" for text in self.warnings()]
        return "\n".join(lines)


def fit_critical_density(
    density: ArrayLike,
    win_rate_corrected: ArrayLike,
    *,
    wins: ArrayLike | None = None,
    games: ArrayLike | None = None,
    replicates: int = 0,
    rng: np.random.Generator | None = None,
) -> LogisticFit:
    """Fit the logistic of paper 001 to one corrected win-rate curve, as published.

    density: mine densities, shape (n,), increasing in (0, 1); win_rate_corrected: shape (n,), in
    [0, 1]. The points (0, 1) and (1, 0) are added; no weights; dogbox within the bounds
    b, Q free, 0 <= L <= 3, k >= 0. Source: section 8.2, formulas 7.2 and 7.6, Annex A.2.

    With counts (wins, games: shape (n,); games = 0 where not played after a first 0), a number of
    replicates and a generator, the spread of Q is a parametric bootstrap: wins are drawn anew,
    binomially at the raw win rate, and every replicate is corrected and fitted afresh. On boards of
    up to 4 cells there are at most 30 replicates.
    Raises InputError for input out of these ranges.
    """
    rho = real_array("density", density)
    rate = real_array("win_rate_corrected", win_rate_corrected)
    if rho.ndim != 1 or rho.shape != rate.shape or not len(rho):
        raise InputError(
            f"density has shape {rho.shape} and win_rate_corrected {rate.shape}, must be one (n,)"
        )
    if not ((rho > 0) & (rho < 1)).all() or (np.diff(rho) <= 0).any():
        raise InputError("density must increase within (0, 1)")
    if not ((rate >= 0) & (rate <= 1)).all():
        raise InputError("win_rate_corrected must be in 0..1")
    replicates = integer("replicates", replicates, 0)

    x, y = np.r_[0, rho, 1], np.r_[1, rate, 0]
    best = _published_fit(x, y)
    b, L, k, Q = (float(value) for value in best.x)
    drawn, failed, no_error = np.empty(0), 0, ""
    if wins is None or games is None:
        no_error = "no counts of games and wins were given"
    elif replicates < 2:
        no_error = "no bootstrap was asked for"
    elif not isinstance(rng, np.random.Generator):
        raise InputError("rng must be a numpy Generator where replicates are asked for")
    else:
        drawn, failed = _bootstrap(rho, wins, games, best.x, replicates, rng)
        if len(drawn) < 2:
            no_error = "fewer than 2 bootstrap replicates converged"
    return LogisticFit(
        b,
        L,
        k,
        Q,
        P=float(np.clip(Q, 0, 1)),
        at_bound=tuple(name for name, at in zip(PARAMETERS, best.active_mask, strict=True) if at),
        converged=bool(best.success),
        residual_sum=float(2 * best.cost),
        points=len(x),
        first=(float(rho[0]), float(rate[0])),
        last=(float(rho[-1]), float(rate[-1])),
        replicates=drawn,
        replicates_failed=failed,
        no_error=no_error,
    )


def _bootstrap(
    density: NDArray[np.float64],
    wins: ArrayLike,
    games: ArrayLike,
    start: NDArray[np.float64],
    replicates: int,
    rng: np.random.Generator,
) -> tuple[NDArray[np.float64], int]:
    """Return Q of the converged replicates, and how many did not converge."""
    won, played = whole_array("wins", wins), whole_array("games", games)
    if won.shape != density.shape or played.shape != density.shape:
        raise InputError(f"wins and games must have the shape of density {density.shape}")
    if ((won < 0) | (won > played)).any():
        raise InputError("wins must be in 0..games")
    if len(density) + 2 <= _PATH_DEPENDENT_POINTS:
        replicates = min(replicates, _PATH_DEPENDENT_REPLICATES)
    trials = np.maximum(played, 1)  # a board not played stays at 0 wins
    rates = rng.binomial(trials, won / trials, size=(replicates, len(density))) / trials
    corrected, _ = correct(density, rates)
    # Small boards draw the same curve again and again.
    curves, copies = np.unique(corrected, axis=0, return_counts=True)
    x = np.r_[0, density, 1]
    y = np.pad(curves, ((0, 0), (1, 1)), constant_values=((0, 0), (1, 0)))
    values = np.empty((len(y), len(PARAMETERS)))
    converged = np.zeros(len(y), bool)
    published_start = len(x) <= _PATH_DEPENDENT_POINTS
    if not published_start:
        values, converged = _gauss_newton(x, y, start)
    for index in np.flatnonzero(~converged):
        fit = _published_fit(x, y[index]) if published_start else _replicate_fit(x, y[index], start)
        values[index], converged[index] = fit.x, fit.success
    Q = values[:, PARAMETERS.index("Q")]
    return np.repeat(Q[converged], copies[converged]), int(copies[~converged].sum())


_NEEDED = (
    *("board", "p", "q", "player", "first_click", "start", "seed"),
    *("mines", "density", "win_rate_corrected", "wins", "games"),
)


def fits_table(win_rates: pd.DataFrame, replicates: int = 200) -> pd.DataFrame:
    """Return the logistic fit (FIT_COLUMNS) of every board and player.

    win_rates: a table with the columns CORRECTED_COLUMNS. replicates: bootstrap replicates of
    each fit, 0 for none. The draws of a curve are keyed by its board, player, rules and seed, so
    a row does not depend on the other rows. Raises InputError if a board and player come with
    more than one start rule or seed.
    """
    require_columns(win_rates, _NEEDED, "corrected win rates")
    rows = []
    keys = ["board", "player"]
    for (board, player), curve in win_rates.groupby(keys, sort=False):
        if curve["mines"].duplicated().any():
            raise InputError(
                f"board={board}, player={player} must have one start rule and seed, has several"
            )
        ordered = curve.sort_values("mines")
        first = ordered.iloc[0]
        fit = fit_critical_density(
            ordered["density"],
            ordered["win_rate_corrected"],
            wins=ordered["wins"],
            games=ordered["games"],
            replicates=replicates,
            rng=_generator(first),
        )
        row = {"board": board, "p": first["p"], "q": first["q"], "player": player}
        row |= {name: getattr(fit, name) for name in (*PARAMETERS, "P", "Q_sd", "Q_low", "Q_high")}
        row |= {"at_bound": " ".join(fit.at_bound), "note": "; ".join(fit.warnings())}
        rows.append(row)
    return check_table(pd.DataFrame(rows, columns=list(FIT_COLUMNS)), FIT_COLUMNS, "fits table")


def _generator(curve: pd.Series) -> np.random.Generator:
    """Return the generator of a curve's bootstrap, keyed by what tells curves apart."""
    facts = [str(curve[name]) for name in ("board", "player", "first_click", "start", "seed")]
    digest = hashlib.blake2b(json.dumps(facts).encode(), digest_size=16).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))
