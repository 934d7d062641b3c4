"""Boards as rows of text: one character a cell, one string a row of the last axis."""

from __future__ import annotations

import math
import string
from collections.abc import Iterable, Sequence
from operator import index

from msdensity.errors import InputError, shown

NUMBERS = string.digits + string.ascii_lowercase
"""The character of each number: 0..9, then a..z for 10..35 (more than 9 need 10 neighbours)."""


def read_rows(
    name: str, rows: Sequence[str], allowed: str, shape: Sequence[int] | None = None
) -> tuple[str, tuple[int, ...]]:
    """Return (the characters of all cells in row-major order, the shape of the board).

    Without `shape` the board has the rows and columns of the text; with it, the rows of all layers
    follow each other. Raises InputError, which names the field `name`, unless the rows make up the
    shape and hold only characters of `allowed`; spaces between cells are ignored.
    """
    good = isinstance(rows, Iterable) and not isinstance(rows, str)
    rows = list(rows) if good else []
    if not good or not all(isinstance(row, str) for row in rows):
        raise InputError(f"{name} must be a list of rows, each a string")
    rows = ["".join(row.split()) for row in rows]
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise InputError(f"{name} must be rows of one length, at least one cell")
    text = "".join(rows)
    if not text.isascii() or text.encode().translate(None, allowed.encode()):
        place = next(i for i, character in enumerate(text) if character not in allowed)
        row, column = divmod(place, len(rows[0]))
        hint = "; use . for an unknown cell and F for a flag" if "." in allowed else ""
        raise InputError(
            f"{name} holds {text[place]!r} in row {row}, column {column}; allowed: {allowed}{hint}"
        )
    if shape is None:
        return text, (len(rows), len(rows[0]))
    try:
        sides = tuple(index(side) for side in shape)
    except TypeError:
        raise InputError(f"shape={shown(shape)} must be sides, whole numbers") from None
    if not sides or len(rows[0]) != sides[-1] or len(rows) != math.prod(sides[:-1]):
        raise InputError(
            f"{name} has {len(rows)} rows of {len(rows[0])} cells, shape={shown(sides)} must"
            f" have {shown(math.prod(sides[:-1]))} of {shown(sides[-1] if sides else 0)}"
        )
    return text, sides


def write_rows(characters: Iterable[str], shape: Sequence[int]) -> list[str]:
    """Return the rows of a board whose cells, in row-major order, have these characters."""
    text, width = "".join(characters), shape[-1]
    return [text[begin : begin + width] for begin in range(0, len(text), width)]


def number_symbol(number: int) -> str:
    """Return the character of a number; InputError above 35."""
    if number >= len(NUMBERS):
        raise InputError(f"number={number} must be in 0..{len(NUMBERS) - 1} to be written as text")
    return NUMBERS[number]
