"""What the page says of the players of 004, from tables whose answers are known."""

import numpy as np
import pandas as pd
import pytest

from msdensity.errors import InputError
from msdensity.studies.published_players.beliefs.columns import DECISION_COLUMNS
from msdensity.studies.published_players.beliefs.decisions import DECISIONS
from msdensity.studies.published_players.beliefs.facts import (
    _decisions,
    _once,
    calibration,
    table_10,
    table_12,
)
from msdensity.studies.published_players.beliefs.figures import FIGURES
from msdensity.studies.published_players.beliefs.guesses import TABLE_10, count_bins
from msdensity.studies.published_players.beliefs.traces import GUESS_TYPE
from msdensity.studies.published_players.beliefs.ways import LBP, LBP_MC, tasks
from msdensity.studies.published_players.settings import CORNER

TASKS = tasks((LBP, LBP_MC), (("8x8", 10),), CORNER, 1)


def guesses(success, games: int = 20_000) -> np.ndarray:
    """Return one guess a game; success: of the stated safety, .42 to .98, its probability."""
    rng = np.random.default_rng(5)
    stated = rng.choice([0.45, 0.55, 0.65, 0.75, 0.85, 0.95], games)
    each = np.zeros(games, GUESS_TYPE)
    each["game"], each["safety"] = np.arange(games), stated
    each["survived"] = each["won"] = rng.random(games) < success(stated)
    return each


def bins(part: str, task, success) -> pd.DataFrame:
    each = guesses(success)
    return count_bins(part, task, len(each), each)


def test_right_safeties_agree_and_wrong_ones_differ() -> None:
    for off, verdict in ((0.0, "agrees"), (-0.03, "differs"), (0.03, "differs")):
        found = calibration(bins("calibration", TASKS[0], lambda p, off=off: p + off))
        (player,) = found["players"]
        assert (player["player"], player["bins"], player["verdict"]) == ("lbp", 6, verdict)
        assert 0 < player["low"] < player["high"] < 5
        assert len(found["boards"]) == 1
    few = bins("calibration", TASKS[0], lambda p: p).assign(expected=4.0)
    assert calibration(few)["players"] == []  # too few to test


def test_the_printed_bins_fit_games_that_are_made_from_them() -> None:
    """A bin with few guesses at least has no z; the others fit, and another player's do not."""
    tables = []
    for task, other in zip(TASKS, ("lbp_mc", "lbp"), strict=True):
        for values, fits in ((TABLE_10[task.player], True), (TABLE_10[other], False)):
            share = np.array(values) / 100
            table = bins("table_10", task, lambda p, share=share: share[(10 * p).astype(int) - 4])
            found = table_10(table)
            assert found["tests"] == 2 and found["rejected"] == (0 if fits else 2)
            assert found["joint"]["bins"].tolist() == [2 if task.player == "lbp" else 4] * 2
            (lowest,) = found["lowest"]
            assert lowest["printed"] == TABLE_10[task.player][0]
            assert (abs(lowest["low"] - lowest["printed"]) < 3) == fits
        tables.append(table)
    assert table_10(pd.concat(tables, ignore_index=True))["tests"] == 4


def test_a_row_of_table_12_is_compared_as_a_whole() -> None:
    measures = ["lost_with_guess_percent", "won_with_guess_percent", "won_without_guess_percent"]
    printed = [21.4, 22.8, 55.8]
    keys = {"table": "004 12", "player": "lbp_mc", "first_click": "corner", "start": "first_zero"}
    keys |= {"role": "text", "board": "8x8", "mines": 10, "games": 10_000}
    for ours, verdict in ((printed, "agrees"), ([26.4, 17.8, 55.8], "differs")):
        rows = [
            keys | {"measure": m, "published": p, "ours": o}
            for m, p, o in zip(measures, printed, ours, strict=True)
        ]
        (found,) = table_12(pd.DataFrame(rows)).to_dict("records")
        # By hand: sum of (difference of shares)^2 / pooled share * n N / (n + N).
        pooled = (10_000 * np.array(ours) + 1000 * np.array(printed)) / 11_000
        statistic = (np.subtract(ours, printed) ** 2 / pooled).sum() / 100 * 1e7 / 11_000
        assert found["chi2"] == pytest.approx(statistic, abs=1e-9)
        assert found["verdict"] == verdict
    assert not len(table_12(pd.DataFrame(rows).assign(table="004 LBP")))


def decisions(first_of_merged: float, merged_at_once: float) -> pd.DataFrame:
    rows = []
    for player in ("lbp-singles_never", "lbp_mc-singles_never"):
        merged = player.startswith("lbp_mc")
        once = merged_at_once if merged else 90.0
        first = first_of_merged if merged else 1.0
        for kind, percent in zip(DECISIONS, (once, first, 0, 0, 99 - once), strict=True):
            ends = (max(percent - 0.2, 0), percent + 0.2)
            rows.append((player, "8x8", 10, 100, kind, int(percent * 10), percent, 0.1, *ends))
    return pd.DataFrame(rows, columns=list(DECISION_COLUMNS))


@pytest.mark.parametrize(
    "first,once,rarer,most",
    [
        (0.1, 90.0, "holds", "holds"),
        (0.9, 50.1, "not decided", "not decided"),
        (2.0, 40.0, "contradicted", "contradicted"),
    ],
)
def test_claims_about_decisions_are_judged(first, once, rarer, most) -> None:
    found = _decisions(decisions(first, once))
    assert (found["rarer"], found["most"], found["tests"]) == (rarer, most, 2)
    assert found["ranges"]["lbp"]["marginalization"] == (90.0, 90.0)
    assert found["table"]["decisions"].tolist()[0] == 900 + 10 + 90


def test_players_that_are_alike_have_one_row() -> None:
    table = pd.DataFrame({"player": ["a", "b", "a", "b"], "at": [1, 1, 2, 2], "x": list("pqrr")})
    assert _once(table)["player"].tolist() == ["a", "b", "all"]


def test_figures_refuse_tables_without_what_they_draw() -> None:
    table = decisions(0.1, 90.0)
    assert len(FIGURES["decisions"](table).axes) == 2
    plain = table.assign(player=table["player"].str.partition("-")[0])
    with pytest.raises(InputError, match="decisions without single numbers has 0 rows"):
        FIGURES["decisions"](plain)
    with pytest.raises(InputError, match="calibration has 0 rows"):
        FIGURES["calibration"](bins("table_10", TASKS[0], lambda p: p))
    figure = FIGURES["calibration"](bins("calibration", TASKS[0], lambda p: p))
    assert [line.get_label() for line in figure.axes[0].containers] == ["lbp"]
