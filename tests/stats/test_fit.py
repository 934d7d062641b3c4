"""Every fit has values, errors, a covariance, warnings, a report, a curve and a plot."""

import re
from dataclasses import replace
from functools import partial
from html import unescape

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from scipy.optimize import approx_fprime

from msdensity.errors import InputError
from msdensity.kernel.compiler.sources import PACKAGE
from msdensity.stats.correction import correct
from msdensity.stats.fit import Fit, delta_error
from msdensity.stats.hyperbola import fit_squares, hyperbola
from msdensity.stats.intervals import wilson
from msdensity.stats.law import COEFFICIENTS, law_rho50, law_terms
from msdensity.stats.logistic import fit_critical_density
from msdensity.stats.loglink import fit_log_link
from msdensity.stats.model_tables import fit_model
from msdensity.stats.models import logistic, weibull
from msdensity.stats.rho50.curve import win_rate_curve
from msdensity.stats.rho50.fit import fit_rho50
from msdensity.stats.series import fit_series
from msdensity.studies.asymptotics.fixed_density import fit_fixed_density
from msdensity.studies.asymptotics.rival_fit import fit_rival
from msdensity.studies.asymptotics.terms import fit_law
from sizes import sizes

DENSITY = np.arange(1, 64) / 64
GAMES = np.full(len(DENSITY), 1000)
Q = np.arange(3.0, 11)
NOISE = 0.002 * np.array([1, -1, 0.5, 1.5, -0.5, -1, 0.3, 0.2])
X = np.stack([np.ones(6), np.arange(1.0, 7)], 1)


def curve(seed=1, rate=None):
    """Return a curve as in win_rates.csv that is not exactly the curve of any model."""
    rate = weibull(DENSITY, 0.21, 3.8) if rate is None else rate
    wins = np.random.default_rng(seed).binomial(GAMES, rate)
    corrected, _ = correct(DENSITY, wins / GAMES)
    table = {"board": "8x8", "mines": np.arange(1, 64), "density": DENSITY}
    table |= {"win_rate_corrected": corrected, "wins": wins, "games": GAMES}
    return pd.DataFrame(table)


def law_counts():
    rows = [
        {"p": q, "q": q, "topology": "square8", "start": "corner", "density": rho}
        for q in (16, 24, 32)
        for rho in (0.06, 0.08, 0.1, 0.12)
    ]
    for row in rows:
        terms = law_terms((row["p"], row["q"]), row["density"], "corner", "square8")
        minus_log = sum(COEFFICIENTS[name] * float(value) for name, value in terms.items())
        row["wins"] = round(20_000 * np.exp(-minus_log))
    return pd.DataFrame(rows).assign(games=20_000)


def log_link(wins):
    counts = np.array(wins, float)
    return fit_log_link(X, counts, np.full(6, 1000.0), np.array([0.1, 0.1]))


def fixed_density(topology="square8"):
    q = np.array([16, 24, 32, 48, 64])
    mines = np.round(0.15 * q**2)
    rate = np.exp(-(0.15**6) * q**2 - (0.07 + 0.003 * q) * (topology == "square8"))
    wins = np.round(40_000 * rate)
    start = "corner" if topology == "square8" else "zero"
    return fit_fixed_density(0.15, q, mines, wins, np.full(5, 40_000), start, topology)


def rival(name, rho50=None):
    q = np.array([8, 16, 32, 64, 128])
    rho50 = np.array([law_rho50(float(side)) for side in q]) if rho50 is None else rho50
    return fit_rival(name, q[: len(rho50)], rho50, np.full(len(rho50), 4e-4))


def bare_logistic():
    return fit_critical_density(DENSITY, curve()["win_rate_corrected"])


