"""rho50 of one board from the counts of its games, with and without the control variate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from msdensity.stats.rho50.control_variate import ReducedRate, reduced_win_rates
from msdensity.stats.rho50.curve import HALF_RATE
from msdensity.stats.rho50.fit import fit_rho50, fit_rho50_rates
from msdensity.stats.rho50.fit_object import Rho50Fit
from msdensity.stats.rho50.level import NEAR, powered

WINS, NO_GUESS_WINS = "wins", "no_guess_wins"
"""The outcomes whose density of 1/2 is measured, by their names in MEASURES."""

MAX_APPROXIMATE = 0.01
"""With a larger share of approximate games the result has a warning."""

APPROXIMATE = (
    "{:.1%} of the games had a position too large for exact counting: the player took approximate "
    "safeties there"
)

WITHOUT = "; the control variate takes these as exact, and without it rho50 is {:.5f} +- {:.2g}"


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
    rate: float = HALF_RATE,
) -> Measurement:
    """Fit the density at which half the games end with `outcome`, or another share of them.

    counts: `games` and MEASURES of each number of mines, rising; window: lowest and highest density
    of the fit; outcome: WINS or NO_GUESS_WINS. Only wins have a control variate. There is no fit if
    the densities played do not enclose rho50. rate: the share; for another one than 1/2 the fits
    are those of powers (`level`), whose rho50 is the density of that rate.
    """
    density = np.array(list(counts)) / cells
    ended = np.array([count[outcome] for count in counts.values()])
    games = np.array([count["games"] for count in counts.values()])
    approximate = sum(count["approximate"] for count in counts.values())
    share = approximate / games.sum()
    notes = (APPROXIMATE.format(share),) if share > MAX_APPROXIMATE else ()
    plain = replace(fit_share(density, ended, games, window, cells, rate), notes=notes)
    rates: dict[int, ReducedRate] = {}
    reduced = None
    if outcome == WINS and all(count["z0_z0"] > 0 for count in counts.values()):
        records = [{"mines": m, **count} for m, count in counts.items()]
        rates = dict(zip(counts, reduced_win_rates(records), strict=True))
        best = np.array([rate.rate.best for rate in rates.values()])
        errors = np.array([rate.error for rate in rates.values()])
        if ((best > 0) & (best < 1) & (errors > 0)).all():
            reduced = _fit_rates(density, best, errors, window, cells, rate)
            moved = WITHOUT.format(plain.rho50, plain.error)
            reduced = replace(reduced, notes=tuple(note + moved for note in notes))
    return Measurement(plain, reduced, rates, counts, approximate)


def fit_share(
    density: NDArray[np.float64],
    ended: NDArray[np.int64],
    games: NDArray[np.int64],
    window: tuple[float, float],
    cells: int,
    rate: float,
) -> Rho50Fit:
    """Fit the density at which a share `rate` of the games end so, from counts, all shape (n,)."""
    if rate == HALF_RATE:
        return fit_rho50(density, ended, games, window, cells=cells)
    # No rate is known better than one with half a game more of the rarer outcome.
    share = np.clip(ended, 0.5, games - 0.5) / games
    error = np.sqrt(share * (1 - share) / games)
    return _fit_rates(density, share, error, window, cells, rate)


def _fit_rates(
    density: NDArray[np.float64],
    share: NDArray[np.float64],
    error: NDArray[np.float64],
    window: tuple[float, float],
    cells: int,
    rate: float,
) -> Rho50Fit:
    """Fit the density of a rate to shares of games with standard errors, all shape (n,)."""
    if rate != HALF_RATE:
        share, error = powered(share, error, rate)
        near = (share > NEAR[0]) & (share < NEAR[1])
        if near.any():
            density, share, error = density[near], share[near], error[near]
    return fit_rho50_rates(density, share, error, window, cells=cells)
