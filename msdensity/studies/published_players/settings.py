"""What the study plays: the file that names the published tables, games, boards and seed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msdensity.errors import InputError, integer, shown
from msdensity.files.text import check_name, read_yaml
from msdensity.games.boards import Board, Rules
from msdensity.games.tasks import MAX_SEED, Task
from msdensity.kernel.limits import MOST_GAMES
from msdensity.players.registry import PLAYERS

SET = 100
"""Games in a set: 000 gives the mean and the standard deviation of win % over sets of 100."""

ROLES = ("text", "test")
"""What a row plays: what the text says, or a reading that may explain a difference."""

BOARDS = (("9x9", 10), ("16x16", 40), ("16x30", 99))
"""The boards of 000 (section 4.3), with their mines."""

CORNER = Rules("corner")
"""How every player starts where they are compared: one and the same safe corner."""

MOST_REPLICATES = 10**6

COST_GAMES = 2000
"""Games that are timed on a board, unless the file has the key `cost_games`."""

NAME = "players"
"""Of the study's folders, unless its file has the key `name`."""

_NUMBERS = (
    *("games", "seed", "figure_games", "zero_games", "traced_games", "curve_games"),
    "cost_games",
)

_KEYS = {*_NUMBERS, "name", "sides", "replicates", "tables"}


@dataclass(frozen=True)
class Variant:
    """One way to play the player of a published table; `role` is one of ROLES."""

    table: str
    player: str
    options: Mapping[str, str]
    rules: Rules
    role: str

    def task(self, board: Board, mines: int, seed: int) -> Task:
        """Return the task of this variant on a board."""
        return Task(board, mines, self.player, dict(self.options), self.rules, seed)


@dataclass(frozen=True)
class Study:
    """What to play.

    games: of each cell of a published table and each comparison, a multiple of SET; figure_games
    and zero_games: of each point of a figure of 000 and each formula; traced_games: kept move by
    move; cost_games: timed on each board, a multiple of SET; curve_games: of each number of mines
    on the square boards of these `sides`; replicates: of each bootstrap; name: of its folders.
    """

    games: int
    seed: int
    variants: tuple[Variant, ...]
    figure_games: int = 10_000
    zero_games: int = 10_000
    traced_games: int = 300
    curve_games: int = 1000
    cost_games: int = COST_GAMES
    sides: tuple[int, ...] = (3, 4, 5, 6, 7, 8, 9, 10)
    replicates: int = 200
    name: str = NAME

    def only(self, table: str) -> Study:
        """Return the part of the study that one published table needs; InputError if unknown."""
        variants = tuple(v for v in self.variants if v.table == table)
        if not variants:
            raise InputError(f"table={table!r} must be one of {self.tables}")
        return Study(self.games, self.seed, variants)

    @property
    def tables(self) -> list[str]:
        """The published tables, in the order of the file."""
        return list(dict.fromkeys(v.table for v in self.variants))


def load_study(path: str | os.PathLike[str]) -> Study:
    """Return the study in a YAML file, whose keys are the fields of `Study`, variants as `tables`.

    Raises InputError for a key unknown or missing and for a value out of range.
    """
    return study_from(read_yaml(path, f"study {os.fspath(path)}"), os.fspath(path))


def study_from(values: Mapping[str, Any], name: str = "study") -> Study:
    """Return the study that these values describe; InputError as `load_study`."""
    if not isinstance(values, Mapping):
        raise InputError(f"{name}={shown(values)} must be keys and values: {sorted(_KEYS)}")
    values = {"name": NAME, "cost_games": COST_GAMES, **values}
    wrong = sorted(set(values) ^ _KEYS, key=str)
    if wrong:
        raise InputError(
            f"{name}: key {shown(wrong[0])} is unknown or missing; keys: {sorted(_KEYS)}"
        )
    numbers = {
        key: integer(key, values[key], *((0, MAX_SEED) if key == "seed" else (1, MOST_GAMES)))
        for key in _NUMBERS
    }
    for key in ("games", "figure_games", "cost_games"):
        if numbers[key] % SET or numbers[key] < 2 * SET:
            raise InputError(
                f"{key}={numbers[key]} must be a multiple of {SET}, at least {2 * SET}"
            )
    if not isinstance(values["sides"], list | tuple) or not values["sides"]:
        raise InputError(f"sides={shown(values['sides'])} must hold at least one side")
    sides = tuple(integer("sides", side, 3, 100) for side in values["sides"])
    return Study(
        variants=tuple(_variants(values["tables"])),
        sides=sides,
        replicates=integer("replicates", values["replicates"], 2, MOST_REPLICATES),
        name=check_name(values["name"]),
        **numbers,
    )


def _variants(tables: Mapping[str, list[dict[str, str]]]) -> list[Variant]:
    variants = []
    if not isinstance(tables, Mapping):
        raise InputError(f"tables={shown(tables)} must be lists by the name of a table")
    for table, entries in tables.items():
        if not isinstance(table, str) or not isinstance(entries, list):
            raise InputError(f"tables: {shown(table)}={shown(entries)} must be text and a list")
        for position, entry in enumerate(entries):
            where = f"tables: {table}[{position}]"
            if not isinstance(entry, Mapping):
                raise InputError(f"{where}={shown(entry)} must be keys and values")
            given = dict(entry)
            role = given.pop("role", ROLES[0])
            if role not in ROLES:
                raise InputError(f"{where}.role={shown(role)} must be one of {ROLES}")
            for key in ("player", "first_click"):
                if key not in given:
                    raise InputError(f"{where}: key {key!r} is missing")
            rules = Rules(given.pop("first_click"), given.pop("start", "safe"))
            player = given.pop("player")
            Task(Board((4, 4)), 1, player, given, rules)  # refuses unknown players and options
            variants.append(Variant(table, player, given, rules, role))
    return variants


def guesses_at_all(player: str) -> bool:
    """Return whether a player can guess: all but the cellular automaton of 000, section 5.1."""
    if player not in PLAYERS:
        raise InputError(f"player={shown(player)} must be one of {', '.join(PLAYERS)}")
    return player != "cellular_automaton"
