"""The series in 1/q: known coefficients, errors that cover, and the form of the table."""

import numpy as np
import pandas as pd
import pytest
from statsmodels.regression.linear_model import OLS

from msdensity.errors import InputError
from msdensity.files.tables import read_table, write_table
from msdensity.stats.columns import SERIES_COLUMNS
from msdensity.stats.hyperbola import fit_squares
from msdensity.stats.series import MAX_TERMS, fit_series, published_strips, series_table
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS
from places import ROOT

PUBLISHED = ROOT / "data/published/table_b2.csv"
SIDES = np.arange(2, 51)


def test_coefficients_without_noise_are_recovered():
    truth = np.array([0.1, 0.7, -0.4, 0.2])
    P = np.polynomial.polynomial.polyval(1 / SIDES, truth)
    for terms in range(4, MAX_TERMS + 1):
        fit = fit_series(SIDES, P, terms)
        np.testing.assert_allclose(fit.a[0], 0.1, atol=1e-8)
        np.testing.assert_allclose(fit.predict(SIDES), P, atol=1e-12)
    np.testing.assert_allclose(fit_series(SIDES, P, 4).a, truth, atol=1e-9)


def test_the_fit_is_ordinary_least_squares():
    rng = np.random.default_rng(1)
    P = np.clip(1 / np.sqrt(SIDES) + 0.01 * rng.standard_normal(len(SIDES)), 0, 1)
    for terms in (1, 2, 5):
        expected = OLS(P, np.vander(1 / SIDES, terms, increasing=True)).fit()
        fit = fit_series(SIDES, P, terms)
        np.testing.assert_allclose(fit.a, expected.params, rtol=1e-8)
        np.testing.assert_allclose(fit.se, expected.bse, rtol=1e-8)


@pytest.mark.statistical
def test_errors_of_P_reach_a0_as_stated():
    rng = np.random.default_rng(20240503)
    sigma, runs = np.linspace(0.002, 0.01, len(SIDES)), 400
    truth = np.array([0.1, 0.7, -0.4])
    P = np.polynomial.polynomial.polyval(1 / SIDES, truth)
    fits = [
        fit_series(SIDES, P + sigma * rng.standard_normal(len(P)), 3, sigma) for _ in range(runs)
    ]
    z = np.array([(fit.a[0] - truth[0]) / fit.sampling_se[0] for fit in fits])
    # mean square of 400 standard normals: 1 +- 4.4 sqrt(2/400), false alarm 1e-5
    assert abs(np.mean(z**2) - 1) < 4.4 * np.sqrt(2 / runs)
    wrong = np.array([(fit.a[0] - truth[0]) / fit.sampling_se[1] for fit in fits])
    assert abs(np.mean(wrong**2) - 1) > 4.4 * np.sqrt(2 / runs)


def strip_fits(q):
    side = pd.array(q, dtype="Int64")
    table = {"board": [f"1x{n}" for n in q], "p": pd.array([1] * len(q), dtype="Int64")}
    table |= {"q": side, "player": "weighted", "P": np.minimum(1, 1.5 / np.asarray(q))}
    return pd.DataFrame(table).assign(Q_sd=0.001)


def test_the_table_has_every_number_of_terms_and_range(tmp_path):
    table = series_table(strip_fits(SIDES))
    rows = table[table["n"] == 0]
    for smallest, boards in ((2, 49), (5, 46)):
        chosen = rows[rows["q_min"] == smallest]
        assert chosen["terms"].tolist() == list(range(1, 11))
        assert set(chosen["boards"]) == {boards} and set(chosen["q_max"]) == {50}
    assert (table.groupby(["q_min", "terms"])["n"].count().to_numpy() == [*range(1, 11)] * 2).all()
    write_table(tmp_path / "s.csv", table, SERIES_COLUMNS)
    pd.testing.assert_frame_equal(table, read_table(tmp_path / "s.csv", SERIES_COLUMNS))


def test_few_strips_have_few_terms_and_no_strips_an_empty_table():
    assert series_table(strip_fits([2, 3, 4]))["terms"].max() == 2
    assert len(series_table(strip_fits([2, 3]).assign(p=pd.array([2, 2], dtype="Int64")))) == 0


def test_published_strips_without_errors_of_P_are_fitted(tmp_path):
    printed = published_strips(read_table(PUBLISHED, PUBLISHED_COLUMNS))
    both = pd.concat([printed, strip_fits(SIDES)], ignore_index=True)
    write_table(tmp_path / "s.csv", series_table(both), SERIES_COLUMNS)
    table = read_table(tmp_path / "s.csv", SERIES_COLUMNS)
    rows = table[table["player"] == "published"]
    assert set(rows["boards"]) == {9, 6} and rows["terms"].max() == 8
    assert rows["sampling_se"].isna().all() and (rows["a_se"] > 0).all()
    # The errors of P have no weight, so any errors must give the same coefficients.
    known = series_table(printed.assign(Q_sd=0.01))
    np.testing.assert_array_equal(rows["a"], known["a"])
    assert table[table["player"] == "weighted"]["sampling_se"].notna().all()


