"""Play every first click on the same boards, and the same layouts again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from msdensity.files.tables import check_table
from msdensity.games.play import NO_CHECKPOINT, Keep, kernel_player, kernel_task
from msdensity.games.tasks import Task
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.runs.compare import PART, wins
from msdensity.runs.sweep import Played, play_table
from msdensity.studies.clicks.columns import OUTCOME_COLUMNS, REPLAY_COLUMNS
from msdensity.studies.clicks.settings import (
    LAYOUT_SEED,
    OPTIONS,
    PLAYER,
    SLOPE_SEED,
    Map,
    Settings,
)


def play_map(settings: Settings, part: str, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Play every cell of a map (`settings.parts`) as the first click; return OUTCOME_COLUMNS.

    keep: a checkpoint.
    """
    own, games = settings.parts()[part], settings.maps.games
    head = own._asdict() | {"board": own.board.name, "seed": settings.seed, "games": games}
    rows = []
    for cell in range(own.board.cells):
        won = wins(own.task(f"cell:{cell}", settings.seed), games, keep)
        text = np.packbits(won).tobytes().hex()
        rows.append(head | {"kernel_version": KERNEL_VERSION, "cell": cell, "won": text})
    return check_table(pd.DataFrame(rows), OUTCOME_COLUMNS, "outcomes")


def slope_tasks(settings: Settings, own: Map) -> list[Task]:
    """Return the corner of a map with a few mines less, and with as many more."""
    return [own.task("corner", settings.seed + SLOPE_SEED, n) for n in (-own.step, own.step)]


def slope_ledger(ledgers: Path, own: Map) -> Path:
    """Return the ledger of a map's slope in a folder; the maps of a board and start share it."""
    return ledgers / f"{own.board.name}.{own.start}.csv"


def play_slopes(settings: Settings, ledgers: str, threads: int = 1) -> Played:
    """Play the games that show how fast the win rate falls; the table has WIN_RATE_COLUMNS."""
    tasks: dict[Path, dict[Task, None]] = {}
    for own in settings.parts().values():
        each = tasks.setdefault(slope_ledger(Path(ledgers), own), {})
        each |= dict.fromkeys(slope_tasks(settings, own))
    wanted = {path: sorted(each, key=lambda task: task.mines) for path, each in tasks.items()}
    return play_table(wanted, settings.slope_games, threads=threads)


def layout_task(settings: Settings, board: object, mines: int) -> Task:
    """Return the task whose layouts are replayed: the first click is a safe corner."""
    return Task(board, mines, PLAYER, OPTIONS, seed=settings.seed + LAYOUT_SEED)  # type: ignore[arg-type]


def play_replays(settings: Settings, keep: Keep = NO_CHECKPOINT) -> pd.DataFrame:
    """Play each layout several times; return REPLAY_COLUMNS. keep: a checkpoint."""
    rows = []
    for board, several in settings.layouts.mines:
        for mines in several:
            task = layout_task(settings, board, mines)
            won, no_guess = replay(task, settings.layouts.games, settings.replays, keep)
            rows += [
                {
                    "board": board.name,
                    "mines": mines,
                    "seed": task.seed,
                    "kernel_version": KERNEL_VERSION,
                    "replays": settings.replays,
                    "won": w,
                    "layouts": int((won == w).sum()),
                    "no_guess": int((no_guess[won == w] == settings.replays).sum()),
                }
                for w in range(settings.replays + 1)
            ]
    return check_table(pd.DataFrame(rows), REPLAY_COLUMNS, "replays")


def replay(
    task: Task, layouts: int, replays: int, keep: Keep = NO_CHECKPOINT
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return in how many replays each layout is won, and in how many without a guess: (layouts,).

    Layout g is that of game g of the task. Replay i has the player's random choices of the task
    whose seed is larger by i + 1. keep: a checkpoint.
    """
    from msdensity.kernel.batch import play

    player = kernel_player(task)
    choices = [replace(task, seed=task.seed + 1 + i).player_key for i in range(replays)]
    tasks = [replace(kernel_task(task), keys=(task.board_key, key)) for key in choices]

    def counts(first: int, size: int) -> list[int]:
        games = range(first, first + size)
        played = [[play(player, each, g, 1) for each in tasks] for g in games]
        names = ("wins", "no_guess_wins")
        return [sum(one[name] for one in own) for name in names for own in played]

    parts = []
    for first in range(0, layouts, PART):
        size = min(PART, layouts - first)
        what = f"replays {task.task_id} {replays} {first} {size}"
        numbers = keep(what, lambda first=first, size=size: counts(first, size))  # type: ignore[misc]
        parts.append(np.array(numbers, np.int64).reshape(2, size))
    won, no_guess = np.concatenate(parts, axis=1)
    return won, no_guess
