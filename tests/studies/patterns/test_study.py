"""The tables, the figure, the page and the settings of the study of forced guesses."""

import re
from inspect import signature

import pandas as pd
import pytest

from msdensity.errors import InputError
from msdensity.files.tables import check_table, read_table
from msdensity.games.boards import Board
from msdensity.stats.columns import DENSITY_COLUMNS
from msdensity.stats.law import SERIES
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS
from msdensity.studies.patterns.columns import TABLES
from msdensity.studies.patterns.figures import FIGURES, board_of, cells_of, patterns_figure
from msdensity.studies.patterns.lattices import lattice_patterns, lattice_table
from msdensity.studies.patterns.lines import (
    dip_table,
    law_half,
    line_layouts,
    line_patterns,
    lines_table,
)
from msdensity.studies.patterns.orders import neighbours
from msdensity.studies.patterns.page import facts, page
from msdensity.studies.patterns.play import play_lines, play_slopes
from msdensity.studies.patterns.players import (
    placed_sets,
    player_orders_table,
    player_slopes_table,
)
from msdensity.studies.patterns.results import (
    coefficients_table,
    orders_table,
    patterns_table,
)
from msdensity.studies.patterns.settings import load_settings
from msdensity.studies.plot import save_figure
from places import ROOT

SUMS = {
    "19x19": [0, 0, 12, 144, -28, 496],
    "21x21": [0, 0, 12, 160, -36, 612],
    "22x22": [0, 0, 12, 168, -40, 673],
}
"""What the boards of the study sum to, order by order."""


def orders(**changed: list[int]) -> pd.DataFrame:
    rows = [
        (f"square-{board[:2]}", board, "none", k, 1, 0, str(value), "0")
        for board, sums in (SUMS | changed).items()
        for k, value in enumerate(sums, 1)
    ]
    rows.append(("torus", "11x11-torus8", "none", 6, 1, 0, "121", "0"))
    rows.append(("torus", "11x11-torus8", "none", 7, 1, 0, "0", "0"))
    rows.append(("zero", "13x13-torus8", "zero", 5, 1, 0, "69", "0"))
    for k, value in enumerate(("0", "3", "19", "195/2"), 1):
        rows.append(("corner", "9x9", "corner", k, 1, 0, value, ""))
    columns = ["part", "board", "start", "mines", "sets", "lost", "loss", "guesses"]
    return pd.DataFrame(rows, columns=columns)


def test_the_coefficients_are_those_of_the_law() -> None:
    table = coefficients_table(orders())
    found = {(row.term, row.order): row.coefficient for row in table.itertuples()}
    law = {
        (term, order): str(value)
        for term, own in SERIES.items()
        for order, value in own.items()
        if term != "zero_corner start"
    }
    assert found == law and len(table) == len(law)
    assert (table["value"] == table["law"]).all()


def test_another_board_tests_them_and_a_wrong_sum_is_seen() -> None:
    fourth = {"16x16": [0, 0, 12, 120]}
    tested = coefficients_table(orders(**fourth))
    row = tested[(tested["term"] == "edge") & (tested["order"] == 4)].iloc[0]
    assert row["tested_on"] == "16x16"
    wrong = coefficients_table(orders(**{"16x16": [0, 0, 12, 121]}))
    assert (wrong["tested_on"] == "differs on 16x16").any()


