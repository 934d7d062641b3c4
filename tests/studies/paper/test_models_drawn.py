"""The figure of win rates draws every model named, and any fit of a curve."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from msdensity.stats.correction import w_correction
from msdensity.stats.intervals import wilson
from msdensity.stats.logistic import fit_critical_density
from msdensity.stats.model_tables import fit_model, model_tables
from msdensity.stats.models import weibull
from msdensity.stats.rho50.fit import fit_rho50
from msdensity.studies.paper.figures.win_rates import plot_win_rates, win_rates_figure

RHO = np.linspace(0, 1, 401)


@pytest.fixture(scope="module")
def win_rates():
    density = np.arange(1, 16) / 16
    wins = np.round(1000 * weibull(density, 0.3, 3.5))
    low, high = wilson(wins, 1000)
    table = {"board": "4x4", "p": 4, "q": 4, "topology": "square8", "player": "weighted"}
    table |= {"first_click": "corner", "start": "safe", "seed": 1, "kernel_version": 1}
    table |= {"mines": np.arange(1, 16), "density": density, "games": 1000, "wins": wins}
    table |= {"win_rate": wins / 1000, "win_rate_low": low, "win_rate_high": high}
    return w_correction(pd.DataFrame(table))


@pytest.mark.parametrize(
    "fit", [fit_critical_density, fit_rho50, lambda t: fit_model("weibull", t)]
)
def test_a_fit_of_any_kind_is_drawn(win_rates, fit):
    ax, found = Figure().subplots(), fit(win_rates)
    plot_win_rates(ax, win_rates, found)
    curve, critical = ax.lines[-2:]
    np.testing.assert_array_equal(curve.get_ydata(), found.predict(RHO))
    assert set(critical.get_xdata()) == {getattr(found, "P", None) or found.rho50}


def test_every_model_has_its_line_and_is_named(win_rates):
    names = ["weibull", "logistic", "gompertz"]
    made = model_tables(win_rates, names, 0)
    figure = win_rates_figure(win_rates, made["fits"], made["models"])
    (ax,) = figure.axes
    drawn = {line.get_linestyle(): line for line in ax.lines if len(line.get_xdata()) == len(RHO)}
    for style, name in zip(("-", "--", "-."), names, strict=True):
        expected = fit_model(name, win_rates, replicates=0).predict(RHO)
        np.testing.assert_allclose(drawn[style].get_ydata(), expected, atol=2e-5)
    assert [text.get_text() for text in figure.legends[0].texts][1:4] == names
    plain = win_rates_figure(win_rates, made["fits"])
    assert len(plain.legends[0].texts) == 2
