"""The logistic fit of paper 001, which defines the critical density P."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import OptimizeResult, least_squares

from msdensity.errors import InputError
from msdensity.files.tables import check_table, require_columns, required
from msdensity.stats.columns import FIT_COLUMNS
from msdensity.stats.correction import correct
from msdensity.stats.curve import Curve, read_curve
from msdensity.stats.fit import Picture
from msdensity.stats.model_fit import ModelFit, maximise, plus_minus, read_bootstrap
from msdensity.stats.models import LOGISTIC, logistic

PARAMETERS = LOGISTIC.parameters

LOW, HIGH = LOGISTIC.bounds
"""Bounds of b, L, k, Q (Annex A.2, line 36)."""

MAX_EVALUATIONS = 1_000_000
"""Annex A.2, line 40."""

_REPLICATE_EVALUATIONS = 10_000
"""A replicate has never needed 300; one that does not converge must not delay the others."""

_PATH_DEPENDENT_POINTS = 5
"""With up to this many points for four parameters (1x2..1x4, 2x2) the start decides the answer."""

_GAUSS_NEWTON_STEPS = 100

_CONVERGED, _SETTLED = 1e-9, 1e-13
"""Relative steps of a minimum, and of one that is exact but for rounding: its written digits do not
depend on the instructions of the CPU."""


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
    """Fit as Annex A.2 does: curve_fit(method="dogbox") without its covariance."""
    return _fit(x, y, LOGISTIC.start(x, y), max_nfev=MAX_EVALUATIONS)


def _replicate_fit(
    x: NDArray[np.float64], y: NDArray[np.float64], start: NDArray[np.float64]
) -> OptimizeResult:
    """Fit a replicate, starting at the fit of the data: the same minimum, ten times as fast."""

    def derivatives(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return _jacobian(x, *values)

    return _fit(x, y, start, jac=derivatives, max_nfev=_REPLICATE_EVALUATIONS)


def _gauss_newton(
    x: NDArray[np.float64], curves: NDArray[np.float64], start: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Fit all curves, shape (n, len(x)), at once from one start near every answer.

    Returns the parameters, shape (n, 4), and which of them are a minimum within the bounds with the
    same parameters at a bound as the start. Only the others need least_squares, which takes 2 ms
    for each.
    """
    values = np.tile(start, (len(curves), 1))
    converged, settled = np.zeros(len(curves), bool), np.zeros(len(curves), bool)
    at_high, at_low = start >= np.array(HIGH), start <= np.array(LOW)
    free = np.flatnonzero(~at_high & ~at_low)
    for _ in range(_GAUSS_NEWTON_STEPS):
        rest = np.flatnonzero(~settled)
        if not len(rest):
            break
        slopes, residuals = _linearise(x, values[rest], curves[rest])
        slopes = slopes[:, :, free]
        try:
            step = np.linalg.solve(
                np.einsum("nxi,nxj->nij", slopes, slopes),
                -np.einsum("nxi,nx->ni", slopes, residuals)[:, :, None],
            )[:, :, 0]
        except np.linalg.LinAlgError:  # one that diverges must not stop the others
            break
        values[np.ix_(rest, free)] += step
        size = 1 + np.abs(values[np.ix_(rest, free)])
        converged[rest] = (np.abs(step) <= _CONVERGED * size).all(axis=1)
        settled[rest] = (np.abs(step) <= _SETTLED * size).all(axis=1)
    slopes, residuals = _linearise(x, values, curves)
    uphill = np.einsum("nxi,nx->ni", slopes, residuals)
    # A parameter stays at a bound only if the sum of squares would fall beyond the bound.
    held = (uphill[:, at_high] <= 0).all(axis=1) & (uphill[:, at_low] >= 0).all(axis=1)
    inside = ((values > np.array(LOW)) & (values < np.array(HIGH)))[:, free].all(axis=1)
    return values, converged & inside & held


