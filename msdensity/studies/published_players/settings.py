"""What the study plays: the file that names the published tables, games, boards and seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from pydantic import Field, StrictStr

from msdensity.errors import InputError, shown
from msdensity.games.boards import Board, Rules
from msdensity.games.tasks import Task
from msdensity.kernel.limits import MAX_GAMES
from msdensity.runs.settings import (
    Allowed,
    Games,
    Keys,
    Name,
    Replicates,
    Seed,
    exactly,
    read_player,
    read_settings,
    whole,
)

SET = 100
"""Games in a set: 000 gives the mean and the standard deviation of win % over sets of 100."""

ROLES = ("text", "test")
"""What a row plays: what the text says, or another reading that may explain a difference."""

BOARDS = (("9x9", 10), ("16x16", 40), ("16x30", 99))
"""The boards of 000 (section 4.3), with their mines."""

CORNER = Rules("corner")
"""How every player starts when players are compared: in the same safe corner."""

COST_BOARD = ("10x10", 20)
"""The board of the density study on which a game is timed, with its mines."""


@dataclass(frozen=True)
class Variant:
    """One way to play the player of a published table; `role` is one of ROLES."""

    player: str
    options: Mapping[str, str]
    rules: Rules
    role: str

    def task(self, board: Board, mines: int, seed: int) -> Task:
        """Return the task of this variant on a board."""
        return Task(board, mines, self.player, dict(self.options), self.rules, seed)


def _variant(entry: Any) -> Variant:
    player, options = read_player(entry, needed=["first_click"], others=["start", "role"])
    rules = Rules(entry["first_click"], entry.get("start", "safe"))
    role = entry.get("role", ROLES[0])
    if role not in ROLES:
        raise InputError(f"role={shown(role)} must be one of {', '.join(ROLES)}")
    variant = Variant(player, options, rules, role)
    variant.task(Board.parse(BOARDS[0][0]), 1, 0)  # refuses a first cell beyond the smallest board
    return variant


Sets = Annotated[int, whole(2 * SET, MAX_GAMES, SET)]


class Settings(Keys):
    """The published tables of players, and the games, boards and seed to play them with."""

    study: Annotated[str, exactly("players")]
    """The study that these settings are of."""
    name: Name = "players"
    """Names the study's folders."""
    games: Sets
    """Games for each number of a published table and for each comparison."""
    seed: Seed
    """Seed of every board and of every random choice of a player."""
    figure_games: Sets = 10_000
    """Games for each point of Figures 5.3 and 5.4 of 000."""
    zero_games: Games = 10_000
    """Games dealt for each formula of 000."""
    traced_games: Games = 300
    """Games that are kept move by move, for each player and board."""
    sides: Annotated[tuple[Annotated[int, whole(3, 100)], ...], Field(min_length=1)] = (
        *(3, 4, 5, 6, 7, 8, 9, 10),
    )
    """Sides of the square boards of the density curves."""
    curve_games: Games = 1000
    """Games for each number of mines on these boards."""
    cost_games: Sets = 2000
    """Games that are timed on each board."""
    belief_games: Games = 2000
    """Games whose decisions and guesses are counted, for each player of 004 and board."""
    belief_error_games: Games = 500
    """Games at whose guesses beliefs are compared with exact safeties, on each board."""
    resolution_games: Games = 300
    """Games of exact inference whose positions are shown to the methods of 002, on each board, and
    games whose guesses are looked at, by each of its players."""
    resolution_timed_games: Games = 60
    """Games on each board for the CPU times of these methods and players."""
    replicates: Replicates = 200
    """Replicates of each bootstrap."""
    tables: dict[
        StrictStr,
        tuple[Annotated[Variant, Allowed("a player, its options and its start", _variant)], ...],
    ]
    """For each published table, by its name, the variants that are played: a player and its
    options, first_click and start as in the configuration, and role: text (the default), what the
    text says, or test, another reading that may explain a difference."""

    def only(self, table: str) -> Settings:
        """Return the settings with one published table alone; InputError if unknown."""
        if table not in self.tables:
            raise InputError(f"table={table!r} must be one of {', '.join(self.tables)}")
        return self.model_copy(update={"tables": {table: self.tables[table]}})


load_settings = partial(read_settings, Settings, what="settings")
"""Return the settings in a YAML file or a mapping; InputError for a key or value not allowed."""
