"""The law term by term: a regression of the win rates of many boards on its four or six terms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.stats import chi2, ncx2

from msdensity.errors import InputError
from msdensity.stats.fit import Fit, Picture
from msdensity.stats.law import COEFFICIENTS, law_terms
from msdensity.stats.loglink import LogLinkFit, fit_log_link

LAW_COLUMNS = ("p", "q", "topology", "start", "density", "games", "wins")
"""What a table of counts must have: one row per board, start rule (see `law`) and density."""

WHOLE = (
    *("rows", "deviance", "df", "p_value"),
    *("agreement", "agreement_of_size", "condition", "detectable"),
)
"""What a regression says as a whole."""

REJECTED = 0.01

POWER = 0.9
"""The chance at which a deviation counts as one that would have been seen."""


@dataclass(frozen=True, eq=False, repr=False)
class TermsFit(Fit):
    """A fit of the coefficients of terms whose size the law says.

    terms: names; law: what theory says of each, shape (terms,); regression: the fit of their
    coefficients. Values are NaN where the fit did not converge.
    """

    terms: tuple[str, ...]
    law: NDArray[np.float64]
    regression: LogLinkFit

    @property
    def values(self) -> dict[str, float]:
        """The coefficients by the names of their terms."""
        return dict(zip(self.terms, self.regression.b.tolist(), strict=True))

    @property
    def covariance(self) -> NDArray[np.float64]:
        """Covariance of the coefficients, shape (terms, terms)."""
        return self.regression.covariance

    @property
    def deviance(self) -> float:
        """Deviance of the regression against free win rates."""
        return self.regression.deviance

    @property
    def df(self) -> int:
        """Degrees of freedom of the deviance."""
        return self.regression.df

    @property
    def p_value(self) -> float:
        """Probability of a deviance as large; NaN without degrees of freedom."""
        return self.regression.p_value

    @property
    def rows(self) -> int:
        """Win rates fitted."""
        return len(self.regression.wins)

    @property
    def converged(self) -> bool:
        """Whether there is a fit."""
        return self.regression.converged

    @property
    def z(self) -> NDArray[np.float64]:
        """Distance of each coefficient from the law's in standard errors, shape (terms,)."""
        return (self.regression.b - self.law) / np.sqrt(np.diag(self.covariance))

    def warnings(self) -> list[str]:
        """Return the warnings about this fit, one sentence each."""
        if not self.converged:
            return self.regression.warnings()
        texts = []
        if self.df == 0:
            texts.append(f"{self.rows} rows for {len(self.terms)} coefficients: nothing is tested")
        if self.p_value < REJECTED:
            texts.append(
                f"these terms alone are rejected: deviance {self.deviance:.1f} with {self.df} "
                f"degrees of freedom, p = {self.p_value:.2g}; higher orders count"
            )
        return texts

    def lines(self) -> list[str]:
        """Return the lines of the report without the warnings: every value beside the law's."""
        rows = zip(self.values.items(), self.errors.values(), self.law, self.z, strict=True)
        return [
            f"{self.rows} win rates: deviance {self.deviance:.1f} with {self.df} degrees of "
            f"freedom, p = {self.p_value:.2g}",
            *(
                f"{name}: {value:.4g} +- {error:.2g}, law {law:.4g}, z = {z:.2f}"
                for (name, value), error, law, z in rows
            ),
        ]


@dataclass(frozen=True, eq=False, repr=False)
class LawFit(TermsFit):
    """Coefficients of the law's terms, fitted to counts.

    highest_density, smallest_side: of the rows used.
    """

    highest_density: float
    smallest_side: int

    def predict(self, columns: ArrayLike) -> NDArray[np.float64]:
        """Return the fitted win rates, shape (rows,); columns: the terms, shape (rows, terms)."""
        return self.regression.predict(columns)

    def predict_error(self, columns: ArrayLike) -> NDArray[np.float64]:
        """Return the standard errors of `predict`, shape (rows,)."""
        return self.regression.predict_error(columns)

    def picture(self) -> Picture:
        """Return what `plot` draws: win rates against the fitted -ln W."""
        return self.regression.picture()

    @property
    def agreement(self) -> float:
        """Chance of coefficients as far from the law's, all together, if the law is right."""
        return self._joint(np.ones(len(self.terms), bool))

    @property
    def agreement_of_size(self) -> float:
        """Chance as `agreement` of the terms that grow with the board or its corners alone.

        That is without the start, of which a coefficient says nothing of large boards.
        """
        return self._joint(np.array(self.terms) != "start")

    @property
    def detectable(self) -> float:
        """How far off, as a share, all the law's coefficients would have to be to be rejected.

        By one factor, and rejected by `agreement` < 0.01 with a chance of POWER.
        """
        if not self.converged:
            return float("nan")
        df = len(self.terms)
        needed = noncentrality(df)
        every = np.ones(df, bool)
        return float(np.sqrt(needed / self._distance(self.law, every)))

    @property
    def condition(self) -> float:
        """The condition number of the terms: 1 if they are orthogonal, large if collinear.

        Of the columns of the regression, weighted as it weighs them and each scaled to length 1.
        """
        if not self.converged:
            return float("nan")
        information = np.linalg.inv(self.covariance)
        length = np.sqrt(np.diag(information))
        return float(np.sqrt(np.linalg.cond(information / np.outer(length, length))))

    def _joint(self, tested: NDArray[np.bool_]) -> float:
        """Return the p value of a joint Wald test of some coefficients, NaN without any."""
        if not (self.converged and tested.any()):
            return float("nan")
        return float(chi2.sf(self._distance(self.regression.b - self.law, tested), tested.sum()))

    def _distance(self, away: NDArray[np.float64], tested: NDArray[np.bool_]) -> float:
        """Return the square of a deviation of some coefficients in their errors."""
        covariance = self.covariance[np.ix_(tested, tested)]
        return float(away[tested] @ np.linalg.solve(covariance, away[tested]))

    def lines(self) -> list[str]:
        """Return the lines of the report without the warnings: every value beside the law's."""
        return [
            f"sides from {self.smallest_side}, densities up to {self.highest_density:.3g}; p of "
            f"the law's coefficients, jointly, {self.agreement:.2g}; condition number of the "
            f"terms {self.condition:.0f}",
            *super().lines(),
        ]


