"""What games take and sweet spots, as calls and as the command prints them."""

import json

import numpy as np
import pytest
from real_curves import truth

import msdensity as md
from msdensity.cli import main
from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.difficulty import BY_RULES, CLASSES, class_counts
from msdensity.games.play import play_batch
from msdensity.games.tasks import Task
from msdensity.runs.sweet_spot import sweet_spot
from msdensity.stats.rho50.measurement import NO_GUESS_WINS


def test_the_table_has_the_shares_of_the_games_whatever_the_threads() -> None:
    found = md.difficulty("6x8", 9, 250, seed=3, threads=2)
    counts = class_counts(Task("6x8", 9, seed=3), 0, 250)
    assert found.counts == counts
    assert found.counts == md.difficulty("6x8", 9, 250, seed=3, threads=1).counts
    table = found.table().set_index("hardest")
    assert table["games"].sum() == 250 and table["share"].sum() == pytest.approx(1)
    assert list(table.index) == list(CLASSES)
    p = counts["guess"] / 250
    assert table.loc["guess", "share_se"] == pytest.approx(np.sqrt(p * (1 - p) / 250))
    assert (table["low"] <= table["share"]).all() and (table["share"] <= table["high"]).all()
    wins = play_batch(Task("6x8", 9, seed=3), 0, 250)["wins"]
    assert table.loc["guess", "alone"] == wins / 250
    assert f"{counts['guess']:,}" in str(found)
    unprotected = md.difficulty("4x4", 3, 50, rules=Rules(start="unprotected"))
    assert "lost by the first click" in str(unprotected) and "lost by" not in str(found)


def test_a_sweet_spot_of_one_half_is_rho50() -> None:
    spot, fit = sweet_spot("6x6", 0.5, error=5e-3, seed=4), md.rho50("6x6", 5e-3, seed=4)
    assert (spot.density, spot.error) == (fit.rho50, fit.error)
    assert spot.below[0] + 1 == spot.above[0]
    assert spot.below[0] <= spot.mines < spot.above[0]
    assert spot.below[1:] == (float(fit.predict(spot.below[0] / 36)), pytest.approx(spot.below[2]))
    assert spot.closest in (spot.below[0], spot.above[0])


def test_whole_numbers_of_mines_have_the_win_rates_that_are_stated() -> None:
    """Many other games; 4.5 errors, alarm 7e-6 each; control: a mine more is told apart."""
    for by, rate in (("weighted", 0.75), ("pairs", 0.25), ("count", 0.6)):
        spot = sweet_spot("8x8", rate, by, error=1e-3, seed=8)
        player = ("inference", {"rules": by}) if by == "pairs" else ("weighted", {})
        measure = NO_GUESS_WINS if by == "count" else "wins"
        games = 8000
        W = {
            m: play_batch(Task("8x8", m, *player, seed=9), 0, games)[measure] / games
            for m in (spot.below[0], spot.above[0], spot.above[0] + 1)
        }
        for mines, stated, error in (spot.below, spot.above):
            spread = np.hypot(error, np.sqrt(W[mines] * (1 - W[mines]) / games))
            assert abs(W[mines] - stated) < 4.5 * spread
            assert abs(W[mines + 1] - stated) > 4.5 * spread
        assert W[spot.below[0]] > rate - 0.03 and W[spot.above[0]] < rate + 0.03


@pytest.mark.statistical
@pytest.mark.campaign
def test_real_studies_hold_the_mines_of_other_win_rates() -> None:
    """120 studies from the pilot to the reduced rates, by the truth of a million games a point."""
    from scipy.optimize import brentq
    from scipy.stats import binom

    board, rate, runs = truth("10x10"), 0.75, 120
    wanted = np.log(-np.log(rate))
    rho = brentq(lambda each: board.eta(each) - wanted, 0.1, 0.3)
    spots = [sweet_spot("10x10", rate, error=7e-4, seed=9000 + seed) for seed in range(runs)]
    hits = sum(spot.fit.interval.low <= rho <= spot.fit.interval.high for spot in spots)
    narrow = sum(abs(spot.density - rho) < 0.98 * spot.error for spot in spots)
    low, high = binom.ppf([5e-5, 1 - 5e-5], runs, 0.95)
    assert low <= hits <= high and narrow < low
    assert 0.8 < np.mean([spot.error for spot in spots]) / 7e-4 < 1.2


