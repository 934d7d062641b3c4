"""Play the boards of every topology around W = 1/2, and where few games are lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from msdensity.files.tables import check_table
from msdensity.games.play import NO_CHECKPOINT, Keep
from msdensity.games.tasks import Setup
from msdensity.runs.measure import pilot, plan_rho50, refine
from msdensity.runs.sweep import Played, joined, play_table, play_unequal
from msdensity.studies.topologies.columns import GAME_COLUMNS
from msdensity.studies.topologies.settings import Settings

PILOT_GAMES = 500

_BATCH_CELLS = 2_000_000
"""Games times cells of a batch, which take well below a second."""


def play_halves(
    settings: Settings, part: str, ledgers: str, threads: int = 1, keep: Keep = NO_CHECKPOINT
) -> Played:
    """Play the boards of a job (`settings.parts`) around W = 1/2; the table has GAME_COLUMNS.

    ledgers: their folder; keep: a checkpoint of the pilots.
    """
    played = [
        _half(setup, settings.error_of(setup), Path(ledgers), threads, keep)
        for setup in settings.parts()[part]
    ]
    return joined(played)


def _half(setup: Setup, share: float, folder: Path, threads: int, keep: Keep) -> Played:
    first = pilot(setup, PILOT_GAMES, keep)
    error = share * first.rho50
    planned = plan_rho50(setup, refine(setup, first, error, threads, keep), error)
    games = dict(zip(planned.mines.tolist(), planned.games.tolist(), strict=True))
    played = play_unequal(
        folder / f"{setup.board.name}.csv",
        {setup.task(m): n for m, n in games.items()},
        batch=batch_of(setup.board.cells),
        threads=threads,
    )
    low, high = planned.window
    table = played.table.assign(low=low, high=high).filter(list(GAME_COLUMNS))
    return replace(played, table=check_table(table, GAME_COLUMNS, "games"))


def play_law(settings: Settings, topology: str, ledgers: str, threads: int = 1) -> Played:
    """Play the games of a topology at low density; the table has WIN_RATE_COLUMNS.

    ledgers: their folder.
    """
    return joined(
        [
            play_table(
                {Path(ledgers) / f"{board.name}.csv": tasks},
                games,
                batch=batch_of(board.cells),
                threads=threads,
            )
            for board, (tasks, games) in settings.law_tasks(topology).items()
        ]
    )


def batch_of(cells: int) -> int:
    """Return the games of a batch on a board of so many cells."""
    return int(np.clip(_BATCH_CELLS // cells, 10, 1000))
