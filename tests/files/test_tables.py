"""Ledger rows become win-rate tables; tables survive a file and are refused when damaged."""

import numpy as np
import pandas as pd
import pytest

from msdensity.errors import InputError
from msdensity.files.tables import read_table, write_table
from msdensity.kernel.measures import MEASURES
from msdensity.runs.win_rates import win_rate_table
from msdensity.stats.columns import CORRECTED_COLUMNS, WIN_RATE_COLUMNS
from msdensity.stats.correction import w_correction
from msdensity.studies.paper.columns import PUBLISHED_COLUMNS
from places import ROOT

PUBLISHED = ROOT / "data/published/table_b2.csv"


def row(mines=1, first_game=0, games=100, wins=40, board="2x3", options='{"ties":"ordered"}'):
    _, _, topology = board.partition("-")
    return {
        "task_id": f"{board}/{mines}/{options}",
        "board": board,
        "topology": topology or "square8",
        "mines": mines,
        "player": "weighted",
        "options": options,
        "first_click": "corner",
        "start": "safe",
        "seed": 7,
        "kernel_version": 1,
        "first_game": first_game,
        "games": games,
        **dict.fromkeys(MEASURES, wins),
    }


def test_batches_of_a_task_become_one_row():
    ledger = pd.DataFrame([row(2, 0, 100, 10), row(1, 100, 50, 20), row(1, 0, 100, 40)])
    table = win_rate_table(ledger, 100)
    assert list(table.columns) == list(WIN_RATE_COLUMNS)
    assert table["mines"].tolist() == [1, 2]
    assert table["games"].tolist() == [150, 100]  # a row cannot be split: the target is a minimum
    assert table["wins"].tolist() == [60, 10]
    assert table["win_rate"].tolist() == [0.4, 0.1]
    assert table["density"].tolist() == [1 / 6, 2 / 6]
    assert (table["win_rate_low"] < table["win_rate"]).all()
    assert (table["win_rate_high"] > table["win_rate"]).all()


def test_the_cut_into_batches_and_their_order_do_not_matter():
    whole = win_rate_table(pd.DataFrame([row(1, 0, 100, 40)]), 100)
    parts = [row(1, 60, 40, 10), row(1, 0, 30, 10), row(1, 30, 30, 20)]
    pd.testing.assert_frame_equal(whole, win_rate_table(pd.DataFrame(parts), 100))
    frames = [pd.DataFrame([part]) for part in parts]
    pd.testing.assert_frame_equal(whole, win_rate_table(frames, 100))


def test_games_behind_a_gap_are_left_out():
    ledger = pd.DataFrame([row(1, 0, 100, 40), row(1, 500, 100, 100)])
    assert win_rate_table(ledger, 100)["wins"].tolist() == [40]
    with pytest.raises(InputError, match="has 100 games from game 0 on, must have 101"):
        win_rate_table(ledger, 101)


def test_too_few_games_and_missing_tasks_are_errors():
    ledger = pd.DataFrame([row(1), row(2, 10, 90)])
    with pytest.raises(InputError, match=r"board 2x3, mines 2.*has 0 games.*must have 50"):
        win_rate_table(ledger, 50)
    wanted = [row(1)["task_id"]]
    assert len(win_rate_table(ledger, 50, wanted)) == 1
    with pytest.raises(InputError, match=r"1 of 2 tasks, the first 2x3/3/.*, have 0"):
        win_rate_table(ledger, 50, [*wanted, row(3)["task_id"]])
    with pytest.raises(InputError, match="ledger is empty"):
        win_rate_table([], 50)
    with pytest.raises(InputError, match="games=0 must be at least 1"):
        win_rate_table(ledger, 0)


def test_overlapping_rows_are_an_error():
    with pytest.raises(InputError, match="counted twice"):
        win_rate_table(pd.DataFrame([row(1, 0, 100), row(1, 50, 100)]), 100)


def test_players_are_labelled_and_boards_of_any_number_of_sides_listed(tmp_path):
    ledger = pd.DataFrame(
        [row(board="3x3x3-box"), row(board="2x3-torus8"), row(), row(options='{"ties":"random"}')]
    )
    write_table(tmp_path / "t.csv", win_rate_table(ledger, 100), WIN_RATE_COLUMNS)
    table = read_table(tmp_path / "t.csv", WIN_RATE_COLUMNS).set_index(["board", "player"])
    assert len(table) == 4
    assert {"weighted", "weighted-ties_random"} == set(table.index.get_level_values("player"))
    assert table.loc[("3x3x3-box", "weighted"), "density"] == 1 / 27
    assert pd.isna(table.loc[("3x3x3-box", "weighted"), "p"])
    assert table.loc[("2x3-torus8", "weighted"), "q"] == 3


def test_a_table_survives_its_file_bit_for_bit(tmp_path):
    raw = [row(m, wins=w) for m, w in ((1, 33), (2, 11), (3, 0), (4, 9), (5, 100))]
    table = w_correction(win_rate_table(pd.DataFrame(raw), 100))
    write_table(tmp_path / "t.csv", table, CORRECTED_COLUMNS)
    again = read_table(tmp_path / "t.csv", CORRECTED_COLUMNS)
    pd.testing.assert_frame_equal(table, again, check_exact=True)
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
    good = win_rate_table(pd.DataFrame([row()]), 100)
    write_table(path, good, WIN_RATE_COLUMNS)
    before = path.read_bytes()
    with pytest.raises(InputError, match=message):
        write_table(path, change(good), WIN_RATE_COLUMNS)
    assert path.read_bytes() == before


def test_a_damaged_file_is_refused(tmp_path):
    path = tmp_path / "t.csv"
    write_table(path, win_rate_table(pd.DataFrame([row()]), 100), WIN_RATE_COLUMNS)
    path.write_text(path.read_text().replace("win_rate_low", "low"))
    with pytest.raises(InputError, match="column"):
        read_table(path, WIN_RATE_COLUMNS)
    path.write_text("p,q,P\n1,2,high\n")
    with pytest.raises(InputError, match="'P'"):
        read_table(path, PUBLISHED_COLUMNS)


def test_the_published_table_is_whole():
    table = read_table(PUBLISHED, PUBLISHED_COLUMNS)
    boards = [(p, q) for p in range(1, 11) for q in range(p, 11)]
    assert list(zip(table["p"], table["q"], strict=True)) == boards
    assert table.index[table["P"].isna()].tolist() == [0]
    # Every digit as printed: nothing was rounded on the way.
    printed = [line.split(",")[2] for line in PUBLISHED.read_text().split()[2:]]
    assert all(value == repr(float(value)) or value in "01" for value in printed)
