"""rho50 of a board to a wanted error: the error is reached, games and cost as planned."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from msdensity.cli import main
from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules, most_mines
from msdensity.games.play import play_batch
from msdensity.games.tasks import Setup, Task
from msdensity.runs.config import load_config
from msdensity.runs.measure import (
    PILOT_FIRST_GAME,
    Pilot,
    Stopped,
    measure,
    pilot,
    plan_rho50,
)
from msdensity.runs.parallel import Done
from msdensity.stats.rho50.design import design
from msdensity.stats.rho50.fit import fit_rho50
from msdensity.stats.rho50.measurement import Measurement, fit_counts
from msdensity.studies.paper.play import play_pilots

SETUP = Setup(Board((8, 8)), "weighted", {}, Rules(), 5)


@pytest.fixture(scope="module")
def measured():
    trial = pilot(SETUP)
    planned = plan_rho50(SETUP, trial, 1e-3)
    return trial, planned, measure(SETUP, planned, threads=2)


def test_the_wanted_error_is_reached(measured) -> None:
    trial, planned, result = measured
    assert trial.gain > 1.3 and trial.games < 2000
    assert planned.error == pytest.approx(1e-3, rel=0.02)
    # a pilot of 500 games knows k and the gain to about a fifth
    assert result.best is result.reduced
    assert 0.7e-3 < result.reduced.error < 1.4e-3
    assert result.plain.error > result.reduced.error
    low, high = planned.window
    assert all(low <= m / 64 <= high for m in planned.mines)


@pytest.mark.statistical
def test_it_agrees_with_many_more_other_games(measured) -> None:
    """|z| < 4 (false alarm 6e-5); negative control: a rho50 3 % off is told apart."""
    _, planned, result = measured
    density = planned.mines / 64
    tasks = [Task(Board((8, 8)), int(m), seed=6) for m in planned.mines]
    wins = np.array([play_batch(task, 0, 15_000)["wins"] for task in tasks])
    truth = fit_rho50(density, wins, np.full(len(wins), 15_000), planned.window)
    for fit in (result.plain, result.reduced):
        spread = np.hypot(fit.error, truth.error)
        assert abs(fit.rho50 - truth.rho50) < 4 * spread
    assert abs(result.reduced.rho50 - 1.03 * truth.rho50) > 4 * result.reduced.error


def test_threads_change_nothing_and_the_pilot_is_not_counted(measured) -> None:
    _, planned, result = measured
    again = measure(SETUP, planned, threads=1)
    assert again.counts == result.counts
    assert planned.games.max() < PILOT_FIRST_GAME
    mines = int(planned.mines[0])
    assert result.counts[mines] == {
        "games": int(planned.games[0]),
        **play_batch(SETUP.task(mines), 0, int(planned.games[0])),
    }


def test_an_interrupt_keeps_a_fit_to_the_games_played_so_far(measured, monkeypatch) -> None:
    planned = plan_rho50(SETUP, measured[0], 3e-4)
    played = []

    def some(work: Callable, pieces: Sequence, threads: int) -> Iterator[list[Done]]:
        for piece in pieces:
            if len(played) == enough:
                raise KeyboardInterrupt
            played.append(piece)
            yield [Done(piece, work(piece), 0.01)]

    monkeypatch.setattr("msdensity.runs.measure.in_threads", some)
    enough = len(planned.mines) - 1
    with pytest.raises(KeyboardInterrupt) as nothing:
        measure(SETUP, planned)
    assert not isinstance(nothing.value, Stopped)  # of the last m there is no game
    played.clear()
    enough += 2
    with pytest.raises(Stopped) as stopped:
        measure(SETUP, planned)
    result = stopped.value.measurement
    wanted: Counter[int] = Counter()
    for m, _, games in played:
        wanted[m] += games
    assert {m: count["games"] for m, count in result.counts.items()} == wanted
    assert len(wanted) == len(planned.mines) and wanted.total() < planned.total
    fit = result.best
    assert abs(fit.rho50 - 0.217) < 0.01 and fit.error < 0.01
    assert result.cpu_seconds == pytest.approx(0.01 * enough)


def test_the_command_prints_what_an_interrupt_left_and_says_before_how_long_it_takes(
    measured, monkeypatch, capsys
) -> None:
    _, _, result = measured

    def interrupted(*_) -> Measurement:
        raise Stopped(result)

    monkeypatch.setattr("msdensity.runs.measure.refine", lambda _, found, *more, **log: found)
    monkeypatch.setattr("msdensity.runs.measure.measure", interrupted)
    assert main(["rho50", "--board", "8x8", "--error", "1e-5", "--json"]) == 130
    printed = capsys.readouterr()
    facts = json.loads(printed.out)
    assert facts["rho50"] == result.best.rho50 and facts["games"] < sum(facts["games_each"])
    before, after = printed.err.splitlines()
    assert re.search(
        r"takes about [\d.]+ (min|h|s) of one core; --plan-only prints the plan", before
    )
    assert "stopped early, after " in after


def test_a_board_without_a_rho50_is_refused() -> None:
    with pytest.raises(InputError, match="room for 2 mines"):
        pilot(Setup(Board((1, 2)), "weighted", {}, Rules(), 1))
    with pytest.raises(InputError, match="games=99 must be"):
        pilot(SETUP, 99)


def test_the_command_prints_the_cost_before_and_after(capsys) -> None:
    argv = ["rho50", "--board", "8x8", "--error", "2e-3", "--seed", "5"]
    assert main([*argv, "--plan-only"]) == 0
    planned = capsys.readouterr().out
    assert "CPU seconds" in planned and "rho50 =" not in planned
    assert main(argv) == 0
    out = capsys.readouterr().out
    assert out.startswith(planned.split("expected error")[0])
    assert "spent:" in out and "rho50 =" in out and "largest |z|" in out
    assert main([*argv, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["rho50_low"] < facts["rho50"] < facts["rho50_high"]


@pytest.mark.parametrize(
    ("board", "first_click"),
    [
        *(("3x3", "corner"), ("2x3", "corner"), ("1x5", "corner"), ("5x5", "centre")),
        *(("4x5", "random_interior"), ("5x5-torus8", "corner"), ("3x3x4-cubic26", "corner")),
    ],
)
def test_a_design_keeps_to_the_mines_that_the_start_allows(board: str, first_click: str) -> None:
    setup = Setup(Board.parse(board), rules=Rules(first_click, "zero"), seed=3)
    most = most_mines(setup.board, setup.rules)
    steep = Pilot(most / setup.board.cells, 2.0, 1.0, 100, 0.0)  # its window goes beyond
    for trial in (pilot(setup, 100), steep):
        planned = plan_rho50(setup, trial, 0.05)
        assert 1 <= planned.mines.min() and planned.mines.max() <= most
        measure(setup, planned)
    free = design(steep.rho50, steep.k, setup.board.cells, 0.05, 0.0)
    assert free.mines.max() > most  # the control: without the limit it does not


@pytest.mark.parametrize(("approximate", "warned"), [(0, False), (5, False), (80, True)])
def test_approximate_games_are_counted_and_many_are_a_warning(measured, approximate, warned):
    counts = {m: {**own, "games": 1000} for m, own in measured[2].counts.items()}
    counts[min(counts)] = counts[min(counts)] | {"approximate": approximate}
    result = fit_counts(counts, 64, measured[1].window)
    assert result.approximate == approximate
    for fit in (result.plain, result.reduced):
        assert ("too large for exact counting" in fit.report()) == warned
    without = f"without it rho50 is {result.plain.rho50:.5f}"
    assert (without in result.reduced.report()) == warned and without not in result.plain.report()


def test_a_long_strip_of_two_rows_is_played_with_one_mine() -> None:
    """W(1) is about .51 and W(2) about .25, so rho50 is a little above one mine."""
    setup = Setup("2x100")
    found = pilot(setup)
    planned = plan_rho50(setup, found, 1e-3)
    assert planned.mines[0] == 1
    fit = measure(setup, planned).best
    assert fit.no_fit or abs(fit.rho50 - 0.0052) < 4 * fit.error


def test_a_board_that_one_mine_loses_has_no_rho50() -> None:
    with pytest.raises(InputError, match=r"with one mine already, only 1.% of the games end so"):
        plan_rho50(Setup("2x2x2-cubic26"), pilot(Setup("2x2x2-cubic26")), 0.01)


def test_densities_on_one_side_of_one_half_give_no_fit(measured) -> None:
    counts = {m: dict(own) for m, own in measured[2].counts.items()}
    low = {m: counts[m] for m in sorted(counts)[:2]}
    for count, wins in zip(low.values(), (8000, 6500), strict=True):
        count |= {"games": 10_000, "wins": wins}
    result = fit_counts(low, 64, measured[1].window)
    assert "are all on one side of 1/2" in result.plain.no_fit
    assert np.isnan([result.plain.rho50, result.plain.k, result.plain.error]).all()


def test_the_pilots_of_a_study_take_every_board_of_the_paper() -> None:
    config = load_config({"name": "small", "boards": ["1x3", "2x2", "2x10", "3x3"]})
    assert len(play_pilots(config)) == 4
