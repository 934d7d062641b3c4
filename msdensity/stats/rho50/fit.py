"""rho50 by maximum likelihood, with a profile-likelihood interval and a bootstrap to check it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.stats import chi2, norm

from msdensity.errors import InputError, fraction, integer, real_array, require_kind, shown
from msdensity.stats.curve import exact_rates, one_curve
from msdensity.stats.intervals import Estimate
from msdensity.stats.model_fit import MAX_REPLICATES
from msdensity.stats.rho50.control_variate import effective_counts
from msdensity.stats.rho50.crossing import Points, check_counts, draw, isotonic_crossing
from msdensity.stats.rho50.curve import (
    HALF,
    MAX_K,
    STEEPNESS,
    density_window,
    information,
)
from msdensity.stats.rho50.exact import fit_exact_rho50
from msdensity.stats.rho50.fit_object import (
    FEW_POINTS,
    REJECTED,
    SMALL_BOARD,
    Bootstrap,
    Rho50Fit,
)
from msdensity.stats.rho50.likelihood import deviance, log_likelihood, maximise


def fit_rho50(
    density: ArrayLike | pd.DataFrame,
    wins: ArrayLike | None = None,
    games: ArrayLike | None = None,
    window: tuple[float, float] | None = None,
    *,
    cells: int | None = None,
    confidence: float = 0.95,
    replicates: int = 0,
    rng: np.random.Generator | None = None,
) -> Rho50Fit:
    """Fit rho50, k and bend to counts of games by binomial maximum likelihood.

    density: mines over cells, rising in (0, 1), shape (n,), or a table of one curve with the
    columns density, wins and games, such as the rows of one board and player of win_rates.csv;
    wins, games: shape (n,), with 0 <= wins <= games and games > 0. window: lowest and highest
    density used, from a pilot of other games (see `density_window`). cells: of the board, by
    default from the column mines of a table; below 36 the report gives W(m), and exact win rates
    count where all rows of a table have one: see `fit_exact_rho50`. replicates (0, or at least 2)
    and a generator add the bootstrap of the fit and of the falling sequence. Raises InputError out
    of these ranges. Too few points or points that determine no curve are not an error: see
    `Rho50Fit.no_fit`.

    The bend is fitted if at least 3 points have both wins and losses and the fitted curve falls
    from the first point to the last; else it is 0. Win rates of real boards bend: without it rho50
    of 16 x 16 is .7 % too small, many times its error (docs/explanation/rho50.py). If the curve
    is rejected all the same (p below .01), error and interval are scaled by sqrt(deviance / df).

    Without a window the counts choose it: the densities at which a curve fitted to them has W from
    .8 to .2 (.95 to .05 if fewer than 4 points lie there), and the two around the crossing. This
    keeps points that chance has moved in and drops those that it has moved out, so that interval
    and p_value are no longer exact. On a board with fewer than 36 cells rho50 is where the
    straight line between the two numbers of mines around the crossing of the falling sequence is at
    1/2, whatever the window, because others are far away; k is its slope.
    """
    if isinstance(density, pd.DataFrame):
        if wins is not None or games is not None:
            raise InputError("wins and games must be left out beside a table")
        exact = exact_rates(density)
        density, wins, games, cells = _table_counts(density, cells)
        if exact is not None and cells is not None and cells < SMALL_BOARD:
            return fit_exact_rho50(density, exact, cells, confidence)
    if wins is None or games is None:
        raise InputError("wins and games must be given unless density is a table")
    points = check_counts(density, wins, games)
    if window is None:
        fit = _fit(points, _window(points), cells, confidence, replicates, rng, effective=False)
        return replace(fit, own_window=True)
    return _fit(points, window, cells, confidence, replicates, rng, effective=False)


def fit_power(density: ArrayLike, wins: ArrayLike, games: ArrayLike) -> tuple[float, float] | None:
    """Return rho50 and k of a curve without a bend, for a pilot; None if there is none.

    As `fit_rho50`, whose errors it raises, with all points.
    """
    points = check_counts(density, wins, games)
    if len(points.density) < 2 or not 0 < points.wins.sum() < points.games.sum():
        return None
    if _without_maximum(*points):
        return None
    line = _Line(points.density)
    values, converged = maximise(line.columns(1), points.wins[None], points.games[None])
    rho50, k, _ = line.curves(values)[0]
    return (float(rho50), float(k)) if converged[0] and _sane(rho50, k) else None


def _table_counts(
    table: pd.DataFrame, cells: int | None
) -> tuple[ArrayLike, ArrayLike, ArrayLike, int | None]:
    """Return density, wins and games of rows with games, and the cells of the board if known."""
    rows = one_curve(table, ("density", "wins", "games"))
    rows = rows[rows["games"] > 0]
    if "mines" in rows.columns and len(rows):
        known = round(float(rows["mines"].iloc[-1] / rows["density"].iloc[-1]))
        if cells not in (None, known):
            raise InputError(f"cells={shown(cells)} must be {known}, as in the table")
        cells = known
    return rows["density"], rows["wins"], rows["games"], cells


def _window(points: Points) -> tuple[float, float]:
    """Return a window from the counts themselves; all densities if they do not cross 1/2."""
    rho = points.density
    crossing = isotonic_crossing(*points).best
    if not np.isfinite(crossing):
        return 0.0, 1.0
    near = density_window(crossing, STEEPNESS)
    inside = (rho >= near[0]) & (rho <= near[1])
    found = fit_power(*(values[inside] for values in points)) if inside.sum() > 1 else None
    rho50, k = found or (crossing, STEEPNESS)
    low, high = density_window(rho50, k)
    if np.sum((rho >= low) & (rho <= high)) < FEW_POINTS:
        low, high = density_window(rho50, k, (0.05, 0.95))
    around = _around(rho, crossing)
    return min(low, around[0]), max(high, around[1])


def _around(density: NDArray[np.float64], crossing: float) -> tuple[float, float]:
    """Return the densities played on both sides of a crossing within them."""
    after = int(np.clip(np.searchsorted(density, crossing), 1, max(len(density) - 1, 1)))
    return float(density[after - 1]), float(density[min(after, len(density) - 1)])


def fit_rho50_rates(
    density: ArrayLike,
    win_rate: ArrayLike,
    error: ArrayLike,
    window: tuple[float, float],
    *,
    cells: int | None = None,
    confidence: float = 0.95,
    replicates: int = 0,
    rng: np.random.Generator | None = None,
) -> Rho50Fit:
    """Fit rho50, k and bend to win rates with standard errors, such as reduced ones.

    As `fit_rho50`, with win_rate (in (0, 1) within the window) and error (above 0), shape (n,). A
    rate W with error s counts as W (1 - W) / s^2 effective games. Maximum likelihood is then
    weighted least squares of ln(-ln W) with the weights of the delta method at the fitted curve,
    iterated, so that a rate that is low by chance does not get a larger weight.
    """
    given = ("density", density), ("win_rate", win_rate), ("error", error)
    rho, rate, spread = (real_array(name, values) for name, values in given)
    if not rho.shape == rate.shape == spread.shape:
        raise InputError(
            f"density has shape {rho.shape}, win_rate {rate.shape} and error {spread.shape}, "
            "must be one (n,)"
        )
    low, high = _ends(window)
    used = (rho >= low) & (rho <= high)
    wrong = used & ~((rate > 0) & (rate < 1))
    if wrong.any():
        raise InputError(
            f"win_rate={rate[wrong][0]:g} at density {rho[wrong][0]:g} must be in (0, 1) within "
            "the window"
        )
    # Outside the window a reduced rate may be beyond 0 or 1 by chance; only the crossing uses it.
    inside = np.clip(rate, 1e-6, 1 - 1e-6)
    points = check_counts(rho, *effective_counts(inside, spread))
    return _fit(points, window, cells, confidence, replicates, rng, effective=True)


def _fit(
    points: Points,
    window: tuple[float, float],
    cells: int | None,
    confidence: float,
    replicates: int,
    rng: np.random.Generator | None,
    *,
    effective: bool,
) -> Rho50Fit:
    low, high = _ends(window)
    fraction("confidence", confidence)
    if cells is not None:
        integer("cells", cells, 1)
    if integer("replicates", replicates, 0, MAX_REPLICATES) == 1:
        raise InputError(f"replicates={replicates} must be 0 or at least 2")
    if replicates:
        require_kind("rng", rng, np.random.Generator, "a numpy Generator if replicates is above 0")
    crossing = isotonic_crossing(*points, replicates=replicates, rng=rng, confidence=confidence)
    small = cells is not None and cells < SMALL_BOARD and np.isfinite(crossing.best)
    if small:
        low, high = _around(points.density, crossing.best)
    used = (points.density >= low) & (points.density <= high)
    empty = Rho50Fit(
        window=(low, high),
        density=points.density[used],
        wins=points.wins[used],
        games=points.games[used],
        outside=int((~used).sum()),
        confidence=confidence,
        effective=effective,
        cells=cells,
        crossing=crossing,
    )
    fit = _between(empty) if small else _maximum(empty)
    if small or fit.no_fit or not replicates or rng is None:
        return fit
    return replace(fit, bootstrap=_bootstrap(fit, replicates, rng))


def _between(data: Rho50Fit) -> Rho50Fit:
    """Return where the straight line between the two points of `data` crosses 1/2."""
    (a, b), n = data.density, data.games
    v, w = data.wins / n
    if not (v >= 0.5 >= w and v > w):
        return data.without_fit("no two numbers of mines in a row lie on both sides of 1/2")
    step, fall = b - a, v - w
    rho50, to_k = a + step * (v - 0.5) / fall, 2 / np.log(2) / step
    of_rho50 = np.array([0.5 - w, v - 0.5]) * step / fall**2  # derivatives by v and w
    of_k = to_k * (of_rho50 * fall + rho50 * np.array([1, -1]))
    jacobian = np.stack([of_rho50, of_k, [0, 0]])
    # No rate is known better than one with half a game more of the rarer outcome.
    kept = np.clip(np.array([v, w]), 0.5 / n, 1 - 0.5 / n)
    covariance = jacobian @ np.diag(kept * (1 - kept) / n) @ jacobian.T
    error = float(np.sqrt(covariance[0, 0]))
    reach = float(norm.ppf((1 + data.confidence) / 2)) * error
    return replace(
        data,
        rho50=float(rho50),
        k=float(to_k * rho50 * fall),
        bend=0.0,
        degree=1,
        covariance=covariance,
        deviance=0.0,
        interval=Estimate(max(float(rho50) - reach, 0), float(rho50), min(float(rho50) + reach, 1)),
    )


def _ends(window: object) -> tuple[float, float]:
    """Return the ends of a window; InputError unless they are two rising densities in 0..1."""
    with suppress(TypeError, ValueError):
        low, high = (float(end) for end in window)  # type: ignore[attr-defined]
        if 0 <= low < high <= 1:
            return low, high
    raise InputError(f"window={shown(window)} must be two rising densities in 0..1")


class _Line:
    """ln density of points, scaled to about -1 .. 1, and the curves of its polynomials."""

    def __init__(self, density: NDArray[np.float64]) -> None:
        x = np.log(density)
        self.middle = float(x.mean())
        self.scale = float(np.abs(x - self.middle).max())
        self.u = (x - self.middle) / self.scale

    def columns(self, degree: int) -> NDArray[np.float64]:
        """Return the powers 0 .. degree at the points, shape (points, degree + 1)."""
        return np.vander(self.u, degree + 1, increasing=True)

    def curves(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (rho50, k, bend) of polynomials for eta, shape (n, 3).

        values: their coefficients, shape (n, 2 or 3). All are NaN for a polynomial that does not
        rise through ln ln 2, or that falls at the first point or the last.
        """
        a, b = values[:, 0] - HALF, values[:, 1]
        c = values[:, 2] if values.shape[1] > 2 else np.zeros_like(a)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            slope = np.sqrt(b**2 - 4 * a * c)  # at the root
            root = np.where(b > 0, -2 * a / (b + slope), (slope - b) / (2 * c))
            rho50 = np.exp(self.middle + self.scale * root)
        curves = np.stack([rho50, slope / self.scale, c / self.scale**2], 1)
        falls = np.minimum(b + 2 * c * self.u[0], b + 2 * c * self.u[-1]) > _FLAT
        return np.where(falls[:, None], curves, np.nan)


