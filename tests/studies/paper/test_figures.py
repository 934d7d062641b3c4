"""Figures show the numbers they are given, fit on the page and have the same bytes every time."""

import re

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from studies.paper.made_up import exactly, lines, made_up, made_up_misses, made_up_study, texts

from msdensity.errors import InputError
from msdensity.files.tables import read_table
from msdensity.players.registry import player_name
from msdensity.stats.hyperbola import extrapolation_table, whole_range
from msdensity.stats.logistic import fits_table, logistic
from msdensity.stats.series import series_table
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS
from msdensity.studies.paper.figures.aspect import aspect_figure
from msdensity.studies.paper.figures.board import board_figure, plot_board, safety_figure
from msdensity.studies.paper.figures.first_click import first_click_figure
from msdensity.studies.paper.figures.inference import inference_figure
from msdensity.studies.paper.figures.map import map_figure
from msdensity.studies.paper.figures.squares import squares_figure
from msdensity.studies.paper.figures.strips import (
    limits_figure,
    strips_figure,
)
from msdensity.studies.paper.figures.win_rates import (
    plot_win_rates,
    win_rate_figure,
    win_rates_figure,
)
from msdensity.studies.paper.tables import FIGURE_3_1, FIGURE_4_1
from msdensity.studies.plot import board_name, look, save_figure
from places import ROOT
from sizes import sizes

PUBLISHED = read_table(ROOT / "data/published/table_b2.csv", PUBLISHED_COLUMNS)


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


def test_exact_win_rates_are_crosses_without_bars_and_named(tables):
    win_rates = exactly(tables[0], ["4x4"])
    own = win_rates.query("board == '4x4' and player == 'weighted'")
    ax = Figure().subplots()
    plot_win_rates(ax, own, None)
    crosses, none, corrected = ax.get_lines()
    kept = own["correction_rule"] == 0
    np.testing.assert_array_equal(
        np.column_stack(crosses.get_data()), own.loc[kept, ["density", "win_rate"]]
    )
    assert (crosses.get_marker(), crosses.get_linestyle()) == ("x", "None")
    assert len(none.get_xdata()) == 0 and len(corrected.get_xdata()) == (~kept).sum()
    assert not any(len(bars.get_segments()) for bars in ax.collections)
    fits = fits_table(win_rates, replicates=3)
    figures = [
        win_rates_figure(win_rates, fits),
        win_rate_figure(win_rates, fits, "4x4"),
        win_rate_figure(win_rates, fits, "5x5"),
    ]
    named = ["crosses: exact, all layouts" in texts(f) for f in figures]
    assert named == [True, True, False]
    shown = [text for text in texts(map_figure(fits)) if text.endswith("exact")]
    assert len(shown) == 2
    assert np.isfinite(extrapolation_table(fits)["c"]).any()
    extrapolation = extrapolation_table(fits)
    figure = squares_figure(fits, extrapolation)
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert "inf" not in " ".join(legend) and legend[-1] == "hollow: exact, all layouts"
    for text, player in zip(legend, ("other", "weighted"), strict=False):
        point = fits[(fits["board"] == "4x4") & (fits["player"] == player)].iloc[0]
        row = whole_range(extrapolation).set_index("player").loc[player]
        off = abs(point["P"] - (row["a"] / (4 - row["b"]) + row["c"]))
        assert f"(exact points up to {off:.4f} off)" in text
    (ax,) = figure.axes
    white = [line for line in ax.get_lines() if line.get_markerfacecolor() == "white"]
    assert [line.get_ydata().tolist() for line in white] == [
        fits.query("board == '4x4' and player == @player")["P"].tolist()
        for player in ("other", "weighted")
    ]
    far = fits.assign(P=fits["P"].where(fits["board"] != "5x5", fits["P"] - 0.05))
    far_off = squares_figure(far, extrapolation_table(far))
    assert re.search(r"\(up to \d+ sd, exact 0\.\d{4} off\)", " ".join(texts(far_off)))
    assert overlaps(far_off) == ([], [])
    strips = fits.assign(p=1).assign(Q_sd=0.01)
    for error, named in ((0.01, 0), (0, 2)):
        drawn = texts(strips_figure(strips.assign(Q_sd=error)))
        assert drawn.count("hollow: exact, all layouts") == named
    assert "hollow: exact, all layouts" not in texts(squares_figure(*tables[1:]))


def test_a_curve_without_a_fit_is_drawn_alone(tables):
    ax = Figure().subplots()
    plot_win_rates(ax, tables[0].query("board == '3x3' and player == 'other'"), None)
    assert len(lines(ax)) == 2


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
    texts = figure.findobj(lambda a: isinstance(a, Text) and a.get_text().strip())
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


