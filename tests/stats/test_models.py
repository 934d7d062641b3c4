"""Models: built-in ones, custom ones by name, their likelihood, AICc and tables."""

import sys

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

import msdensity as md
from msdensity.errors import InputError
from msdensity.files.own_code import load_own_code
from msdensity.files.tables import read_table, write_table
from msdensity.stats.columns import FIT_COLUMNS, MODEL_COLUMNS
from msdensity.stats.correction import correct
from msdensity.stats.logistic import fit_critical_density, fits_table
from msdensity.stats.model_fit import deviance, maximise
from msdensity.stats.model_tables import compare_models, fit_model, model_tables, row_model
from msdensity.stats.models import LOGISTIC, MODELS, Model, load_model, logistic, weibull
from msdensity.stats.rho50.fit import fit_power, fit_rho50
from places import ROOT

DENSITY = np.arange(1, 36) / 36
OWN = (ROOT / "docs/how-to/fit-model.md").read_text(encoding="utf-8")
OWN = OWN.partition("```python\n")[2].partition("```")[0]


def table(rate, seed=1, games=1000, board="6x6", player="weighted"):
    wins = np.random.default_rng(seed).binomial(games, rate)
    corrected, _ = correct(DENSITY, wins / games)
    sides = pd.array([int(board[0])] * len(wins), dtype="Int64")
    facts = {"board": board, "p": sides, "q": sides, "player": player, "first_click": "corner"}
    facts |= {"start": "safe", "seed": 1, "mines": np.arange(1, 36), "density": DENSITY}
    return pd.DataFrame(facts | {"games": games, "wins": wins, "win_rate_corrected": corrected})


CURVE = table(weibull(DENSITY, 0.25, 3.5))


@pytest.fixture
def own(tmp_path, monkeypatch):
    """The model of docs/how-to/fit-model.md, in the working directory."""
    (tmp_path / "my_models.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    load_own_code.cache_clear()
    yield "my_models:probit"
    sys.modules.pop("my_models", None)


def test_a_custom_model_is_loaded_by_name_and_fitted(own):
    before = list(sys.path)
    model = load_model(own)
    assert isinstance(model, md.Model) and sys.path == before
    rate = model.rates(DENSITY, [9.0, 0.25])
    fit = fit_model(own, table(rate))
    assert abs(fit.Q - 0.25) < 4.4 * fit.Q_sd and fit.converged
    assert abs(fit.values["k"] - 9) < 4.4 * fit.errors["k"]
    assert "model probit" in fit.report()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cubic", "model='cubic' must be one of logistic, weibull, gompertz or package.module:"),
        ("no_such_module:x", "cannot import no_such_module: ModuleNotFoundError: No module named"),
        ("my_models:nothing", "my_models.py has no nothing"),
        ("my_models:curve", "must be a msdensity.Model, is <function"),
        ("broken:x", "cannot import broken: SyntaxError"),
        ("../evil:x", "must be one of"),
        (7, "model=7 must be one of"),
        ("my_models:", "must be one of"),
    ],
)
def test_a_wrong_model_name_is_an_error_of_one_line(own, tmp_path, name, message):
    (tmp_path / "broken.py").write_text("x = (\n")
    with pytest.raises(InputError) as caught:
        load_model(name)
    assert message in str(caught.value) and "\n" not in str(caught.value)


GOOD = {
    "name": "x",
    "function": weibull,
    "parameters": ("rho50", "k"),
    "start": lambda density, rate: [0.2, 4],
    "bounds": ([0.01, 0.1], [1, 100]),
    "critical_density": lambda values: values[0],
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"parameters": ()}, "parameters=.* must be names"),
        ({"parameters": ("a b", "k")}, "parameters=.* must be names"),
        ({"parameters": ("k", "k")}, "must be different names"),
        ({"bounds": ([0.01], [1])}, "must be the lowest and the highest value of each of rho50, k"),
        ({"bounds": ([1, 1], [0, 9])}, "must be the lowest and the highest"),
        ({"bounds": 3}, "must be the lowest and the highest"),
        ({"function": 3}, "function=3 must be a function"),
    ],
)
def test_a_model_out_of_range_is_refused(change, message):
    Model(**GOOD)
    with pytest.raises(InputError, match=message):
        Model(**GOOD | change)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"start": lambda d, r: [0.2]}, r"start of model x=\[0.2\] must be a value within the bou"),
        ({"start": lambda d, r: [0.2, 1e9]}, "must be a value within the bounds for each of rho50"),
        ({"function": lambda d, *v: 0.5}, "must return finite win rates of the shape of density"),
        ({"function": lambda d, *v: d * np.nan}, "must return finite win rates"),
    ],
)
def test_a_model_that_returns_no_win_rates_is_refused(change, message):
    with pytest.raises(InputError, match=message):
        fit_model(Model(**GOOD | change), CURVE)


def test_a_model_needs_counts():
    with pytest.raises(InputError, match="wins and games must be given"):
        fit_model("weibull", DENSITY, CURVE["win_rate_corrected"])


def test_the_weibull_fit_is_that_of_the_binomial_regression():
    fit = fit_model("weibull", CURVE, replicates=0)
    kept = ~((CURVE["win_rate_corrected"] == 0) & (CURVE["wins"] > 0))
    other = fit_power(DENSITY[kept], CURVE["wins"][kept], CURVE["games"][kept])
    assert [fit.values["rho50"], fit.values["k"]] == pytest.approx(other, rel=1e-5)


