"""rho50 of one board from the counts of its games, with and without the control variate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from msdensity.stats.intervals import Estimate
from msdensity.stats.rho50.control_variate import ReducedRate, reduced_win_rate
from msdensity.stats.rho50.fit import fit_rho50, fit_rho50_rates
from msdensity.stats.rho50.fit_object import Rho50Fit

WINS, NO_GUESS_WINS = "wins", "no_guess_wins"
"""The outcomes whose density of 1/2 is measured, by their names in MEASURES."""

MAX_APPROXIMATE = 0.01
"""With a larger share of approximate games the result has a warning."""

APPROXIMATE = (
    "{:.1%} of the games had a position too large for exact counting: the player took approximate "
    "safeties there"
)


@dataclass(frozen=True, eq=False)
class Measurement:
    """rho50 of a board: from the counts alone, and reduced if the player states safeties.

    rates: the reduced win rates by number of mines, empty if there are none; counts: those given;
    approximate: games in which a position was too large for exact counting; cpu_seconds: of the
    games, NaN if unknown.
    """

    plain: Rho50Fit
    reduced: Rho50Fit | None
    rates: dict[int, ReducedRate]
    counts: Mapping[int, Mapping[str, int]]
    approximate: int
    cpu_seconds: float = np.nan

    @property
    def best(self) -> Rho50Fit:
        """The estimate to use: the reduced one where there is one."""
        return self.reduced or self.plain


def fit_counts(
    counts: Mapping[int, Mapping[str, int]],
    cells: int,
    window: tuple[float, float],
    outcome: str = WINS,
) -> Measurement:
    """Fit the density at which half the games end with `outcome`.

    counts: `games` and MEASURES of each number of mines, rising; window: lowest and highest density
    of the fit; outcome: WINS or NO_GUESS_WINS. Only wins have a control variate. There is no fit if
    the densities played do not enclose rho50.
    """
    density = np.array(list(counts)) / cells
    ended = np.array([count[outcome] for count in counts.values()])
    games = np.array([count["games"] for count in counts.values()])
    approximate = sum(count["approximate"] for count in counts.values())
    share = approximate / games.sum()
    notes = (APPROXIMATE.format(share),) if share > MAX_APPROXIMATE else ()
    plain = _enclosed(fit_rho50(density, ended, games, window, cells=cells), notes)
    rates: dict[int, ReducedRate] = {}
    reduced = None
    if outcome == WINS and all(count["z0_z0"] > 0 for count in counts.values()):
        rates = {m: reduced_win_rate(count) for m, count in counts.items()}
        best = np.array([rate.rate.best for rate in rates.values()])
        errors = np.array([rate.error for rate in rates.values()])
        if ((best > 0) & (best < 1) & (errors > 0)).all():
            reduced = fit_rho50_rates(density, best, errors, window, cells=cells)
            reduced = _enclosed(reduced, notes)
    return Measurement(plain, reduced, rates, counts, approximate)


def _enclosed(fit: Rho50Fit, notes: tuple[str, ...]) -> Rho50Fit:
    """Return the fit with notes; without its numbers if rho50 is beyond the densities played.

    One standard error beyond them is allowed.
    """
    low, high = (fit.density[0], fit.density[-1]) if fit.points else (np.nan, np.nan)
    if fit.no_fit or low - fit.error <= fit.rho50 <= high + fit.error:
        return replace(fit, notes=notes)
    nothing = Estimate(np.nan, np.nan, np.nan)
    why = (
        f"the densities played, {low:.4g} to {high:.4g}, are all on one side of 1/2: a larger pilot"
        " may enclose it"
    )
    return replace(
        fit,
        rho50=np.nan,
        k=np.nan,
        interval=nothing,
        error=np.nan,
        covariance=np.full((2, 2), np.nan),
        deviance=np.nan,
        p_value=np.nan,
        at_bound=(),
        no_fit=why,
        notes=notes,
    )
