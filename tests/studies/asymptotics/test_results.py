"""The numbers of large boards, from tables made by hand and from known curves."""

import math
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from msdensity.errors import InputError
from msdensity.games.boards import Board
from msdensity.kernel.measures import MEASURES, PRODUCT_SCALE
from msdensity.stats.columns import WIN_RATE_COLUMNS
from msdensity.stats.law import law_rho50, minus_log_win_rate
from msdensity.stats.logistic import logistic
from msdensity.stats.rho50.reduced import require_right_safeties
from msdensity.studies.asymptotics.columns import GAMES_COLUMNS, RESULT_COLUMNS
from msdensity.studies.asymptotics.low_density import (
    fixed_table,
    glm_table,
    guess_table,
    half_side,
    law_counts,
    rise_table,
)
from msdensity.studies.asymptotics.play import games_table
from msdensity.studies.asymptotics.results import (
    aspect_table,
    critical_table,
    rho50_and_law_table,
    safety_table,
    sort_games,
)
from msdensity.studies.asymptotics.rivals import exponents_table, models_table, published_table
from msdensity.studies.asymptotics.settings import Curves, Entry, LowDensity

SIDES = (4, 5, 6, 7, 8, 9, 10, 16, 32, 64, 128)


def games_of(entry: Entry, mines, games: int, wins, **measures: int) -> pd.DataFrame:
    """Return GAMES_COLUMNS of a board with these wins; Z_0 is noise of variance 1/4 a game."""
    board = entry.board
    zero = dict.fromkeys(WIN_RATE_COLUMNS, 0) | dict.fromkeys(MEASURES, 0) | {"exact": ""}
    rows = []
    for m, won in zip(mines, wins, strict=True):
        row = zero | {"board": board.name, "p": board.p, "q": board.q}
        row |= {"topology": board.topology, "player": "weighted", "first_click": "corner"}
        row |= {"start": "safe", "kernel_version": 1, "mines": int(m), "games": games}
        row |= {"density": m / board.cells, "wins": int(won), "win_rate": won / games}
        row |= {"z0_z0": games * PRODUCT_SCALE // 4, "guesses": games} | measures
        rows.append(row)
    return games_table(pd.DataFrame(rows), entry)


def rho50_of(density) -> pd.DataFrame:
    """Return RHO50_COLUMNS with rho50 = density(q, rule, topology, aspect) and errors of 0.1 %."""
    rows = []
    entries = [Entry(Board((q, q)), "corner") for q in SIDES]
    entries += [Entry(Board((16, 32)), "corner"), Entry(Board((1, 50)), "corner")]
    entries += [Entry(Board((q, q), "torus8"), "zero") for q in (16, 32, 64, 128, 256)]
    for entry in entries:
        board = entry.board
        value = density(board.p, entry.rule, board.topology, board.q / board.p)
        row = dict.fromkeys(RESULT_COLUMNS["rho50"], 0.0)
        row |= {"family": entry.family, "rule": entry.rule, "board": board.name, "p": board.p}
        row |= {"q": board.q, "topology": board.topology, "rho50": value, "error": 1e-3 * value}
        rows.append(row | {"law": value, "note": ""})
    return pd.DataFrame(rows)


def law(p, rule, topology, aspect) -> float:
    return law_rho50(p, rule, topology, aspect=aspect) if p > 2 else 0.2


def test_rho50_of_a_known_curve() -> None:
    entry = Entry(Board((20, 20)), "corner")
    mines = np.arange(66, 94, 4)
    rate = np.exp2(-((mines / 400 / 0.2) ** 4.2))
    games = games_of(entry, mines, 100_000, np.round(100_000 * rate))
    points = pd.DataFrame({"board": "20x20", "rule": "corner", "mines": mines})
    points = points.assign(window_low=mines[0] / 400, window_high=mines[-1] / 400)
    (row,) = rho50_and_law_table(games, points).to_dict("records")
    assert row["rho50"] == pytest.approx(0.2, abs=1e-5) and row["k"] == pytest.approx(4.2, abs=0.01)
    assert row["plain"] == pytest.approx(0.2, abs=1e-5) and row["gain"] == pytest.approx(
        1, abs=0.01
    )
    assert row["df"] == 4 and row["low"] < 0.2 < row["high"] and row["note"] == ""
    narrow = points.assign(window_high=82 / 400)
    assert rho50_and_law_table(games, narrow)["points"].tolist() == [5]


def test_critical_densities_of_known_curves() -> None:
    plan = Curves(small=[5], large=[20], steps=40, games=1000)
    tables = []
    for side in (5, 20):
        mines = np.array(plan.mines(side))
        rate = logistic(mines / side**2, 0, 1, 40, 0.2)
        played = mines[: int(np.argmax(rate < 5e-4)) + 1]
        wins = np.round(1000 * rate[: len(played)])
        tables.append(games_of(Entry(Board((side, side)), "corner"), played, 1000, wins))
    games = pd.concat(tables)
    studied = SimpleNamespace(curves=plan, listing=plan, replicates=20)
    table = critical_table(games, games[:0], studied)
    assert table["P"].to_numpy() == pytest.approx([0.2, 0.2], abs=1e-3)
    both = critical_table(games, games.assign(player="listing"), studied)
    assert both["player"].tolist() == ["weighted", "weighted", "listing", "listing"]
    assert both["P"].tolist() == [*table["P"], *table["P"]]
    assert table["points"].tolist() == [24, 39] and (table["P_sd"] > 0).all()


@pytest.mark.statistical
def test_games_of_the_law_give_back_the_law() -> None:
    """Seeded; every z below 3.9 (1e-4 each); at a density too high by 3 % the bulk is off."""
    rng = np.random.default_rng(5)
    plan = LowDensity(
        boards={"corner": {"squares": [16]}},
        densities=[0.08, 0.1, 0.12, 0.15],
        highest=0.15,
        torus_highest=0.15,
        smallest=16,
        fixed=[0.1, 0.15],
        games=40_000,
        most_cells=1e9,
        conditional={"bordered": [0.1], "torus": [0.1], "games": 100, "most_cells": 1e9},
    )
    found = {}
    for name, scale in (("right", 1.0), ("wrong", 1.03)):
        tables = []
        for rule, topology in (("corner", "square8"), ("zero", "square8"), ("zero", "torus8")):
            for side in (16, 32, 64, 128):
                board = Board((side, side), topology)
                mines = np.array(plan.mines(board))
                exponents = [
                    minus_log_win_rate(
                        (side, side),
                        scale * m / side**2,
                        rule,
                        topology,
                        fixed_mines=True,
                    )
                    for m in mines
                ]
                wins = rng.binomial(40_000, np.exp(-np.array(exponents)))
                tables.append(games_of(Entry(board, rule), mines, 40_000, wins))
        games = pd.concat(tables, ignore_index=True)
        table = glm_table(games, SimpleNamespace(low_density=plan))
        assert set(table["orders"]) == {"leading", "next"}
        main = table[(table["main"] == 1) & (table["orders"] == "next")]
        found[name] = main.set_index(["counts", "term"])[["z", "agreement"]]
        fixed = fixed_table(games, SimpleNamespace(low_density=plan))
        assert len(fixed) == 2 * (3 + 3 + 1 + 2)
        torus = fixed[(fixed["topology"] == "torus8") & (fixed["term"] == "C")]
        assert (torus["above_0"] > 5).all()
        rises = rise_table(games, SimpleNamespace(low_density=plan))
        assert rises["q_high"].tolist() == [128] * 6 and (rises["z"] > 5).all()
        off = (rises["rise"] - rises["law"]).abs() / rises["error"]
        assert (off < 3.9).all() == (name == "right")
        if name == "right":  # a torus without the cost of its start is wrong
            started = fixed[(fixed["topology"] != "torus8") | fixed["model"].str.contains("A")]
            assert (started["z"].abs() < 3.9).all()
    assert len(found["right"]) == 2 * 9 and (found["right"]["z"].abs() < 3.9).all()
    assert (found["right"]["agreement"] > 1e-4).all()
    assert (found["wrong"]["agreement"] < 1e-4).all()  # negative control


def test_reduced_counts_keep_plain_ones_where_they_must() -> None:
    entry = Entry(Board((16, 16)), "zero")
    games = games_of(entry, [20, 30], 1000, [1000, 900])
    games["gain"] = [1.0, 4.0]
    games["reduced_se"] = [0.001, math.sqrt(0.9 * 0.1 / 4000)]
    reduced = law_counts(games, "reduced")
    assert reduced["games"].tolist() == pytest.approx([1000, 4000])
    assert reduced["wins"].tolist() == pytest.approx([1000, 3600])
    assert law_counts(games, "plain")["wins"].tolist() == [1000, 900]
    with pytest.raises(InputError, match="counts='both' must be plain or reduced"):
        law_counts(games, "both")


def test_guesses_by_hand() -> None:
    entry = Entry(Board((16, 16)), "zero")
    games = games_of(entry, [30], 10_000, [9000], no_guess_wins=8100, guesses_squared=15_000)
    (row,) = guess_table(games).to_dict("records")
    assert row["no_guess"] == pytest.approx(0.81) and row["no_guess_z"] == pytest.approx(0)
    assert row["guesses"] == 1 and row["guesses_se"] == pytest.approx(math.sqrt(0.5 / 10_000))
    assert row["twice_log"] == pytest.approx(-2 * math.log(0.9))
    corner = games_of(Entry(Board((16, 16)), "corner"), [30], 10_000, [9000])
    assert not len(guess_table(corner))


def test_models_exponents_and_aspect_of_the_law_itself() -> None:
    rho50 = rho50_of(law)
    models = models_table(rho50)
    best = models.loc[models.groupby(["rule", "topology", "q_min"])["aicc"].idxmin()]
    assert set(best["model"]) == {"law"}
    exponents = exponents_table(rho50)
    assert (exponents["z"].abs() < 0.5).all() and exponents["q_low"].min() >= 8
    assert (exponents["q_high"] >= 1.4 * exponents["q_low"]).all()
    (aspect,) = aspect_table(rho50).to_dict("records")
    assert aspect["z_law"] == pytest.approx(0, abs=1e-9) and aspect["z_equal"] < -10


def test_all_exponents_together() -> None:
    """The joint test is that of a law times any factor; one wrong side fails it."""
    rho50 = rho50_of(law)
    own = exponents_table(rho50)
    assert (own["p_value"] > 0.999).all()
    assert (own["trend"] > 5 * own["trend_error"]).all()
    scaled = exponents_table(rho50.assign(rho50=0.9 * rho50["rho50"], error=0.9 * rho50["error"]))
    assert scaled["chi2"].to_numpy() == pytest.approx(own["chi2"].to_numpy(), abs=1e-6)
    off = rho50.assign(rho50=rho50["rho50"] * np.where(rho50["q"] == 64, 1.01, 1.0))
    wrong = exponents_table(off)
    # 1 % is 10 standard errors of one side; the mean of the others takes up a part.
    corner = wrong[wrong["topology"] == "square8"].iloc[0]
    assert corner["chi2"] == pytest.approx(100 * (1 - 1 / (corner["df"] + 1)), rel=0.03)


def test_the_declared_sides_are_among_the_rivals() -> None:
    many = rho50_of(law).drop_duplicates("topology").iloc[[0]]
    sides = [28, 30, 32, 64, 100, 128, 256]
    rows = pd.concat([many.assign(p=q, q=q, rho50=law_rho50(q)) for q in sides])
    assert models_table(rows)["q_min"].unique().tolist() == [28, 32]  # 30 is near to 28


def test_the_side_where_the_law_has_half_the_games() -> None:
    for density in (0.1, 0.15):
        q = half_side(density, "corner", "square8")
        assert law_rho50(q) == pytest.approx(density, rel=1e-6)
    wall = 69 * 0.1**5
    torus = half_side(0.1, "zero", "torus8")
    assert torus == pytest.approx(np.sqrt(np.log(2) - wall) / 0.1**3)


def test_the_published_curve_passes_its_own_test_and_a_power_does_not() -> None:
    critical = pd.DataFrame({"player": "weighted", "q": SIDES, "P_sd": 0.0002})
    printed = pd.DataFrame({"p": [3, 4, 5, 6, 7], "q": [3, 4, 5, 6, 7]})
    printed["P"] = 0.4 / printed["q"] + 0.16 + np.array([1, -1, 1, -1, 1]) * 1e-3

    def curve(p, *_) -> float:
        return 0.4 / p + 0.16

    def power(p, *_) -> float:
        return 0.45 * p**-0.3

    for density, right in ((curve, True), (power, False)):
        P = [density(q, "corner", "square8", 1.0) for q in SIDES]
        table = published_table(rho50_of(density), critical.assign(P=P), printed)
        assert set(table["fitted"]) == {"printed", "P", "rho50"}
        assert set(table["q"]) == {64, 128}
        own = table[(table["weights"] == "errors")]
        assert len(own) == 4
        assert (own["z"].abs() < 0.1).all() if right else (own["z"] < -5).all()


def test_a_wrong_safety_stops_the_run() -> None:
    entry = Entry(Board((8, 8)), "corner")
    right = sort_games(games_of(entry, [12, 10], 10_000, [5000, 6000]))
    assert right["mines"].tolist() == [10, 12] and list(right.columns) == list(GAMES_COLUMNS)
    table = safety_table({"rho50": right})
    assert table["games_of"].tolist() == ["rho50", "all"] and table["z"].tolist() == [0, 0]
    require_right_safeties(table)
    # each guess half as safe again: 0.02 a game, an error of 0.5 / sqrt(20,000)
    wrong = games_of(entry, [10, 12], 10_000, [5000, 6000], z0=200 << 20)
    with pytest.raises(InputError, match=r"rho50: mean of Z_0 .* must be within 4"):
        require_right_safeties(safety_table({"rho50": wrong}))