def _linearise(
    x: NDArray[np.float64], values: NDArray[np.float64], curves: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return derivatives (n, len(x), 4) and residuals (n, len(x)) of n fits."""
    columns = [values[:, i, None] for i in range(len(PARAMETERS))]
    with np.errstate(invalid="ignore"):
        return _jacobian(x[None, :], *columns), logistic(x[None, :], *columns) - curves


def _polish(
    x: NDArray[np.float64], y: NDArray[np.float64], end: OptimizeResult
) -> tuple[NDArray[np.float64], bool]:
    """Return the minimum where least_squares has ended, and whether the points determine it.

    least_squares stops up to 1e-5 away, at a place that rounding errors decide.
    """
    values, determined = _gauss_newton(x, y[None], end.x)
    return (values[0], True) if determined[0] else (end.x, False)


@dataclass(frozen=True, eq=False, repr=False)
class LogisticFit(ModelFit):
    """A fitted b + L / (1 + exp(k (rho - Q))) and the critical density P = Q clipped to [0, 1].

    It is the unweighted least-squares fit to the corrected win rates and the points (0, 1) and
    (1, 0), as published; only `deviance` and `aicc` belong to the maximum of the likelihood.
    determined: whether the points determine the parameters. If not, other parameters fit as well,
    and rounding errors choose among them; only that P is 0 or 1 is a result.
    """

    determined: bool = True

    @property
    def b(self) -> float:
        """The win rate at high densities."""
        return float(self.parameters[0])

    @property
    def L(self) -> float:
        """The height of the fall, 0..3."""
        return float(self.parameters[1])

    @property
    def k(self) -> float:
        """The steepness, at least 0."""
        return float(self.parameters[2])

    @property
    def points(self) -> int:
        """Number of fitted points, including (0, 1) and (1, 0)."""
        return len(self.data.density) + 2

    @property
    def residual_sum(self) -> float:
        """Sum of squared residuals."""
        x, y = _points(self.data)
        return float(np.sum((self.predict(x) - y) ** 2))

    @cached_property
    def deviance(self) -> float:
        """Deviance at the maximum of the likelihood; NaN without counts."""
        if self.data.wins is None:
            return np.nan
        return maximise(self.model, self.data, self.parameters).deviance

    def results(self) -> dict[str, float]:
        """Return b, L, k, Q, P and the spread of Q by their names; NaN if not determined."""
        results = {name: getattr(self, name) for name in ("b", "L", "k")} | super().results()
        if self.determined:
            return results
        return dict.fromkeys(results, np.nan) | ({"P": self.P} if self.P in (0, 1) else {})

    @property
    def degenerate(self) -> str:
        """Why the curve has no inflection inside (0, 1) and P is 0 or 1; empty if it has one.

        It has none on the boards 1x2 to 1x4 and 2x2 (P = 1), and 2xq (P = 0).
        """
        sparse, dense = self.data.density[[0, -1]]
        most, least = self.data.rate[[0, -1]]
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
        """Return the warnings about this fit, one sentence each."""
        texts = []
        if not self.converged:
            texts.append("the fit did not converge")
        if self.points <= _PATH_DEPENDENT_POINTS:
            texts.append(
                f"{self.points} points for 4 parameters: where the fit starts decides the answer"
            )
        elif not self.determined:
            texts.append("many curves fit the points equally well")
        for name in self.at_bound if self.determined else ():
            index = PARAMETERS.index(name)
            value = getattr(self, name)
            bound = HIGH[index] if value > 1 else LOW[index]
            texts.append(f"{name} is at its bound {bound:g}: the bound, not the data, sets Q")
        rate = self.data.rate
        if set(rate) == {0.0, 1.0}:
            first = int(np.argmin(rate))
            between = self.data.density[max(first - 1, 0) : first + 1]
            texts.append(
                "the win rate falls from 1 to 0 at once: every Q between the densities "
                f"{between[0]:.4g} and {between[-1]:.4g} fits"
            )
        if self.degenerate:
            texts.append(self.degenerate)
            side = "below 0" if self.Q < 0 else "above 1"
            value = f" = {self.Q:.4g}" if self.determined else ""
            texts.append(
                f"Q{value} is {side}: no inflection inside (0, 1), and P is clipped to {self.P:g}"
            )
        elif not self.determined:
            texts.append("P is not determined")
        return texts + self.bootstrap_warnings()

    def lines(self) -> list[str]:
        """Return the lines of the report without the warnings."""
        parts = [
            f"{name} = {self.values[name]:.4f}{plus_minus(error)}"
            for name, error in list(self.errors.items())[:3]
        ]
        return [
            f"P = {self.P:.4f} from Q = {self.Q:.4f}{plus_minus(self.Q_sd)}, {self.points} points",
            f"{', '.join(parts)}, sum of squared residuals {self.residual_sum:.3g}",
        ]

    def picture(self) -> Picture:
        """Return what `plot` draws."""
        added = ((0.0, 1.0), (1.0, 0.0))
        if self.data.wins is not None:
            return replace(super().picture(), added=added)
        density, rate = self.data.density, self.data.rate
        unknown = np.full(len(rate), np.nan)
        away = rate - self.predict(density)
        line = np.linspace(0, 1, 401)
        return Picture(
            density,
            rate,
            unknown,
            unknown,
            away / np.sqrt(np.mean(away**2)),
            line,
            self.predict(line),
            self.predict_error(line),
            ("mine density $\\rho$", "win rate $W$"),
            "scatter",
            ((self.P, f"$P$ = {self.P:.4f}"),),
            added,
        )


def _points(curve: Curve) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return densities and win rates with the points (0, 1) and (1, 0)."""
    return np.r_[0, curve.density, 1], np.r_[1, curve.rate, 0]


def fit_critical_density(
    density: ArrayLike | pd.DataFrame,
    win_rate_corrected: ArrayLike | None = None,
    *,
    wins: ArrayLike | None = None,
    games: ArrayLike | None = None,
    replicates: int | None = None,
    rng: np.random.Generator | None = None,
) -> LogisticFit:
    """Fit the logistic of paper 001 to one corrected win-rate curve, as published.

    density: mine densities, shape (n,), increasing in (0, 1); or, without other arrays, a table of
    one curve with the columns density, win_rate_corrected, wins and games: the rows of one board
    and player of win_rates.csv, or of `win_rate_table`, which are corrected first.
    win_rate_corrected: shape (n,), in [0, 1]. The points (0, 1) and (1, 0) are added; no weights;
    dogbox within the bounds b, Q free, 0 <= L <= 3, k >= 0. Source: section 8.2, formulas 7.2 and
    7.6, Annex A.2.

    With counts (wins, games: shape (n,); games = 0 if not played after a first 0) the errors of
    b, L, k, Q and their covariance come from a parametric bootstrap: wins are drawn from binomial
    distributions at the raw win rates, and every replicate is corrected and fitted. An exact win
    rate (a table's column `exact`) is the same in all replicates. replicates:
    their number, by default 200, 0 for no errors. rng: the generator, by default with a
    fixed seed. Raises InputError for input out of these ranges.
    """
    curve = read_curve(density, win_rate_corrected, wins, games)
    number, rng = read_bootstrap(replicates, rng)
    points = _points(curve)
    best = _published_fit(*points)
    values, determined = best.x, False
    if len(points[0]) > _PATH_DEPENDENT_POINTS:
        values, determined = _polish(*points, best)
    drawn, failed, no_error = np.empty((0, len(PARAMETERS))), 0, ""
    if curve.wins is None:
        no_error = "pass wins= and games=, the counts of games"
    elif number < 2:
        no_error = "no bootstrap was asked for"
    elif not determined:
        no_error = "the points do not determine the fit"
    else:
        drawn, failed = _bootstrap(curve, values, number, rng)
        if len(drawn) < 2:
            no_error = "fewer than 2 bootstrap replicates converged"
    return LogisticFit(
        LOGISTIC,
        values,
        tuple(name for name, at in zip(PARAMETERS, best.active_mask, strict=True) if at),
        bool(best.success),
        curve,
        drawn,
        failed,
        no_error,
        determined,
    )


def _bootstrap(
    curve: Curve, start: NDArray[np.float64], replicates: int, rng: np.random.Generator
) -> tuple[NDArray[np.float64], int]:
    """Return the parameters of the converged replicates, and how many did not converge."""
    density, won, played = curve.density, curve.wins, curve.games
    assert won is not None and played is not None
    trials = np.maximum(played, 1)  # a board not played stays at 0 wins
    rates = rng.binomial(trials, won / trials, size=(replicates, len(density))) / trials
    if curve.exact is not None:
        rates = np.where(curve.known, curve.exact, rates)
    corrected, _ = correct(density, rates)
    # On small boards many draws are equal: fit each once.
    curves, copies = np.unique(corrected, axis=0, return_counts=True)
    x = np.r_[0, density, 1]
    y = np.pad(curves, ((0, 0), (1, 1)), constant_values=((0, 0), (1, 0)))
    values, converged = _gauss_newton(x, y, start)
    for index in np.flatnonzero(~converged):
        end = _replicate_fit(x, y[index], start)
        values[index], converged[index] = _polish(x, y[index], end)
    kept = np.repeat(values[converged], copies[converged], axis=0)
    return kept, int(copies[~converged].sum())


_START = ["first_click", "start", "seed"]

_NEEDED = (
    *("board", "p", "q", "player", "first_click", "start", "seed"),
    *("mines", "density", "win_rate_corrected", "wins", "games"),
)


def fits_table(win_rates: pd.DataFrame, replicates: int = 200) -> pd.DataFrame:
    """Return the logistic fit (FIT_COLUMNS) of every board and player.

    win_rates: a table with the columns CORRECTED_COLUMNS. replicates: bootstrap replicates of
    each fit, 0 for none. The draws of a curve are keyed by its board, player, rules and seed, so
    a row does not depend on the other rows. Raises InputError if a board and player have more than
    one start rule or seed.
    """
    rows = []
    for head, curve, rng in curves(win_rates):
        fit = fit_critical_density(curve, replicates=replicates, rng=rng)
        rows.append(head | fit_row(fit))
    return check_table(pd.DataFrame(rows, columns=required(FIT_COLUMNS)), FIT_COLUMNS, "fits table")


def curves(
    win_rates: pd.DataFrame,
) -> Iterator[tuple[dict[str, Any], pd.DataFrame, np.random.Generator]]:
    """Yield the first columns of each curve's row, its rows by mines, and its generator."""
    require_columns(win_rates, _NEEDED, "corrected win rates")
    for (board, player), curve in win_rates.groupby(["board", "player"], sort=False):
        if curve["mines"].duplicated().any() or len(curve[_START].drop_duplicates()) > 1:
            raise InputError(
                f"board={board}, player={player} must have one start rule and seed, has several"
            )
        ordered = curve.sort_values("mines")
        first = ordered.iloc[0]
        head = {"board": board, "p": first["p"], "q": first["q"], "player": player}
        yield head, ordered, _generator(first)


def fit_row(fit: ModelFit) -> dict[str, Any]:
    """Return the results of a fit as columns of FIT_COLUMNS; b, L, k only of the logistic."""
    row: dict[str, Any] = dict.fromkeys(("b", "L", "k"), np.nan) | fit.results()
    at_bound = fit.at_bound if np.isfinite(fit.results()["Q"]) else ()
    return row | {"at_bound": " ".join(at_bound), "note": "; ".join(fit.warnings())}


def _generator(curve: pd.Series) -> np.random.Generator:
    """Return the generator of a curve's bootstrap, keyed by what identifies the curve."""
    facts = [str(curve[name]) for name in ("board", "player", "first_click", "start", "seed")]
    digest = hashlib.blake2b(json.dumps(facts).encode(), digest_size=16).digest()
    return np.random.default_rng(int.from_bytes(digest, "big"))
