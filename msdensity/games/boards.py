"""Board and Rules: where a game is played and how it starts."""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from msdensity.errors import InputError, did_you_mean, integer, shown
from msdensity.files.text import read_text
from msdensity.kernel.limits import MAX_NEIGHBOURS, MAX_SIDES, check_memory
from msdensity.kernel.names import (
    FIRST_CLICKS,
    FIRST_ZEROS,
    OWN_TABLE,
    PLACES,
    STARTS,
    TOPOLOGIES,
    TRANSPOSABLE,
    require_fit,
)

_JSON_BYTES = 40
"""Bytes of memory for each byte of JSON: the shortest inner list, `[],`, takes about 100."""


def read_neighbours(path: str | os.PathLike[str]) -> list[list[int]]:
    """Return the neighbour lists of a JSON file: a list of lists of whole numbers."""
    what = f"table {os.fspath(path)!r}"
    # A file of settings may name a board: open regular files only.
    if not os.path.isfile(path):  # unlike Path.is_file, False for a name that is too long
        raise InputError(f"{what} cannot be read: no such file")
    text = read_text(path, what)
    check_memory(what, _JSON_BYTES * len(text))
    try:
        lists = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{what} cannot be read: {error}") from None
    good = isinstance(lists, list) and all(
        isinstance(near, list) and all(type(d) is int for d in near) for near in lists
    )
    if not good or not lists:
        raise InputError(f"{what} must be a list of lists of cell numbers")
    return lists


MAX_CELLS = 2**31 - 1

_DIMENSIONS = {"cubic6": 3, "cubic26": 3, "box": None, "torus": None}
"""Number of sides a board must have, None for any; 2 for every other topology."""

_NAME = re.compile(rf"([0-9]+(?:x[0-9]+)*)(?:-([a-z_]+[0-9]*|{OWN_TABLE.pattern}))?")

_CELL = re.compile(r"cell:(0|[1-9][0-9]*)")

_DIGITS = 1000
"""Most digits of a number in a name; Python itself reads up to 4300."""


LEVELS = {"beginner": ("9x9", 10), "intermediate": ("16x16", 40), "expert": ("16x30", 99)}
"""The usual levels: the name of the board, and its mines."""


def tidy(text: str) -> str:
    """Return the name that `Board.parse` reads, from a level or from 8X8, 8 x 8 or 8×8.

    A file of neighbours keeps its name. Raises InputError for a word that is no level.
    """
    if text.endswith(".json"):
        return text
    plain = re.sub(r"(?<=[0-9])\s*[x×]\s*(?=[0-9])", "x", text.strip().lower())
    if plain in LEVELS:
        return LEVELS[plain][0]
    if plain.isalpha():
        raise InputError(
            f"board={shown(text)} must be rows x columns, such as 4x5, or one of"
            f" {', '.join(LEVELS)}{did_you_mean(text, LEVELS)}"
        )
    return plain


