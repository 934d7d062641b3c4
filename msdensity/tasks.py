"""What is played: a board, the rules of the start, and a task (board, mines, player, seed)."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Integral
from typing import TYPE_CHECKING, Any

from msdensity.errors import InputError, shown
from msdensity.kernel.limits import MOST_SIDES
from msdensity.kernel.names import FIRST_CLICKS, OWN_TABLE, STARTS, TOPOLOGIES, TRANSPOSABLE
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.players.registry import label, resolve

MAX_CELLS = 2**31 - 1
MAX_SEED = 2**63 - 1

if TYPE_CHECKING:
    import numpy as np

_DIMENSIONS = {"cubic6": 3, "cubic26": 3, "box": None, "torus": None}
"""Number of sides a board must have, None for any; 2 for every topology not named here."""

_NAME = re.compile(rf"([0-9]+(?:x[0-9]+)*)(?:-([a-z]+[0-9]*|{OWN_TABLE.pattern}))?")
_CELL = re.compile(r"cell:(0|[1-9][0-9]*)")
_DIGITS = 1000
"""No number in a name has more; Python itself reads up to 4300."""


def integer(name: str, value: object, low: int, high: int | None = None) -> int:
    """Return `value` if it is a whole number in low..high (None: no upper end), else InputError.

    Whole numbers of numpy count, and come back as Python's own.
    """
    allowed = f"at least {low}" if high is None else f"in {low}..{high}"
    number = None if isinstance(value, bool) or not isinstance(value, Integral) else int(value)
    if number is not None and low <= number and (high is None or number <= high):
        return number
    raise InputError(f"{name}={shown(value)} must be a whole number {allowed}")


@dataclass(frozen=True)
class Board:
    """A board: its sides (cells; rows p first, then columns q) and which cells are neighbours.

    Raises InputError unless every side is at least 1, the board has at most 2^31 - 1 cells, and
    the topology is known and has that many sides.
    """

    shape: tuple[int, ...]
    topology: str = "square8"

    def __post_init__(self) -> None:
        sides_given = isinstance(self.shape, Iterable) and not isinstance(self.shape, str)
        object.__setattr__(self, "shape", tuple(self.shape) if sides_given else ())
        own = isinstance(self.topology, str) and OWN_TABLE.fullmatch(self.topology)
        if self.topology not in TOPOLOGIES and not own:
            known = ", ".join(TOPOLOGIES)
            raise InputError(f"topology={shown(self.topology)} must be one of {known}")
        wanted_sides = 1 if own else _DIMENSIONS.get(self.topology, 2)
        few = 0 < len(self.shape) <= MOST_SIDES
        if not few or (wanted_sides is not None and len(self.shape) != wanted_sides):
            wanted = f"1..{MOST_SIDES}" if wanted_sides is None else str(wanted_sides)
            raise InputError(
                f"shape={shown(self.shape)} must have {wanted} sides for topology {self.topology}"
            )
        names = ("p", "q") if len(self.shape) == 2 else [f"side {i}" for i in range(1, 10)]
        sides = zip(names, self.shape, strict=False)
        whole = tuple(integer(name, side, 1, MAX_CELLS) for name, side in sides)
        object.__setattr__(self, "shape", whole)
        if self.cells > MAX_CELLS:
            raise InputError(f"cells={self.cells} of board {self.name} must be in 1..{MAX_CELLS}")

    @classmethod
    def parse(cls, text: str) -> Board:
        """Return the board called `text`, e.g. "4x5" or "4x5-torus8"; InputError if not one.

        A name that ends in .json is a file of neighbours, see `from_neighbours`.
        """
        if isinstance(text, str) and text.endswith(".json"):
            return cls.from_neighbours(text)
        match = _NAME.fullmatch(text) if isinstance(text, str) else None
        own = match is not None and OWN_TABLE.fullmatch(match[2] or "")
        if match is None or ("x" not in match[1] and not own):
            raise InputError(
                f"board={shown(text)} must be rows x columns, such as 4x5 or 4x5-torus8"
            )
        sides = match[1].split("x")
        if max(map(len, sides)) > _DIGITS:
            raise InputError(f"board={shown(text)} must have sides in 1..{MAX_CELLS}")
        return cls(tuple(map(int, sides)), match[2] or "square8")

    @classmethod
    def from_neighbours(cls, neighbours: Sequence[Iterable[int]] | str | os.PathLike[str]) -> Board:
        """Return the board with these neighbours: for each cell those beside it, or a JSON file.

        Its shape is (cells,); its topology, `table-` and a hash of the table, is known in this
        process from then on. Raises InputError where the lists are not of numbers in range, name
        the cell itself, or are not mutual.
        """
        from msdensity.kernel.own_table import board_table
        from msdensity.kernel.topology import own_topology
        from msdensity.reading import read_neighbours

        if isinstance(neighbours, str | os.PathLike):
            neighbours = read_neighbours(neighbours)
        if not isinstance(neighbours, Sequence):
            raise InputError(
                f"neighbours={shown(neighbours)} must be a list of cells for each cell"
            )
        return cls((len(neighbours),), own_topology(board_table((len(neighbours),), neighbours)))

    def __reduce__(self) -> tuple[Any, ...]:
        # A table of one's own is known in one process only: to another it goes with the board.
        if OWN_TABLE.fullmatch(self.topology):
            from msdensity.kernel.topology import own_arrays

            arrays = own_arrays(self.topology)
            if arrays is not None:
                return _own_board, arrays
        return Board, (self.shape, self.topology)

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
        """The name that `parse` reads: "4x5", with the topology where it is not square8."""
        sides = "x".join(str(side) for side in self.shape)
        return sides if self.topology == "square8" else f"{sides}-{self.topology}"

    def canonical(self) -> Board:
        """Return the same board with p <= q where a board and its transpose are one."""
        if self.topology in TRANSPOSABLE:
            return Board(tuple(sorted(self.shape)), self.topology)
        return self


def _own_board(start: np.ndarray, neighbours: np.ndarray) -> Board:
    from msdensity.kernel.state import make_table
    from msdensity.kernel.topology import own_topology

    return Board((len(start) - 1,), own_topology(make_table(start, neighbours)))


@dataclass(frozen=True)
class Rules:
    """How a game starts: where the first click goes and what it is promised.

    first_click: one of FIRST_CLICKS or "cell:<index>"; start: one of STARTS; else InputError.
    """

    first_click: str = "corner"
    start: str = "safe"

    def __post_init__(self) -> None:
        if self.first_click not in FIRST_CLICKS and self.first_cell is None:
            raise InputError(
                f"first_click={shown(self.first_click)} must be one of {', '.join(FIRST_CLICKS)}"
                " or cell:<index>"
            )
        if self.start not in STARTS:
            raise InputError(f"start={shown(self.start)} must be one of {', '.join(STARTS)}")

    @property
    def first_cell(self) -> int | None:
        """The index in "cell:<index>", None for a first click by name."""
        match = _CELL.fullmatch(self.first_click) if isinstance(self.first_click, str) else None
        return int(match[1]) if match and len(match[1]) <= _DIGITS else None


def most_mines(board: Board, rules: Rules) -> int:
    """Return the largest number of mines with which every game on `board` starts by the rules.

    At least one safe cell is left; under the zero start so are the first cell with the most
    neighbours and all of these. Less than 1 where the board is too small for any mine.
    """
    if rules.start != "zero":
        return board.cells - 1
    # Only here, for it loads Numba.
    from msdensity.kernel.topology import first_cells, neighbour_table

    start = neighbour_table(board.shape, board.topology).start
    degree = (start[1:] - start[:-1])[first_cells(board.shape, rules.first_click)]
    return board.cells - 1 - int(degree.max())


@dataclass(frozen=True)
class Task:
    """All that decides how game g ends; how many games are played is no part of it.

    mines: 1..cells - 1 (under the zero start the kernel allows fewer); options: the player's,
    kept with all defaults filled in; seed: 0..2^63 - 1. Raises InputError outside these.
    """

    board: Board
    mines: int
    player: str = "weighted"
    # Left out of the hash, being a dict; equality still compares it.
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    rules: Rules = Rules()
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value, kind in (("board", self.board, Board), ("rules", self.rules, Rules)):
            if not isinstance(value, kind):
                raise InputError(f"{name}={shown(value)} must be a {kind.__name__}")
        high = self.board.cells - 1
        if high < 1:
            raise InputError(f"board {self.board.name} must have at least 2 cells to hold a mine")
        try:
            object.__setattr__(self, "mines", integer("mines", self.mines, 1, high))
        except InputError:
            raise InputError(
                f"mines={shown(self.mines)} must be in 1..{high} for a {self.board.name} board"
            ) from None
        object.__setattr__(self, "options", resolve(self.player, self.options))
        object.__setattr__(self, "seed", integer("seed", self.seed, 0, MAX_SEED))
        cell = self.rules.first_cell
        if cell is not None and cell > high:
            raise InputError(
                f"first_click=cell:{cell} must be in cell:0..cell:{high} for a"
                f" {self.board.name} board"
            )

    @property
    def density(self) -> float:
        """Mine density m / cells, in (0, 1)."""
        return self.mines / self.board.cells

    @property
    def label(self) -> str:
        """The player with those options that are not the default, as used in file names."""
        return label(self.player, self.options)

    @cached_property
    def task_id(self) -> str:
        """32 hexadecimal digits that name everything that can change an outcome."""
        return self.task_id_of(KERNEL_VERSION)

    def task_id_of(self, kernel_version: int) -> str:
        """Return the task's name where another version of the kernel plays it."""
        return _hash(
            16,
            self._board_facts()
            | self._player_facts()
            | {
                "first_click": self.rules.first_click,
                "start": self.rules.start,
                "kernel_version": kernel_version,
            },
        ).hex()

    @cached_property
    def board_key(self) -> int:
        """Key (0..2^64 - 1) of the stream of boards: the same for every player and start rule."""
        return int.from_bytes(_hash(8, self._board_facts()))

    @cached_property
    def player_key(self) -> int:
        """Key (0..2^64 - 1) of the stream of the player's own random choices."""
        return int.from_bytes(_hash(8, self._board_facts() | self._player_facts()))

    def _board_facts(self) -> dict[str, Any]:
        return {
            "seed": self.seed,
            "shape": self.board.shape,
            "topology": self.board.topology,
            "mines": self.mines,
        }

    def _player_facts(self) -> dict[str, Any]:
        return {"player": self.player, "options": dict(self.options)}


def _hash(digest_size: int, facts: Mapping[str, Any]) -> bytes:
    text = json.dumps(facts, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=digest_size).digest()