def test_a_board_without_such_a_number_of_mines_says_so() -> None:
    with pytest.raises(InputError, match=r"2x9 has no number of mines with win rate 0\.9"):
        sweet_spot("2x9", 0.9, "single")
    with pytest.raises(InputError, match=r"win_rate=0\.99 must be in 0\.05\.\.0\.95"):
        sweet_spot("6x6", 0.99)
    with pytest.raises(InputError, match="error=0 must be in"):
        sweet_spot("6x6", error=0)
    with pytest.raises(InputError, match="player='pears' must be one of"):
        sweet_spot("6x6", by="pears")


def printed(capsys, *argv: str, status: int = 0) -> dict:
    assert main(["difficulty", *argv, "--json"]) == status
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    return json.loads(out)


def test_the_command_counts_classes(capsys) -> None:
    facts = printed(capsys, "beginner", "--games", "40", "--seed", "2", "--first-click", "centre")
    task = Task(Board((9, 9)), 10, rules=Rules("centre"), seed=2)
    counts = class_counts(task, 0, 40)
    assert {name: facts[name] for name in counts} == counts
    assert (facts["board"], facts["mines"], facts["task_id"]) == ("9x9", 10, task.task_id)
    assert facts["classes"]["guess"]["games"] == counts["guess"]
    assert sum(own["games"] for own in facts["classes"].values()) == facts["games"] == 40
    assert main(["difficulty", "6x6", "--mines", "5", "--games", "20"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(any(line.startswith(text) for line in lines) for text in CLASSES.values())


def test_the_command_finds_sweet_spots(capsys) -> None:
    asked = ["6x6", "--win-rate", ".75", "--error", ".02", "--seed", "3"]
    spot = sweet_spot("6x6", 0.75, error=0.02, seed=3)
    facts = printed(capsys, *asked)
    assert facts["mines"] == spot.mines and facts["mines_error"] == spot.mines_error
    assert (facts["below"], facts["below_win_rate"], facts["below_win_rate_se"]) == spot.below
    assert facts["closest"] == spot.closest and facts["outcome"] == "wins"
    solved = printed(capsys, *asked, "--rules", "pairs")
    assert solved["options"] == {"rules": "pairs"} and solved["mines"] < facts["mines"]
    counted = printed(capsys, *asked, "--rules", "count")
    assert counted["outcome"] == NO_GUESS_WINS and counted["player"] == "weighted"
    assert main(["difficulty", *asked]) == 0
    assert f"take {spot.closest} mines" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["6x6"], "mines must be given for board 6x6"),
        (["6x6", "--mines", "36"], "mines=36 must be in 1..35"),
        (["6x6", "--mines", "5", "--games", "0"], "games=0 must be a whole number in 1.."),
        (["6x6", "--mines", "5", "--win-rate", ".5"], "mines=5 must be left out beside win_rate"),
        (["6x6", "--games", "5", "--win-rate", ".5"], "games=5 must be left out beside win_rate"),
        (["6x6", "--mines", "5", "--rules", "pairs"], "rules=pairs must be left out without"),
        (["6x6", "--mines", "5", "--error", ".1"], "error=0.1 must be left out without win_rate"),
        (["6x6", "--mines", "5", "--player", "listing"], "player=listing must be left out with"),
        (["6x6", "--mines", "5", "--option", "ties=random"], "player=ties=random must be left out"),
        (["6x6", "--win-rate", "nan"], "win_rate=nan must be a finite number"),
        (["6x6", "--win-rate", ".97"], "win_rate=0.97 must be in 0.05..0.95"),
        (["6x6", "--win-rate", ".5", "--rules", "pair"], f"one of {', '.join(BY_RULES)}"),
        (["6x6", "--win-rate", ".5", "--error", "0"], "error=0.0 must be in (0, 1)"),
        (
            ["6x6", "--win-rate", ".5", "--rules", "pairs", "--player", "listing"],
            "player=listing must be left out beside rules=pairs",
        ),
        (["2x9", "--win-rate", ".9", "--rules", "single"], "has no number of mines with win rate"),
    ],
)
def test_bad_input_of_the_command_is_one_line(capsys, argv, message) -> None:
    assert main(["difficulty", *argv]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.count("\n") == 1
    assert captured.err.startswith("msdensity difficulty: ") and message in captured.err
