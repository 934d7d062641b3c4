"""Play the fronts and the games, lose the crossings of 0s, and cross boards of ordinary sites."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
import pandas as pd

from msdensity.files.tables import check_table
from msdensity.games.front import front_task, play_fronts, zero_losses
from msdensity.games.play import NO_CHECKPOINT, Keep, play_batch
from msdensity.games.tasks import Task
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.studies.percolation.columns import (
    FRONT_COLUMNS,
    GAME_COLUMNS,
    SITE_COLUMNS,
    ZERO_COLUMNS,
)
from msdensity.studies.percolation.settings import (
    GAME_SEED,
    SITE_SEED,
    ZERO_SEED,
    FrontPart,
    Settings,
)
from msdensity.studies.percolation.sites import (
    KNOWN,
    SITE_DENSITY,
    is_crossed,
    reached_cells,
)

BATCH_CELLS = 2_000_000
"""Cells of the boards of a batch, about: what a kill costs is less than a second."""

MAX_BATCH = 1000
"""Boards of a batch of small ones."""


def _sums(
    what: str, cells: int, games: int, play: Callable[[int, int], Sequence[int]], keep: Keep
) -> list[int]:
    """Return the sums of what `play(first, boards)` returns for batches, through a checkpoint."""
    total: list[int] = []
    for first, size in _batches(cells, games):
        own = keep(f"{what} {first} {size}", partial(play, first, size))
        total = [a + b for a, b in zip(total or [0] * len(own), own, strict=True)]
    return total


def _batches(cells: int, games: int) -> Iterator[tuple[int, int]]:
    size = min(max(BATCH_CELLS // cells, 1), MAX_BATCH)
    for first in range(0, games, size):
        yield first, min(size, games - first)


def play_front(settings: Settings, part: str, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Play the boards of a job (`settings.front_parts`); return FRONT_COLUMNS.

    keep: a checkpoint.
    """
    rows = [row for own in settings.front_parts()[part] for row in _front(settings, own, keep)]
    return check_table(pd.DataFrame(rows, columns=[*FRONT_COLUMNS]), FRONT_COLUMNS, "fronts")


def _front(settings: Settings, part: FrontPart, keep: Keep) -> Iterator[list[Any]]:
    """Yield the row of each number of mines."""
    topology, rules, side = part
    own, seed, cells = settings.fronts[topology], settings.seed, 3 * side * side
    for mines in own.mines(rules, side):
        task = front_task(topology, side, mines, rules, seed)

        def play(first: int, boards: int, mines: int = mines) -> list[int]:
            made = play_fronts(topology, side, mines, rules, seed, first=first, boards=boards)
            return [made.crossed, made.opened, made.opened_squared, made.over]

        games = own.boards(rules)[side]
        sums = _sums(f"front {task.task_id}", cells, games, play, keep)
        head = [topology, rules, side, mines, mines / cells, seed, KERNEL_VERSION]
        yield [*head, games, *sums]


def play_zeros(settings: Settings, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Give square boards mines until their 0s no longer cross; return ZERO_COLUMNS."""
    seed, rows = settings.seed + ZERO_SEED, []
    for side, boards in sorted(settings.zeros.items()):
        lost: list[int] = []
        for first, size in _batches(side * side, boards):
            what = f"zeros {side} {seed} {KERNEL_VERSION} {first} {size}"
            lost += keep(what, partial(_lost, side, seed, first, size))
        mines, counts = np.unique(lost, return_counts=True)
        for m, count in zip(mines.tolist(), counts.tolist(), strict=True):
            rows.append([side, seed, KERNEL_VERSION, m, count])
    return check_table(pd.DataFrame(rows, columns=[*ZERO_COLUMNS]), ZERO_COLUMNS, "zeros")


def _lost(side: int, seed: int, first: int, boards: int) -> list[int]:
    return zero_losses(side, seed, first=first, boards=boards).tolist()


def play_sites(settings: Settings, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Cross boards of ordinary site percolation at its critical density; return SITE_COLUMNS."""
    seed, rows = settings.seed + SITE_SEED, []
    for side, boards in sorted(settings.sites.items()):
        cells = 3 * side * side
        play = partial(_reached, side, seed)
        crossed, opened, squares = _sums(f"sites {side} {seed}", cells, boards, play, keep)
        share, mean = crossed / boards, opened / boards
        errors = sqrt(share * (1 - share) / boards), sqrt((squares / boards - mean**2) / boards)
        beyond = cells - KNOWN * side
        head = [side, seed, SITE_DENSITY, boards, crossed]
        rows.append([*head, share, errors[0], mean / beyond, errors[1] / beyond])
    return check_table(pd.DataFrame(rows, columns=[*SITE_COLUMNS]), SITE_COLUMNS, "sites")


def _reached(side: int, seed: int, first: int, boards: int) -> list[int]:
    """Return the sums over boards: crossed, cells reached, and the square of their number."""
    sums = [0, 0, 0]
    for game in range(first, first + boards):
        rng = np.random.default_rng([seed, side, game])
        reached = reached_cells(rng.random((side, 3 * side)) < SITE_DENSITY)
        opened = int(reached[:, KNOWN:].sum())
        sums = [a + b for a, b in zip(sums, (is_crossed(reached), opened, opened**2), strict=True)]
    return sums


def play_games(settings: Settings, part: str, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Play the games of a job (`settings.game_parts`); return GAME_COLUMNS. keep: a checkpoint."""
    rows = []
    for own in settings.game_parts()[part]:
        games, cells = settings.games.games[own.side], own.side**2
        for mines in settings.games.mines(own.side):
            task = own.task(mines, settings.seed + GAME_SEED)
            what = f"games {task.task_id}"
            sums = _sums(what, cells, games, partial(play_ends, task), keep)
            head = [own.rules, own.side, mines, mines / cells, task.seed, KERNEL_VERSION]
            rows.append([*head, games, *sums])
    return check_table(pd.DataFrame(rows, columns=[*GAME_COLUMNS]), GAME_COLUMNS, "games")


def play_ends(task: Task, first: int, games: int) -> list[int]:
    """Return the games won, and the sum and the sum of squares of the safe cells opened."""
    ends = [play_batch(task, g, 1) for g in range(first, first + games)]
    opened = [end["opened"] for end in ends]
    return [sum(end["wins"] for end in ends), sum(opened), sum(n * n for n in opened)]
