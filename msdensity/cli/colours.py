"""A board in the colours of a terminal."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from msdensity.games.game import PlayedGame

# Of the 256 colours of a terminal: text and ground. Signs differ too, so that no colour is needed.
_GROUND = {".": (234, 250), "F": (231, 166), "*": (231, 166)}
_NUMBER = {"1": 25, "2": 22, "3": 88, "4": 54, "5": 94, "6": 23}
_INK, _PAPER, _NEW = 234, 255, 153


def board_lines(view: list[str], new: Collection[tuple[int, int]], colour: bool) -> list[str]:
    """Return the lines of a board, two characters a cell; new: (line, column) of cells to mark."""
    lines = []
    for i, row in enumerate(view):
        cells = []
        for j, symbol in enumerate(row):
            shown = " " if symbol == "0" else symbol
            if colour:
                ink, ground = _GROUND.get(symbol, (_NUMBER.get(symbol, _INK), _PAPER))
                if (i, j) in new and symbol not in _GROUND:
                    ground = _NEW
                cells.append(f"\x1b[38;5;{ink};48;5;{ground}m{shown} ")
            else:
                cells.append(f"{symbol} ")
        lines.append("".join(cells).rstrip(" ") if not colour else "".join(cells) + "\x1b[0m")
    return lines


def game_lines(played: PlayedGame, colour: bool) -> Iterator[str]:
    """Yield every move with its reason, and the board after each that changes what is seen."""
    yield f"{played.task.title}; game {played.g}: {played.status}"
    game = played.game(0)
    before = game.view()
    for number, move in enumerate(played.moves, start=1):
        cell = ",".join(map(str, move.cell))
        safety = f", safety {move.safety:.6g}" if move.guess else ""
        yield f"{number:5} {move.action:5}{cell:>8}  {move.reason}{safety}"
        if not game.act(move.action, *move.cell):  # a 0 has opened it
            continue
        after = game.view()
        pairs = zip(before, after, strict=True)
        new = {
            (i, j)
            for i, (old, row) in enumerate(pairs)
            for j, symbol in enumerate(row)
            if old[j] != symbol
        }
        yield from board_lines(after, new, colour)
        before = after
