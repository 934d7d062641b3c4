"""The tables, the figure, the page and the settings of the study of forced guesses."""

import pandas as pd
import pytest

from msdensity.errors import InputError
from msdensity.stats.law import SERIES
from msdensity.studies.patterns.figures import board_of, cells_of, patterns_figure
from msdensity.studies.patterns.page import facts, page
from msdensity.studies.patterns.results import (
    coefficients_table,
    orders_table,
    patterns_table,
)
from msdensity.studies.patterns.settings import load_settings
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


def test_the_page_says_the_series(tmp_path) -> None:
    settings = load_settings(ROOT / "workflow/config/smoke_patterns.yaml")
    figure = tmp_path / "patterns.png"
    patterns_figure(patterns_table()).savefig(figure)
    tables = {"orders": orders(), "coefficients": coefficients_table(orders())}
    assert facts(tables, settings)["series"]["edge"] == "2 ρ^4 \N{MINUS SIGN} ρ^5 + 9/2 ρ^6"
    html = page(tables=tables, settings=settings, figures={"patterns": figure})
    assert html.count("<img") == 1 and "All of these are the law's." in html
    off = tables | {"coefficients": tables["coefficients"].assign(law=0.0)}
    assert "differ from the law" in page(off, settings, {"patterns": figure})


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
