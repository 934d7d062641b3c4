"""Reduced win rates of whole tables: right, narrower, and an alarm for a wrong safety."""

import numpy as np
import pandas as pd
import pytest

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.measures import Z_SCALE
from msdensity.runs.config import load_config
from msdensity.stats.correction import w_correction
from msdensity.stats.rho50.reduced import (
    checked_win_rates,
    reduced_table,
    require_right_safeties,
    safety_table,
)
from msdensity.studies.paper.play import play_pilots
from msdensity.studies.paper.rho50 import rho50_row, rho50_table

GAMES = 4000


def win_rates(player: str) -> pd.DataFrame:
    rows = []
    for mines in range(1, 16):
        task = Task(Board((4, 4)), mines, player, seed=7)
        sums = play_batch(task, 0, GAMES)
        row = {"board": "4x4", "topology": "square8", "player": player, "first_click": "corner"}
        row |= {"start": "safe", "seed": 7, "kernel_version": 1, "mines": mines}
        rows.append(
            row | {"density": mines / 16, "games": GAMES, "win_rate": sums["wins"] / GAMES} | sums
        )
    return pd.DataFrame(rows)


@pytest.fixture(scope="module")
def tables() -> tuple[pd.DataFrame, pd.DataFrame]:
    rates = pd.concat([win_rates("weighted"), win_rates("double_set")], ignore_index=True)
    return rates, reduced_table(rates)


@pytest.mark.statistical
def test_reduced_rates_agree_with_many_more_games_and_are_narrower(tables) -> None:
    """Against 50,000 other games: |z| < 4.2 in each of 15 (false alarm 4e-4 in all)."""
    _, reduced = tables
    assert set(reduced["player"]) == {"weighted"}  # the other player states no exact safeties
    assert reduced["mines"].tolist() == list(range(1, 16))
    for row in reduced.itertuples():
        truth = play_batch(Task(Board((4, 4)), row.mines, seed=8), 0, 50_000)["wins"] / 50_000
        spread = np.hypot(row.reduced_se, np.sqrt(truth * (1 - truth) / 50_000))
        assert abs(row.reduced - truth) <= 4.2 * spread + 1e-9
    middle = reduced[reduced["win_rate"].between(0.1, 0.9)]
    assert (middle["gain"] > 1.2).all()
    sure = reduced[reduced["win_rate"] > 1 - 30 / GAMES]
    assert len(sure) and sure["note"].str.startswith("plain rate: fewer than 30").all()


def test_every_board_of_a_sweep_has_a_rho50_or_a_reason(tables) -> None:
    rates, reduced = tables
    rates = rates.assign(p=4, q=4)
    config = {"name": "t", "boards": ["1x2", "4x4"], "seed": 7}
    config |= {"players": [{"player": "weighted"}, {"player": "double_set"}]}
    pilots = play_pilots(load_config(config))
    assert set(pilots["board"]) == {"4x4"}  # the other has no room for 2 mines
    table = rho50_table(rates, reduced, pilots).set_index("player")
    strong, weak = table.loc["weighted"], table.loc["double_set"]
    assert strong["rho50_low"] < strong["rho50"] < strong["rho50_high"]
    assert 0 < strong["rho50_se"] < strong["plain_se"] and weak["rho50_se"] == weak["plain_se"]
    assert strong["rho50"] > weak["rho50"] + 5 * (strong["rho50_se"] + weak["rho50_se"])
    assert abs(strong["rho50"] - strong["crossing"]) < 0.05
    assert "fewer than 36" in strong["note"]


def test_a_note_says_which_rates_it_is_of(tables) -> None:
    rates, reduced = tables
    curve, own = rates[rates["player"] == "weighted"], reduced.copy()
    pilot = pd.Series({"rho50": 0.3, "k": 2.0, "cells": 400})
    own["reduced"] += np.where(own["mines"] % 2, 0.04, -0.04)
    note = rho50_row(curve, own, pilot)["note"]
    plain = rho50_row(curve, own.iloc[:0], pilot)["note"]
    assert note.startswith("of the reduced rates: the curve is rejected") and note.endswith(plain)
    assert "of the reduced rates" not in plain


def test_a_wrong_safety_stops_the_run(tables) -> None:
    rates, _ = tables
    safeties = safety_table(rates)
    assert safeties["player"].tolist() == ["weighted"]
    assert safeties["games"].tolist() == [15 * GAMES]
    require_right_safeties(safeties)
    wrong = rates.copy()
    survived = rates["guesses"] - (rates["games"] - rates["wins"])
    stated = survived - rates["z0"] / Z_SCALE
    wrong["z0"] -= (0.02 * stated * Z_SCALE).round().astype(int) * (rates["player"] == "weighted")
    # The table of win rates itself is not made, so that no other follows from these games.
    assert checked_win_rates(rates).equals(w_correction(rates))
    with pytest.raises(InputError, match=r"a stated safety is wrong.*delete their ledgers"):
        checked_win_rates(wrong)
