"""Table 10 of 004 and what it asks: how often a guess of a stated safety opens no mine."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from msdensity.games.tasks import Task
from msdensity.studies.published_players.beliefs.columns import CONVERGENCE_COLUMNS, GUESS_COLUMNS
from msdensity.studies.published_players.beliefs.traces import believe, trace_guesses
from msdensity.studies.published_players.beliefs.ways import guess_tasks
from msdensity.studies.published_players.measures import ratio, ratio_interval
from msdensity.studies.published_players.settings import Settings

TABLE_10: Mapping[str, tuple[float, ...]] = {
    "lbp": (38.50, 50.00, 72.73, 50.00, 50.00, 48.25),
    "lbp_mc": (44.03, 70.00, 72.32, 80.99, 85.71, 72.32),
}
"""Success of guesses in %, as printed, for predictions in (40,50], (50,60] ... (90,100] %."""

LOWEST = 40
"""Where the first bin of Table 10 begins, in %."""

ITERATIONS = (3, 50)
"""Iterations within which beliefs may converge: those of 004, and many more."""

ROUNDING = 1e-8
"""Sums of beliefs in another order: one half belongs to (40,50], whatever its last digits."""


def bin_of(safety: ArrayLike) -> NDArray[np.int64]:
    """Return the bin of stated safeties: b of 1..10 is (10 (b - 1), 10 b] %, and 0 % is in 1."""
    return np.clip(np.ceil(10 * np.asarray(safety) - ROUNDING), 1, 10).astype(np.int64)


def fewest_guesses(percent: float) -> int:
    """Return the fewest guesses whose share of successes is printed so, with two decimals."""
    n = np.arange(1, 10_001)
    rounded = np.round(percent * n / 100) / n
    return int(n[np.abs(100 * rounded - percent) <= 0.005 + 1e-9][0])


def count_bins(part: str, task: Task, games: int, each: NDArray[np.void]) -> pd.DataFrame:
    """Return the guesses of games 0 .. games - 1 of a task by bin (GUESS_COLUMNS).

    each: of GUESS_TYPE.
    """
    rows = []
    bins = bin_of(each["safety"])
    for b in np.unique(bins).tolist():
        own = each[bins == b]
        stated = own["safety"]
        counts = np.bincount(own["game"], minlength=games)
        shares: list[float] = []
        for name in ("survived", "won"):
            value, error = ratio(100 * np.bincount(own["game"], own[name], minlength=games), counts)
            ends = ratio_interval(value, error, int((counts > 0).sum()), True)
            shares += [int(own[name].sum()), value, error, *ends]
        where = (part, task.label, task.board.name, task.mines, games)
        sums = (float(stated.sum()), float((stated * (1 - stated)).sum()))
        rows.append((*where, 10 * b - 10, 10 * b, len(own), shares[0], *sums, *shares[1:]))
    return pd.DataFrame(rows, columns=list(GUESS_COLUMNS))


def count_converged(
    task: Task, games: int, game: NDArray[np.int64], converged: NDArray[np.int64]
) -> pd.DataFrame:
    """Return in how many positions beliefs converge within ITERATIONS (CONVERGENCE_COLUMNS).

    game, converged: (n,), of each position: its game, one of 0 .. games - 1, and the first
    iteration that moved no belief, -1 if none did.
    """
    rows = []
    positions = np.bincount(game, minlength=games)
    for iterations in ITERATIONS:
        still = (converged > 0) & (converged <= iterations)
        value, error = ratio(100 * np.bincount(game, still, minlength=games), positions)
        ends = ratio_interval(value, error, int((positions > 0).sum()), True)
        where = (task.label, task.board.name, task.mines, games)
        rows.append((*where, iterations, len(game), int(still.sum()), value, *ends))
    return pd.DataFrame(rows, columns=list(CONVERGENCE_COLUMNS))


def guess_tables(settings: Settings) -> dict[str, pd.DataFrame]:
    """Return the tables `belief_guesses` and `belief_convergence`.

    settings.belief_games games of each of `guess_tasks`. Table 10 counts guesses beside a number,
    since a player of 004 has no belief in other cells; the calibration counts all. Whether beliefs
    converge is asked where Table 10 counts.
    """
    games = settings.belief_games
    bins, shares = [], []
    for part, played in guess_tasks(settings.seed).items():
        for task in played:
            guesses, converged = [], []
            for each, states, numbers in trace_guesses(task, games):
                here = each["beside"] | (part != "table_10")
                guesses.append(each[here])
                if part == "table_10":
                    converged.append(believe(task, states[here], numbers[here], max(ITERATIONS))[0])
            found = np.concatenate(guesses)
            if len(found):
                bins.append(count_bins(part, task, games, found))
            if len(found) and converged:
                game = found["game"].copy()
                shares.append(count_converged(task, games, game, np.concatenate(converged)))
    return {
        "belief_guesses": pd.concat(bins, ignore_index=True),
        "belief_convergence": pd.concat(shares, ignore_index=True),
    }