FITS = {
    "logistic": lambda: fit_critical_density(curve()),
    "logistic without counts": bare_logistic,
    "logistic at a bound": lambda: fit_critical_density([0.5], [1], wins=[10], games=[10]),
    "weibull": lambda: fit_model("weibull", curve()),
    "gompertz without replicates": lambda: fit_model("gompertz", curve(), replicates=0),
    "rho50": lambda: fit_rho50(curve(), window=(0.15, 0.28)),
    "rho50 of its own window": lambda: fit_rho50(curve()),
    "rho50 of no curve": lambda: fit_rho50([0.1, 0.2], [9, 9], [9, 9], (0, 1)),
    "squares": lambda: fit_squares(Q, 0.2 + 0.4 / Q + NOISE, np.full(8, 0.002)),
    "squares without errors": lambda: fit_squares(Q, 0.2 + 0.4 / Q + NOISE),
    "squares of three": lambda: fit_squares(Q[:3], 0.2 + 0.4 / Q[:3]),
    "squares that run away": lambda: fit_squares([5, 6, 7, 8], [0.2, 0.3, 0.25, 0.1]),
    "series": lambda: fit_series(Q, 0.2 + 0.4 / Q + NOISE, 3, np.full(8, 0.002)),
    "series without a board to spare": lambda: fit_series(Q[:3], 0.2 + 0.4 / Q[:3], 3),
    "log link": lambda: log_link([700, 500, 400, 300, 200, 150]),
    "log link at the edge": lambda: log_link([1000] * 6),
    "law": lambda: fit_law(law_counts()),
    "fixed density": fixed_density,
    "fixed density on a torus": lambda: fixed_density("torus8"),
    **{f"rival {name}": partial(rival, name) for name in ("hyperbola", "power", "law")},
    "rival hyperbola that runs away": lambda: rival("hyperbola", [0.2, 0.3, 0.25, 0.1]),
}
NO_FIT = {
    *("rho50 of no curve", "squares that run away", "log link at the edge"),
    "rival hyperbola that runs away",
}
NO_ERRORS = NO_FIT | {
    *("logistic without counts", "gompertz without replicates", "squares of three"),
    *("series without a board to spare", "logistic at a bound"),
}


@pytest.fixture(scope="module", params=FITS, ids=lambda name: name.replace(" ", "_"))
def case(request):
    return request.param, FITS[request.param]()


def places(fit):
    """Return the x of a fit's curve: sides, rows of terms, or densities."""
    if hasattr(fit, "q"):
        return np.array([3.0, 5, 9])
    regression = getattr(fit, "regression", fit)
    return getattr(regression, "columns", np.array([0.1, 0.2, 0.3]))


def test_values_errors_and_covariance_agree(case):
    name, fit = case
    assert isinstance(fit, Fit)
    count = len(fit.values)
    assert [*fit.errors] == [*fit.values] and fit.covariance.shape == (count, count)
    assert all(type(value) is float for value in [*fit.values.values(), *fit.errors.values()])
    fitted = np.isfinite([*fit.values.values()])
    assert not fitted.any() if name in NO_FIT else fitted.all()
    errors = np.array([*fit.errors.values()])
    np.testing.assert_allclose(errors**2, np.diag(fit.covariance))
    assert np.isnan(errors).any() == (name in NO_ERRORS)
    np.testing.assert_array_equal(fit.covariance, fit.covariance.T)


def test_every_class_named_fit_is_one():
    """Of those that this file imports; a class in a file that it does not know fails too."""
    sources = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")]
    names = {name for text in sources for name in re.findall(r"^class (\w+Fit)\b", text, re.M)}
    known, classes = set(), [Fit]
    while classes:
        classes += (one := classes.pop()).__subclasses__()
        known.add(one.__name__)
    assert len(names) > 8 and names <= known


def test_unknown_values_have_a_reason_in_the_report(case):
    name, fit = case
    if name in NO_ERRORS:
        assert fit.warnings()
    for text in fit.warnings():
        assert f"warning: {text}" in fit.report().splitlines()
    assert "distrust" not in fit.report()
    assert fit.report().count("warning: ") == len(fit.warnings())


def test_the_curve_and_its_error_have_the_shape_of_x(case):
    name, fit = case
    x = places(fit)
    shape = x.shape[:1]
    with np.errstate(invalid="ignore"):
        assert fit.predict(x).shape == fit.predict_error(x).shape == shape
        error = fit.predict_error(x)
    assert np.isnan(error).all() or (error >= 0).all()
    assert np.isfinite(error).all() or name in NO_ERRORS


def test_a_notebook_shows_values_errors_and_warnings(case):
    _, fit = case
    words = fit._repr_html_()
    for name, value in fit.values.items():
        assert f"<td>{name}</td><td>{value:.6g}</td>" in words
    for text in fit.warnings():
        assert text in unescape(words)
    assert words.count("<") == words.count(">")  # no text starts a tag


def test_a_fit_prints_its_report_and_shows_its_values_in_one_line(case):
    _, fit = case
    assert str(fit) == fit.report()
    shown = repr(fit)
    assert shown.startswith(f"{type(fit).__name__}(") and "\n" not in shown and len(shown) < 400
    for name, value in fit.values.items():
        assert f"{name}={value:.6g} +- {fit.errors[name]:.2g}" in shown


