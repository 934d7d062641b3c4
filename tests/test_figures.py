"""Figures show the numbers they are given, fit on the page and have the same bytes every time."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from msdensity.correction import w_correction
from msdensity.counts import wilson
from msdensity.errors import InputError
from msdensity.figures import (
    plot_squares,
    plot_win_rates,
    save_figure,
    squares_figure,
    win_rates_figure,
)
from msdensity.fits import fits_table, logistic
from msdensity.scaling import extrapolation_table, fit_squares


def made_up(board, player="weighted", middle=0.2):
    """Win rates of a made-up player: a logistic in density and a certain win at the last mine."""
    p, q = map(int, board.split("x"))
    mines = np.arange(1, p * q)
    games = 1000
    wins = np.round(games * logistic(mines / (p * q), 0.01, 0.99, 25, middle)).astype(int)
    wins[-1] = games
    low, high = wilson(wins, games)
    table = {"board": board, "p": p, "q": q, "topology": "square8", "player": player}
    table |= {"first_click": "corner", "start": "safe", "seed": 1, "kernel_version": 1}
    table |= {"mines": mines, "density": mines / (p * q), "games": games, "wins": wins}
    table |= {"win_rate": wins / games, "win_rate_low": low, "win_rate_high": high}
    return w_correction(pd.DataFrame(table))


@pytest.fixture(scope="module")
def tables():
    boards = [f"{q}x{q}" for q in range(3, 8)]
    parts = [
        made_up(board, player, 0.2 + shift + 0.3 / int(board[0]))
        for board in boards
        for player, shift in (("weighted", 0), ("other", 0.02))
    ]
    win_rates = pd.concat(parts, ignore_index=True)
    fits = fits_table(win_rates, replicates=5)
    return win_rates, fits, extrapolation_table(fits)


def lines(ax):
    """Return (x, y) of every line on the axes."""
    return [np.column_stack(line.get_data()) for line in ax.get_lines()]


def test_win_rates_are_drawn_where_they_are(tables):
    win_rates, fits, _ = tables
    table = win_rates[(win_rates["board"] == "4x4") & (win_rates["player"] == "weighted")]
    fit = next(fits[(fits["board"] == "4x4") & (fits["player"] == "weighted")].itertuples())
    ax = Figure().subplots()
    plot_win_rates(ax, table, fit)
    points, corrected, curve, critical = lines(ax)
    kept = table["correction_rule"] == 0
    np.testing.assert_array_equal(points, table.loc[kept, ["density", "win_rate"]])
    np.testing.assert_array_equal(corrected, table.loc[~kept, ["density", "win_rate"]])
    assert len(corrected) >= 1
    np.testing.assert_allclose(curve[:, 1], logistic(curve[:, 0], fit.b, fit.L, fit.k, fit.Q))
    assert set(critical[:, 0]) == {fit.P}
    bars = np.array(ax.collections[0].get_segments())
    np.testing.assert_allclose(bars[:, 0, 1], table.loc[kept, "win_rate_low"], atol=1e-12)
    np.testing.assert_allclose(bars[:, 1, 1], table.loc[kept, "win_rate_high"], atol=1e-12)
    assert ax.get_title() == ""


def test_a_curve_without_a_fit_is_drawn_alone(tables):
    ax = Figure().subplots()
    plot_win_rates(ax, tables[0].query("board == '3x3' and player == 'other'"), None)
    assert len(lines(ax)) == 2


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


def overlaps(figure):
    """Return pairs of visible texts whose boxes overlap, and texts that leave the page."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer = canvas.get_renderer()
    page = figure.bbox.padded(1)
    undrawn = set()  # labels of ticks outside the limits
    for ax in figure.axes:
        for axis in (ax.xaxis, ax.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in axis.get_major_ticks():
                if not low <= tick.get_loc() <= high:
                    undrawn |= {tick.label1, tick.label2}
    texts = figure.findobj(lambda a: hasattr(a, "get_text") and a.get_text().strip())
    boxes = [
        (t.get_text(), t.get_window_extent(renderer))
        for t in texts
        if t not in undrawn and t.get_visible() and t.get_window_extent(renderer).width > 0
    ]
    faults = [
        (a, b)
        for i, (a, box) in enumerate(boxes)
        for b, other in boxes[i + 1 :]
        if box.padded(-0.5).overlaps(other.padded(-0.5)) and not np.allclose(box, other)
    ]
    outside = [t for t, box in boxes if not (page.contains(*box.min) and page.contains(*box.max))]
    return faults, outside


def figures(tables):
    win_rates, fits, extrapolation = tables
    one = win_rates[win_rates["board"] == "3x3"]
    return {
        "five boards": win_rates_figure(win_rates, fits),
        "one board": win_rates_figure(one, fits),
        "nine boards": win_rates_figure(
            pd.concat([win_rates, *(made_up(f"2x{q}") for q in range(3, 7))]), fits
        ),
        "squares": squares_figure(fits, extrapolation),
        "no squares": squares_figure(fits.head(0), extrapolation.head(0)),
    }


def test_no_text_overlaps_or_leaves_the_page(tables, tmp_path):
    for name, figure in figures(tables).items():
        save_figure(figure, tmp_path / "f.png")  # settles the layout, as a user's file has it
        faults, outside = overlaps(figure)
        assert (name, faults, outside) == (name, [], [])


def test_the_overlap_check_sees_an_overlap(tables):
    figure = figures(tables)["one board"]
    figure.text(0.5, 0.5, "one")
    figure.text(0.51, 0.5, "two")
    figure.text(-0.1, 0.5, "three")
    faults, outside = overlaps(figure)
    assert ("one", "two") in faults and outside == ["three"]


def test_one_panel_a_board_and_one_legend_entry_a_player(tables):
    figure = win_rates_figure(*tables[:2])
    titles = [ax.get_title() for ax in figure.axes]
    assert titles == ["3 × 3", "4 × 4", "5 × 5", "6 × 6", "7 × 7"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["weighted", "other"]
    (legend,) = [ax.get_legend() for ax in squares_figure(*tables[1:]).axes]
    c = tables[2].set_index("player")["c"]
    for text, player in zip(legend.get_texts(), ("weighted", "other"), strict=True):
        assert text.get_text().startswith(f"{player}: c = {c[player]:.3f} ± ")


@pytest.mark.parametrize("ending", ["pdf", "png"])
def test_the_same_figure_gives_the_same_bytes(tables, tmp_path, ending):
    first, second, other = (tmp_path / f"{name}.{ending}" for name in ("a", "b", "c"))
    save_figure(win_rates_figure(*tables[:2]), first)
    save_figure(win_rates_figure(*tables[:2]), second)
    save_figure(win_rates_figure(tables[0].assign(win_rate=0.5), tables[1]), other)
    assert first.read_bytes() == second.read_bytes() != other.read_bytes()
    assert b"CreationDate" not in first.read_bytes()


def test_bad_input_is_refused(tables, tmp_path):
    with pytest.raises(InputError, match=r"must end in \.pdf or \.png"):
        save_figure(Figure(), tmp_path / "a.png", tmp_path / "a.jpg")
    assert not list(tmp_path.iterdir())
    with pytest.raises(InputError, match="win_rates has 0 rows"):
        win_rates_figure(tables[0].head(0), tables[1])
