"""What the study of densities plays, for its plan."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np

from msdensity.games.boards import Board
from msdensity.games.tasks import Setup, Task
from msdensity.runs.ledger import read_ledger
from msdensity.runs.plan import Workload
from msdensity.runs.versions import own_ledger
from msdensity.studies.densities.play import PILOT_GAMES, curve_mines
from msdensity.studies.densities.results import OUTCOMES
from msdensity.studies.densities.settings import CRITICAL, CRITICAL_PILOT, SEEDS, Settings

_SLOPE, _POINTS = 6.0, 7
"""A win rate falls about so much for each unit of the density near 1/2; the numbers of mines
played there."""

_MIDDLE = {"rho50": 0.2, "no_guess": 0.13}
"""Where half the games end so on common boards."""


def stored(settings: Settings, data: Path) -> Iterator[tuple[Path, Task]]:
    """Yield the path of each ledger that the study may have, with a task of its run."""
    for board, density in product(settings.all_boards(), SEEDS):
        own = Setup(board, seed=settings.seed + SEEDS[density])
        yield _ledger(data, density, board), own.task(1)


def workloads(settings: Settings, data: Path) -> list[Workload]:
    """Return what the study plays; data: the folder data/{name}.

    Pilots decide the games, so until a board is played they are a guess.
    """
    return [work for board in settings.all_boards() for work in _board(settings, board, data)]


def _board(settings: Settings, board: Board, data: Path) -> list[Workload]:
    setup = Setup(board)
    mines = curve_mines(setup, settings.steps)
    guess = max(1, round((0.5 / _SLOPE / settings.error) ** 2))
    pilot = min(PILOT_GAMES, settings.most_games)
    middle = {
        density: np.unique(np.clip(np.linspace(0.8, 1.2, _POINTS) * rho, 0, 1) * board.cells)
        for density, rho in _MIDDLE.items()
    }
    near = {
        density: sorted({min(max(1, round(m)), mines[-1]) for m in each.tolist()})
        for density, each in middle.items()
    }
    planned = {
        CRITICAL_PILOT: (mines, pilot),
        CRITICAL: (mines, min(max(guess // 10, 100), settings.most_games)),
        **{density: (near[density], max(100, guess // _POINTS)) for density in OUTCOMES},
    }
    works, done = [], False
    for density, (wanted, games) in planned.items():
        ledger = _ledger(data, density, board)
        own = Setup(board, seed=settings.seed + SEEDS[density])
        rows = read_ledger(own_ledger(ledger)).rows
        done = done or (density == CRITICAL and bool(rows))
        if done and not rows:  # no density of 1/2 on this board
            continue
        if rows:
            played = {row.task.mines: row.counts.stop for row in rows}
        else:
            played = dict.fromkeys(wanted, games)
        guessed = density != CRITICAL_PILOT and not rows
        for each in dict.fromkeys(played.values()):
            tasks = [own.task(m) for m, n in sorted(played.items()) if n == each]
            works.append(Workload(density, tasks, each, [ledger], estimate=guessed))
    return works


def _ledger(data: Path, density: str, board: Board) -> Path:
    return data / "ledger" / density / f"{board.name}.csv"
