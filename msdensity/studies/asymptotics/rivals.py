"""Models of rho50 against the side that rival the law, and the published hyperbola."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import chi2

from msdensity.stats.law import law_rho50
from msdensity.studies.asymptotics.columns import (
    EXPONENT_COLUMNS,
    MODEL_COLUMNS,
    PUBLISHED_TEST_COLUMNS,
)
from msdensity.studies.asymptotics.prediction import predict_published
from msdensity.studies.asymptotics.results import (
    EXPONENT_SIDES,
    EXPONENT_STEP,
    LARGE_SIDES,
    MIN_BOARDS,
    RIVAL_SIDES,
    SERIES,
    SMALL_SIDES,
    checked,
    squares_of,
)
from msdensity.studies.asymptotics.rival_fit import (
    compare_rivals,
    exponent_covariance,
    local_exponent,
)
from msdensity.studies.asymptotics.settings import PLAYER


def models_table(rho50: pd.DataFrame) -> pd.DataFrame:
    """Return the comparison of models by series and smallest side (MODEL_COLUMNS)."""
    rows: list[dict[str, Any]] = []
    for rule, topology in SERIES:
        own = squares_of(rho50, rule, topology)
        q, value, error = (own[name].to_numpy(float) for name in ("q", "rho50", "error"))
        least = 0.0
        for smallest in q[: max(len(q) - MIN_BOARDS + 1, 0)]:
            # A scan, not every side, but for the declared one.
            if smallest < 1.2 * least and smallest != RIVAL_SIDES:
                continue
            least = smallest
            used = q >= smallest
            fits = compare_rivals(q[used], value[used], error[used], rule, topology)
            for fit in fits:
                values, errors = fit.values, fit.errors
                rows.append(
                    {
                        "rule": rule,
                        "topology": topology,
                        "q_min": int(smallest),
                        "n": int(used.sum()),
                        "model": fit.name,
                        "chi2": fit.sum_of_squares,
                        "df": fit.df,
                        "p_value": fit.p_value,
                        "aicc": fit.aicc,
                        "delta_aicc": fit.aicc - fits[0].aicc,
                        "left_out_rms": fit.left_out_rms,
                        "left_out_z": float(np.sqrt(np.mean(fit.left_out_z**2))),
                        # A power that grows with q has no limit.
                        "limit": values.get("c", np.nan) if values.get("s", 1) > 0 else np.nan,
                        "limit_error": errors.get("c", np.nan),
                        "parameters": ", ".join(
                            f"{name} = {values[name]:.5g} ± {errors[name]:.2g}" for name in values
                        )
                        if fit.converged
                        else "the fit runs away",
                    }
                )
    return checked(rows, MODEL_COLUMNS, "models")


def exponents_table(rho50: pd.DataFrame) -> pd.DataFrame:
    """Return the local exponent by series (EXPONENT_COLUMNS), sides at least 1.4-fold apart."""
    rows: list[dict[str, Any]] = []
    for rule, topology in SERIES:
        own = squares_of(rho50, rule, topology)
        own = own[own["q"] >= EXPONENT_SIDES]
        taken: list[int] = []
        last = 0.0
        # From the largest side down, so that it is always included.
        for place in range(len(own) - 1, -1, -1):
            side = float(own["q"].iloc[place])
            if not taken or side * EXPONENT_STEP <= last:
                taken.append(place)
                last = side
        own = own.iloc[taken[::-1]]
        if len(own) < 2:
            continue
        local = local_exponent(own["q"], own["rho50"], own["error"])
        curve = [law_rho50(float(side), rule, topology) for side in own["q"]]
        laws = local_exponent(own["q"], curve, own["error"])["exponent"]
        away = (local["exponent"] - laws).to_numpy()
        inverse = np.linalg.inv(exponent_covariance(own["q"], own["rho50"], own["error"]))
        joint = float(away @ inverse @ away)
        trend, trend_error = _trend(np.log(local["q"].to_numpy()), local["exponent"], inverse)
        row: Any
        for row, law in zip(local.itertuples(), laws, strict=True):
            rows.append(
                {
                    "rule": rule,
                    "topology": topology,
                    "q_low": int(row.q_low),
                    "q_high": int(row.q_high),
                    "q": row.q,
                    "exponent": row.exponent,
                    "error": row.error,
                    "law": law,
                    "z": (row.exponent - law) / row.error,
                    "chi2": joint,
                    "df": len(away),
                    "p_value": float(chi2.sf(joint, len(away))),
                    "trend": trend,
                    "trend_error": trend_error,
                }
            )
    return checked(rows, EXPONENT_COLUMNS, "exponents")


def _trend(x: NDArray[np.float64], y: pd.Series, inverse: NDArray[Any]) -> NDArray[Any]:
    """Return the slope of a line through correlated y and its error; NaN of a single point."""
    if len(x) < 2:
        return np.array([np.nan, np.nan])
    columns = np.stack([np.ones_like(x), x], 1)
    covariance = np.linalg.inv(columns.T @ inverse @ columns)
    slope = covariance @ columns.T @ inverse @ y.to_numpy()
    return np.array([slope[1], np.sqrt(covariance[1, 1])])


def published_table(
    rho50: pd.DataFrame, critical: pd.DataFrame, printed: pd.DataFrame
) -> pd.DataFrame:
    """Return the test of the published curve (PUBLISHED_TEST_COLUMNS).

    rho50, critical: RHO50_COLUMNS, CRITICAL_COLUMNS; printed: PUBLISHED_COLUMNS, Table B.2. Our P
    is tested on our P and our rho50 on our rho50, always for one player. Table B.2 comes from
    another player, so its prediction of our P compares players too.
    """
    squares = squares_of(rho50, "corner", "square8")
    critical = critical[critical["player"] == PLAYER]
    known = critical[critical["P"].notna() & (critical["P_sd"] > 0)].sort_values("q")
    diagonal = printed[(printed["p"] == printed["q"]) & printed["q"].between(3, SMALL_SIDES)]
    diagonal = diagonal.sort_values("q")
    kinds: dict[str, tuple[str, NDArray[np.float64], NDArray[np.float64], NDArray[Any] | None]]
    P = (known["q"].to_numpy(float), known["P"].to_numpy(float), known["P_sd"].to_numpy(float))
    half = tuple(squares[name].to_numpy(float) for name in ("q", "rho50", "error"))
    kinds = {
        "printed": ("P", diagonal["q"].to_numpy(float), diagonal["P"].to_numpy(float), None),
        "P": ("P", *(values[P[0] <= SMALL_SIDES] for values in P)),  # type: ignore[dict-item]
        "rho50": ("rho50", *(values[half[0] <= SMALL_SIDES] for values in half)),  # type: ignore[dict-item]
    }
    rows: list[Any] = []
    for fitted, (quantity, q, value, error) in kinds.items():
        large, measured, spread = P if quantity == "P" else half
        tested = large >= LARGE_SIDES
        if len(q) < 4 or not tested.any():
            continue
        for weights, sigma in (("equal", None), ("errors", error)):
            if weights == "errors" and sigma is None:
                continue
            with np.errstate(all="ignore"):
                test = predict_published(
                    q, value, sigma, large[tested], measured[tested], spread[tested]
                )
            named = test.assign(fitted=fitted, weights=weights, quantity=quantity)
            rows += named.to_dict("records")
    return checked(rows, PUBLISHED_TEST_COLUMNS, "test of the published curve")
