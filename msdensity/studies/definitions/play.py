"""Play the games of all players and starts, count the clicks of boards, and time games."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import ndimage

from msdensity.files.tables import check_table
from msdensity.games.play import NO_CHECKPOINT, Keep, kernel_task, play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.runs.measure import PILOT_FIRST_GAME
from msdensity.studies.definitions.columns import GAME_COLUMNS, LAYOUT_COLUMNS, MEAN_COLUMNS
from msdensity.studies.definitions.settings import GUESSER, PILOT_SHARE, Part, Settings

PARTS = {"pilot": PILOT_FIRST_GAME, "games": 0}
"""The first game of each part."""

BATCH_CELLS = 2_000_000
"""Cells of the boards of a batch, about: what a kill costs is less than a second."""

MAX_BATCH = 1000
"""Games of a batch on small boards."""

TIMED_SETS = 10
"""The games that are timed, in so many sets, which give the error."""


def games_of(part: str, games: int) -> int:
    """Return the games of a part. games: those of the main part."""
    return games if part == "games" else max(games // PILOT_SHARE, 20)


def _batches(cells: int, games: int) -> Iterator[tuple[int, int]]:
    size = min(max(BATCH_CELLS // cells, 1), MAX_BATCH)
    for first in range(0, games, size):
        yield first, min(size, games - first)


def play_games(settings: Settings, side: str, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Play all games on boards of a side; return GAME_COLUMNS. keep: a checkpoint."""
    rows = []
    for own in settings.parts(int(side)):
        for part, start in PARTS.items():
            games = games_of(part, settings.games[own.side])
            for mines in settings.mines(own.side):
                task = own.task(mines, settings.seed)
                sums = _sums(f"games {task.task_id}", task, start, games, keep)
                rows.append([part, own.player, own.start, *_place(task), games, *sums])
    return check_table(pd.DataFrame(rows, columns=[*GAME_COLUMNS]), GAME_COLUMNS, "games")


def _place(task: Task) -> list[Any]:
    return [task.board.shape[0], task.mines, task.density, task.seed, KERNEL_VERSION]


def _sums(what: str, task: Task, start: int, games: int, keep: Keep) -> list[int]:
    total: list[int] = []
    for first, size in _batches(task.board.cells, games):
        play = partial(play_sums, task, start + first, size)
        own = keep(f"{what} {start + first} {size}", play)
        total = [a + b for a, b in zip(total or [0] * len(own), own, strict=True)]
    return total


def play_sums(task: Task, first: int, games: int) -> list[int]:
    """Return the sums over games that GAME_COLUMNS hold, in their order."""
    ends = [play_batch(task, g, 1) for g in range(first, first + games)]

    def total(name: str, times: str = "") -> int:
        return sum(end[name] * (end[times] if times else 1) for end in ends)

    return [
        total("wins"),
        total("no_guess_wins"),
        total("guesses"),
        total("guesses", "guesses"),
        total("guesses", "wins"),
        total("opened"),
        total("opened", "opened"),
        total("certain_component"),
        total("certain_component", "certain_component"),
    ]


def play_layouts(settings: Settings, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Count the clicks of boards with a 0 in the middle; return LAYOUT_COLUMNS."""
    rows = []
    for side, boards in sorted(settings.layouts.items()):
        for part, start in PARTS.items():
            games = games_of(part, boards)
            for mines in settings.mines(side):
                task = Part(GUESSER, "zero", side).task(mines, settings.seed)
                what = f"clicks {task.task_id} {start} {games}"
                clicks = keep(what, partial(clicks_of_games, task, start, games))
                squares = sum(n * n for n in clicks)
                rows.append([part, *_place(task), games, sum(clicks), squares])
    return check_table(pd.DataFrame(rows, columns=[*LAYOUT_COLUMNS]), LAYOUT_COLUMNS, "layouts")


def clicks_of_games(task: Task, first: int, games: int) -> list[int]:
    """Return `clicks` of the boards of games first .. first + games - 1 of a task."""
    from msdensity.kernel.deal import deal

    own = kernel_task(task)
    boards = (deal(own, g)[0].reshape(task.board.shape) for g in range(first, first + games))
    return [clicks(mined) for mined in boards]


def clicks(mined: NDArray[np.bool_]) -> int:
    """Return the fewest clicks that open all safe cells of a board, (p, q), whose mines are known.

    One for each cascade: 0s that touch, diagonally too; and one for each safe cell beside no 0.
    """
    square = np.ones((3, 3), bool)
    zero = ~ndimage.binary_dilation(mined, square)
    alone = ~mined & ~ndimage.binary_dilation(zero, square)
    return int(ndimage.label(zero, square)[1]) + int(alone.sum())


def time_games(settings: Settings) -> pd.DataFrame:
    """Return the mean CPU seconds of a game of the player that may guess; MEAN_COLUMNS.

    Machine and moment decide them, so they are in no other table.
    """
    rows = []
    for side, games in sorted(settings.timed.items()):
        for mines in settings.mines(side):
            task = Part(GUESSER, "zero", side).task(mines, settings.seed)
            play_batch(task, PILOT_FIRST_GAME, 1)  # compiles, and fills the caches
            head = ["cpu", "zero", side, mines, task.density]
            for part, start in PARTS.items():
                size = max(games_of(part, games) // TIMED_SETS, 1)
                seconds = []
                for i in range(TIMED_SETS):
                    begin = time.thread_time()
                    play_batch(task, start + i * size, size)
                    seconds.append((time.thread_time() - begin) / size)
                error = float(np.std(seconds, ddof=1)) / sqrt(TIMED_SETS)
                rows.append([part, *head, TIMED_SETS * size, float(np.mean(seconds)), error])
    return check_table(pd.DataFrame(rows, columns=[*MEAN_COLUMNS]), MEAN_COLUMNS, "cost")