@dataclass(frozen=True)
class Board:
    """A board: its sides (cells; rows p first, then columns q) and which cells are neighbours.

    Board("4x5-torus8") is that board, and so are Board("8X8") and Board("expert"). Raises
    InputError unless every side is at least 1, the board has at most 2^31 - 1 cells, and the
    topology is known, has that many sides, and fits them if it is wrapped.
    """

    shape: tuple[int, ...]
    topology: str = "square8"

    def __post_init__(self) -> None:
        text: object = self.shape
        if isinstance(text, str):
            parsed = Board.parse(tidy(text))
            if self.topology not in ("square8", parsed.topology):
                raise InputError(f"topology={shown(self.topology)} must be part of {text!r}")
            object.__setattr__(self, "shape", parsed.shape)
            object.__setattr__(self, "topology", parsed.topology)
        is_iterable = isinstance(self.shape, Iterable)
        object.__setattr__(self, "shape", tuple(self.shape) if is_iterable else ())
        custom = isinstance(self.topology, str) and OWN_TABLE.fullmatch(self.topology)
        if not custom and not (isinstance(self.topology, str) and self.topology in TOPOLOGIES):
            known = ", ".join(TOPOLOGIES)
            hint = did_you_mean(self.topology, TOPOLOGIES)
            raise InputError(f"topology={shown(self.topology)} must be one of {known}{hint}")
        wanted_sides = 1 if custom else _DIMENSIONS.get(self.topology, 2)
        few = 0 < len(self.shape) <= MAX_SIDES
        if not few or (wanted_sides is not None and len(self.shape) != wanted_sides):
            wanted = f"1..{MAX_SIDES}" if wanted_sides is None else str(wanted_sides)
            hint = ""
            if few and self.topology == "square8" and len(self.shape) > 2:
                topology = "cubic26" if len(self.shape) == 3 else "box"
                example = "x".join([shown(side) for side in self.shape])
                hint = f": give another one, such as {example}-{topology}"
            raise InputError(
                f"shape={shown(self.shape)} must have {wanted} sides for topology"
                f" {self.topology}{hint}"
            )
        names = ("p", "q") if len(self.shape) == 2 else [f"side {i}" for i in range(1, 10)]
        sides = zip(names, self.shape, strict=False)
        checked = tuple(integer(name, side, 1, MAX_CELLS) for name, side in sides)
        object.__setattr__(self, "shape", checked)
        require_fit(self.shape, self.topology)
        if self.cells > MAX_CELLS:
            raise InputError(f"cells={self.cells} of board {self.name} must be in 1..{MAX_CELLS}")

    @classmethod
    def parse(cls, text: str) -> Board:
        """Return the board called `text`, e.g. "4x5" or "4x5-torus8"; InputError if it is no name.

        A name that ends in .json is a file of neighbours, see `from_neighbours`.
        """
        if isinstance(text, str) and text.endswith(".json"):
            return cls.from_neighbours(text)
        match = _NAME.fullmatch(text) if isinstance(text, str) else None
        custom = match is not None and OWN_TABLE.fullmatch(match[2] or "")
        if match is None or ("x" not in match[1] and not custom):
            raise InputError(
                f"board={shown(text)} must be rows x columns, such as 4x5 or 4x5-torus8"
            )
        sides = match[1].split("x")
        if max(map(len, sides)) > _DIGITS or "0" in {side.lstrip("0") or "0" for side in sides}:
            raise InputError(f"board={shown(text)} must have sides in 1..{MAX_CELLS}")
        return cls(tuple(map(int, sides)), match[2] or "square8")

    @classmethod
    def from_neighbours(cls, neighbours: Sequence[Iterable[int]] | str | os.PathLike[str]) -> Board:
        """Return the custom board with these neighbours of each cell, or those of a JSON file.

        Its shape is (cells,); its topology, `table-` and a hash of the table, is registered in this
        process. Raises InputError if the lists do not hold numbers in range, name the cell itself,
        or are not mutual.
        """
        from msdensity.kernel.topology import board_table, own_topology

        if isinstance(neighbours, str | os.PathLike):
            neighbours = read_neighbours(neighbours)
        if not isinstance(neighbours, Sequence):
            raise InputError(
                f"neighbours={shown(neighbours)} must hold a list of cells for each cell"
            )
        return cls((len(neighbours),), own_topology(board_table((len(neighbours),), neighbours)))

    @property
    def p(self) -> int:
        """Rows of a board with two sides; InputError for any other."""
        return self._two_sides()[0]

    @property
    def q(self) -> int:
        """Columns of a board with two sides; InputError for any other."""
        return self._two_sides()[1]

    def _two_sides(self) -> tuple[int, ...]:
        if len(self.shape) != 2:
            raise InputError(f"board {self.name} must have 2 sides to have rows and columns")
        return self.shape

    @property
    def cells(self) -> int:
        """Number of cells."""
        return math.prod(self.shape)

    @property
    def name(self) -> str:
        """The name that `parse` reads: "4x5", with the topology if it is not square8."""
        sides = "x".join(str(side) for side in self.shape)
        return sides if self.topology == "square8" else f"{sides}-{self.topology}"

    def _repr_html_(self) -> str:
        """Return the board in words as HTML for a notebook."""
        return f"<div>board {self.name}: {self.cells:,} cells</div>"

    def canonical(self) -> Board:
        """Return the same board with p <= q if a board and its transpose are the same."""
        if self.topology in TRANSPOSABLE:
            return Board(tuple(sorted(self.shape)), self.topology)
        return self


