"""What is played: a board, the rules of the start, and a task (board, mines, player, seed)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from msdensity.errors import InputError, integer, shown
from msdensity.games.boards import Board, Rules, require_places, require_room
from msdensity.kernel.version import KERNEL_VERSION
from msdensity.players.registry import identity, label, resolve

MAX_SEED = 2**63 - 1


@dataclass(frozen=True)
class Task:
    """Everything that decides how game g ends; the number of games is no part of it.

    board: a Board, or its name, such as "8x8"; mines: 1..cells - 1 (under the zero start the kernel
    allows fewer); options: of the player, with all defaults filled in; seed: 0..2^63 - 1.
    Raises InputError outside these.
    """

    board: Board
    mines: int
    player: str = "weighted"
    # Not in the hash, because it is a dict; equality still compares it.
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    rules: Rules = field(default_factory=Rules)
    seed: int = 0

    def __post_init__(self) -> None:
        board: object = self.board
        if isinstance(board, str):
            object.__setattr__(self, "board", Board(board))  # type: ignore[arg-type]
        for name, value, kind, example in (
            ("board", self.board, Board, " or its name, such as '8x8'"),
            ("rules", self.rules, Rules, ", such as Rules('centre', 'zero')"),
        ):
            if not isinstance(value, kind):
                raise InputError(f"{name}={shown(value)} must be a {kind.__name__}{example}")
        high = self.board.cells - 1
        if high < 1:
            raise InputError(f"board {self.board.name} must have at least 2 cells to hold a mine")
        try:
            object.__setattr__(self, "mines", integer("mines", self.mines, 1, high))
        except InputError:
            density = isinstance(self.mines, float) and 0 < self.mines < 1
            hint = "; a density is not allowed" if density else ""
            raise InputError(
                f"mines={shown(self.mines)} must be in 1..{high} for a {self.board.name}"
                f" board{hint}"
            ) from None
        object.__setattr__(self, "options", resolve(self.player, self.options))
        object.__setattr__(self, "seed", integer("seed", self.seed, 0, MAX_SEED))
        require_room(self.board, self.rules)
        require_places(self.board, self.rules)
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
    def title(self) -> str:
        """The task in words, without its game."""
        options = "".join(f", {key}={value}" for key, value in self.options.items())
        return (
            f"{self.board.name}, {self.mines} mines; player {self.player}{options}; first click "
            f"{self.rules.first_click}, start {self.rules.start}; seed {self.seed}"
        )

    @property
    def label(self) -> str:
        """The player with the options that are not the default, as used in file names."""
        return label(self.player, self.options)

    @property
    def own_options(self) -> dict[str, str]:
        """The options that decide the task's identity: all but defaults of later ones."""
        return identity(self.player, self.options)

    @cached_property
    def task_id(self) -> str:
        """32 hexadecimal digits: a hash of everything that can change an outcome."""
        return self.task_id_of(KERNEL_VERSION)

    def task_id_of(self, kernel_version: int) -> str:
        """Return the `task_id` if another version of the kernel plays the task."""
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
        return {"player": self.player, "options": self.own_options}


def _hash(digest_size: int, facts: Mapping[str, Any]) -> bytes:
    text = json.dumps(facts, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=digest_size).digest()


Player = str | tuple[str, Mapping[str, str]]
"""The name of a player, or its name and options."""


def named_player(player: Player) -> tuple[str, Mapping[str, str]]:
    """Return the name and the options of a player; InputError for anything else."""
    if isinstance(player, str):
        return player, {}
    try:
        name, options = player
        return name, dict(options)
    except (TypeError, ValueError):
        raise InputError(f"player={shown(player)} must be a name, or a name and options") from None


@dataclass(frozen=True)
class Setup:
    """Who plays where: everything of a task except its mines. board: a Board, or its name."""

    board: Board
    player: str = "weighted"
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    rules: Rules = field(default_factory=Rules)
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "board", self.task(1).board)

    def task(self, mines: int) -> Task:
        """Return the task with this number of mines."""
        return Task(self.board, mines, self.player, self.options, self.rules, self.seed)

    def density(self, mines: int) -> float:
        """Return mines / cells."""
        return mines / self.board.cells
