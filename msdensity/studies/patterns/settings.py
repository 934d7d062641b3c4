"""Which boards the study of forced guesses counts, and up to how many mines."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from pydantic import Field, field_validator, model_validator

from msdensity.errors import InputError
from msdensity.players.registry import PLAYERS, player_info
from msdensity.runs.settings import (
    Allowed,
    BoardName,
    Games,
    Keys,
    Name,
    Seed,
    exactly,
    read_settings,
    real,
    whole,
)
from msdensity.stats.lattice_terms import TERMS, leading_terms

PLACES = ("corner", "edge", "bulk")
"""Where sets of mines lie that other players are tried on."""

MOST_MINES = 7
"""A set of more mines would not fit into one number."""


PlayerName = Annotated[
    str, Allowed(f"one of {', '.join(PLAYERS)}", lambda value: player_info(value).name)
]


def _lattice(value: str) -> str:
    if value not in TERMS:
        raise ValueError
    return value


Topology = Annotated[str, Allowed(f"one of {', '.join(TERMS)}", _lattice)]


class Settings(Keys):
    """Boards on which sets of mines are counted, and the most mines of a set."""

    study: Annotated[str, exactly("patterns")]
    """The study that these settings are of."""
    name: Name = "patterns"
    """Names the study's folders."""
    squares: Annotated[tuple[Annotated[int, whole(13, 22)], ...], Field(min_length=3)]
    """Sides of square boards, at least three: corner, edge and bulk follow from three, and others
    test them. No side may be 2 more than a multiple of 3: mines go across such a board."""
    squares_most: Annotated[int, whole(3, 6)] = 5
    """Most mines of a set on these boards."""
    torus: Annotated[int, whole(10, 22)] = 11
    """Side of the torus for the bulk; no multiple of 3."""
    torus_most: Annotated[int, whole(6, MOST_MINES)] = MOST_MINES
    """Most mines of a set on it."""
    zero: Annotated[int, whole(10, 22)] = 13
    """Side of the torus for a start on a 0; no multiple of 3."""
    zero_most: Annotated[int, whole(4, 5)] = 5
    """Most mines of a set on it."""
    corner: Annotated[int, whole(6, 12)] = 9
    """Side of the square board for a safe start in a corner, of which all layouts are played."""
    corner_most: Annotated[int, whole(2, 5)] = 4
    """Most mines on it."""

    seed: Seed = 0
    """Of all games that are dealt."""
    players: Annotated[tuple[PlayerName, ...], Field(min_length=1)] = ("weighted",)
    """Players whose lowest orders are looked for."""
    players_most: tuple[
        Annotated[int, whole(1, 3)], Annotated[int, whole(1, 4)], Annotated[int, whole(1, 6)]
    ] = (3, 4, 6)
    """Most mines of a set in a corner, along a side and in the open."""
    repeats: Games = 400
    """Games of each set at which a player guesses."""
    slope_boards: tuple[BoardName, ...] = ()
    """Boards on which players play at low densities, from a 0 in the middle."""
    slope_densities: tuple[Annotated[float, real(0, 0.3)], ...] = ()
    """Their mine densities."""
    slope_games: dict[PlayerName, Games] = Field(default={})
    """Players, and games for each board and density."""
    line_boards: tuple[tuple[BoardName, Annotated[int, whole(1, 10_000)]], ...] = ()
    """Boards with mines, with lines across or without, that `weighted` plays."""
    line_games: Games = 100_000
    """Games on each of them."""
    lattices: dict[Topology, tuple[Annotated[int, whole(0, 7)], ...]] = Field(default={})
    """Topologies whose smallest patterns are looked for, and for each of their places (in the
    open, sides, corners) the most mines of which every set that hangs together is tried."""

    @field_validator("lattices")
    @classmethod
    def _a_number_for_each_place(
        cls, lattices: dict[str, tuple[int, ...]]
    ) -> dict[str, tuple[int, ...]]:
        for topology, most in lattices.items():
            places = list(leading_terms(topology))
            if len(most) != len(places):
                raise InputError(
                    f"{topology} must have {len(places)} numbers, one for each of "
                    + ", ".join(places)
                )
        return lattices

    @field_validator("squares")
    @classmethod
    def _no_lines(cls, sides: tuple[int, ...]) -> tuple[int, ...]:
        for q in sides:
            if q % 3 == 2:
                raise InputError(f"{q} must not be 2 more than a multiple of 3")
        if len(set(sides)) < len(sides):
            raise InputError(f"{', '.join(map(str, sides))} must be different")
        return tuple(sorted(sides))

    @field_validator("corner")
    @classmethod
    def _no_lines_from_a_corner(cls, side: int) -> int:
        if side % 3 == 2:
            raise InputError(f"{side} must not be 2 more than a multiple of 3")
        return side

    @model_validator(mode="after")
    def _corner_is_known(self) -> Settings:
        if self.corner_most > self.squares_most:
            raise InputError(
                f"corner_most={self.corner_most} must be at most squares_most={self.squares_most}, "
                "because what the other corners and sides cost is subtracted"
            )
        return self

    @field_validator("torus", "zero")
    @classmethod
    def _no_circles(cls, side: int) -> int:
        if side % 3 == 0:
            raise InputError(f"{side} must be no multiple of 3")
        return side

    def parts(self) -> dict[str, tuple[str, int, int]]:
        """Return what is counted by job: the kind, the side and the most mines."""
        parts = {f"square-{q}": ("square", q, self.squares_most) for q in self.squares}
        parts["torus"] = ("torus", self.torus, self.torus_most)
        parts["zero"] = ("zero", self.zero, self.zero_most)
        parts["corner"] = ("corner", self.corner, self.corner_most)
        return parts


load_settings = partial(read_settings, Settings, what="settings")
"""Return the settings in a YAML file or a mapping; InputError for a key or value not allowed."""
