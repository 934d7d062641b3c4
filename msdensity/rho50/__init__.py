"""The density rho50 at which half the games are won: its fit, its checks, and what to play for it.

The paper's critical density P is the inflection of a logistic fitted to all densities; rho50 rests
on the games near W = 1/2 alone, has an error of known coverage, and exists on every board. The two
are never mixed.
"""

from msdensity.rho50.control_variate import (
    ReducedRate,
    effective_counts,
    reduce_variance,
    reduced_win_rate,
)
from msdensity.rho50.crossing import LocalLogit, isotonic_crossing, local_logit
from msdensity.rho50.curve import density_window, win_rate_curve
from msdensity.rho50.fit import fit_rho50, fit_rho50_rates
from msdensity.rho50.plan import Design, design
from msdensity.rho50.result import Bootstrap, Rho50Fit

__all__ = [
    "Bootstrap",
    "Design",
    "LocalLogit",
    "ReducedRate",
    "Rho50Fit",
    "density_window",
    "design",
    "effective_counts",
    "fit_rho50",
    "fit_rho50_rates",
    "isotonic_crossing",
    "local_logit",
    "reduce_variance",
    "reduced_win_rate",
    "win_rate_curve",
]