def figures(tables, strip_fits):
    win_rates, fits, extrapolation = tables
    series = series_table(strip_fits)
    safety = np.linspace(0, 1, 25).reshape(5, 5)
    one = win_rates[win_rates["board"] == "3x3"]
    return {
        "five boards": win_rates_figure(win_rates, fits),
        "one board": win_rates_figure(one, fits),
        "nine boards": win_rates_figure(
            pd.concat([win_rates, *(made_up(f"2x{q}") for q in range(3, 7))]), fits
        ),
        "squares": squares_figure(fits, extrapolation),
        "squares and published": squares_figure(fits, extrapolation, PUBLISHED),
        "no squares": squares_figure(fits.head(0), extrapolation.head(0)),
        "map": map_figure(fits),
        "aspect": aspect_figure(pd.concat([fits, strip_fits])),
        "strips": strips_figure(strip_fits, PUBLISHED),
        "limits": limits_figure(series),
        "one win rate": win_rate_figure(win_rates, fits, "4x4"),
        "board": board_figure(*FIGURE_3_1),
        "safety": safety_figure(*FIGURE_4_1, safety),
        "first click": first_click_figure(made_up_study()),
        "first click, one board": first_click_figure(made_up_study().query("board == '8x8'")),
        "inference": inference_figure(made_up_misses()),
    }


def test_no_text_overlaps_or_leaves_the_page(tables, strip_fits, tmp_path):
    for name, figure in figures(tables, strip_fits).items():
        save_figure(figure, tmp_path / "f.png")  # settles the layout, as a user's file has it
        faults, outside = overlaps(figure)
        assert (name, faults, outside) == (name, [], [])


def test_the_overlap_check_sees_an_overlap(tables):
    win_rates, fits, _ = tables
    figure = win_rates_figure(win_rates[win_rates["board"] == "3x3"], fits)
    figure.text(0.5, 0.5, "one")
    figure.text(0.51, 0.5, "two")
    figure.text(-0.1, 0.5, "three")
    faults, outside = overlaps(figure)
    assert ("one", "two") in faults and outside == ["three"]


