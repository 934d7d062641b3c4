"""What the study of definitions plays: square boards, mine densities and how many games."""

from __future__ import annotations

from functools import partial
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, Field

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.tasks import MAX_SEED, Task
from msdensity.kernel.limits import MAX_GAMES
from msdensity.runs.settings import Keys, Name, exactly, read_settings, real, whole

GUESSER, COMPLETE, ZEROS = "weighted", "complete", "zeros"
"""Who plays: one who may guess, one who never guesses, and the cascade of the first click."""

PLAYERS: dict[str, tuple[str, dict[str, str]]] = {
    GUESSER: ("weighted", {}),
    COMPLETE: ("inference", {"rules": "complete"}),
    ZEROS: ("inference", {"rules": "zeros"}),
}
"""Players and their options, by the names of the study."""

STARTS = {"zero": Rules("centre", "zero"), "safe": Rules("corner", "safe")}
"""A first click on a 0 in the middle, and a safe one at the corner."""

PILOT_SHARE = 10
"""One pilot game, which chooses the windows of the fits, for each so many games."""

PROTECTED = 9
"""Cells that a start on a 0 keeps free of mines."""


def _rising(values: tuple[float, ...]) -> tuple[float, ...]:
    if len(set(values)) < len(values):
        raise InputError("must not hold a number twice")
    return tuple(sorted(values))


Side = Annotated[int, whole(6, 1000)]
Share = Annotated[float, real(0, 1)]
Counts = Annotated[
    dict[Side, Annotated[int, whole(20, MAX_GAMES)]],
    Field(min_length=1),
]


class Known(Keys):
    """A critical density from another study, for comparison alone."""

    density: Share
    """Mine density."""
    error: Share
    """Its standard error."""


class Part(NamedTuple):
    """Games on one board by one player from one start."""

    player: str
    start: str
    side: int

    def task(self, mines: int, seed: int) -> Task:
        """Return the task of these games; all players and starts get the same boards."""
        player, options = PLAYERS[self.player]
        return Task(Board((self.side, self.side)), mines, player, options, STARTS[self.start], seed)


class Settings(Keys):
    """The boards and densities on which every definition is measured."""

    study: Annotated[str, exactly("definitions")]
    """The study that these settings are of."""
    name: Name = "definitions"
    """Names the study's folders."""
    seed: Annotated[int, whole(0, MAX_SEED)]
    """Seed of every board and of every random choice of a player."""
    games: Counts
    """For each side of a square board the games with each number of mines, of each player and
    start."""
    layouts: Counts
    """For each side the boards with each number of mines whose clicks are counted."""
    timed: Annotated[dict[Side, Annotated[int, whole(200, MAX_GAMES, 200)]], Field(min_length=1)]
    """For each side the games with each number of mines whose CPU time is taken."""
    densities: Annotated[tuple[Share, ...], Field(min_length=5), AfterValidator(_rising)]
    """Mine densities, the same for all definitions."""
    inference: Known
    """The critical density of what can be opened without a guess (target `percolation`)."""
    cascade: Known
    """The critical density of the cascade of 0s (target `percolation`)."""

    def mines(self, side: int) -> list[int]:
        """Return the numbers of mines that are played on boards of a side, rising."""
        cells = side * side
        most = cells - PROTECTED
        return sorted({min(max(round(rho * cells), 1), most) for rho in self.densities})

    def parts(self, side: int) -> list[Part]:
        """Return who plays from where on boards of a side."""
        return [Part(player, start, side) for player in PLAYERS for start in STARTS]


load_settings = partial(read_settings, Settings, what="settings")
"""Return the settings in a YAML file or a mapping; InputError for a key or value not allowed."""
