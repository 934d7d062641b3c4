"""Tables B.1 and B.2 and the quoted numbers hold ours beside the printed ones."""

import json

import numpy as np
import pandas as pd
import pytest

from msdensity.files.tables import read_table, write_table
from msdensity.stats.correction import w_correction
from msdensity.stats.hyperbola import extrapolation_table
from msdensity.stats.intervals import wilson
from msdensity.stats.logistic import fits_table
from msdensity.stats.series import series_table
from msdensity.studies.paper.columns import B1_COLUMNS, B2_COLUMNS, PUBLISHED_COLUMNS
from msdensity.studies.paper.tables import quoted_numbers, table_b1, table_b2
from places import ROOT

PUBLISHED = read_table(ROOT / "data/published/table_b2.csv", PUBLISHED_COLUMNS)


def curve(p, q, player="weighted"):
    mines = np.arange(1, p * q)
    wins = np.round(1000 / (1 + np.exp(25 * (mines / (p * q) - 0.2)))).astype(int)
    low, high = wilson(wins, 1000)
    table = {"board": f"{p}x{q}", "p": p, "q": q, "topology": "square8", "player": player}
    table |= {"first_click": "corner", "start": "safe", "seed": 1, "kernel_version": 1}
    table |= {"mines": mines, "density": mines / (p * q), "games": 1000, "wins": wins}
    table |= {"win_rate": wins / 1000, "win_rate_low": low, "win_rate_high": high}
    return pd.DataFrame(table)


@pytest.fixture(scope="module")
def tables():
    boards = [(3, 3), (4, 4), (5, 5), (6, 6), (10, 10), (1, 5), (1, 12), (12, 12)]
    parts = [curve(p, q, player) for p, q in boards for player in ("weighted", "other")]
    win_rates = w_correction(pd.concat(parts, ignore_index=True))
    win_rates = win_rates.astype({"p": "Int64", "q": "Int64"})
    fits = fits_table(win_rates, 3)
    return win_rates, fits, extrapolation_table(fits), series_table(fits)


def test_table_b1_holds_every_printed_board_and_then_the_others(tables, tmp_path):
    table = table_b1(tables[0])
    printed = ["1x5", *(f"{q}x{q}" for q in (3, 4, 5, 6, 10))]
    assert list(dict.fromkeys(table["board"])) == [*printed, "1x12", "12x12"]
    assert len(table) == len(tables[0])
    row = table.query("p == 4 and mines == 3 and player == 'weighted'").iloc[0]
    expected = curve(4, 4).query("mines == 3").iloc[0]
    assert (row["wins"], row["win_rate"]) == (expected["wins"], expected["win_rate"])
    write_table(tmp_path / "b1.csv", table, B1_COLUMNS)


def test_table_b2_has_all_55_boards_with_1x1_empty(tables, tmp_path):
    fits = tables[1]
    table = table_b2(fits, PUBLISHED)
    write_table(tmp_path / "b2.csv", table, B2_COLUMNS)
    table = read_table(tmp_path / "b2.csv", B2_COLUMNS)
    assert len(table) == 55 * 2 + 2 * 2
    assert table["board"].tolist()[110:] == ["1x12"] * 2 + ["12x12"] * 2
    assert table["P_published"].tail(4).isna().all() and table["P"].tail(4).notna().all()
    table = table.iloc[:110]
    first = table.iloc[0]
    assert (first["p"], first["q"]) == (1, 1)
    assert np.isnan(first["P"]) and np.isnan(first["P_published"])
    assert table["P_published"].isna().sum() == 2
    ours = table.query("p == 6 and q == 6 and player == 'other'").iloc[0]
    fit = fits.query("board == '6x6' and player == 'other'").iloc[0]
    assert (ours["P"], ours["Q_sd"]) == pytest.approx((fit["P"], fit["Q_sd"]), rel=5e-6)
    assert ours["P_published"] == 0.22438667018416458
    assert (ours["P_low"], ours["P_high"]) == pytest.approx((fit["Q_low"], fit["Q_high"]), rel=5e-6)
    assert table["P"].notna().sum() == 2 * 6


def test_quoted_numbers_are_plain_and_come_from_the_tables(tables):
    numbers = json.loads(json.dumps(quoted_numbers(*tables, PUBLISHED), allow_nan=False))
    refitted = numbers["published"]["refitted"]
    assert refitted["c"] == pytest.approx(numbers["published"]["limit_c"], abs=5e-6)
    own = numbers["players"]["weighted"]
    spot = tables[0].query("board == '10x10' and mines == 20 and player == 'weighted'").iloc[0]
    assert own["win_rate_10x10_20"]["win_rate"] == spot["win_rate"]
    limit = tables[2].query("player == 'weighted'").iloc[0]
    assert own["squares"][0]["c"] == (None if np.isnan(limit["c"]) else float(f"{limit['c']:.6g}"))
    assert own["boards"] == 8


def test_boards_that_were_not_played_are_null(tables):
    win_rates, fits, extrapolation, series = tables
    few = win_rates[win_rates["board"] == "3x3"], fits[fits["board"] == "3x3"]
    numbers = quoted_numbers(*few, extrapolation.head(0), series.head(0), PUBLISHED)
    assert numbers["players"]["other"]["win_rate_10x10_20"] is None
    assert numbers["players"]["other"]["squares"] == []


def test_tables_say_which_numbers_are_of_exact_win_rates(tables, tmp_path):
    rows = tables[0]["board"].isin(["3x3", "10x10"]) & (tables[0]["player"] == "weighted")
    fractions = tables[0]["wins"].astype(str) + "/1000"
    win_rates = tables[0].assign(exact=fractions.where(rows, ""))
    fits = fits_table(win_rates, 3)
    table = table_b1(win_rates)
    write_table(tmp_path / "b1.csv", table, B1_COLUMNS)
    again = read_table(tmp_path / "b1.csv", B1_COLUMNS)
    assert set(again.loc[again["exact"] != "", "board"]) == {"3x3", "10x10"}
    notes = table_b2(fits, PUBLISHED).set_index(["board", "player"])["note"].fillna("")
    said = notes.str.contains("exact win rates: no sampling error")
    assert set(said[said].index) == {("3x3", "weighted"), ("10x10", "weighted")}
    numbers = quoted_numbers(win_rates, fits, *tables[2:], PUBLISHED)["players"]
    for player, exact in (("weighted", True), ("other", False)):
        assert numbers[player]["P"]["10x10"]["exact"] is exact
        assert (numbers[player]["P"]["10x10"]["sd"] == 0) is exact
        assert numbers[player]["win_rate_10x10_20"]["exact"] is exact
    json.dumps(numbers, allow_nan=False)
