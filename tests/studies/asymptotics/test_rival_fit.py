"""Rival models: each wins on its own data, and predictions have the errors they state."""

import numpy as np
import pytest

from msdensity.errors import InputError
from msdensity.stats.hyperbola import hyperbola
from msdensity.stats.law import law_exponent, law_rho50
from msdensity.studies.asymptotics.prediction import predict_published
from msdensity.studies.asymptotics.rival_curves import CURVES
from msdensity.studies.asymptotics.rival_fit import (
    compare_rivals,
    fit_rival,
    local_exponent,
)

Q = np.array([8, 10, 16, 24, 32, 48, 64, 96, 128, 256])
ERROR = np.full(len(Q), 4e-4)
VALUES = {
    "hyperbola": (0.4, -1.0, 0.16),
    "power_to_limit": (0.3, 0.5, 0.08),
    "power": (0.38, 0.2),
    "shifted_power": (0.5, -8.0, 0.25),
    "law": (),
    "scaled_law": (0.95,),
    "corrected_law": (0.22, 5.0),
}
TRUTH = {
    name: CURVES[name]("corner", "square8").at(Q, np.array(values))
    for name, values in VALUES.items()
}
CLOSE = {
    "hyperbola": {"power_to_limit"},
    "power": {"shifted_power", "power_to_limit"},
    "law": {"scaled_law", "corrected_law"},
}
"""Model -> those that have it as a special case, or one that is as near to it as the errors are."""


@pytest.mark.statistical
@pytest.mark.parametrize("name", TRUTH)
def test_each_model_wins_on_its_own_data(name):
    rng = np.random.default_rng(20250401)
    fits = compare_rivals(Q, TRUTH[name] + rng.normal(0, ERROR), ERROR)
    own = next(fit for fit in fits if fit.name == name)
    # A chi2 with p below 1e-5 is the false alarm; a model with a parameter to spare may come near.
    assert own.p_value > 1e-5
    assert own.aicc - fits[0].aicc < 10
    assert np.sqrt(np.mean(own.left_out_z**2)) < 2.5
    for fit in fits:
        if fit.name not in {name} | CLOSE.get(name, set()):
            assert not fit.aicc <= own.aicc + 20 and not fit.p_value >= 1e-5  # NaN: it runs away
            assert not fit.left_out_rms < own.left_out_rms


@pytest.mark.statistical
def test_predictions_cover_at_the_stated_rate():
    rng, runs = np.random.default_rng(20250402), 200
    hit, wrong = [], []
    for _ in range(runs):
        fit = fit_rival("power", Q, TRUTH["power"] + rng.normal(0, ERROR), ERROR)
        z = (fit.predict(1000) - 0.38 * 1000**-0.2) / fit.predict_error(1000)
        hit.append(abs(z) < 1.96)
        wrong.append(abs(z) < 0.98)
    spread = 4.4 * np.sqrt(0.95 * 0.05 / runs)  # a false alarm of 1e-5
    assert np.mean(hit) == pytest.approx(0.95, abs=spread)
    assert np.mean(wrong) < 0.95 - spread  # halved errors fail


def test_exact_data_give_back_the_parameters():
    for name, values in VALUES.items():
        fit = fit_rival(name, Q, TRUTH[name], ERROR)
        assert tuple(fit.values) == CURVES[name].parameters
        assert [*fit.values.values()] == pytest.approx(values, rel=1e-5)
        assert fit.sum_of_squares == pytest.approx(0, abs=1e-6)
        assert fit.left_out == pytest.approx(np.zeros(len(Q)), abs=1e-6)
        assert fit.predict([[20.0], [40.0]]).shape == (2, 1)
    assert fit_rival("law", Q, TRUTH["law"], ERROR).predict_error(20) == 0
    # 2 k + 2 k (k + 1) / (n - k - 1) with k = 3, n = 10
    assert fit_rival("hyperbola", Q, TRUTH["hyperbola"], ERROR).aicc == pytest.approx(10)


