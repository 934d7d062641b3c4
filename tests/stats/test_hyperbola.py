"""The extrapolation from squares: the published numbers, known curves, and diverging fits."""

import numpy as np
import pandas as pd
import pytest

from msdensity.errors import InputError
from msdensity.files.tables import read_table, write_table
from msdensity.stats.columns import EXTRAPOLATION_COLUMNS
from msdensity.stats.hyperbola import extrapolation_table, fit_squares, hyperbola, whole_range
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS
from places import ROOT

PUBLISHED = ROOT / "data/published/table_b2.csv"


@pytest.fixture(scope="module")
def published():
    table = read_table(PUBLISHED, PUBLISHED_COLUMNS)
    diagonal = table[(table["p"] == table["q"]) & (table["q"] >= 3)]
    return diagonal["q"].to_numpy(float), diagonal["P"].to_numpy()


def fits(q, P, player="weighted", board="{0}x{0}"):
    side = pd.array(q, dtype="Int64")
    names = [board.format(int(n)) for n in q]
    return pd.DataFrame({"board": names, "p": side, "q": side, "player": player, "P": P})


def test_the_published_extrapolation_is_reproduced(published):
    fit = fit_squares(*published)
    # The paper prints 0.366581, 0.0305678 and 0.158938 (section 9.3); the minimum is flat along b.
    assert fit.a == pytest.approx(0.366581, abs=5e-5)
    assert fit.b == pytest.approx(0.0305678, abs=5e-4)
    assert fit.c == pytest.approx(0.158938, abs=5e-6)
    assert (fit.a_se, fit.b_se, fit.c_se) == pytest.approx((0.39, 2.4, 0.037), rel=0.03)
    assert (fit.q_min, fit.q_max, fit.n, fit.converged) == (3, 10, 8, True)
    assert "c is poorly determined" in fit.report()


def test_the_limit_depends_on_the_range(published):
    q, P = published
    assert abs(fit_squares(q[:-1], P[:-1]).c - 0.158938) > 1e-3
    assert abs(fit_squares(q[1:], P[1:]).c - 0.158938) > 1e-2
    assert "pole of the curve" in fit_squares(q[1:], P[1:]).report()


def test_a_fit_that_runs_away_has_a_warning(published):
    q, P = published
    fit = fit_squares(q[2:], P[2:])
    assert not fit.converged and np.isnan([fit.a, fit.b, fit.c, fit.c_se]).all()
    assert "runs away" in fit.report() and "q = 5..10" in fit.report()
    assert np.isnan(fit.predict(20)) and np.isnan(fit.predict_error(20))


@pytest.mark.parametrize("truth", [(0.37, 0.03, 0.16), (0.15, 2.0, 0.2), (1.0, -3.0, 0.0)])
def test_a_curve_without_noise_is_recovered(truth):
    q = np.arange(3, 13)
    fit = fit_squares(q, hyperbola(q, *truth))
    assert (fit.a, fit.b, fit.c) == pytest.approx(truth, abs=1e-6)
    np.testing.assert_allclose(fit.predict([[20], [40]]), hyperbola([[20], [40]], *truth))


@pytest.mark.statistical
def test_errors_cover_the_truth_at_the_stated_rate():
    rng = np.random.default_rng(20240503)
    truth, q, runs = (0.37, 0.03, 0.16), np.arange(3, 31), 400
    sigma = np.linspace(2e-4, 6e-4, len(q))
    z, z_wrong = [], []
    for _ in range(runs):
        P = hyperbola(q, *truth) + rng.normal(0, sigma)
        fit = fit_squares(q, P, sigma)
        error = fit.predict(100.0) - hyperbola(100.0, *truth)
        z.append([(fit.c - truth[2]) / fit.c_se, error / fit.predict_error(100.0)])
        z_wrong.append((fit.c - truth[2]) / (fit.c_se / 2))
    # Hits of a 95.45 % interval are binomial; 4.4 standard deviations are a false alarm of 1e-5.
    spread = 4.4 * np.sqrt(0.9545 * 0.0455 / runs)
    assert np.mean(np.abs(z) < 2, axis=0) == pytest.approx([0.9545] * 2, abs=spread)
    assert np.mean(np.abs(z_wrong) < 2) != pytest.approx(0.9545, abs=spread)  # halved errors fail


def test_known_errors_are_not_rescaled_by_the_scatter():
    q = np.arange(3, 11)
    P = hyperbola(q, 0.37, 0.03, 0.16)
    once, tenfold = fit_squares(q, P, np.full(8, 1e-3)), fit_squares(q, P, np.full(8, 1e-2))
    assert once.c_se > 0
    assert tenfold.c_se == pytest.approx(10 * once.c_se, rel=1e-4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([3, 4], [0.3, 0.2]), "q has 2 boards, must have at least 3"),
        (([3, 4, 5], [0.3, 0.25, 0.2], [1, 1, 0]), "must hold 3 values above 0"),
    ],
)
def test_impossible_input_is_refused(arguments, message):
    """test_series.py gives further wrong points to both fits."""
    with pytest.raises(InputError, match=message):
        fit_squares(*arguments)


def test_three_points_have_no_errors():
    fit = fit_squares([3, 6, 10], hyperbola([3, 6, 10], 0.4, 0, 0.16))
    assert fit.c == pytest.approx(0.16) and np.isnan(fit.c_se)
    assert "do not determine" in fit.report()


@pytest.mark.parametrize("P", [0.0, 0.3, 1.0])
def test_equal_densities_determine_no_curve(P):
    fit = fit_squares(range(3, 11), [P] * 8)
    assert np.isnan(fit.c_se) and "do not determine" in fit.report()


def test_every_player_and_topology_has_a_row(published, tmp_path):
    q, P = (values[:6] for values in published)
    table = pd.concat(
        [
            fits(q, P),
            fits(q, P + 0.01, player="other"),
            fits(q, P + 0.1, board="{0}x{0}-torus8"),
            fits([1, 2], [np.nan, 0.9]),
            fits([7], [0.9]).assign(board="5x7", p=5),
            fits(q[:2], P[:2], player="small"),
        ],
        ignore_index=True,
    )
    write_table(tmp_path / "e.csv", extrapolation_table(table), EXTRAPOLATION_COLUMNS)
    result = read_table(tmp_path / "e.csv", EXTRAPOLATION_COLUMNS)
    c = whole_range(result).set_index(["player", "topology"])["c"]
    base = fit_squares(q, P).c
    assert c["weighted", "square8"] == pytest.approx(base, abs=1e-6)
    assert c["other", "square8"] == pytest.approx(base + 0.01, abs=1e-5)
    assert c["weighted", "torus8"] == pytest.approx(base + 0.1, abs=1e-5)
    other = result[(result["player"] == "weighted") & (result["topology"] == "square8")]
    n = len(q)
    assert len(other) == (n - 2) * (n - 3) / 2  # every range of at least 4 of n sides, once
    assert other[["q_min", "q_max"]].drop_duplicates().shape == other[["q_min", "q_max"]].shape
    part = other[(other["q_min"] == q[1]) & (other["q_max"] == q[5])].iloc[0]
    assert part["c"] == pytest.approx(fit_squares(q[1:6], P[1:6]).c, rel=5e-6, nan_ok=True)
    small = result[result["player"] == "small"].iloc[0]
    assert np.isnan(small["c"]) and small["n"] == 2 and "must be at least 4" in small["note"]
    assert len(result) == 3 * len(other) + 1
