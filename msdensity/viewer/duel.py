"""Two players on the same board, and the move where they part."""

from __future__ import annotations

from typing import Any

import numpy as np

from msdensity.errors import InputError, shown
from msdensity.games.game import PlayedGame, play_game
from msdensity.games.tasks import Task
from msdensity.players.registry import PLAYERS


def duel(task: Task, g: int, other: str) -> tuple[dict[str, Any], PlayedGame]:
    """Return where another player parts from that of the task in game g, and the task's game.

    They part at the first guess of one of them that the other does not make. Before it they may
    open the same certain cells in another order, so that what is compared is which cells are open,
    at each guess. `parting`: how many moves of the first player come before; `cells`: what each
    opens then (None: nothing more). Raises InputError for an unknown player, and as `play_game`.
    """
    if other not in PLAYERS:
        raise InputError(f"other={shown(other)} must be one of {', '.join(PLAYERS)}")
    rival = Task(task.board, task.mines, other, {}, task.rules, task.seed)
    games = play_game(task, g), play_game(rival, g)
    names = task.label, rival.label
    ends = f"{names[0]} {_end(games[0])}, {names[1]} {_end(games[1])}"
    if games[0].layout != games[1].layout:
        text = f"They play different boards: one gave a board up or starts elsewhere; {ends}."
        return {"parting": None, "cells": [None, None], "text": text}, games[0]
    parting = _parting(*games)
    if parting is None:
        text = f"They never part: both guess the same cells in the same positions; {ends}."
        return {"parting": None, "cells": [None, None], "text": text}, games[0]
    cells: list[int | None] = []
    words = []
    for game, at, name in zip(games, parting, names, strict=True):
        if at == len(game.moves):
            cells.append(None)
            words.append(f"{name} makes no more move")
            continue
        move = game.moves[at]
        cells.append(int(np.ravel_multi_index(move.cell, task.board.shape)))
        safety = "" if move.safeties is None else f", safety {100 * move.safeties[move.cell]:.4g} %"
        place = ",".join(map(str, move.cell))
        words.append(f"{name} makes move {at + 1}, {move.action} {place} ({move.reason}{safety})")
    text = f"They part here: {words[0]}; {words[1]}. In the end {ends}."
    return {"parting": parting[0], "cells": cells, "text": text}, games[0]


def _end(game: PlayedGame) -> str:
    return {"won": "wins", "lost": "loses", "stuck": "stops"}[game.status]


def _stages(game: PlayedGame) -> list[tuple[int, frozenset[tuple[int, ...]]]]:
    """Return (moves before, cells open) at each guess, and at the end."""
    stages: list[tuple[int, frozenset[tuple[int, ...]]]] = []
    opened: set[tuple[int, ...]] = set()
    for i, move in enumerate(game.moves):
        if move.guess:
            stages.append((i, frozenset(opened)))
        if move.action == "open":
            opened.add(move.cell)
    return [*stages, (len(game.moves), frozenset(opened))]


def _parting(a: PlayedGame, b: PlayedGame) -> tuple[int, int] | None:
    """Return how many moves of each come before they part, or None if they never do."""
    stages = _stages(a), _stages(b)
    for (i, opened), (j, other) in zip(*stages, strict=False):
        guesses = [
            game.moves[at].cell if at < len(game.moves) else None for game, at in ((a, i), (b, j))
        ]
        if opened == other and guesses[0] == guesses[1]:
            continue
        # One guesses where the other still finds certain cells, or they guess different cells.
        return i, j if opened == other or len(other) < len(opened) else _after(b, opened)
    return None


def _after(game: PlayedGame, opened: frozenset[tuple[int, ...]]) -> int:
    """Return the first move that opens a cell outside `opened`."""
    for i, move in enumerate(game.moves):
        if move.action == "open" and move.cell not in opened:
            return i
    return len(game.moves)
