"""The published curve put to the test: fitted to small boards, it says what large ones must do."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from msdensity.errors import InputError, check_sizes
from msdensity.stats.hyperbola import ExtrapolationFit, fit_squares


@dataclass(frozen=True, eq=False)
class PublishedTest:
    """Predictions of a / (q - b) + c, fitted to small boards, beside measurements on large ones.

    fit: to the small boards; q, predicted, predicted_error, measured, measured_error, z: shape
    (n,), z = (measured - predicted) / the standard error of that difference. All predictions rest
    on one fit: their errors are not independent.
    """

    fit: ExtrapolationFit = field(repr=False)
    q: NDArray[np.float64]
    predicted: NDArray[np.float64]
    predicted_error: NDArray[np.float64]
    measured: NDArray[np.float64]
    measured_error: NDArray[np.float64]

    @property
    def z(self) -> NDArray[np.float64]:
        """Measurement less prediction, in standard errors of the difference, shape (n,)."""
        spread = np.hypot(self.predicted_error, self.measured_error)
        return (self.measured - self.predicted) / spread

    @property
    def below_limit(self) -> NDArray[np.float64]:
        """Limit c less measurement, in standard errors of that difference, shape (n,)."""
        return (self.fit.c - self.measured) / np.hypot(self.fit.c_se, self.measured_error)

    def report(self) -> str:
        """Return the test in words, one line a size."""
        lines = [self.fit.report()]
        rows = zip(
            self.q,
            self.measured,
            self.measured_error,
            self.predicted,
            self.predicted_error,
            self.z,
            strict=True,
        )
        lines += [
            f"q = {q:g}: measured {m:.4f} +- {me:.2g}, predicted {p:.4f} +- {pe:.2g}, z = {z:.1f}"
            for q, m, me, p, pe, z in rows
        ]
        return "\n".join(lines)


def predict_published(
    small_q: ArrayLike,
    small_density: ArrayLike,
    small_error: ArrayLike | None,
    q: ArrayLike,
    measured: ArrayLike,
    measured_error: ArrayLike,
) -> PublishedTest:
    """Fit a / (q - b) + c to small boards and compare it with what larger ones show.

    small_q, small_density: sides and critical densities (or rho50), shape (s,), s at least 4;
    small_error: their standard errors, or None for equal weights as published, where the error of
    the prediction comes from the scatter about the curve. q (rising), measured (in (0, 1)),
    measured_error (above 0): shape (n,). Both must be of one player and one kind of density: the
    test is of the curve alone. Source: paper 001, section 9.3. Raises InputError out of range.
    """
    side, density, spread = check_sizes(q, measured, measured_error, least=1)
    few = np.asarray(small_q, float)
    if few.ndim != 1 or len(few) < 4:
        raise InputError(f"small_q={few.tolist()} must have at least 4 sizes for three parameters")
    if side[0] <= few.max():
        raise InputError(f"q={side[0]:g} must be above the largest size fitted, {few.max():g}")
    fit = fit_squares(few, small_density, small_error)
    return PublishedTest(fit, side, fit.predict(side), fit.predict_error(side), density, spread)