def test_the_local_exponent_is_that_of_the_law():
    local = local_exponent(Q, TRUTH["law"], ERROR)
    expected = [law_exponent(float(q)) for q in local["q"]]
    large = local["q"].to_numpy() > 16  # lines across 8 x 8 make it no easier than 9 x 9
    off = local["exponent"].to_numpy() - expected
    assert np.abs(off[large]).max() < 0.003 < np.abs(off[~large]).max()
    one = local.iloc[-1]
    relative = ERROR[-2:] / TRUTH["law"][-2:]
    assert one["error"] == pytest.approx(np.hypot(*relative) / np.log(2))
    power = local_exponent(Q, TRUTH["power"], ERROR)
    assert power["exponent"].to_numpy() == pytest.approx(np.full(9, 0.2))


@pytest.mark.statistical
def test_the_published_curve_holds_on_its_own_data_and_fails_on_the_law():
    rng = np.random.default_rng(20250403)
    small, large = np.arange(3, 11), np.array([64, 128, 256])
    error, runs, z = np.full(8, 3e-4), 200, []
    for _ in range(runs):
        test = predict_published(
            small,
            hyperbola(small, 0.37, 0.03, 0.16) + rng.normal(0, error),
            error,
            large,
            hyperbola(large, 0.37, 0.03, 0.16) + rng.normal(0, 4e-4, 3),
            np.full(3, 4e-4),
        )
        z.append(test["z"])
    # Hits of a 95 % interval are binomial; 4.4 standard deviations are a false alarm of 1e-5.
    share = pytest.approx(np.full(3, 0.95), abs=4.4 * np.sqrt(0.95 * 0.05 / runs))
    assert np.mean(np.abs(z) < 1.96, axis=0) == share
    law = [law_rho50(float(q)) for q in large]
    refuted = predict_published(
        small,
        hyperbola(small, 0.37, 0.03, 0.16) + rng.normal(0, error),
        error,
        large,
        law,
        np.full(3, 4e-4),
    )
    assert (np.diff(refuted["z"]) < 0).all() and refuted["z"].iloc[-1] < -20
    assert refuted["below_limit"].iloc[-1] > 20
    # Equal weights, as published: errors from the scatter.
    plain = predict_published(
        small, hyperbola(small, 0.37, 0.03, 0.16), None, large, law, [4e-4] * 3
    )
    assert plain["predicted_error"].to_numpy() == pytest.approx(np.zeros(3), abs=1e-6)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: fit_rival("line", Q, TRUTH["law"], ERROR), "name='line' must be one of hyperbola"),
        (lambda: fit_rival("power", [8, 9], [0.2, 0.2], [1, 1]), "must have at least 3"),
        (lambda: fit_rival("law", [9, 8], [0.2, 0.2], [1, 1]), "must rise within 1"),
        (lambda: fit_rival("law", [8, 9], [0.2, 1.2], [1, 1]), "must be in .0, 1."),
        (lambda: fit_rival("law", [8, 9], [0.2, 0.2], [1, 0]), "must be above 0"),
        (lambda: local_exponent([8, 9], [0.2], [1, 1]), "must be one"),
        (
            lambda: predict_published([3, 4, 5], [0.2] * 3, None, [9], [0.2], [1]),
            "must have at least 4 sizes",
        ),
        (
            lambda: predict_published([3, 4, 5, 6], [0.3, 0.28, 0.26, 0.25], None, [6], [0.2], [1]),
            "q=6 must be above the largest size fitted, 6",
        ),
    ],
)
def test_wrong_input_is_named(call, words):
    with pytest.raises(InputError, match=words):
        call()


def test_slopes_are_the_derivatives_of_the_curves():
    for name, values in VALUES.items():
        curve = CURVES[name]("corner", "square8")
        slopes = curve.slopes(Q, np.array(values))
        assert slopes.shape == (len(Q), len(values))
        for i, value in enumerate(values):
            step = 1e-5 * max(abs(value), 0.1)
            up, down = (np.array(values) + s * step * np.eye(len(values))[i] for s in (1, -1))
            slope = (curve.at(Q, up) - curve.at(Q, down)) / (2 * step)
            assert slopes[:, i] == pytest.approx(slope, rel=1e-5, abs=1e-9)
