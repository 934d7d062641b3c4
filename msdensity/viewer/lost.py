"""Lost games of a ledger: where each was lost, and at which safety."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from msdensity.errors import InputError, shown
from msdensity.games.game import PlayedGame, play_game
from msdensity.games.tasks import MAX_SEED, Task
from msdensity.runs.ledger import read_ledger, version_of
from msdensity.runs.rows import Row
from msdensity.studies.published_players.losses import kind_of_loss
from msdensity.viewer.limits import MAX_LISTED, SECONDS, require_sides, text_field, whole_field

SUFFIX = ".csv"

MAX_LEDGERS = 1000


def ledger_names(folder: Path | None) -> list[str]:
    """Return the names of the files under a folder that may be ledgers, with their subfolders.

    A link that leads out of the folder is left out.
    """
    if folder is None:
        return []
    inside = folder.resolve()
    files = (path for path in inside.rglob(f"*{SUFFIX}") if path.is_file())
    own = (path for path in files if path.resolve().is_relative_to(inside))
    names = (path.relative_to(inside) for path in own if version_of(path) is not None)
    return sorted(name.as_posix() for name in names)[:MAX_LEDGERS]


def rows_of(folder: Path | None, name: str) -> list[Row]:
    """Return the rows of a ledger; InputError unless `ledger_names` lists its name."""
    if folder is None or name not in ledger_names(folder):
        raise InputError(f"ledger={shown(name)} must be the name of a ledger in the folder given")
    return list(read_ledger(folder / name).rows)


def task_of(folder: Path | None, message: Mapping[str, Any]) -> tuple[Task, int]:
    """Return (task, game) of a message that names a game of a ledger."""
    rows = _chosen(rows_of(folder, text_field(message, "ledger", "")), message)
    g = whole_field(message, "game", 0, MAX_SEED)
    if not any(
        row.counts.first_game <= g < row.counts.first_game + row.counts.games for row in rows
    ):
        raise InputError(f"game={g} must be one that the ledger has")
    return rows[0].task, g


def _chosen(rows: list[Row], message: Mapping[str, Any]) -> list[Row]:
    totals = sorted({row.task.mines for row in rows})
    if not totals:
        raise InputError("ledger must have rows")
    mines = totals[0]
    if message.get("mines") not in (None, ""):
        mines = whole_field(message, "mines", 1, MAX_SEED)
    chosen = [row for row in rows if row.task.mines == mines]
    if not chosen:
        raise InputError(f"mines={mines} must be one of {', '.join(map(str, totals))}")
    require_sides(chosen[0].task.board.shape)
    return chosen


def lost_games(folder: Path | None, message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the lost games among those of a ledger that a message asks for, as they are found.

    ledger: a name of `ledger_names`; mines: one of its totals; from: the first game; count: how
    many games are played again, 0 for none. Each lost game has its number as text (JavaScript
    rounds large ones), the move and the cell of its loss, the exact safety there and the kind.
    """
    rows = rows_of(folder, text_field(message, "ledger", ""))
    totals = sorted({row.task.mines for row in rows})
    count = whole_field(message, "count", 0, MAX_LISTED, 0)
    chosen = _chosen(rows, message)
    first = whole_field(message, "from", 0, MAX_SEED, 0)
    task = replace(chosen[0].task)
    ranges = [(row.counts.first_game, row.counts.games) for row in chosen]
    has = ", ".join(f"{begin} to {begin + games - 1}" for begin, games in ranges[:3])
    more = " ..." if len(ranges) > 3 else ""
    text = f"{task.title}; games {has}{more}."
    if not count:
        yield {"totals": totals, "games": [], "text": text}
        return
    lost: list[dict[str, Any]] = []
    played, told = 0, time.perf_counter()
    for g in _games(ranges, first, count):
        game = play_game(task, g)
        played += 1
        if game.status == "lost":
            lost.append(_facts(game))
        # Work ends between two replies, so that a closed tab does not leave hours of it.
        if (now := time.perf_counter()) - told >= SECONDS:
            told = now
            so_far = f"{text} {len(lost)} of {played} games are lost. Playing ..."
            yield {"totals": totals, "games": list(lost), "text": so_far}
    text += f" {len(lost)} of {played} games are lost."
    yield {"totals": totals, "games": lost, "text": text}


def _games(ranges: list[tuple[int, int]], first: int, count: int) -> Iterator[int]:
    left = count
    for begin, games in sorted(ranges):
        for g in range(max(begin, first), begin + games):
            if left == 0:
                return
            left -= 1
            yield g


def _facts(game: PlayedGame) -> dict[str, Any]:
    move = game.moves[-1]
    safety = move.safety
    if move.safeties is not None:
        safety = float(move.safeties[move.cell])
    kind = kind_of_loss(game) if game.task.board.topology == "square8" else ""
    return {
        "game": str(game.g),
        "move": len(game.moves),
        "cell": move.cell,
        "safety": safety,
        "kind": kind.replace("_", " "),
    }