def test_aicc_is_twice_the_likelihood_with_the_correction():
    fits = [fit_model(name, CURVE, replicates=0) for name in MODELS]
    density, wins, games = fits[0].data.rows()
    free = 2 * binom.logpmf(wins, games, wins / games).sum()
    for fit in fits[1:]:
        k, n = len(fit.parameters), fit.rows
        likelihood = binom.logpmf(wins, games, np.clip(fit.predict(density), 1e-9, 1 - 1e-9)).sum()
        expected = 2 * k - 2 * likelihood + 2 * k * (k + 1) / (n - k - 1)
        assert fit.aicc == pytest.approx(expected + free, rel=1e-9)


def test_rows_won_by_luck_are_not_in_the_likelihood():
    lucky = CURVE.copy()
    lucky.loc[34, "wins"] = 1000  # with the last number of mines only the first click is safe
    fit, same = (fit_model("weibull", each, replicates=0) for each in (lucky, CURVE))
    assert fit.rows == same.rows - 1
    assert fit.values == pytest.approx(same.values, rel=1e-6)


def test_the_maximum_likelihood_of_the_logistic_is_above_the_published_fit_and_repeatable():
    fit = fit_critical_density(CURVE)
    assert fit.deviance <= deviance(LOGISTIC, fit.data, fit.parameters)
    rng = np.random.default_rng(3)
    for _ in range(10):
        start = [0, 1, rng.uniform(5, 60), rng.uniform(0.1, 0.4)]
        assert maximise(LOGISTIC, fit.data, start).deviance >= fit.deviance - 1e-6


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("truth", "rate"),
    [
        ("weibull", weibull(DENSITY, 0.25, 3.5)),
        ("logistic", logistic(DENSITY, 0.01, 0.98, 25, 0.25)),
    ],
)
def test_the_model_that_made_the_games_has_the_lowest_aicc(truth, rate):
    compared = compare_models(table(rate, games=10_000))
    assert compared["model"][0] == truth and compared["difference"][0] == 0
    assert (compared["difference"][1:] > 10).all() and compared["aicc"].is_monotonic_increasing
    assert set(compared["model"]) == set(MODELS)
    assert compared["P_sd"].max() < 0.002


def test_too_few_rows_have_no_finite_aicc():
    few = fit_model("weibull", [0.25, 0.5], [0.9, 0.2], wins=[9, 2], games=[10, 10])
    assert few.aicc == np.inf and "2 rows for 2 parameters: nothing is tested" in few.report()


def test_the_tables_of_models_keep_the_numbers_of_the_logistic(tmp_path):
    rates = pd.concat([CURVE, table(weibull(DENSITY, 0.3, 3), player="other")], ignore_index=True)
    made = model_tables(rates, ["logistic", "weibull"], 10)
    fits, models = made["fits"], made["models"]
    plain = fits_table(rates, 10)
    pd.testing.assert_frame_equal(fits[list(plain)], plain, check_exact=True)
    assert list(plain) == [name for name, column in FIT_COLUMNS.items() if not column.optional]
    assert len(models) == 4 and (models.groupby("player")["difference"].min() == 0).all()
    other = model_tables(rates, ["weibull", "logistic"], 10)
    assert (other["fits"]["model"] == "weibull").all() and other["fits"]["b"].isna().all()
    key = ["player", "model"]
    pd.testing.assert_frame_equal(
        other["models"].sort_values(key, ignore_index=True),
        models.sort_values(key, ignore_index=True),
    )
    for name, columns in (("fits", FIT_COLUMNS), ("models", MODEL_COLUMNS)):
        path = tmp_path / f"{name}.csv"
        write_table(path, made[name], columns)
        pd.testing.assert_frame_equal(read_table(path, columns), made[name], rtol=5e-6)


def test_row_model_returns_the_curve_of_the_fit():
    made = model_tables(CURVE, ["weibull"], 0)["fits"]
    model, values = row_model(next(made.itertuples()))
    fit = fit_model("weibull", CURVE, replicates=0)
    assert model is MODELS["weibull"]
    assert values == [float(f"{value:.6g}") for value in fit.values.values()]
    plain = fits_table(CURVE, 0)
    model, values = row_model(next(plain.itertuples()))
    assert model is LOGISTIC and values == [*fit_critical_density(CURVE).values.values()]


@pytest.mark.parametrize("name", ["weibull", "gompertz"])
def test_the_critical_density_is_that_of_the_steepest_descent(name):
    fit = fit_model(name, CURVE, replicates=0)
    rho = np.linspace(0.01, 0.6, 100_001)
    assert fit.Q == pytest.approx(rho[np.argmin(np.gradient(fit.predict(rho), rho))], abs=1e-5)
    if name == "weibull":
        assert MODELS[name].critical_density([0.2, 0.9]) == 0


@pytest.mark.parametrize(
    "columns", [list(CURVE), ["density", "wins", "games", "win_rate_corrected"]]
)
@pytest.mark.parametrize("fit", [fit_critical_density, compare_models, fit_rho50])
def test_a_table_without_rows_is_named(fit, columns):
    with pytest.raises(InputError, match=r"has 0 rows, must have at least 1: .* no such board or"):
        fit(CURVE[CURVE["board"] == "9x9"][columns])
