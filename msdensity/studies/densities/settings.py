"""What the study of densities plays: boards, and the wanted error of each density."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import Annotated, Any

from pydantic import Field, field_validator

from msdensity.games.boards import Board
from msdensity.games.tasks import MAX_SEED
from msdensity.kernel.limits import MAX_GAMES
from msdensity.runs.config import BoardsEntry, Range
from msdensity.runs.settings import Keys, Name, Replicates, exactly, read_settings, real, whole

RHO50, NO_GUESS, CRITICAL = "rho50", "no_guess", "critical"
CRITICAL_PILOT = "critical_pilot"
"""The densities and a pilot, by the names of their folders of ledgers."""

SEEDS = {RHO50: 0, NO_GUESS: 1, CRITICAL: 2, CRITICAL_PILOT: 3}
"""Added to the seed, so that no two of them share a game."""

SMALL_CELLS = 256
"""Boards with at most so many cells share a job; each larger board has its own job."""


class Settings(Keys):
    """The boards whose densities are measured, and how well."""

    study: Annotated[str, exactly("densities")]
    """The study that these settings are of."""
    name: Name = "densities"
    """Names the study's folders."""
    seed: Annotated[int, whole(0, MAX_SEED - max(SEEDS.values()))]
    """Seed of every board and of every random choice of the player."""
    boards: Annotated[tuple[BoardsEntry, ...], Field(min_length=1)]
    """The boards, as in the configuration. A board and its transpose are one board."""
    squares: Range | None = None
    """First and last side of square boards that are measured too."""
    error: Annotated[float, real(0, 1)]
    """Wanted standard error of each density."""
    most_games: Annotated[int, whole(100, MAX_GAMES)]
    """Maximum of the games for each number of mines of the critical density."""
    steps: Annotated[int, whole(20, 100_000)]
    """The curve of a board with more cells is played at multiples of the density 1 / steps."""
    replicates: Replicates = 200
    """Replicates of each bootstrap."""

    @field_validator("boards")
    @classmethod
    def _each_board_once(cls, entries: Any) -> tuple[Board, ...]:
        once = {board.canonical() for board in chain.from_iterable(entries)}
        return tuple(sorted(once, key=lambda board: (board.shape, board.topology)))

    def all_boards(self) -> tuple[Board, ...]:
        """Return the boards and the squares, each once, by size."""
        first, last = self.squares or (1, 0)
        squares = [Board((q, q)) for q in range(max(first, 2), last + 1)]
        boards = dict.fromkeys([*self.boards, *squares])
        return tuple(sorted(boards, key=lambda board: (board.cells, board.shape)))

    def parts(self) -> dict[str, tuple[Board, ...]]:
        """Return the boards by job."""
        parts: dict[str, tuple[Board, ...]] = {}
        for board in self.all_boards():
            part = "small" if board.cells <= SMALL_CELLS else board.name
            parts[part] = (*parts.get(part, ()), board)
        return parts


load_settings = partial(read_settings, Settings, what="settings")
"""Return the settings in a YAML file or a mapping; InputError for a key or value not allowed."""