def _maximum(empty: Rho50Fit) -> Rho50Fit:
    """Return the fit of the points in `empty`."""
    rho, won, played = empty.density, empty.wins, empty.games
    if fault := _why_not(empty):
        return empty.without_fit(fault)
    line = _Line(rho)
    mixed = int(((won > 0) & (won < played)).sum())
    for degree in (2, 1) if mixed > 2 else (1,):
        values, converged = maximise(line.columns(degree), won[None], played[None])
        rho50, k, bend = (float(value) for value in line.curves(values)[0])
        if converged[0] and _sane(rho50, k):
            break
    else:
        return empty.without_fit(_RISING if values[0, 1] <= _FLAT else _SEPARATED)
    eta = line.columns(degree) @ values[0]
    covariance = np.zeros((3, 3))
    size = degree + 1
    found = information(rho, played, rho50, k, bend)[:size, :size]
    inverse = np.linalg.inv(found)
    covariance[:size, :size] = (inverse + inverse.T) / 2
    fit = replace(
        empty,
        rho50=rho50,
        k=k,
        bend=bend,
        degree=degree,
        covariance=covariance,
        deviance=deviance(eta, won, played),
    )
    if fit.p_value < REJECTED:
        fit = replace(fit, scale=float(np.sqrt(fit.deviance / fit.df)))
    if not rho[0] - fit.error <= rho50 <= rho[-1] + fit.error:
        return empty.without_fit(
            f"rho50 = {rho50:.4g} lies beyond the densities fitted, {rho[0]:.4g} to {rho[-1]:.4g}, "
            "which are all on one side of 1/2"
        )
    interval, at_bound = _interval(fit, float(log_likelihood(eta, won, played)))
    return replace(fit, interval=interval, at_bound=at_bound)


