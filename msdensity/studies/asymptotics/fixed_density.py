"""-ln W against the side at one density: whether a density below the claimed limit is winnable."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from msdensity.errors import InputError
from msdensity.stats.fit import Picture
from msdensity.stats.law import COEFFICIENTS, law_terms
from msdensity.stats.loglink import fit_log_link
from msdensity.studies.asymptotics.terms import TermsFit

_TERMS = ("A", "B", "C")
"""The coefficients of q^0, q^1 and q^2."""


@dataclass(frozen=True, eq=False, repr=False)
class FixedDensityFit(TermsFit):
    """-ln W = A + B q + C q^2 on q x q boards at one density.

    terms: A, B, C; on a torus, which has no edge, C alone or A and C, with A of walled-in starts.
    density: mines per cell; q: sides of the boards fitted, shape
    (n,). If C > 0 then W tends to 0 however low the density is.
    """

    density: float
    q: NDArray[np.float64]

    def predict(self, q: ArrayLike) -> NDArray[np.float64]:
        """Return the fitted win rates at `density` on boards of side q, of the shape of q."""
        return self.regression.predict(self._powers(q)).reshape(np.shape(q))

    def predict_error(self, q: ArrayLike) -> NDArray[np.float64]:
        """Return the standard errors of `predict`, propagated from the covariance."""
        return self.regression.predict_error(self._powers(q)).reshape(np.shape(q))

    def _powers(self, q: ArrayLike) -> NDArray[np.float64]:
        """Return what the terms multiply, shape (sides, terms)."""
        side = np.ravel(np.asarray(q, float))
        return np.stack([side ** _TERMS.index(name) for name in self.terms], 1)

    def lines(self) -> list[str]:
        """Return the lines of the report without the warnings: every value beside the law's."""
        return [f"-ln W = A + B q + C q^2 at density {self.density:g}", *super().lines()]

    def picture(self) -> Picture:
        """Return what `plot` draws: win rates against the side.

        The curve is at exactly `density`; a residual compares a board with the fit at the board's
        own density.
        """
        own = self.regression.picture()
        line = np.linspace(self.q.min(), self.q.max(), 201)
        return replace(
            own,
            x=self.q,
            line=line,
            curve=self.predict(line),
            error=self.predict_error(line),
            labels=("side $q$ of a $q$ × $q$ board", own.labels[1]),
        )


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
    walled_in: bool = False,
) -> FixedDensityFit:
    """Fit -ln W = A + B q + C q^2 to q x q boards with about `density` q^2 mines.

    q: sides (at least 3), mines, wins, games: shape (n,). Numbers of mines are whole, so no board
    has exactly this density: the terms of A, B and C are scaled as the law's terms change from
    `density` to that of the board, by a few percent at most. With `fixed_mines` they are also
    scaled as the terms change with the size when exactly `mines` are laid (see `law_terms`), which
    on 16 x 16 is a tenth and more. With `walled_in` a torus has an A too, the cost of walled-in
    starts. Raises InputError out of range or if a board is further than 10 % from `density`.
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
    scale = _scales(density, start, topology)
    columns = np.stack(
        [
            _scales(rho, start, topology, n if fixed_mines else None) / scale * [1, n, n**2]
            for rho, n in zip(actual, side, strict=True)
        ]
    )
    bounded = topology == "square8"
    chosen = np.array([bounded or walled_in, bounded, True])
    terms = tuple(name for name, used in zip(_TERMS, chosen, strict=True) if used)
    law = scale[chosen]
    regression = fit_log_link(columns[:, chosen], won, played, scale[chosen])
    return FixedDensityFit(terms, law, regression, density, side)


def _scales(
    density: float, start: str, topology: str, side: float | None = None
) -> NDArray[np.float64]:
    """Return the law's A, B, C at a density; with a side, of a fixed number of mines there.

    On a torus A is the cost of a walled-in start, and B is 1, which is not used.
    """
    q = side or 8
    terms = law_terms(
        (q, q), density, start, topology, next_orders=True, fixed_mines=side is not None
    )
    cost = {name: COEFFICIENTS[name] * float(value) for name, value in terms.items()}
    constant = sum(cost[name] for name in ("start", "corner", "start_next", "wall", "corner_next"))
    length = cost["edge"] + cost["edge_next"] if topology == "square8" else q
    return np.array([constant, length / q, cost["bulk"] / q**2])