def test_one_panel_a_board_and_one_legend_entry_a_player(tables):
    figure = win_rates_figure(*tables[:2])
    titles = [ax.get_title() for ax in figure.axes]
    assert titles == ["3 × 3", "4 × 4", "5 × 5", "6 × 6", "7 × 7"]
    names = {"other": "other", "weighted": "weighted (the paper's text)"}
    points = ["set to 0 by the $W$-correction", "points that the fit adds"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [*names.values(), *points]
    (legend,) = squares_figure(*tables[1:]).legends
    c = whole_range(tables[2]).set_index("player")["c"]
    for text, (player, name) in zip(legend.get_texts(), names.items(), strict=True):
        assert text.get_text().startswith(f"{name}: $c$ = {c[player]:.3f} ± ")


def with_more_boards(tables):
    """The fits and extrapolations of `tables`, and of boards that the paper does not play."""
    fits = tables[1]
    names = ["12x12", "20x20", "6x6-torus8", "5x6-hexagonal", "4x4x4-cubic26"]
    names += ["9-table-0123456789abcdef"]
    row = fits[fits["board"] == "5x5"].iloc[0]
    sides = [(12, 12), (20, 20), (6, 6), (5, 6), (pd.NA, pd.NA), (pd.NA, pd.NA)]
    more = pd.DataFrame(
        [
            row.to_dict() | {"board": name, "p": p, "q": q}
            for name, (p, q) in zip(names, sides, strict=True)
        ]
    )
    more = pd.concat([fits, more], ignore_index=True).astype({"p": "Int64", "q": "Int64"})
    return more, extrapolation_table(more)


def test_boards_that_a_figure_does_not_show_are_named(tables):
    fits, extrapolation = with_more_boards(tables)
    named = "not shown: 12 × 12, 20 × 20, 6 × 6 torus8, 5 × 6 hexagonal and 2 more"
    for draw in (map_figure, aspect_figure):
        assert draw(fits).get_supxlabel() == named
        assert not draw(tables[1]).get_supxlabel()
    (ax,) = squares_figure(fits, extrapolation).axes
    legend = [text.get_text() for text in ax.figure.legends[0].get_texts()]
    assert len(legend) == 3 and any("torus8" in text for text in legend)  # no series without points
    assert "table-" not in "".join(legend)


def test_players_stand_side_by_side(tables):
    (ax,) = squares_figure(*tables[1:]).axes
    other, weighted = (container[0].get_xdata() for container in ax.containers)
    np.testing.assert_allclose(other, np.arange(3, 8) - 0.06)
    np.testing.assert_allclose(weighted, np.arange(3, 8) + 0.06)
    alone = [table[table["player"] == "weighted"] for table in tables[1:]]
    (ax,) = squares_figure(*alone).axes
    np.testing.assert_array_equal(ax.containers[0][0].get_xdata(), np.arange(3, 8))


def test_49_series_are_told_apart_and_7_without_colour():
    looks = [look(index) for index in range(49)]
    assert len({(each["color"], each["marker"]) for each in looks}) == 49
    assert len({each["marker"] for each in looks[:7]}) == 7


def test_a_custom_board_has_a_name_that_can_be_read():
    assert board_name("12-table-0123456789abcdef") == "custom board of 12 cells"
    assert board_name("4x4x4-cubic26") == "4 × 4 × 4 cubic26"


def test_points_far_off_the_curve_are_in_the_legend(tables):
    fits = tables[1].copy()
    fits.loc[(fits["board"] == "5x5") & (fits["player"] == "weighted"), "P"] -= 0.02
    figure = squares_figure(fits, extrapolation_table(fits))
    other, weighted = (text.get_text() for text in figure.legends[0].get_texts())
    assert "sd off)" in weighted and "sd off" not in other


@pytest.mark.parametrize("ending", sizes("png", "pdf"))
def test_the_same_figure_gives_the_same_bytes(tables, tmp_path, ending):
    first, second, other = (tmp_path / f"{name}.{ending}" for name in ("a", "b", "c"))
    save_figure(win_rates_figure(*tables[:2]), first)
    save_figure(win_rates_figure(*tables[:2]), second)
    fewer = tables[0][tables[0]["mines"] > 1]
    save_figure(win_rates_figure(fewer, tables[1]), other)
    assert first.read_bytes() == second.read_bytes() != other.read_bytes()
    assert b"CreationDate" not in first.read_bytes()


def test_bad_input_is_refused(tables, tmp_path):
    with pytest.raises(InputError, match=r"must end in \.pdf or \.png"):
        save_figure(Figure(), tmp_path / "a.png", tmp_path / "a.jpg")
    assert not list(tmp_path.iterdir())
    with pytest.raises(InputError, match="win_rates has 0 rows"):
        win_rates_figure(tables[0].head(0), tables[1])
    with pytest.raises(InputError, match="board=9x9 must be one of 3x3"):
        win_rate_figure(*tables[:2], "9x9")
    for figure in (map_figure, aspect_figure, strips_figure, limits_figure):
        with pytest.raises(InputError, match="must have at least 1 to draw"):
            figure(tables[1].head(0))
    # Such as the raw win rates in place of the corrected ones.
    for figure in (
        *(map_figure, aspect_figure, strips_figure, limits_figure),
        *(first_click_figure, inference_figure),
    ):
        with pytest.raises(InputError, match="lacks column"):
            figure(pd.DataFrame({"board": ["3x3"]}))
    for figure in (win_rates_figure, squares_figure, lambda a, b: win_rate_figure(a, b, "3x3")):
        for few in (0, 1):
            given = list(tables[:2])
            given[few] = pd.DataFrame({"board": ["3x3"]})
            with pytest.raises(InputError, match="lacks column"):
                figure(*given)
    with pytest.raises(InputError, match="strings of one length"):
        plot_board(Figure().subplots(), ["..", "."])
    with pytest.raises(InputError, match=r"safety has shape \(2, 1\), must be \(1, 2\)"):
        plot_board(Figure().subplots(), [".."], safety=[[0.5], [0.5]])


def test_long_strips_are_left_out_of_the_page_of_all_boards(tables):
    win_rates, fits, _ = tables
    more = pd.concat([win_rates, made_up("1x10"), made_up("1x11")])
    titles = [ax.get_title() for ax in win_rates_figure(more, fits).axes]
    assert "1 × 10" in titles and "1 × 11" not in titles


def test_a_board_shows_numbers_flags_and_safeties():
    ax = Figure().subplots()
    safety = [[np.nan, np.nan, 0.125], [np.nan, 1.0, np.nan]]
    plot_board(ax, ["2F.", "0.*"], safety=safety, mark=[(1, 1)])
    texts = [text.get_text() for text in ax.texts]
    assert texts == ["2", "\N{BLACK FLAG}", "12", "", "100", "\N{HEAVY ASTERISK}"]
    assert len(ax.patches) == 7  # a cell each, and the outline
    bare = Figure().subplots()
    plot_board(bare, ["..", ".."], safe=[(0, 0)], mined=[(1, 1)])
    texts = [text.get_text() for text in bare.texts]
    assert texts == ["\N{CHECK MARK}", "", "", "\N{BLACK FLAG}"]


def test_players_are_named_in_words():
    assert player_name("weighted") == "weighted"
    assert player_name("weighted-ties_random") == "weighted, ties random"
