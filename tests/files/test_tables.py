"""Tables survive a file bit for bit; damaged ones are refused."""

import re

import numpy as np
import pandas as pd
import pytest
from runs.test_win_rates import row

from msdensity.errors import InputError
from msdensity.files.tables import Column, read_table, write_table
from msdensity.runs.win_rates import win_rate_table
from msdensity.stats.columns import CORRECTED_COLUMNS, WIN_RATE_COLUMNS
from msdensity.stats.correction import w_correction
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS
from places import ROOT

PUBLISHED = ROOT / "data/published/table_b2.csv"


def test_a_table_survives_its_file_but_for_the_last_digits_of_intervals(tmp_path):
    raw = [row(m, wins=w) for m, w in ((1, 33), (2, 11), (3, 0), (4, 9), (5, 100))]
    table = w_correction(win_rate_table(raw, 100))
    write_table(tmp_path / "t.csv", table, CORRECTED_COLUMNS)
    again = read_table(tmp_path / "t.csv", CORRECTED_COLUMNS)
    ends = ["win_rate_low", "win_rate_high"]
    exact = [table.drop(columns=ends) for table in (table, again)]
    pd.testing.assert_frame_equal(*exact, check_exact=True)
    rounded_ends = table[ends].map(lambda value: float(f"{value:.6g}"))
    pd.testing.assert_frame_equal(rounded_ends, again[ends], check_exact=True)
    write_table(tmp_path / "u.csv", again, CORRECTED_COLUMNS)
    assert (tmp_path / "t.csv").read_bytes() == (tmp_path / "u.csv").read_bytes()
    assert b"\r" not in (tmp_path / "t.csv").read_bytes()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.drop(columns="wins"), "lacks column 'wins'"),
        (lambda t: t.assign(luck=1), "unknown column 'luck'"),
        (lambda t: t.assign(win_rate=1.5), r"win_rate=1\.5 must be in 0\.\.1"),
        (lambda t: t.assign(mines=0), r"mines=0 must be in 1\.\."),
        (lambda t: t.assign(win_rate=np.nan), "'win_rate' has a missing value"),
        (lambda t: t.assign(board=""), "'board' has a missing value"),
        (lambda t: t.assign(games=1.5), "'games' must be int64"),
    ],
)
def test_a_damaged_table_is_refused_and_the_file_left_alone(tmp_path, change, message):
    path = tmp_path / "t.csv"
    good = win_rate_table([row()], 100)
    write_table(path, good, WIN_RATE_COLUMNS)
    before = path.read_bytes()
    with pytest.raises(InputError, match=message):
        write_table(path, change(good), WIN_RATE_COLUMNS)
    assert path.read_bytes() == before


def test_a_damaged_file_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    write_table(path, win_rate_table([row()], 100), WIN_RATE_COLUMNS)
    path.write_text(path.read_text().replace("win_rate_low", "low"))
    with pytest.raises(InputError, match="column"):
        read_table(path, WIN_RATE_COLUMNS)
    path.write_text("p,q,P\n1,2,high\n")
    with pytest.raises(InputError, match="'P'"):
        read_table(path, PUBLISHED_COLUMNS)


def test_the_published_table_is_complete():
    table = read_table(PUBLISHED, PUBLISHED_COLUMNS)
    boards = [(p, q) for p in range(1, 11) for q in range(p, 11)]
    assert list(zip(table["p"], table["q"], strict=True)) == boards
    assert table.index[table["P"].isna()].tolist() == [0]
    # Every digit as printed, without rounding.
    printed = [line.split(",")[2] for line in PUBLISHED.read_text().split()[2:]]
    assert all(value == repr(float(value)) or value in "01" for value in printed)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"wins": 51}, "row 2: wins=51 must be at most games"),
        ({"wins": 26}, "row 2: win_rate=0.5 must be wins / games"),
        ({"win_rate_low": 0.7}, "row 2: win_rate_low=0.7 must be at most win_rate_high"),
        ({"mines": 9}, "row 2: mines=9 must be below p x q"),
        ({"density": 0.25}, "row 2: density=0.25 must be mines / cells of the board"),
        ({"board": "3x4"}, "row 2: board='3x4' must be p x q"),
        (
            {"win_rate_corrected": 0.4},
            "win_rate_corrected=0.4 must be win_rate, or 0 by rule 1 or 2",
        ),
        (
            {"win_rate_corrected": 0.0},
            "win_rate_corrected=0.0 must be win_rate, or 0 by rule 1 or 2",
        ),
        ({"correction_rule": 1}, "win_rate_corrected=0.5 must be win_rate, or 0 by rule 1 or 2"),
        (
            {"mines": 3, "density": 1 / 3},
            "row 2: mines=3 must be in one row of its board, player, start and seed",
        ),
        ({"board": "../../x"}, "row 2: board='../../x' must be the name of a board"),
    ],
)
def test_rows_whose_columns_contradict_each_other_are_refused(tmp_path, change, message):
    row = {"board": "3x3", "p": 3, "q": 3, "mines": 2, "games": 50, "wins": 25, "win_rate": 0.5}
    row |= {"density": 2 / 9, "win_rate_low": 0.4, "win_rate_high": 0.6}
    row |= {"win_rate_corrected": 0.5, "correction_rule": 0, "player": "weighted", "seed": 0}
    row |= {"first_click": "corner", "start": "safe", "kernel_version": 2}
    first = row | {"mines": 3, "density": 1 / 3}
    kinds = {str: "str", int: "int64", float: "float64"}
    columns = {name: Column(kinds[type(value)]) for name, value in row.items()}
    path = tmp_path / "table.csv"
    pd.DataFrame([first, row]).to_csv(path, index=False)
    assert len(read_table(path, columns)) == 2
    pd.DataFrame([first, row | change]).to_csv(path, index=False)
    with pytest.raises(InputError, match=re.escape(message)):
        read_table(path, columns)