def noncentrality(df: int) -> float:
    """Return the noncentrality of chi2 at which p < REJECTED with a chance of POWER.

    df: degrees of freedom, at least 1.
    """
    limit = chi2.isf(REJECTED, df)
    return float(brentq(lambda x: ncx2.sf(limit, df, x) - POWER, 1e-9, 1e4))


def fit_law(
    table: pd.DataFrame,
    *,
    highest_density: float = 0.125,
    smallest_side: int = 16,
    next_orders: bool = False,
    fixed_mines: bool = False,
) -> LawFit:
    """Fit the coefficients of the law's terms to counts, by binomial maximum likelihood.

    table: has LAW_COLUMNS, a row for each board, start rule and density; rows above highest_density
    or with a side below smallest_side are left out. W = exp(-sum of coefficient times term), with
    no intercept; a term that is 0 in all rows is not fitted. The terms are those of `law_terms`
    with next_orders and fixed_mines: `corner` counts unopened corners, so that the law says 3 for
    it with every start rule. Effective games of a control variate may stand for counts (see
    `stats.rho50.control_variate.effective_counts`). Raises InputError for a column missing,
    values out of range or no row left.
    """
    chosen = law_rows(table, highest_density, smallest_side)
    if not len(chosen):
        raise InputError(
            f"highest_density={highest_density} and smallest_side={smallest_side} must leave at "
            "least one row"
        )
    every = _columns(chosen, next_orders, fixed_mines)
    names = tuple(name for name, values in every.items() if (values != 0).any())
    columns = np.stack([every[name] for name in names], 1)
    law = np.array([COEFFICIENTS[name] for name in names])
    fit = fit_log_link(
        columns,
        chosen["wins"].to_numpy(float),
        chosen["games"].to_numpy(float),
        law,
    )
    return LawFit(
        names,
        law,
        fit,
        float(chosen["density"].max()),
        int(chosen[["p", "q"]].to_numpy().min()),
    )


def scan_law(
    table: pd.DataFrame,
    densities: Iterable[float],
    sides: Iterable[int],
    *,
    next_orders: bool = False,
    fixed_mines: bool = False,
) -> pd.DataFrame:
    """Return the fits for every highest density and smallest side, one row a fit and term.

    Columns: highest_density, smallest_side (the limits), term, value, error, law, z, and of the fit
    WHOLE. Limits that leave no row are left out. Arguments and errors otherwise as `fit_law`.
    """
    rows: list[dict[str, Any]] = []
    limits = [(density, side) for density in densities for side in sides]
    for density, side in limits:
        if not len(law_rows(table, density, side)):
            continue
        fit = fit_law(
            table,
            highest_density=density,
            smallest_side=side,
            next_orders=next_orders,
            fixed_mines=fixed_mines,
        )
        rows += [
            {
                "highest_density": density,
                "smallest_side": side,
                "term": name,
                "value": fit.values[name],
                "error": fit.errors[name],
                "law": fit.law[i],
                "z": fit.z[i],
            }
            | {of: getattr(fit, of) for of in WHOLE}
            for i, name in enumerate(fit.terms)
        ]
    return pd.DataFrame(rows)


def law_rows(table: pd.DataFrame, highest_density: float, smallest_side: int) -> pd.DataFrame:
    """Return the rows of counts within the limits; InputError for a column missing."""
    for name in LAW_COLUMNS:
        if name not in table.columns:
            raise InputError(f"table lacks column {name!r}; must have {', '.join(LAW_COLUMNS)}")
    # 1e-9: a density of exactly the limit may be an ulp above it.
    inside = table["density"] <= highest_density + 1e-9
    return table[inside & (table[["p", "q"]].min(axis=1) >= smallest_side)]


def _columns(
    table: pd.DataFrame, next_orders: bool, fixed_mines: bool
) -> dict[str, NDArray[np.float64]]:
    """Return what the coefficients multiply, name -> shape (rows,)."""
    parts: list[dict[str, NDArray[np.float64]]] = []
    row: Any
    for row in table.itertuples(index=False):
        parts.append(
            law_terms(
                (int(row.p), int(row.q)),
                float(row.density),
                str(row.start),
                str(row.topology),
                next_orders=next_orders,
                fixed_mines=fixed_mines,
            )
        )
    # Lines across are exact, and nothing on the sides that tell the other terms apart.
    names = [name for name in parts[0] if name != "lines"]
    return {name: np.array([float(part[name]) for part in parts]) for name in names}
