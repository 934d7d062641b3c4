"""Where a mean meets its target and is largest, tried on truths that are of no fitted form."""

from collections.abc import Callable
from math import log

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, special, stats

from msdensity.studies.definitions.estimates import crossing, fit_sides, gain_p, peak
from msdensity.studies.definitions.means import DEFINITIONS
from msdensity.studies.definitions.settings import load_settings
from places import ROOT
from sizes import sizes

DENSITIES = np.array(load_settings(ROOT / "workflow/config/definitions.yaml").densities)

Curve = Callable[[np.ndarray], np.ndarray]


def law(rho: np.ndarray) -> np.ndarray:
    """-ln W of a board of 32 x 32, about."""
    return 1024 * rho**6 + 256 * rho**4 + 40 * rho**3


def guesses(rho: np.ndarray) -> np.ndarray:
    return (
        2 * (1 - np.exp(-law(rho))) * (1 + 1.5 * rho) * (1 + 3 * special.expit((rho - 0.25) * 30))
    )


TRUTHS: dict[str, tuple[Curve, str]] = {
    "law": (lambda rho: np.exp(-law(rho) * (1 + 20 * rho**2)), "won"),
    "one guess": (guesses, "one_guess"),
    "ln 2 guesses": (guesses, "ln2_guesses"),
    "two falls": (
        lambda rho: 0.7 / (1 + np.exp((rho - 0.26) / 0.03)) + 0.3 * np.exp(-((rho / 0.3) ** 4)),
        "opened",
    ),
    "steep": (
        lambda rho: 0.02 + 0.95 * (1 - 0.3 * rho) * special.expit(29.6 * (0.266 - rho)),
        "inferred",
    ),
    "rising": (lambda rho: special.expit((rho - 0.23) / 0.05) ** 1.3, "clicks"),
}
"""Curves of other forms than that of the fit, and the definition that they are read by."""

PEAKS: dict[str, Curve] = {
    "guesses": lambda rho: guesses(rho) * special.expit((0.3 - rho) / 0.04),
    "lopsided": lambda rho: 30 / (np.exp((0.235 - rho) / 0.02) + np.exp((rho - 0.235) / 0.06)),
}


def drawn(rng: np.random.Generator, mean: np.ndarray, sd: np.ndarray, games: int) -> pd.DataFrame:
    """Return means of games with their errors, which are estimates too."""
    n = len(mean)
    noise = 1 + rng.standard_normal(n) / np.sqrt(2 * games)
    table = {"density": DENSITIES, "games": games, "mean_se": sd * noise / np.sqrt(games)}
    return pd.DataFrame(table).assign(mean=mean + sd * rng.standard_normal(n) / np.sqrt(games))


LONG = [pytest.param(400, name, marks=pytest.mark.campaign) for name in TRUTHS]


@pytest.mark.parametrize("runs,name", [(12, "one guess"), (12, "steep"), *LONG])
def test_the_interval_covers_where_a_definition_is_met(runs: int, name: str) -> None:
    """Hits are binomial: 1e-5 a false alarm; 400 runs find a coverage of .88."""
    curve, definition = TRUTHS[name]
    own, rng = DEFINITIONS[definition], np.random.default_rng(20270612)
    mean = curve(DENSITIES)
    truth = optimize.brentq(lambda rho: float(curve(np.array(rho))) - own.target, 0.05, 0.36)
    share = own.measure != "guesses"
    sd = np.sqrt(mean * (1 - mean) * 0.7) if share else np.sqrt(mean * 1.3)
    hits = away = 0
    for _ in range(runs):
        fit = crossing(drawn(rng, mean, sd, 400), drawn(rng, mean, sd, 4000), own)
        assert fit is not None and not fit.no_fit
        hits += fit.interval.low <= truth <= fit.interval.high
        away += abs(fit.rho50 - truth - 4 * fit.error) <= 1.96 * fit.error
    assert stats.binom.cdf(hits, runs, 0.95) > 1e-5
    assert stats.binom.cdf(away, runs, 0.95) < 1e-5  # four errors away


@pytest.mark.parametrize("runs", sizes(60, 400))
@pytest.mark.parametrize("name", PEAKS)
def test_the_error_of_a_peak_covers(name: str, runs: int) -> None:
    curve, rng = PEAKS[name], np.random.default_rng(20270613)
    mean = curve(DENSITIES)
    truth = optimize.minimize_scalar(
        lambda rho: -float(curve(np.array(rho))), bounds=(0.15, 0.4), method="bounded"
    ).x
    hits = away = 0
    for _ in range(runs):
        top = peak(drawn(rng, mean, 0.6 * mean, 400), drawn(rng, mean, 0.6 * mean, 4000))
        assert top is not None
        hits += abs(top.density - truth) <= 1.96 * top.error
        away += abs(top.density - truth - 4 * top.error) <= 1.96 * top.error
    assert stats.binom.cdf(hits, runs, 0.95) > 1e-5
    assert stats.binom.cdf(away, runs, 0.95) < 1e-5


def test_what_is_never_met_and_what_has_no_peak_inside_has_no_density() -> None:
    flat = pd.DataFrame({"density": DENSITIES, "games": 100, "mean": 0.9, "mean_se": 0.01})
    assert crossing(flat, flat, DEFINITIONS["opened"]) is None
    assert crossing(flat.assign(mean=0.1), flat, DEFINITIONS["opened"]) is None
    assert peak(flat.assign(mean=DENSITIES), flat.assign(mean=DENSITIES)) is None


def test_one_guess_is_where_the_mean_is_one() -> None:
    exact = pd.DataFrame({"density": DENSITIES, "games": 10**6, "mean_se": 1e-5})
    exact = exact.assign(mean=(DENSITIES / 0.17) ** 5)
    fit = crossing(exact, exact, DEFINITIONS["one_guess"])
    assert fit is not None and fit.rho50 == pytest.approx(0.17, abs=1e-6)
    fit = crossing(exact, exact, DEFINITIONS["ln2_guesses"])
    assert fit is not None and fit.rho50 == pytest.approx(0.17 * log(2) ** 0.2, abs=1e-6)


SIDES = np.array([10.0, 16, 32, 64, 128])


def test_a_limit_is_found_and_a_power_has_none() -> None:
    error = np.full(5, 5e-4)
    with_limit, power = 0.2 + 0.9 / SIDES, 0.4 * SIDES**-0.2
    for limit in (False, True):
        data = with_limit if limit else power
        fit = fit_sides(SIDES, data, error, limit=limit)
        assert fit is not None and fit.deviance == pytest.approx(0, abs=1e-6)
        assert fit.power == pytest.approx(1 if limit else 0.2, abs=1e-3)
    assert fit.limit == pytest.approx(0.2, abs=1e-4)
    plain = fit_sides(SIDES, with_limit, error, limit=False)
    assert plain is not None and gain_p(plain, fit) < 1e-6
    assert fit_sides(SIDES[:3], power[:3], error[:3], limit=True) is None


def test_a_limit_gains_by_chance_as_often_as_it_says() -> None:
    """60 powers with noise: the share of gain_p below .1 is binomial; 1e-5 a false alarm."""
    rng, error, small = np.random.default_rng(20270614), np.full(5, 4e-4), 0
    for _ in range(60):
        data = 0.4 * SIDES**-0.2 + error * rng.standard_normal(5)
        plain, more = (fit_sides(SIDES, data, error, limit=limit) for limit in (False, True))
        assert plain is not None and more is not None
        small += gain_p(plain, more) < 0.1
    assert stats.binom.cdf(small, 60, 0.1) < 1 - 1e-5 and small > 0