def test_a_name_in_a_notebook_is_escaped():
    fit = fit_series(Q[:3], 0.2 + 0.4 / Q[:3], 3)

    class Odd(type(fit)):
        def warnings(self):
            return ["<script>&"]

    odd = Odd(**vars(fit))
    assert "&lt;script&gt;&amp;" in odd._repr_html_() and "<script" not in odd._repr_html_()


def test_a_plot_is_a_figure_or_is_on_the_given_axes(case):
    _, fit = case
    with np.errstate(invalid="ignore"):
        figure = fit.plot()
        assert isinstance(figure, Figure) and len(figure.axes) == 2
        empty = Figure()
        ax = empty.subplots()
        assert fit.plot(ax) is empty and ax.lines and len(empty.axes) == 1
        pair = Figure().subplots(2)
        fit.plot(pair)
    assert len(pair[1].lines) == 2
    with pytest.raises(InputError, match="must be axes of matplotlib"):
        fit.plot(7)


def test_a_plot_shows_points_intervals_curve_band_and_residuals():
    fit = FITS["rho50"]()
    top, bottom = fit.plot().axes
    x, y = fit.density, fit.wins / fit.games
    ((points, _, (bars,)),) = top.containers
    np.testing.assert_array_equal(points.get_xydata(), np.stack([x, y], 1))
    ends = np.array(bars.get_segments())[:, :, 1]
    np.testing.assert_allclose(ends.T, wilson(fit.wins, fit.games), atol=1e-12)
    line = next(each for each in top.lines if each.get_label() == "fit").get_xydata()
    np.testing.assert_allclose(line[:, 1], fit.predict(line[:, 0]))
    (band,) = (each for each in top.collections if each.get_label() == "95 % band of the fit")
    top_of_band = band.get_paths()[0].vertices[:, 1].max()
    highest = fit.predict(line[:1, 0]) + 1.96 * fit.predict_error(line[:1, 0])
    assert top_of_band == pytest.approx(highest[0])
    rate = fit.predict(x)
    away = (y - rate) / np.sqrt(rate * (1 - rate) / fit.games)
    np.testing.assert_allclose(bottom.lines[-1].get_ydata(), away, rtol=1e-6)
    assert bottom.get_ylabel().endswith("standard error")


FORMULAS = {
    "rho50": (win_rate_curve, lambda fit: np.array([0.1, 0.2, 0.3])),
    "squares": (hyperbola, lambda fit: Q),
    "series": (lambda q, *a: np.polynomial.polynomial.polyval(1 / q, a), lambda fit: Q),
    "log link": (lambda x, *b: np.exp(-x @ np.array(b)), lambda fit: X),
    "fixed density": (lambda q, *a: np.exp(-np.polyval(a[::-1], q)), lambda fit: Q + 13),
    "fixed density on a torus": (lambda q, c: np.exp(-c * q**2), lambda fit: Q + 13),
    "rival hyperbola": (hyperbola, lambda fit: Q),
    "rival power": (lambda q, a, s: a * q**-s, lambda fit: Q),
}


@pytest.mark.parametrize("name", FORMULAS)
def test_the_error_of_a_curve_follows_from_the_covariance(name):
    fit, (formula, at) = FITS[name](), FORMULAS[name]
    x, values = at(fit), np.array([*fit.values.values()])
    np.testing.assert_allclose(fit.predict(x), formula(x, *values))
    gradient = approx_fprime(values, lambda v: formula(x, *v), 1e-7 * np.abs(values))
    np.testing.assert_allclose(fit.predict_error(x), delta_error(gradient, fit.covariance), 1e-4)
    if hasattr(fit, "k"):
        wrong = replace(fit, covariance=2 * fit.covariance)
        assert not np.allclose(wrong.predict_error(x), delta_error(gradient, fit.covariance), 1e-4)


@pytest.mark.statistical
@pytest.mark.parametrize("runs", sizes(60, 600))
@pytest.mark.parametrize(
    ("model", "rate"),
    [("logistic", logistic(DENSITY, 0, 1, 24, 0.22)), ("weibull", weibull(DENSITY, 0.21, 3.8))],
    ids=["logistic", "weibull"],
)
def test_errors_from_counts_are_the_spread_of_new_games(model, rate, runs):
    at = [0.15, 0.2, 0.25]
    fits = [fit_model(model, curve(seed, rate), replicates=0) for seed in range(100, 100 + runs)]
    spread = [*np.std([fit.parameters for fit in fits], axis=0, ddof=1)]
    spread += [*np.std([fit.predict(at) for fit in fits], axis=0, ddof=1)]
    fit = fit_model(model, curve(99, rate), replicates=runs)
    ratio = np.array([*fit.errors.values(), *fit.predict_error(at)]) / spread
    # The ratio of two standard deviations of `runs` values, within 4.4 of its errors: a false alarm
    # of 1e-5 each. The curve from which wins are drawn adds 5 %, because its win rates have errors.
    allowed = 4.4 * np.sqrt(2 / (2 * runs)) + 0.05
    assert np.abs(np.log(ratio)).max() < allowed
    assert np.abs(np.log(2 * ratio)).max() > allowed