def test_the_smallest_patterns_and_their_drawing() -> None:
    table = patterns_table()
    assert table["place"].value_counts().to_dict() == {"bulk": 3, "corner": 3, "edge": 2}
    for row in table.itertuples():
        first = board_of(row.first, row.flags, row.place)
        second = board_of(row.second, row.flags, row.place)
        closed = cells_of(row.first) | cells_of(row.second)
        for r, (a, b) in enumerate(zip(first, second, strict=True)):
            for c, (x, y) in enumerate(zip(a, b, strict=True)):
                assert (x == y) or (r, c) in closed  # no opened cell tells them apart
    assert len(patterns_figure(table).axes) == 2 * len(table)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return (settings, tables, figures): all of the small study."""
    folder = tmp_path_factory.mktemp("patterns")
    settings = load_settings(ROOT / "workflow/config/smoke_patterns.yaml")
    tables = {
        "orders": orders(),
        "coefficients": coefficients_table(orders()),
        "patterns": patterns_table(),
        "line_patterns": line_patterns(),
        "lattices": pd.concat([lattice_table(name, settings) for name in settings.lattices]),
        "lattice_patterns": lattice_patterns(settings),
        "player_orders": pd.concat(
            [player_orders_table(player, settings) for player in settings.players]
        ),
        "players_slopes": player_slopes_table(play_slopes(settings, str(folder)).table),
        "lines": lines_table(play_lines(settings, str(folder)).table),
        "dips": dip_table(
            read_table(ROOT / "msdensity/studies/densities/densities.csv", DENSITY_COLUMNS),
            read_table(ROOT / "data/published/table_b2.csv", PUBLISHED_COLUMNS),
        ),
    }
    figures = {}
    for name, function in FIGURES.items():
        figures[name] = folder / f"{name}.png"
        figure = function(**{table: tables[table] for table in signature(function).parameters})
        save_figure(figure, figures[name])
    return (
        settings,
        {name: check_table(t, TABLES[name], name) for name, t in tables.items()},
        figures,
    )


def test_the_page_says_the_series_and_what_the_tables_say(made) -> None:
    settings, tables, figures = made
    known = facts(tables, settings)
    assert known["series"]["edge"] == "2 ρ^4 \N{MINUS SIGN} ρ^5 + 9/2 ρ^6"
    html = page(tables=tables, settings=settings, figures=figures)
    assert html.count("<img") == 4 and "All of these are the law's." in html
    assert known["lattices_bulk"] == {"square4": "(2 + u) ρ^5", "triangle3": "u ρ^4"}
    assert "All 9 terms are those of the law." in html
    wrong = tables | {"lattices": tables["lattices"].assign(U_law="2")}
    assert "differ from the law of the project: square4, bulk;" in page(wrong, settings, figures)
    assert "nan" not in re.sub(r"base64,[^\"]*", "", html)
    assert "control: of 18 contrasts at p = 6, 7 and 9, none is a dip" in " ".join(html.split())
    off = tables | {"coefficients": tables["coefficients"].assign(law=0.0)}
    assert "differ from the law" in page(off, settings, figures)
    slopes = tables["players_slopes"]
    for above, steep in ((2.9, 0), (3.1, len(slopes))):
        moved = slopes.assign(slope=slopes["law"] + above * slopes["error"])
        assert len(facts(tables | {"players_slopes": moved}, settings)["steep"]) == steep


def test_boards_with_lines_are_harder_than_their_neighbours(made) -> None:
    """In all three densities and both series; the control sees no dip where there is no line."""
    dips = facts(made[1], made[0])["dips"]
    assert len(dips["lines"]) == dips["dips"] + 1 == 12 and dips["others_dip"] == []
    assert [(row.quantity, row.series, row.p) for row in dips["no_dip"]] == [
        ("published P", "p x 10", 8)
    ]
    assert all(row.law_contrast < 0 for row in dips["lines"])
    moved = made[1]["dips"].assign(p=made[1]["dips"]["p"] + 1)  # the lines at p = 6 and 9
    control = facts(made[1] | {"dips": moved}, made[0])["dips"]
    assert control["others_dip"] != []


def test_lines_are_in_the_law_and_their_layouts_show_the_same_numbers(made) -> None:
    _, tables, _ = made
    lines = tables["lines"].set_index("board")
    assert (lines["lines"] == [1, 0, 1]).all()
    assert lines.loc["5x30", "z_without_lines"] > 5 and lines.loc["9x9-torus8", "law"] > 0.04
    assert law_half((5, 10), lines=True) < law_half((5, 10), lines=False)
    assert law_half((6, 10), lines=True) == law_half((6, 10), lines=False)
    for side in (5, 8):
        first, second = line_layouts(side)
        near = neighbours(Board((side, 9)))

        def numbers(layout: list[int], near: list[list[int]] = near) -> list[int]:
            return [sum(9 * r + 4 in own for r in layout) for own in near]

        closed = {9 * r + 4 for r in (*first, *second)}
        shown = zip(numbers(first), numbers(second), strict=True)
        assert all(a == b for c, (a, b) in enumerate(shown) if c not in closed)


def test_the_lowest_orders_of_players(made) -> None:
    """Two mines on the diagonal of a corner: `single_point` loses a third of the games (test of
    `play_layouts_by`), and the mine count tells `weighted`."""
    settings, tables, _ = made
    known = facts(tables, settings)
    (corner,) = known["lower"]
    assert (corner.player, corner.place, corner.loses) == ("single_point", "corner", 2)
    assert abs(corner.loss - 1 / 3) < 4 * corner.error and corner.error < 0.06
    own = tables["player_orders"].set_index(["player", "place", "mines"])
    assert own.loc[("weighted", "corner", 2), ["guessed", "loss", "exact"]].tolist() == [0, 0, "0"]
    assert len(placed_sets("corner", 2)) == 630
    assert len(placed_sets("edge", 2)) == 35 * 34 / 2 - 30 * 29 / 2
    assert len(placed_sets("bulk", 2)) == 300 - 2 * 190 + 120
    with pytest.raises(InputError, match="player='lbp' must be one of weighted, single_point"):
        player_orders_table("lbp", settings)


@pytest.mark.campaign
def test_the_edge_has_a_pattern_that_single_numbers_do_not_solve() -> None:
    """2 rho^4 of `weighted` and `equation`, more of `single_point`; rho^6 in the open."""
    settings = load_settings(
        {"study": "patterns", "squares": [13, 15, 16], "repeats": 1000}
        | {"players": ["weighted", "single_point", "equation"], "players_most": [3, 4, 6]}
    )
    loss = {}
    for player in settings.players:
        own = player_orders_table(player, settings)
        for row in own[own["loss"] > 0].drop_duplicates("place").itertuples():
            loss[player, row.place] = (row.mines, row.loss, row.error)
    assert loss["weighted", "corner"] == (3, 3, 0)
    assert loss["weighted", "edge"] == (4, 2, 0)
    assert loss["weighted", "bulk"] == (6, 1, 0)
    for player, more in (("single_point", True), ("equation", False)):
        mines, value, error = loss[player, "edge"]
        assert mines == 4 and (value > 2 + 4 * error) == more and value > 2 - 4 * error
        assert loss[player, "bulk"][0] == 6 and abs(loss[player, "bulk"][1] - 1) < 0.2


def test_a_part_is_counted() -> None:
    settings = load_settings(ROOT / "workflow/config/smoke_patterns.yaml")
    assert orders_table("corner", settings)["loss"].tolist() == ["0", "3", "19"]
    with pytest.raises(InputError, match="part='square-9' must be one of square-13, "):
        orders_table("square-9", settings)


@pytest.mark.parametrize(
    "change, what",
    [
        ({"squares": [13, 14, 15]}, "14 must not be 2 more than a multiple of 3"),
        ({"squares": [13, 13, 15]}, "must be different"),
        ({"torus": 12}, "12 must be no multiple of 3"),
        ({"corner": 8}, "8 must not be 2 more"),
        ({"squares_most": 3, "corner_most": 4}, "corner_most=4 must be at most squares_most=3"),
        ({"squares": [13, 15]}, "squares"),
    ],
)
def test_settings_that_would_give_wrong_numbers_are_refused(change: dict, what: str) -> None:
    values = {"study": "patterns", "squares": [13, 15, 16]} | change
    with pytest.raises(InputError, match=what):
        load_settings(values)