def named_board(board: object) -> Board:
    """Return a Board as it is, or the one with this name, written as people write it.

    Raises InputError for anything else.
    """
    if isinstance(board, Board):
        return board
    return Board(board) if isinstance(board, str) else Board.parse(board)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Rules:
    """How a game starts: where the first click goes and what the start promises.

    first_click: one of FIRST_CLICKS or "cell:<index>"; start: one of STARTS; else InputError.
    Under FIRST_ZEROS the board decides where the first click goes, and first_click must be
    "corner": a board without a 0 starts at cell 0.
    """

    first_click: str = "corner"
    start: str = "safe"

    def __post_init__(self) -> None:
        named = isinstance(self.first_click, str) and self.first_click in FIRST_CLICKS
        if not named and self.first_cell is None:
            raise InputError(
                f"first_click={shown(self.first_click)} must be one of {', '.join(FIRST_CLICKS)}"
                f" or cell:<index>{did_you_mean(self.first_click, FIRST_CLICKS)}"
            )
        if not isinstance(self.start, str) or self.start not in STARTS:
            raise InputError(
                f"start={shown(self.start)} must be one of {', '.join(STARTS)}"
                f"{did_you_mean(self.start, STARTS)}"
            )
        if self.start in FIRST_ZEROS and self.first_click != "corner":
            raise InputError(
                f"first_click={self.first_click} must be corner (the default) with"
                f" start={self.start}, which clicks the first cell that shows 0"
            )

    @property
    def first_cell(self) -> int | None:
        """The index in "cell:<index>", None for a first click by name."""
        match = _CELL.fullmatch(self.first_click) if isinstance(self.first_click, str) else None
        return int(match[1]) if match and len(match[1]) <= _DIGITS else None


def most_mines(board: Board, rules: Rules) -> int:
    """Return the largest number of mines with which every game on `board` can start by the rules.

    At least one cell is safe; under the zero start, so are the first cell with the most neighbours
    and all its neighbours. The result is less than 1 if the board is too small for any mine.
    """
    return free_cells(board, rules)[0]


def free_cells(board: Board, rules: Rules) -> tuple[int, int]:
    """Return the fewest and the most cells that the rules leave for mines, over the first clicks.

    One cell at least is safe; under the zero start, so are all neighbours of the first cell.
    """
    if rules.start != "zero":
        return board.cells - 1, board.cells - 1
    # Imported here, because it loads Numba.
    from msdensity.kernel.topology import first_cells, neighbour_table

    start = neighbour_table(board.shape, board.topology).start
    degree = (start[1:] - start[:-1])[first_cells(board.shape, rules.first_click)]
    return board.cells - 1 - int(degree.max()), board.cells - 1 - int(degree.min())


@cache  # every task asks
def require_room(board: Board, rules: Rules) -> None:
    """Raise InputError if no number of mines lets a game on `board` start by the rules.

    Only a small board can lack the room. A custom board is not looked at: its file may be away.
    """
    small = rules.start == "zero" and board.cells <= MAX_NEIGHBOURS + 1
    if small and not OWN_TABLE.fullmatch(board.topology) and most_mines(board, rules) < 1:
        raise InputError(
            f"start={rules.start} must leave a cell for a mine, but with"
            f" first_click={rules.first_click} it protects all {board.cells} cells of board"
            f" {board.name}: choose start=safe or unprotected, or a larger board"
        )


def require_places(board: Board, rules: Rules) -> None:
    """Raise InputError for a custom board and rules that need its rows or columns."""
    if not OWN_TABLE.fullmatch(board.topology):
        return
    if rules.first_click in PLACES:
        raise InputError(
            f"first_click={rules.first_click} must be corner (cell 0), random or cell:INDEX on a"
            " custom board, which has no such place"
        )
    if rules.start == FIRST_ZEROS[1]:
        raise InputError(
            f"start={rules.start} must be {FIRST_ZEROS[0]} on a custom board, which has no columns"
        )