def test_a_fit_of_counts_has_error_bars_without_more_arguments():
    table = curve()
    fit = fit_critical_density(table)
    assert np.isfinite([*fit.errors.values()]).all() and fit.errors["Q"] == pytest.approx(fit.Q_sd)
    assert fit.parameter_replicates.shape == (200, 4)
    np.testing.assert_array_equal(fit.parameter_replicates[:, 3], fit.replicates)
    rows = table.sample(frac=1, random_state=1)
    arrays = {name: table[name] for name in ("wins", "games")}
    again = fit_critical_density(DENSITY, table["win_rate_corrected"], **arrays)
    for other in (again, fit_critical_density(rows)):
        assert other.values == fit.values
        np.testing.assert_array_equal(other.covariance, fit.covariance)
    other = fit_critical_density(table, rng=np.random.default_rng(5))
    assert other.Q_sd != fit.Q_sd


def test_raw_win_rates_are_corrected_first():
    table = curve().assign(topology="square8", player="x", first_click="corner", start="safe")
    table = table.assign(seed=1, kernel_version=1, win_rate=table["wins"] / table["games"])
    table.loc[62, ["wins", "win_rate"]] = (
        1000,
        1.0,
    )  # with the last number of mines only the first click is safe
    raw = table.drop(columns="win_rate_corrected")
    assert fit_critical_density(raw).values == fit_critical_density(curve()).values
    with pytest.raises(InputError, match="lacks mines=2, must hold each of"):
        fit_critical_density(raw.drop(index=1))


@pytest.mark.parametrize("fit", [fit_critical_density, fit_rho50])
def test_a_table_that_is_not_one_curve_is_refused(fit):
    two = pd.concat([curve(), curve().assign(board="9x9")])
    with pytest.raises(InputError, match="must hold one curve, has 2 of board: 8x8, 9x9"):
        fit(two)
    with pytest.raises(InputError, match="lacks column 'wins'"):
        fit(curve().drop(columns="wins"))
    with pytest.raises(InputError, match="must be left out beside a table"):
        fit(curve(), wins=[1])
    with pytest.raises(InputError, match="must be given"):
        fit(DENSITY)


def test_wins_without_games_are_refused():
    with pytest.raises(InputError, match="wins and games must be given together"):
        fit_critical_density([0.2, 0.4], [0.9, 0.1], wins=[9, 1])


def test_rho50_of_a_table_is_that_of_its_arrays():
    table = curve()
    fit = fit_rho50(table, window=(0.15, 0.28))
    again = fit_rho50(DENSITY, table["wins"], table["games"], (0.15, 0.28), cells=64)
    assert fit.values == again.values and fit.interval == again.interval and fit.cells == 64
    assert not fit.own_window


def test_a_window_from_the_counts_holds_the_middle_and_is_reported():
    fit = fit_rho50(curve())
    rates = weibull(np.array(fit.window), fit.rho50, fit.k)
    assert rates == pytest.approx([0.8, 0.2], abs=0.02)
    assert abs(fit.rho50 - 0.21) < 4.4 * fit.error
    text = f"the window {fit.window[0]:.4f} to {fit.window[1]:.4f} was chosen from the counts"
    assert text in fit.report()
    few = fit_rho50(
        np.arange(1, 16) / 16, np.round(1000 * weibull(np.arange(1, 16) / 16, 0.3, 3)), [1000] * 15
    )
    assert few.points >= 4
    flat = fit_rho50([0.1, 0.2], [9, 9], [10, 10])
    assert flat.window == (0, 1) and flat.no_fit


@pytest.mark.campaign
@pytest.mark.statistical
def test_intervals_of_a_window_from_the_counts_cover():
    rng, runs, rate = np.random.default_rng(20261129), 600, weibull(DENSITY, 0.21, 3.8)
    hits = []
    for _ in range(runs):
        fit = fit_rho50(DENSITY, rng.binomial(GAMES, rate), GAMES)
        hits.append(fit.interval.low <= 0.21 <= fit.interval.high)
    allowed = 4.4 * np.sqrt(0.95 * 0.05 / runs)
    assert np.mean(hits) == pytest.approx(0.95, abs=allowed)
    assert 0.8 != pytest.approx(0.95, abs=allowed)
