"""How much a page may ask for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msdensity.errors import InputError, integer, shown
from msdensity.games.boards import Board, tidy

MAX_SIDE = 200
"""Rows and columns of a board that is shown."""

MAX_MESSAGE = 256_000
"""Bytes of one message: a pasted board of 200 x 200 cells, with room."""

MAX_RATE, MAX_BURST = 120.0, 240.0
"""Messages of one page in a second, and at once."""

SECONDS = 0.1
"""Between two replies of work in the background; a stop waits for it."""

MAX_TABS = 64

MAX_GAMES = 1_000_000
"""Of a page in the background."""

MAX_WORK = 400_000
"""Cells of a board times `PlayerInfo.cost` of its player: `listing` plays up to 100 x 100 cells."""

MAX_LISTED = 500
"""Lost games in a list."""

MAX_CHORD = 64
"""Neighbours of a chord whose safeties are multiplied."""


def board_to_show(name: object) -> Board:
    """Return the board with this name; InputError unless it has two sides of at most MAX_SIDE."""
    if not isinstance(name, str) or name.endswith(".json"):
        raise InputError(f"board={shown(name)} must be rows x columns, such as 16x30")
    board = Board.parse(tidy(name))
    require_sides(board.shape)
    return board


def require_sides(shape: tuple[int, ...]) -> None:
    """Raise InputError unless there are two sides of 1..MAX_SIDE."""
    if len(shape) != 2 or not all(1 <= side <= MAX_SIDE for side in shape):
        text = "x".join(map(str, shape))
        raise InputError(
            f"board={text} must have two sides of at most {MAX_SIDE} cells to be shown"
        )


def text_field(message: Mapping[str, Any], name: str, default: str) -> str:
    """Return a text of a message; InputError for anything else."""
    value = message.get(name, default)
    if not isinstance(value, str):
        raise InputError(f"{name}={shown(value)} must be a text")
    return value


def whole_field(
    message: Mapping[str, Any], name: str, low: int, high: int, default: int | None = None
) -> int:
    """Return a whole number of a message, which may be written as text: JavaScript has 53 bits."""
    value = message.get(name, default)
    if isinstance(value, str) and value.isdecimal() and len(value) <= 20:
        value = int(value)
    return integer(name, value, low, high)
