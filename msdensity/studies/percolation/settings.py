"""What the study of percolation plays: boards, densities, sets of rules and how many boards."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Annotated, NamedTuple, Self, TypeVar

from pydantic import AfterValidator, Field, field_validator, model_validator

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.front import MAX_SIDE, MIN_SIDE, RULES
from msdensity.games.tasks import MAX_SEED, Task
from msdensity.kernel.limits import MAX_GAMES
from msdensity.kernel.names import WRAPPED
from msdensity.runs.settings import Keys, Name, exactly, one_of, read_settings, real, rising, whole

ZERO_SEED, SITE_SEED, GAME_SEED = 1, 2, 3
"""Added to the seed, so that no two parts of the study share a board."""

GUESSER = "weighted"
"""The player that may guess, beside the sets of rules that may not."""

SCALE = 3 / 4
"""1 / nu of ordinary percolation: the densities of a board of side L lie within L^-SCALE."""

SMALL_SIDE = 64
"""Boards of at most so many rows share a job; each larger size has its own job."""

PROTECTED = 9
"""Cells that the first click keeps free of mines."""


Side = Annotated[int, whole(MIN_SIDE, MAX_SIDE, 2)]
Count = Annotated[int, whole(2, MAX_GAMES)]
Share = Annotated[float, real(0, 1)]
RulesName = Annotated[str, one_of(RULES)]
Boards = Annotated[dict[Side, Count], Field(min_length=1)]


class Fronts(Keys):
    """Boards of one topology, L rows and 3 L columns, with their first columns known."""

    games: Boards
    """For each even side L the boards with each number of mines."""
    densities: Annotated[dict[RulesName, Share], Field(min_length=1)]
    """For each set of rules the mine density around which it is played."""
    offsets: Annotated[
        tuple[Annotated[float, real(-10, 10)], ...], Field(min_length=1), AfterValidator(rising)
    ]
    """Densities less that one, times L^(3/4): on larger boards they are closer to it."""
    larger: dict[Side, dict[RulesName, Count]] = Field(default={})
    """Larger boards, for some of these sets of rules only: the same numbers of boards."""

    @model_validator(mode="after")
    def _with_densities(self) -> Self:
        for side, games in self.larger.items():
            if side in self.games:
                raise InputError(f"larger must not hold the side {side} of games")
            for rules in games:
                if rules not in self.densities:
                    raise InputError(f"larger holds {rules} at {side}: densities must hold it too")
        return self

    def boards(self, rules: str) -> dict[int, int]:
        """Return for each side the boards with each number of mines, rising."""
        added = {side: games[rules] for side, games in self.larger.items() if rules in games}
        return dict(sorted({**self.games, **added}.items()))

    def mines(self, rules: str, side: int) -> list[int]:
        """Return the numbers of mines that are played on boards of a side, rising."""
        cells = 3 * side * side
        densities = [self.densities[rules] + x * side**-SCALE for x in self.offsets]
        return sorted({min(max(round(rho * cells), 1), cells - 1) for rho in densities})


class Games(Keys):
    """Games on square boards; the first click, in the middle, has no mine around it."""

    games: Annotated[dict[Annotated[int, whole(4, MAX_SIDE)], Count], Field(min_length=1)]
    """For each side the games with each number of mines."""
    densities: Annotated[tuple[Share, ...], Field(min_length=2), AfterValidator(rising)]
    """Mine densities."""

    def mines(self, side: int) -> list[int]:
        """Return the numbers of mines that are played on boards of a side, rising."""
        cells = side * side
        most = cells - PROTECTED
        return sorted({min(max(round(rho * cells), 1), most) for rho in self.densities})


class FrontPart(NamedTuple):
    """Fronts of one size."""

    topology: str
    rules: str
    side: int


class GamePart(NamedTuple):
    """Games on boards of one size; rules: a set of rules, or GUESSER."""

    rules: str
    side: int

    def task(self, mines: int, seed: int) -> Task:
        """Return the task of these games."""
        start = Rules("centre", "zero")
        board = Board((self.side, self.side))
        if self.rules == GUESSER:
            return Task(board, mines, GUESSER, {}, start, seed)
        return Task(board, mines, "inference", {"rules": self.rules}, start, seed)


Part = TypeVar("Part", FrontPart, GamePart)


class Settings(Keys):
    """The fronts, the crossings of 0s, the crossings of ordinary percolation, and the games."""

    study: Annotated[str, exactly("percolation")]
    """The study that these settings are of."""
    name: Name = "percolation"
    """Names the study's folders."""
    seed: Annotated[int, whole(0, MAX_SEED - max(ZERO_SEED, SITE_SEED, GAME_SEED))]
    """Seed of every board."""
    fronts: Annotated[
        dict[Annotated[str, one_of(tuple(WRAPPED))], Fronts],
        Field(min_length=1),
    ]
    """For each topology its boards, densities and sets of rules."""
    zeros: Boards
    """For each side the square boards that get mines until their 0s no longer cross."""
    sites: Boards
    """For each side the boards of ordinary site percolation, of the shape of the fronts."""
    games: Games
    """Games by each set of rules, and by the player that may guess."""

    @field_validator("fronts")
    @classmethod
    def _usual_board(cls, fronts: dict[str, Fronts]) -> dict[str, Fronts]:
        if "square8" not in fronts or "complete" not in fronts["square8"].densities:
            raise InputError("fronts must have square8 with a density of complete, for the page")
        return fronts

    def front_parts(self) -> dict[str, tuple[FrontPart, ...]]:
        """Return the fronts by job."""
        parts = (
            FrontPart(topology, rules, side)
            for topology, own in self.fronts.items()
            for rules in sorted(own.densities, key=RULES.index)
            for side in own.boards(rules)
        )
        return _by_job((_job(part, part.topology), part) for part in parts)

    def game_parts(self) -> dict[str, tuple[GamePart, ...]]:
        """Return the games by job."""
        sides = sorted(self.games.games)
        parts = (GamePart(rules, side) for rules in (GUESSER, *RULES) for side in sides)
        return _by_job((_job(part), part) for part in parts)


def _job(part: FrontPart | GamePart, *shared: str) -> str:
    """Return the job of a part: small boards share one."""
    return ".".join([*shared, "small"] if part.side <= SMALL_SIDE else map(str, part))


def _by_job(parts: Iterable[tuple[str, Part]]) -> dict[str, tuple[Part, ...]]:
    jobs: dict[str, list[Part]] = {}
    for name, part in parts:
        jobs.setdefault(name, []).append(part)
    return {name: tuple(own) for name, own in jobs.items()}


load_settings = partial(read_settings, Settings, what="settings")
"""Return the settings in a YAML file or a mapping; InputError for a key or value not allowed."""
