"""What the study of topologies plays: boards of every lattice, and games at low density."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache, partial
from typing import Annotated, TypeVar

from pydantic import AfterValidator, Field, field_validator

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.tasks import MAX_SEED, Setup, Task
from msdensity.kernel.limits import MAX_GAMES
from msdensity.kernel.names import TOPOLOGIES
from msdensity.runs.settings import Allowed, Keys, Name, exactly, read_settings, real, whole

RHO50_SEED, LAW_SEED = 0, 1
"""Added to the seed, so that the two parts share no game."""

CUBIC = ("cubic6", "cubic26")

LATTICES = tuple(name for name in TOPOLOGIES if name not in ("box", "torus"))
"""The topologies with a law; those of any number of sides have none."""

START = Rules("centre", "zero")

SMALL_CELLS = 512**2
"""Boards of one topology with at most so many cells share a job."""

LAW_SIDE, MAX_SIDE = 6, 4096
"""The smallest board with a law, and the largest one that is played."""


Number = TypeVar("Number", int, float)


def _topology(value: object) -> str:
    if not isinstance(value, str) or value not in LATTICES:
        raise ValueError
    return value


def _fitting(boards: dict[str, dict[int, float]]) -> dict[str, dict[int, float]]:
    for topology, sides in boards.items():
        for side in sides:
            board_of(topology, side)
    return boards


def _rising(values: tuple[Number, ...]) -> tuple[Number, ...]:
    if len(set(values)) < len(values):
        raise InputError("must not hold a number twice")
    return tuple(sorted(values))


Topology = Annotated[str, Allowed(f"one of {', '.join(LATTICES)}", _topology)]
Side = Annotated[int, whole(4, MAX_SIDE)]
Share = Annotated[float, real(0, 1)]
Count = Annotated[int, whole(2, MAX_GAMES)]


@cache
def _density(side: int, topology: str, minus_log: float) -> float:
    """Return the density at which the leading terms of the law give a value of -ln W."""
    # Imported here, because it loads scipy.
    from msdensity.stats.lattice_law import lattice_rho50

    return lattice_rho50((side,) * axes_of(topology), topology, win_rate=math.exp(-minus_log))


class Law(Keys):
    """Games where the law says that few are lost, on boards of several sizes."""

    games: Annotated[dict[Annotated[int, whole(LAW_SIDE, MAX_SIDE)], Count], Field(min_length=2)]
    """For each side the games with each number of mines."""
    minus_log: Annotated[
        tuple[Annotated[float, real(0, 10)], ...], Field(min_length=2), AfterValidator(_rising)
    ]
    """Values of -ln W by the leading terms of the law on the largest of these boards: each gives a
    density, and this density is played on all of them."""

    def mines(self, topology: str) -> dict[int, list[int]]:
        """Return for each side the numbers of mines that are played, rising."""
        densities = [_density(max(self.games), topology, x) for x in self.minus_log]
        boards = {side: board_of(topology, side) for side in sorted(self.games)}
        return {
            side: sorted({max(round(rho * board.cells), 1) for rho in densities})
            for side, board in boards.items()
        }


class Settings(Keys):
    """The boards on which half of the games are won, and the games that test the law."""

    study: Annotated[str, exactly("topologies")]
    """The study that these settings are of."""
    name: Name = "topologies"
    """Names the study's folders."""
    seed: Annotated[int, whole(0, MAX_SEED - LAW_SEED)]
    """Seed of every board and of every random choice of the player."""
    boards: Annotated[
        dict[Topology, Annotated[dict[Side, Share], Field(min_length=1)]],
        Field(min_length=1),
        AfterValidator(_fitting),
    ]
    """For each topology the sides of its boards, all equal, and the wanted standard error of rho50
    as a share of rho50."""
    fits_from: Annotated[tuple[Side, ...], Field(min_length=1), AfterValidator(_rising)]
    """Sides of the smallest boards in the fits with a limit and without: one fit for each."""
    law: Annotated[dict[Topology, Law], Field(min_length=1)]
    """For each topology the games at low density."""

    @field_validator("boards")
    @classmethod
    def _usual_board(cls, boards: dict[str, dict[int, float]]) -> dict[str, dict[int, float]]:
        if "square8" not in boards:
            raise InputError("boards must have square8, for the page")
        return boards

    @field_validator("law")
    @classmethod
    def _room(cls, law: dict[str, Law]) -> dict[str, Law]:
        for topology, own in law.items():
            for side in own.games:
                board_of(topology, side)
        return law

    def setups(self, topology: str) -> dict[Setup, float]:
        """Return the boards of a topology by size, each with its error."""
        return {
            Setup(board_of(topology, side), rules=START, seed=self.seed + RHO50_SEED): error
            for side, error in sorted(self.boards[topology].items())
        }

    def parts(self) -> dict[str, tuple[Setup, ...]]:
        """Return the boards by job."""
        each = [setup for topology in self.boards for setup in self.setups(topology)]
        return _by_job(
            (f"{s.board.topology}.small" if s.board.cells <= SMALL_CELLS else s.board.name, s)
            for s in each
        )

    def error_of(self, setup: Setup) -> float:
        """Return the wanted standard error of ln rho50 of a board."""
        return self.setups(setup.board.topology)[setup]

    def law_tasks(self, topology: str) -> dict[Board, tuple[list[Task], int]]:
        """Return for each board at low density its tasks by mines, and the games of each."""
        own = self.law[topology]
        return {
            (board := board_of(topology, side)): (
                [Task(board, m, rules=START, seed=self.seed + LAW_SEED) for m in mines],
                own.games[side],
            )
            for side, mines in own.mines(topology).items()
        }


def _by_job(named: Iterable[tuple[str, Setup]]) -> dict[str, tuple[Setup, ...]]:
    jobs: dict[str, list[Setup]] = {}
    for name, setup in named:
        jobs.setdefault(name, []).append(setup)
    return {name: tuple(own) for name, own in jobs.items()}


def axes_of(topology: str) -> int:
    """Return how many sides a board of a topology has."""
    return 3 if topology in CUBIC else 2


def board_of(topology: str, side: int) -> Board:
    """Return the board with all sides equal; InputError if its cells do not fit."""
    return Board((side,) * axes_of(topology), topology)


load_settings = partial(read_settings, Settings, what="settings")
"""Return the settings in a YAML file or a mapping; InputError for a key or value not allowed."""
