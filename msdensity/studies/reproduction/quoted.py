"""Win rates that the paper's text quotes, beside ours; and the cost of a game, theirs and ours."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Task
from msdensity.runs.parallel import all_in_threads
from msdensity.stats.intervals import score_error, wilson
from msdensity.stats.testing import detectable
from msdensity.studies.reproduction.columns import QUOTED_COLUMNS, SPEED_COLUMNS
from msdensity.studies.reproduction.settings import Settings

PART = 1000


def luck_as_printed(cells: int, mines: int) -> float:
    """Return the product that section 8.1 prints for winning by luck: 0 wherever cells > mines + 1.

    product over k = 1 .. pq - m - 1 of (pq - m - 1 - k) / (pq - k). Raises InputError unless
    1 <= mines < cells.
    """
    _check_mines(cells, mines)
    guesses = cells - mines - 1
    return math.prod((guesses - k) / (cells - k) for k in range(1, guesses + 1))


def luck(cells: int, mines: int) -> float:
    """Return the chance to win by random guesses after a safe first click: 1 / C(pq - 1, m).

    The product of section 8.1 with pq - m - k in its numerator. Raises InputError unless
    1 <= mines < cells.
    """
    _check_mines(cells, mines)
    return 1 / math.comb(cells - 1, mines)


def _check_mines(cells: int, mines: int) -> None:
    if not 1 <= mines < cells:
        raise InputError(f"mines={mines} must be in 1..{cells - 1} for {cells} cells")


def quoted_tables(
    quotes: pd.DataFrame,
    players: Sequence[tuple[str, Mapping[str, str]]],
    rules: Rules,
    seed: int,
    games: int,
    threads: int = 1,
    keep: Keep = NO_CHECKPOINT,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Play the boards of quoted win rates; return QUOTED_COLUMNS and SPEED_COLUMNS.

    quotes: QUOTES_COLUMNS; players: names and options; games: at least 1, of each; keep: what
    was played earlier. Only the second table depends on the machine: PART games are timed for it.
    """
    from msdensity.games.play import play_batch

    def play(task: Task, first: int, size: int) -> list[int]:
        sums = play_batch(task, first, size)
        return [sums["wins"], sums["redrawn"]]

    def part(task: Task, first: int) -> list[int]:
        size = min(PART, games - first)
        return keep(f"quoted {task.task_id} {first} {size}", lambda: play(task, first, size))

    rates, speed = [], []
    quote: Any
    for quote in quotes.itertuples():
        for name, options in players:
            task = Task(Board.parse(quote.board), int(quote.mines), name, options, rules, seed)
            play_batch(task, 0, 0)  # compiles, which must not be timed
            timed = min(PART, games)
            begin = time.thread_time()
            play_batch(task, 0, timed)
            spent = time.thread_time() - begin
            parts = all_in_threads(partial(part, task), range(0, games, PART), threads)
            wins, redrawn = (sum(column) for column in zip(*parts, strict=True))
            low, high = wilson(wins, games)
            rate, mines, cells = wins / games, task.mines, task.board.cells
            rounding = 10.0**-quote.decimals / np.sqrt(12)
            sampling = score_error(wins, games, quote.win_rate * quote.games, quote.games)
            spread = np.hypot(sampling, rounding)
            head = {"board": task.board.name, "mines": mines, "player": task.label, "games": games}
            rates.append(
                head
                | {
                    "published": quote.win_rate,
                    "wins": wins,
                    "redrawn": redrawn,
                    "win_rate": rate,
                    "win_rate_low": float(low),
                    "win_rate_high": float(high),
                    "z": (quote.win_rate - rate) / spread,
                    "detectable": detectable() * spread,
                    "luck_as_printed": luck_as_printed(cells, mines),
                    "luck": luck(cells, mines),
                }
            )
            own, theirs = 1e6 * spent / timed, 1e6 * quote.seconds / quote.games
            cost = {"cpu_us": own, "published_us": theirs, "times_as_fast": theirs / own}
            speed.append(head | {"games": timed} | cost)
    return (
        pd.DataFrame(rates, columns=list(QUOTED_COLUMNS)),
        pd.DataFrame(speed, columns=list(SPEED_COLUMNS)),
    )


def play_quoted(
    quotes: pd.DataFrame, settings: Settings, threads: int = 1, keep: Keep = NO_CHECKPOINT
) -> dict[str, pd.DataFrame]:
    """Return `quoted_tables` of the study as `quoted` and `speed`."""
    sweep = settings.sweep
    how = (sweep.rules, sweep.seed, settings.quoted.games, threads, keep)
    quoted, speed = quoted_tables(quotes, sweep.players, *how)
    return {"quoted": quoted, "speed": speed}