_FLAT = 1e-6
"""Below this slope the win rates do not fall but for rounding."""

_SEPARATED = "the points can be separated, so that they determine no curve with 0 < k < 1000"
_RISING = "the win rates do not fall, so that they determine no curve with 0 < k < 1000"


def _sane(rho50: float, k: float) -> bool:
    return 0 < rho50 < 1 and 0 < k < MAX_K


def _why_not(data: Rho50Fit) -> str:
    """Return why the points determine no curve, empty if they may."""
    n, won = data.points, data.wins.sum()
    if n < 2:
        return f"{n} of {n + data.outside} points lie in the window, must be at least 2"
    if not 0 < won < data.games.sum():
        return f"all games in the window were {'won' if won else 'lost'}"
    return _without_maximum(data.density, data.wins, data.games)


def _without_maximum(
    density: NDArray[np.float64], wins: NDArray[np.float64], games: NDArray[np.float64]
) -> str:
    """Return why the likelihood has no maximum at a finite k, empty if it has one.

    It has none if all wins lie on one side of a density and all losses on the other side or at it.
    """
    won, lost = density[wins > 0], density[wins < games]
    if won[-1] <= lost[0]:
        return _SEPARATED
    return _RISING if lost[-1] <= won[0] else ""


def _interval(fit: Rho50Fit, best: float) -> tuple[Estimate, tuple[str, ...]]:
    """Return the densities at which the profile is chi2 / 2 below its maximum, and unreached ends.

    best: the maximum. The search goes from half the lowest density to twice the highest, at most 1.
    """
    x = np.log(fit.density)
    drop = float(chi2.ppf(fit.confidence, 1)) / 2 * fit.scale**2

    def excess(density: float) -> float:
        t = x - np.log(density)
        columns = np.stack([t, t**2], 1)[:, : fit.degree] / np.abs(t).max()
        values, _ = maximise(columns, fit.wins[None], fit.games[None], HALF)
        return best - float(log_likelihood(HALF + columns @ values[0], fit.wins, fit.games)) - drop

    rho50, error = fit.rho50, fit.error
    reach = float(norm.ppf((1 + fit.confidence) / 2)) * error
    bounds = (
        min(fit.density[0], rho50) / 2,
        min(1.0, 2 * max(fit.density[-1], rho50)),
    )
    ends, at_bound = [], []
    for name, sign, bound in (("low", -1, bounds[0]), ("high", 1, bounds[1])):
        # From the end of the normal interval outwards until past the root: seldom over one step.
        inner, outer = rho50, rho50 + sign * reach
        while sign * (bound - outer) > 0 and excess(outer) < 0:
            inner, outer = outer, rho50 + 2 * (outer - rho50)
        if sign * (bound - outer) <= 0:
            outer = bound
            if excess(bound) < 0:
                ends.append(float(bound))
                at_bound.append(name)
                continue
        ends.append(float(brentq(excess, inner, outer, xtol=1e-6 * error, rtol=1e-14)))
    return Estimate(ends[0], rho50, ends[1]), tuple(at_bound)


def _bootstrap(fit: Rho50Fit, replicates: int, rng: np.random.Generator) -> Bootstrap:
    """Return the spread of rho50 over games drawn from the fitted curve."""
    line = _Line(fit.density)
    wins = draw(rng, fit.predict(fit.density), fit.games, replicates)
    values, converged = maximise(line.columns(fit.degree), wins, fit.games)
    drawn = line.curves(values)[converged, 0]
    drawn = drawn[np.isfinite(drawn)]
    if len(drawn) < 2:
        no_estimate = Estimate(np.nan, fit.rho50, np.nan)
        return Bootstrap(np.nan, no_estimate, replicates, replicates - len(drawn))
    tail = (1 - fit.confidence) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    interval = Estimate(float(low), fit.rho50, float(high))
    return Bootstrap(float(np.std(drawn, ddof=1)), interval, replicates, replicates - len(drawn))
