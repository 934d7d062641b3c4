"""How a sweep is split into jobs: their ranges of games, their ledgers, and what they need."""

from __future__ import annotations

import math
import os
import re
from pathlib import Path

from msdensity.games.boards import Board
from msdensity.kernel.limits import board_bytes
from msdensity.players.registry import player_info
from msdensity.runs.versions import is_own

_PART = re.compile(r"(?:\.from[0-9]+)?(?:\.kernel[0-9]+)?\.csv$")

TASK_BYTES = 8000
"""Bytes of memory for each number of mines (measured): its task, and its rows in ledgers and a
table."""

ROW_BYTES = 2000
"""Bytes of memory for each row of a table that is read, used and written; measured 1700."""

CELL_GAMES_A_SECOND = 5e6
"""Cells times games that one core plays, a low estimate; `msdensity bench` measures it."""

JOB_SECONDS = 3600.0
"""Seconds that a job keeps one core busy; a board that takes longer is split."""


def cpu_seconds(board: Board, games: int, player: str = "weighted") -> float:
    """Return about how long one core plays `games` games for every number of mines on `board`."""
    cell_games = board.cells * max(1, board.cells - 1) * games
    return cell_games * player_info(player).cost / CELL_GAMES_A_SECOND


def games_per_job(board: Board, player: str = "weighted") -> int:
    """Return the games of a job for every number of mines: 1, 2 or 5 times 10^k.

    It does not depend on the number of wanted games: more games add jobs and change none.
    """
    limit = JOB_SECONDS / cpu_seconds(board, 1, player)
    size = 1
    while 10 * size <= limit:
        size *= 10
    return max(step * size for step in (1, 2, 5) if step * size <= max(1, limit))


def ledger_path(
    folder: str | os.PathLike[str], board: str, label: str, first_game: int = 0
) -> Path:
    """Return the ledger of the job that starts at first_game."""
    start = f".from{first_game}" if first_game else ""
    return Path(folder) / f"{board}.{label}{start}.csv"


def siblings(path: str | os.PathLike[str]) -> list[Path]:
    """Return the other ledgers of the same board and player, however its games were split.

    Those that another version of the kernel played are left out.
    """
    path = Path(path)
    name, parts = _PART.subn("", path.name)
    if not parts:
        return []
    try:
        files = sorted(path.parent.iterdir())
    except OSError:  # no folder yet, or a name that none can have
        return []
    others = (e for e in files if e.name != path.name and _PART.subn("", e.name) == (name, 1))
    return [path for path in others if is_own(path)]


def by_first(folder: str | os.PathLike[str]) -> dict[str, list[Path]]:
    """Return the ledgers in a folder by the name of the first of their board and player.

    Those that another version of the kernel played are among them.
    """
    found: dict[str, list[Path]] = {}
    if os.path.isdir(folder):
        for path in sorted(Path(folder).glob("*.csv")):
            found.setdefault(_PART.sub(".csv", path.name), []).append(path)
    return found


def ledgers(folder: str | os.PathLike[str], board: str, label: str) -> list[Path]:
    """Return the existing ledgers of a board and player, however its games were split."""
    first = ledger_path(folder, board, label)
    return sorted(p for p in [first, *siblings(first)] if os.path.exists(p) and is_own(p))


def memory_mb(board: Board, threads: int, *, tasks: int | None = None) -> int:
    """Return a limit in MB for the memory of a job that plays `tasks` numbers of mines.

    tasks: None for all. The limit is twice the estimate for the board, and the memory of Python.
    """
    count = board.cells if tasks is None else tasks
    playing = 2 * board_bytes(board.shape, board.topology, threads) + TASK_BYTES * count
    return 600 + int(playing / 1e6)


def tables_mb(rows: int) -> int:
    """Return the MB that a job needs for tables of `rows` rows, one for each number of mines."""
    return int(2 * ROW_BYTES * rows / 1e6)


def longer(minutes: int, games: float, usual: float) -> int:
    """Return a time limit in minutes for `games`, if the usual number takes at most `minutes`."""
    return math.ceil(minutes * max(1.0, games / usual))


def runtime_minutes(seconds: float, threads: int) -> int:
    """Return a time limit in minutes for `seconds` of one core: three times that, and ten more."""
    return 10 + int(3 * seconds / threads / 60)
