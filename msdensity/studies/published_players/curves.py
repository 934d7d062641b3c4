"""Win-rate curves of square boards, which give P and rho50 of each player."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from msdensity.games.boards import Board
from msdensity.games.tasks import Task
from msdensity.runs.sweep import Played, play_table
from msdensity.stats.rho50.reduced import checked_win_rates
from msdensity.studies.published_players.settings import CORNER, Settings


def curve_tasks(player: str, side: int, seed: int) -> list[Task]:
    """Return the tasks of a curve: side x side with 1 .. side^2 - 1 mines, from a safe corner."""
    board = Board((side, side))
    return [Task(board, m, player, {}, CORNER, seed) for m in range(1, board.cells)]


def play_curves(player: str, settings: Settings, ledgers: str | os.PathLike[str]) -> Played:
    """Play what the ledgers lack and return the curves of a player.

    The table has CORRECTED_COLUMNS, with settings.curve_games games for each number of mines on
    boards of settings.sides. ledgers: their folder; they are the checkpoints, so an interrupted run
    loses at most a batch.
    """
    tasks = {
        Path(ledgers) / f"{side}x{side}.{player}.csv": curve_tasks(player, side, settings.seed)
        for side in settings.sides
    }
    played = play_table(tasks, settings.curve_games)
    return replace(played, table=checked_win_rates(played.table))
