"""Additive counts of games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import index
from typing import Any

from msdensity.errors import InputError
from msdensity.kernel.measures import MEASURES, SIGNED


@dataclass(frozen=True)
class Counts:
    """The measures of games first_game .. first_game + games - 1 of one task.

    `measures` holds one whole number for each name in MEASURES, in that order, or maps these names
    to numbers; they are >= 0 except those in SIGNED. Counts of adjacent ranges of one task add up
    exactly. Raises InputError if games < 1, first_game < 0, a measure is missing, unknown or
    negative, or there are more wins than games.
    """

    task_id: str
    first_game: int
    games: int
    measures: tuple[int, ...]

    def __post_init__(self) -> None:
        measures: Any = self.measures
        if isinstance(measures, Mapping):
            if set(measures) != set(MEASURES):
                wrong = ", ".join(sorted(set(measures) ^ set(MEASURES)))
                raise InputError(
                    f"measures must be exactly {', '.join(MEASURES)}; differs: {wrong}"
                )
            measures = [measures[name] for name in MEASURES]
        # Plain integers: numpy ones would wrap around instead of growing.
        try:
            object.__setattr__(self, "measures", tuple(map(index, measures)))
            object.__setattr__(self, "first_game", index(self.first_game))
            object.__setattr__(self, "games", index(self.games))
        except TypeError as error:
            raise InputError(f"counts must be whole numbers: {error}") from None
        if len(self.measures) != len(MEASURES):
            raise InputError(f"measures has {len(self.measures)} values, must have {len(MEASURES)}")
        if self.first_game < 0:
            raise InputError(f"first_game={self.first_game} must be at least 0")
        if self.games < 1:
            raise InputError(f"games={self.games} must be at least 1")
        for name, value in zip(MEASURES, self.measures, strict=True):
            if value < 0 and name not in SIGNED:
                raise InputError(f"{name}={value} must be at least 0")
        if self.wins > self.games:
            raise InputError(f"wins={self.wins} must be in 0..{self.games}, the games played")

    @property
    def wins(self) -> int:
        """Games won."""
        return self["wins"]

    @property
    def stop(self) -> int:
        """The first game after these."""
        return self.first_game + self.games

    @property
    def numbers(self) -> tuple[int, ...]:
        """The first game, the number of games and the measures, as in a row of a ledger."""
        return (self.first_game, self.games, *self.measures)

    def __getitem__(self, name: str) -> int:
        """Return the measure called `name`; KeyError if there is none."""
        if name not in MEASURES:
            raise KeyError(name)
        return self.measures[MEASURES.index(name)]

    def __add__(self, other: Counts) -> Counts:
        """Return the counts of both ranges; InputError unless they are adjacent, of one task."""
        if not isinstance(other, Counts):
            return NotImplemented
        if self.task_id != other.task_id:
            raise InputError(
                f"task_id={other.task_id} must be {self.task_id} to be added: counts of different "
                "tasks cannot be mixed (other boards, players, rules or seeds)"
            )
        first, second = sorted((self, other), key=lambda counts: counts.first_game)
        ranges = f"{first.first_game}..{first.stop - 1} and {second.first_game}..{second.stop - 1}"
        if second.first_game < first.stop:
            raise InputError(
                f"games {ranges} of task {self.task_id} overlap and would be counted twice: "
                "was a ledger added to a copy of itself?"
            )
        if second.first_game > first.stop:
            raise InputError(
                f"games {ranges} of task {self.task_id} are not adjacent: a batch between them is "
                "missing, or rows are not added in order"
            )
        summed = tuple(a + b for a, b in zip(first.measures, second.measures, strict=True))
        return Counts(self.task_id, first.first_game, first.games + second.games, summed)
