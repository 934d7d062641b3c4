"""Rows of ledgers become tables of win rates."""

import numpy as np
import pandas as pd
import pytest
from brute_force import neighbour_lists

from msdensity.errors import InputError
from msdensity.files.tables import read_table, required, write_table
from msdensity.games.boards import Board, Rules
from msdensity.games.play import kernel_task, play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.deal import deal
from msdensity.kernel.measures import MEASURES
from msdensity.runs.counts import Counts
from msdensity.runs.rows import Row
from msdensity.runs.win_rates import win_rate_table
from msdensity.stats.columns import WIN_RATE_COLUMNS


def row(mines=1, first_game=0, games=100, wins=40, board="2x3", ties="ordered"):
    task = Task(Board.parse(board), mines, "weighted", {"ties": ties}, seed=7)
    return Row(task, Counts(task.task_id, first_game, games, dict.fromkeys(MEASURES, wins)))


def test_batches_of_a_task_become_one_row():
    ledger = [row(2, 0, 100, 10), row(1, 100, 50, 20), row(1, 0, 100, 40)]
    table = win_rate_table(ledger, 100)
    assert list(table.columns) == required(WIN_RATE_COLUMNS)
    assert table["mines"].tolist() == [1, 2]
    assert table["games"].tolist() == [150, 100]  # a row cannot be split: the target is a minimum
    assert table["wins"].tolist() == [60, 10]
    assert table["win_rate"].tolist() == [0.4, 0.1]
    assert table["density"].tolist() == [1 / 6, 2 / 6]
    assert (table["win_rate_low"] < table["win_rate"]).all()
    assert (table["win_rate_high"] > table["win_rate"]).all()


def test_boards_without_a_zero_are_counted_game_by_game(tmp_path):
    rules = Rules(start="first_zero")
    hinted = [Task(Board((3, 4)), mines, rules=rules, seed=7) for mines in (2, 4)]
    rows = [
        Row(task, Counts(task.task_id, first, 60, play_batch(task, first, 60)))
        for task in hinted
        for first in (0, 60)
    ]
    table = win_rate_table([*rows, row(1)], 100)
    near = neighbour_lists((3, 4))
    expected = [pd.NA]
    for task in hinted:
        dealt = (np.flatnonzero(deal(kernel_task(task), g)[0]).tolist() for g in range(120))
        expected.append(sum(all({c, *near[c]} & {*mined} for c in range(12)) for mined in dealt))
    assert 0 < expected[1] < expected[2] < 120
    assert table["no_zero"].tolist() == expected
    write_table(tmp_path / "rates.csv", table, WIN_RATE_COLUMNS)
    read = read_table(tmp_path / "rates.csv", WIN_RATE_COLUMNS)
    pd.testing.assert_series_equal(read["no_zero"], table["no_zero"])


def test_the_cut_into_batches_and_their_order_do_not_matter():
    whole = win_rate_table([row(1, 0, 100, 40)], 100)
    parts = [row(1, 60, 40, 10), row(1, 0, 30, 10), row(1, 30, 30, 20)]
    pd.testing.assert_frame_equal(whole, win_rate_table(parts, 100))


def test_games_behind_a_gap_are_left_out():
    ledger = [row(1, 0, 100, 40), row(1, 500, 100, 100)]
    assert win_rate_table(ledger, 100)["wins"].tolist() == [40]
    with pytest.raises(InputError, match=r"has 100 games .* and 100 behind a gap, must"):
        win_rate_table(ledger, 101)


def test_too_few_games_and_missing_tasks_are_errors():
    ledger = [row(1), row(2, 10, 90)]
    with pytest.raises(InputError, match=r"board 2x3, mines 2.*has 0 games.*must have 50"):
        win_rate_table(ledger, 50)
    wanted = [row(1).task]
    assert len(win_rate_table(ledger, 50, wanted)) == 1
    with pytest.raises(InputError, match=f"1 of 2 tasks, the first {row(3).task.task_id}, have 0"):
        win_rate_table(ledger, 50, [*wanted, row(3).task])
    with pytest.raises(InputError, match="ledger is empty"):
        win_rate_table([], 50)
    with pytest.raises(InputError, match="games=0 must be at least 1"):
        win_rate_table(ledger, 0)


def test_a_game_counts_once_however_many_rows_hold_it():
    whole = row(1, 0, 150, 60)
    table = win_rate_table([row(1, 0, 100, 40), whole, whole, row(1, 120, 30, 10)], 100)
    pd.testing.assert_frame_equal(table, win_rate_table([whole], 100))
    with pytest.raises(InputError, match=r"a row \(games 0\.\.149\) has other sums than"):
        win_rate_table([row(1, 0, 100, 40), row(1, 100, 50, 21), whole], 100)


def test_players_are_labelled_and_boards_of_any_number_of_sides_listed(tmp_path):
    ledger = [row(board="3x3x3-box"), row(board="2x3-torus8"), row(), row(ties="random")]
    write_table(tmp_path / "t.csv", win_rate_table(ledger, 100), WIN_RATE_COLUMNS)
    table = read_table(tmp_path / "t.csv", WIN_RATE_COLUMNS).set_index(["board", "player"])
    assert len(table) == 4
    assert {"weighted", "weighted-ties_random"} == set(table.index.get_level_values("player"))
    assert table.loc[("3x3x3-box", "weighted"), "density"] == 1 / 27
    assert pd.isna(table.loc[("3x3x3-box", "weighted"), "p"])
    assert table.loc[("2x3-torus8", "weighted"), "q"] == 3
