"""Models of one win-rate curve side by side, and the tables of all curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from msdensity.errors import InputError, shown
from msdensity.files.tables import check_table, rounded
from msdensity.stats.columns import FIT_COLUMNS, MODEL_COLUMNS
from msdensity.stats.curve import read_curve
from msdensity.stats.logistic import curves, fit_critical_density, fit_row
from msdensity.stats.model_fit import ModelFit, fit_by_likelihood, read_bootstrap
from msdensity.stats.models import LOGISTIC, MODELS, Model, load_model


def fit_model(
    model: str | Model,
    density: ArrayLike | pd.DataFrame,
    win_rate_corrected: ArrayLike | None = None,
    *,
    wins: ArrayLike | None = None,
    games: ArrayLike | None = None,
    replicates: int | None = None,
    rng: np.random.Generator | None = None,
) -> ModelFit:
    """Fit a model to one corrected win-rate curve.

    model: a Model, the name of a built-in one (logistic, weibull, gompertz) or
    "package.module:name"; the rest as for `fit_critical_density`, which fits the logistic as the
    paper does. Other models are fitted by maximum likelihood to the rows that the W-correction
    keeps, with the errors of a parametric bootstrap; they need wins and games. `aicc` of every
    model belongs to its maximum likelihood of the same rows. Raises InputError for input out of
    range and a model that returns no win rates.
    """
    loaded = load_model(model)
    if loaded is LOGISTIC:
        return fit_critical_density(
            density, win_rate_corrected, wins=wins, games=games, replicates=replicates, rng=rng
        )
    curve = read_curve(density, win_rate_corrected, wins, games)
    return fit_by_likelihood(loaded, curve, *read_bootstrap(replicates, rng))


def compare_models(
    curve: pd.DataFrame, models: Iterable[str | Model] = tuple(MODELS)
) -> pd.DataFrame:
    """Return the models of one curve, the lowest AICc first.

    curve: a table as for `fit_critical_density`. Columns: model; parameters, their number; rows of
    the likelihood; deviance; aicc; difference from the lowest (above about 10 a model has almost no
    support); P and its bootstrap standard deviation P_sd. Raises InputError as `fit_model`.
    """
    if isinstance(models, str) or not isinstance(models, Iterable):
        raise InputError(f"models={shown(models)} must be a list of models")
    rows: list[dict[str, Any]] = []
    for model in models:
        fit = fit_model(model, curve)
        row: dict[str, Any] = {"model": model if isinstance(model, str) else model.name}
        row |= {"parameters": len(fit.parameters), "rows": fit.rows, "deviance": fit.deviance}
        spread = float(np.std(fit.P_replicates, ddof=1)) if len(fit.replicates) > 1 else np.nan
        rows.append(row | {"aicc": fit.aicc, "difference": np.nan, "P": fit.P, "P_sd": spread})
    if not rows:
        raise InputError("models must name at least one model")
    table = pd.DataFrame(rows).sort_values("aicc", ignore_index=True)
    return table.assign(difference=table["aicc"] - table["aicc"].min())


def model_tables(
    win_rates: pd.DataFrame, models: Sequence[str], replicates: int = 200
) -> dict[str, pd.DataFrame]:
    """Return `fits`, of the first model (FIT_COLUMNS), and `models`, of all (MODEL_COLUMNS).

    win_rates: CORRECTED_COLUMNS; models: names, see `load_model`; replicates: of each fit. The
    draws are those of `fits_table`, so that other models do not change the numbers of the logistic.
    Raises InputError as `fits_table` and `fit_model`.
    """
    rows: list[dict[str, Any]] = []
    for head, curve, rng in curves(win_rates):
        state = rng.bit_generator.state
        fitted: list[dict[str, Any]] = []
        for name in models:
            rng.bit_generator.state = state
            fit = fit_model(name, curve, replicates=replicates, rng=rng)
            results = fit.values | fit.results()
            values = " ".join(f"{key}={rounded(results[key])!r}" for key in fit.values)
            aicc = fit.aicc if np.isfinite(fit.aicc) else np.nan
            facts = {"model": name, "parameters": values, "aicc": aicc}
            fitted.append(head | fit_row(fit) | facts)
        best = min((row["aicc"] for row in fitted if np.isfinite(row["aicc"])), default=np.nan)
        rows += [row | {"difference": row["aicc"] - best} for row in fitted]
    table = pd.DataFrame(rows, columns=list(MODEL_COLUMNS))
    every = check_table(table, MODEL_COLUMNS, "table of models")
    first = every[every["model"] == models[0]].drop(columns="difference")
    fits = check_table(first.reset_index(drop=True), FIT_COLUMNS, "fits table")
    return {"fits": fits, "models": every}


def row_model(row: Any) -> tuple[Model, list[float]]:
    """Return the model of a row of FIT_COLUMNS (by default the logistic) and its parameters.

    Raises InputError for anything else.
    """
    if not all(hasattr(row, name) for name in ("Q", *LOGISTIC.parameters)):
        raise InputError(f"fit={shown(row)} must be a fit, a row of a table of fits or None")
    if not hasattr(row, "model"):
        return LOGISTIC, [float(getattr(row, name)) for name in LOGISTIC.parameters]
    values = [float(pair.partition("=")[2]) for pair in row.parameters.split()]
    return load_model(row.model), values
