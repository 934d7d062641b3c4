"""Figures of critical densities show the points, the curves and the limits that they are given."""

from types import SimpleNamespace

import numpy as np
from matplotlib.figure import Figure
from studies.paper.made_up import lines

from msdensity.stats.hyperbola import fit_squares
from msdensity.stats.series import fit_series, series_table
from msdensity.studies.paper.figures.aspect import plot_aspect
from msdensity.studies.paper.figures.map import plot_map
from msdensity.studies.paper.figures.squares import plot_squares
from msdensity.studies.paper.figures.strips import (
    plot_limits,
    plot_strips,
)


def test_squares_show_points_curve_and_limit(tables):
    fits = tables[1].query("player == 'weighted'")
    fit = fit_squares(fits["q"].to_numpy(float), fits["P"])
    ax = Figure().subplots()
    plot_squares(ax, fits, fit)
    points, inside, beyond, limit = lines(ax)
    np.testing.assert_array_equal(points, fits[["q", "P"]].to_numpy(float))
    for part in (inside, beyond):
        np.testing.assert_allclose(part[:, 1], fit.predict(part[:, 0]))
    assert inside[-1, 0] == beyond[0, 0] == fit.q_max
    assert set(limit[:, 1]) == {fit.c}
    assert len(ax.collections) == 2  # error bars and the band


def test_a_fit_that_ran_away_leaves_the_points(tables):
    ax = Figure().subplots()
    nothing = SimpleNamespace(a=np.nan, b=np.nan, c=np.nan, q_min=3, q_max=7)
    plot_squares(ax, tables[1].query("player == 'weighted'"), nothing)
    assert len(lines(ax)) == 1


def test_the_map_writes_each_value_at_its_board(tables):
    fits = tables[1].query("player == 'weighted'").copy()
    fits.loc[fits["board"] == "3x3", "P"] = 1.0
    ax = Figure().subplots()
    image = plot_map(ax, fits)
    texts = {text.get_position(): text.get_text() for text in ax.texts}
    assert set(texts) == {(q, q) for q in range(3, 8)}
    assert texts[3, 3] == "1†"
    for row in fits.query("board != '3x3'").itertuples():
        assert texts[row.q, row.q] == f"{row.P:.4f}\n±{1.96 * row.Q_sd:.4f}".replace("0.", ".")
        assert image.get_array()[row.q - 1, row.q - 1] == row.P
    assert np.ma.masked_invalid(image.get_array()).count() == 4  # not the clipped one
    fits.loc[fits["board"] == "4x4", "Q_sd"] = 0.2
    ax = Figure().subplots()
    image = plot_map(ax, fits)
    assert {t.get_position(): t.get_text() for t in ax.texts}[4, 4].endswith("‡")
    assert np.ma.masked_invalid(image.get_array()).count() == 3


def test_the_aspect_ratio_has_a_line_for_each_longer_side(strip_fits):
    ax = Figure().subplots()
    plot_aspect(ax, strip_fits)
    found = [line for line in lines(ax) if len(line)]
    assert [line[0, 0] for line in found] == [1 / q for q in range(2, 11)]
    for line, density in zip(found, strip_fits["P"], strict=False):
        assert line[0, 1] == density


def test_strips_show_points_and_series(strip_fits):
    ax = Figure().subplots()
    plot_strips(ax, strip_fits)
    points, *curves = lines(ax)
    np.testing.assert_array_equal(points, strip_fits[["q", "P"]].to_numpy(float))
    assert len(curves) == 3
    for curve, terms in zip(curves, (2, 5, 10), strict=True):
        fit = fit_series(points[:, 0], points[:, 1], terms)
        np.testing.assert_allclose(curve[:, 1], fit.predict(curve[:, 0]))
    few = Figure().subplots()
    plot_strips(few, strip_fits.head(4))
    assert len(lines(few)) == 2  # the points and two terms


def test_limits_show_a0_and_its_error(strip_fits):
    series = series_table(strip_fits)
    chosen = series[(series["q_min"] == 2) & (series["n"] == 0)]
    ax = Figure().subplots()
    plot_limits(ax, series[series["q_min"] == 2], shift=0.1)
    (line,) = lines(ax)
    np.testing.assert_allclose(line[:, 0], chosen["terms"] + 0.1)
    np.testing.assert_array_equal(line[:, 1], chosen["a"])
    bars = np.array(ax.collections[0].get_segments(), float)
    np.testing.assert_allclose(np.ptp(bars[:, :, 1], axis=1), 2 * 1.96 * chosen["a_se"])
