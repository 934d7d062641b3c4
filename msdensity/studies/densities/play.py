"""Play the games that give the densities of boards their wanted error."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import TextIO

import numpy as np
import pandas as pd

from msdensity.errors import InputError
from msdensity.files.tables import check_table
from msdensity.games.boards import most_mines
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Setup
from msdensity.runs.measure import pilot, plan_rho50, refine
from msdensity.runs.sweep import Played, joined, play_unequal
from msdensity.stats.logistic import fit_critical_density
from msdensity.studies.densities.columns import GAMES_COLUMNS
from msdensity.studies.densities.results import OUTCOMES, corrected
from msdensity.studies.densities.settings import (
    CRITICAL,
    CRITICAL_PILOT,
    SEEDS,
    Settings,
)

PILOT_GAMES, PILOT_REPLICATES = 200, 50
"""Games for each number of mines that show how many the critical density needs, and the replicates
of their bootstrap. They are not counted."""

EVERYWHERE = (0.0, 1.0)

Design = tuple[dict[int, int], tuple[float, float]]
"""Games by number of mines, and the window of the fit."""

_GAMES = 100
"""The games for each number of mines of a whole curve are a multiple of this."""

_BATCH_CELLS = 2_000_000
"""Games times cells of a batch, which take well below a second."""


def play_boards(
    settings: Settings, part: str, ledgers: str, threads: int = 1, keep: Keep = NO_CHECKPOINT
) -> Played:
    """Play the boards of a part (`settings.parts`); the table has GAMES_COLUMNS.

    ledgers: their folder; keep: a checkpoint of the pilots.
    """
    setups = [Setup(board, seed=settings.seed) for board in settings.parts()[part]]
    played = [play_board(settings, setup, Path(ledgers), threads, keep) for setup in setups]
    return joined(played)


def play_board(
    settings: Settings,
    setup: Setup,
    folder: Path,
    threads: int = 1,
    keep: Keep = NO_CHECKPOINT,
    log: TextIO | None = None,
) -> Played:
    """Play one board for all its densities; the table has GAMES_COLUMNS.

    setup: who plays where, with the seed of the study; folder: of the ledgers; keep: a checkpoint
    of the pilots; log: where progress goes (None: standard error).
    """

    def play(density: str, design: Design) -> Played:
        games, window = design
        own = _seeded(setup, density)
        ledger = folder / density / f"{setup.board.name}.csv"
        batch = int(np.clip(_BATCH_CELLS // setup.board.cells, 10, 1000))
        tasks = {own.task(m): n for m, n in games.items()}
        played = play_unequal(ledger, tasks, batch=batch, threads=threads, log=log)
        table = played.table.assign(density_of=density, window_low=window[0], window_high=window[1])
        table = check_table(table.filter(list(GAMES_COLUMNS)), GAMES_COLUMNS, "games")
        return replace(played, table=table)

    mines = curve_mines(setup, settings.steps)
    pilot_design = dict.fromkeys(mines, min(PILOT_GAMES, settings.most_games)), EVERYWHERE
    first = play(CRITICAL_PILOT, pilot_design).table
    parts = [play(CRITICAL, _critical(settings, mines, first))]
    for density in OUTCOMES:
        design = _design(_seeded(setup, density), density, settings.error, threads, keep)
        if design is not None:
            parts.append(play(density, design))
    return joined(parts)


def _seeded(setup: Setup, density: str) -> Setup:
    return replace(setup, seed=setup.seed + SEEDS[density])


def _critical(settings: Settings, mines: list[int], first: pd.DataFrame) -> Design:
    """Return as many games on the whole curve as P needs according to a pilot."""
    rng = np.random.default_rng(0)
    fit = fit_critical_density(corrected(first), replicates=PILOT_REPLICATES, rng=rng)
    games, spread = first["games"].iloc[0], fit.results()["Q_sd"]
    wanted = games * (spread / settings.error) ** 2 if np.isfinite(spread) else np.inf
    total = _GAMES * ceil(min(max(wanted, 1), settings.most_games) / _GAMES)
    return dict.fromkeys(mines, total), EVERYWHERE


def _design(setup: Setup, density: str, error: float, threads: int, keep: Keep) -> Design | None:
    try:
        first = pilot(setup, keep=keep, outcome=OUTCOMES[density])
        first = refine(setup, first, error, threads, keep, OUTCOMES[density])
        planned = plan_rho50(setup, first, error)
    except InputError:  # half the games end so with every number of mines, or with none
        return None
    games = dict(zip(planned.mines.tolist(), planned.games.tolist(), strict=True))
    return games, planned.window


def curve_mines(setup: Setup, steps: int) -> list[int]:
    """Return the numbers of mines of a whole curve: all, or multiples of the density 1 / steps."""
    cells, most = setup.board.cells, most_mines(setup.board, setup.rules)
    if cells <= steps:
        return list(range(1, most + 1))
    return sorted({min(round(i * cells / steps), most) for i in range(1, steps)})
