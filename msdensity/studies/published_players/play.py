"""Games in sets of SET: the sums of each set, and the measures of the papers with errors."""

from __future__ import annotations

import time
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from msdensity.errors import InputError
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Task
from msdensity.kernel.measures import MEASURES
from msdensity.stats.intervals import wilson
from msdensity.studies.published_players.settings import SET

MEANS = (
    "win_percent",
    "guesses",
    "guesses_without_opener",
    "area_percent",
    "mines_percent",
    "needs_guess_percent",
)
"""Measures that are means over games; see `estimate`."""

OUTCOMES = ("lost_with_guess_percent", "won_with_guess_percent", "won_without_guess_percent")
"""How games end (004, Table 12), in percent of all; see `estimate`."""

SHARES = ("win_percent", "needs_guess_percent", *OUTCOMES)
"""Those measures that are shares of games."""

_GUESSES = ("guesses", "guesses_without_opener")

OF_GAMES = (*SHARES, *_GUESSES, "win_percent_set_sd", "mines_percent_won_whole")
"""Measures whose error is not from the spread over sets but from every game."""

SPREADS = ("win_percent_set_sd", "guesses_sd")
"""Measures that are standard deviations; see `estimate`."""


def play_sets(
    task: Task, games: int, keep: Keep = NO_CHECKPOINT
) -> tuple[NDArray[np.int64], float]:
    """Return the measures of each set of SET games, (sets, measures), and CPU seconds per game.

    games: a multiple of SET, at least one set; else InputError. keep: a checkpoint,
    which is not in the time.
    """
    from msdensity.games.play import play_batch

    if games < SET or games % SET:
        raise InputError(f"games={games} must be a multiple of {SET}, at least {SET}")
    play_batch(task, 0, 0)  # compiles, which must not be timed

    def one(first: int) -> list[int]:
        sums = play_batch(task, first, SET)
        return [sums[name] for name in MEASURES]

    begin = time.thread_time()
    sets = [
        keep(f"sets {task.task_id} {first} {SET}", partial(one, first))
        for first in range(0, games, SET)
    ]
    seconds = time.thread_time() - begin
    return np.array(sets, np.int64), seconds / games


def mines_won_whole(task: Task, games: int, keep: Keep = NO_CHECKPOINT) -> tuple[float, float]:
    """Return % of the mines found, all if the game is won, and its standard error over games.

    A player need not mark the last mines to win, but a program may count them. games: at least 2.
    """
    from msdensity.games.play import play_batch

    def found(first: int) -> list[int]:
        played = (play_batch(task, g, 1) for g in range(first, min(first + SET, games)))
        return [task.mines if each["wins"] else each["mines_marked"] for each in played]

    parts = [
        keep(f"mines {task.task_id} {first} {min(SET, games - first)}", partial(found, first))
        for first in range(0, games, SET)
    ]
    percent = 100 * np.concatenate(parts) / task.mines
    return float(percent.mean()), float(percent.std(ddof=1) / np.sqrt(games))


def interval(measure: str, value: float, error: float, games: int) -> tuple[float, float]:
    """Return the ends of the 95 % interval of a measure; value and error as from `estimate`.

    games: played, at least 2 SET. Wilson's for SHARES; else of Student's t where the error is from
    sets, and of the normal distribution where it is from games. No measure is below 0.
    """
    if measure in SHARES:
        low, high = wilson(min(value / 100, 1) * games, games)
        return 100 * float(low), 100 * float(high)
    half = 1.96 if measure in OF_GAMES else float(student.isf(0.025, games // SET - 1))
    return max(0.0, value - half * error), value + half * error


def estimate(measure: str, sets: NDArray[np.int64], task: Task) -> tuple[float, float]:
    """Return (value, standard error) of a published measure from the sums of each set.

    sets: (sets, measures) as from `play_sets`. win_percent; win_percent_set_sd over sets; guesses
    with the opener, guesses_without_opener, guesses_sd over games; area_percent of the safe cells
    and mines_percent of the mines, means over games; needs_guess_percent, games not won without a
    guess: for a player with exact inference those in which logic alone gets stuck; OUTCOMES, where
    a game that is lost counts as lost with a guess, since only a first click on a mine is none, and
    the start at the first 0 allows one on a board without a 0 alone. Errors of
    guesses are from games, others from the spread over sets (the error of a standard deviation by
    its first-order influence). Errors of shares of games, and of their spread over sets, are
    binomial with one more game of either kind, so that none is 0. Raises InputError for another
    measure.
    """
    each = {name: sets[:, i] / SET for i, name in enumerate(MEASURES)}
    n = len(sets)
    if measure == "win_percent_set_sd":
        # Games are independent: the win rate says what the spread is, also where sets are alike.
        rate = (each["wins"].sum() * SET + 1) / (n * SET + 2)
        error = 100 * np.sqrt(rate * (1 - rate) / SET / (2 * (n - 1)))
        return float((100 * each["wins"]).std(ddof=1)), float(error)
    if measure == "guesses_sd":
        mean, square = each["guesses"].mean(), each["guesses_squared"].mean()
        sd = np.sqrt(square - mean**2)
        values = (each["guesses_squared"] - 2 * mean * each["guesses"]) / (2 * sd) if sd else 0
        return float(sd), float(np.std(values, ddof=1) / np.sqrt(n)) if sd else 0.0
    parts = {
        "win_percent": 100 * each["wins"],
        "guesses": 1 + each["guesses"],
        "guesses_without_opener": each["guesses"],
        "area_percent": 100 * each["opened"] / (task.board.cells - task.mines),
        "mines_percent": 100 * each["mines_marked"] / task.mines,
        "needs_guess_percent": 100 * (1 - each["no_guess_wins"]),
        "lost_with_guess_percent": 100 * (1 - each["wins"]),
        "won_with_guess_percent": 100 * (each["wins"] - each["no_guess_wins"]),
        "won_without_guess_percent": 100 * each["no_guess_wins"],
    }
    if measure not in parts:
        raise InputError(
            f"measure={measure!r} must be one of {', '.join((*MEANS, *OUTCOMES, *SPREADS))}"
        )
    values = parts[measure]
    if measure in SHARES:
        games = n * SET
        rate = (values.sum() * SET / 100 + 1) / (games + 2)
        return float(values.mean()), float(100 * np.sqrt(rate * (1 - rate) / games))
    if measure in _GUESSES:
        spread = each["guesses_squared"].mean() - each["guesses"].mean() ** 2
        return float(values.mean()), float(np.sqrt(spread / (n * SET - 1)))
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(n))