def test_errors_for_only_some_boards_are_refused():
    fits = strip_fits([2, 3, 4, 5])
    fits.loc[1, "Q_sd"] = np.nan
    with pytest.raises(InputError, match=r"player=weighted: Q_sd .* is missing for 1x3$"):
        series_table(fits)


def test_long_strips_have_right_numbers_or_one_line():
    q = 10.0**6 + np.arange(40)
    P = 0.2 + 1e5 / q + 1e-3 * np.random.default_rng(5).standard_normal(len(q))
    fit = fit_series(q, P, 2)
    line = np.polynomial.Polynomial.fit(1e6 / q, P, 1).convert().coef
    np.testing.assert_allclose(fit.a, line * [1, 1e6], rtol=1e-6)
    np.testing.assert_allclose(fit.predict(q), line[0] + line[1] * 1e6 / q, rtol=1e-9)
    assert "do not determine the limit a0: its error is 11" in " ".join(fit.warnings())
    for terms in (5, 10):
        with pytest.raises(
            InputError, match=rf"q=1e\+06\.\.1\.00004e\+06: {terms} terms of .* cancel"
        ):
            fit_series(q, P, terms)
    with pytest.raises(InputError, match=r"different sides in 1\.\.1,000,000,000"):
        fit_series(q * 1e4, P, 2)
    table = series_table(strip_fits(range(10**6, 10**6 + 12)))
    assert 2 <= table["terms"].max() < 10


def test_sides_of_any_size_have_the_coefficients_that_they_were_made_of():
    for q in (np.geomspace(2, 10**9, 12), 10.0**9 - np.arange(40) ** 5):
        fit = fit_series(q, 0.2 + q.min() / 2 / q, 2)
        np.testing.assert_allclose(fit.a, [0.2, q.min() / 2], rtol=1e-5)


@pytest.mark.parametrize("terms", [2, 5, 10])
def test_the_error_of_the_curve_is_that_of_orthogonal_columns(terms):
    """The covariance of ten powers loses all digits of it in floating point numbers."""
    q = np.arange(2.0, 13)
    fit = fit_series(q, np.clip(1 / q + 0.01 * np.cos(7 * q), 0, 1), terms)
    columns, _ = np.linalg.qr(np.polynomial.chebyshev.chebvander(2 / q, terms - 1))
    expected = fit.scatter * np.sqrt((columns**2).sum(axis=1))
    np.testing.assert_allclose(fit.predict_error(q), expected, rtol=1e-6)
    assert np.isnan(fit.predict_error([0.0])).all() and np.isfinite(fit.predict_error([np.inf]))


def test_the_report_names_every_coefficient():
    words = fit_series([2, 3, 4, 5], [1, 0.6, 0.5, 0.4], 2, [0.01] * 4).report()
    assert "2 terms, 4 boards 1 x q, q = 2..5" in words
    assert "a0 = " in words and "a1 = " in words and "a2" not in words


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"terms": 0}, "terms=0 must be a whole number in 1..10"),
        ({"terms": 11}, "terms=11 must be a whole number in 1..10"),
        ({"terms": 4}, "q has 3 boards, must have at least 4"),
        ({"q": [2, 2, 3]}, "must hold different sides"),
        ({"P": [0.1]}, "must be the same"),
        ({"P": [0.1, 0.2, 1.2]}, "must be in 0..1"),
        ({"sigma": [-1, 2, 3]}, "sigma=.* must hold 3 values of at least 0"),
        ({"sigma": [1, 2]}, "sigma=.* must hold 3 values of at least 0"),
        ({"sigma": ["a", 2, 3]}, "sigma=.* must be numbers"),
        ({"terms": 2.5}, "terms=2.5 must be a whole number in 1..10"),
        ({"q": [2, 3, np.inf]}, "q=inf must be finite"),
        ({"P": [0.1, 0.2, np.nan]}, "P=nan must be finite"),
        ({"P": [[0.1], [0.2, 0.3], 0.1]}, "P=.* must be numbers"),
    ],
)
def test_wrong_values_are_one_clear_error(changes: dict, message: str) -> None:
    arguments = {"q": [2, 3, 4], "P": [0.1, 0.2, 0.3], "terms": 2} | changes
    with pytest.raises(InputError, match=message):
        fit_series(**arguments)
    if "terms" not in changes and "-1" not in str(changes):
        arguments.pop("terms")
        with pytest.raises(InputError, match=message.replace("of at least", "above")):
            fit_squares(**arguments)
