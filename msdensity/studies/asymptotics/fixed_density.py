"""-ln W against the side at one density: whether a density below the claimed limit is winnable."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from msdensity.errors import InputError
from msdensity.stats.loglink import fit_log_link
from msdensity.studies.asymptotics.law import COEFFICIENTS, law_terms


@dataclass(frozen=True, eq=False)
class FixedDensityFit:
    """-ln W = A + B q + C q^2 on q x q boards at one density.

    values, errors, law: of A, B, C, shape (3,), A and B 0 on a torus and then not fitted;
    covariance: (3, 3); deviance, df, p_value: of the regression against free win rates.
    If C > 0 then W tends to 0 however low the density is. NaN where the fit did not converge.
    """

    values: NDArray[np.float64]
    covariance: NDArray[np.float64] = field(repr=False)
    law: NDArray[np.float64]
    deviance: float
    df: int
    p_value: float

    @property
    def errors(self) -> NDArray[np.float64]:
        """Standard errors of A, B, C, shape (3,)."""
        return np.sqrt(np.diag(self.covariance))


def fit_fixed_density(
    density: float,
    q: ArrayLike,
    mines: ArrayLike,
    wins: ArrayLike,
    games: ArrayLike,
    start: str = "corner",
    topology: str = "square8",
    *,
    fixed_mines: bool = False,
) -> FixedDensityFit:
    """Fit -ln W = A + B q + C q^2 to q x q boards with about `density` q^2 mines.

    q: sides (at least 3), mines, wins, games: shape (n,). Numbers of mines are whole, so no board
    has exactly this density: the terms of A, B and C are scaled as the law's terms change from
    `density` to that of the board, by a few percent at most. With `fixed_mines` they are also
    scaled as the terms change with the size when exactly `mines` are laid (see `law_terms`), which
    on 16 x 16 is a tenth and more. Raises InputError out of range or if a board is further than
    10 % from `density`.
    """
    side, mined, won, played = (np.asarray(values, float) for values in (q, mines, wins, games))
    if side.ndim != 1 or any(values.shape != side.shape for values in (mined, won, played)):
        raise InputError("q, mines, wins and games must have one shape (n,)")
    if not 0 < density < 1:
        raise InputError(f"density={density} must be in (0, 1)")
    actual = mined / side**2
    far = np.abs(actual / density - 1) > 0.1
    if far.any():
        raise InputError(
            f"mines={mined[far][0]:g} on q={side[far][0]:g} must be within 10 % of "
            f"density {density}"
        )
    law = _coefficients(density, start, topology)
    columns = np.stack(
        [
            _coefficients(rho, start, topology, n if fixed_mines else None)
            / np.where(law > 0, law, 1)
            * [1, n, n**2]
            for rho, n in zip(actual, side, strict=True)
        ]
    )
    there = law > 0
    fit = fit_log_link(columns[:, there], won, played, law[there])
    values, covariance = np.zeros(3), np.zeros((3, 3))
    values[there] = fit.b
    covariance[np.ix_(there, there)] = fit.covariance
    return FixedDensityFit(
        values,
        covariance,
        law,
        fit.deviance,
        fit.df,
        fit.p_value,
    )


def _coefficients(
    density: float, start: str, topology: str, side: float | None = None
) -> NDArray[np.float64]:
    """Return the law's A, B, C at a density; with a side, of a fixed number of mines there."""
    q = side or 8
    terms = law_terms((q, q), density, start, topology, fixed_mines=side is not None)
    scaled = {name: COEFFICIENTS[name] * float(values) for name, values in terms.items()}
    return np.array([scaled["start"] + scaled["corner"], scaled["edge"] / q, scaled["bulk"] / q**2])
