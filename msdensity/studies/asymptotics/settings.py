"""What the study of large boards plays: boards, start rules, precision, and its jobs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, NamedTuple

from pydantic import AfterValidator, Field, ValidationInfo, field_validator, model_validator

from msdensity.games.boards import Board, Rules
from msdensity.games.tasks import MAX_SEED, Task
from msdensity.kernel.limits import MAX_GAMES, check_board
from msdensity.runs.settings import Keys, Name, Replicates, exactly, read_settings, real, whole

RULES = {"corner": Rules("corner", "safe"), "zero": Rules("centre", "zero")}
"""Start rules by the names that the law gives them."""

FAMILIES = ("squares", "doubles", "strips", "torus")
"""q x q, q x 2q, p x q with p up to 3, and q x q with opposite edges joined."""

PLAYER, ESTIMATOR = "weighted", "conditional"
"""The player, and the one of the same games with weights that estimate its win rate."""

RIVAL = "listing"
"""The program that the paper's critical densities come from."""

PILOT_SEED, DENSITY_SEED, CURVE_SEED, CONDITIONAL_SEED = 1, 2, 3, 4
"""Added to the seed, so that no two parts of the study share a game."""

SMALL_CELLS = 2500
"""Boards with at most so many cells share a job; each larger board has its own job."""


_GAMES = 100
"""The games for each number of mines are a multiple of this."""

_MAX_SIDE = 10_000


class Entry(NamedTuple):
    """A board and the start rule (of RULES) that it is played with."""

    board: Board
    rule: str

    @property
    def name(self) -> str:
        """The name that files use, such as 64x64.corner."""
        return f"{self.board.name}.{self.rule}"

    @property
    def family(self) -> str:
        """One of FAMILIES."""
        if self.board.topology == "torus8":
            return "torus"
        if self.board.p <= 3:
            return "strips"
        return "squares" if self.board.p == self.board.q else "doubles"

    def task(self, mines: int, seed: int, player: str = PLAYER) -> Task:
        """Return the task of this entry with a number of mines."""
        return Task(self.board, mines, player, {}, RULES[self.rule], seed)


def _rising(values: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(sorted(set(values)))


Sides = Annotated[tuple[Annotated[int, whole(4, _MAX_SIDE)], ...], AfterValidator(_rising)]
TorusSides = Annotated[tuple[Annotated[int, whole(5, _MAX_SIDE)], ...], AfterValidator(_rising)]
Share = Annotated[float, real(0, 1)]
Shares = Annotated[tuple[Share, ...], Field(min_length=1), AfterValidator(_rising)]
CellGames = Annotated[float, real(0, 1e15)]
ManyGames = Annotated[int, whole(_GAMES, MAX_GAMES)]


class Corner(Keys):
    """Boards whose first click is a safe corner."""

    squares: Sides = ()
    """Sides q of boards q x q."""
    doubles: Sides = ()
    """Sides q of boards q x 2q."""
    strips: dict[Annotated[int, whole(1, 3)], Sides] = Field(default={})
    """For p = 1, 2 and 3 the lengths q of boards p x q."""


class Zero(Keys):
    """Boards whose first click is in the middle, with no mine around it."""

    squares: Sides = ()
    """Sides q of boards q x q."""
    doubles: Sides = ()
    """Sides q of boards q x 2q."""
    torus: TorusSides = ()
    """Sides q of boards q x q with opposite edges joined."""


class Boards(Keys):
    """Boards by start rule and family; at least one."""

    corner: Corner = Corner()
    """Boards with the paper's start: the first click is a safe corner."""
    zero: Zero = Zero()
    """Boards whose first click is in the middle, with no mine around it."""

    @model_validator(mode="after")
    def _can_be_played(self) -> Boards:
        for entry in self.entries():
            check_board(entry.board.shape, entry.board.topology)
        if not self.entries():
            raise ValueError("must hold at least one board")
        return self

    def entries(self) -> tuple[Entry, ...]:
        """Return the boards with their start rules, in the order of RULES and FAMILIES."""
        entries: list[Entry] = []
        for rule, family in (("corner", self.corner), ("zero", self.zero)):
            entries += [Entry(Board((q, q)), rule) for q in family.squares]
            entries += [Entry(Board((q, 2 * q)), rule) for q in family.doubles]
            if isinstance(family, Corner):
                strips = sorted(family.strips.items())
                entries += [Entry(Board((p, q)), rule) for p, sides in strips for q in sides]
            else:
                entries += [Entry(Board((q, q), "torus8"), rule) for q in family.torus]
        return tuple(entries)


class Precision(Keys):
    """The wanted error of rho50, and the limits of games at which to stop before it is reached."""

    relative_error: Share
    """Wanted standard error of rho50, as a share of it."""
    most_games: ManyGames
    """Maximum of the games of a board."""
    most_cells: CellGames
    """Maximum of games times cells of a board."""

    def games(self, unit_error: float, cells: int, gain: float) -> int:
        """Return the games of a board.

        unit_error: relative error of rho50 from a single game, above 0; gain: variance ratio of the
        control variate, above 0.
        """
        wanted = (unit_error / self.relative_error) ** 2 / gain
        return _whole(min(wanted, self.most_games, self.most_cells / cells))


class Conditional(Keys):
    """Low densities of which -ln W is also measured by weights, by conditional play."""

    bordered: Shares
    """Densities of boards with borders."""
    torus: Shares
    """Densities of boards with opposite edges joined; the law's -ln W should be above .003 on at
    least three sides."""
    games: ManyGames
    """Games for each number of mines."""
    most_cells: CellGames
    """Maximum of games times cells for each number of mines."""

    def games_of(self, board: Board) -> int:
        """Return the games for each number of mines on a board."""
        return _whole(min(self.games, self.most_cells / board.cells))

    def mines(self, board: Board) -> list[int]:
        """Return the numbers of mines nearest to the densities, rising."""
        densities = self.torus if board.topology == "torus8" else self.bordered
        return sorted({max(1, round(rho * board.cells)) for rho in densities})


class LowDensity(Keys):
    """Boards at low densities, where the law of unavoidable guesses should hold."""

    boards: Boards
    """The boards, as above."""
    densities: Shares
    """Densities that are played."""
    highest: Share
    """Highest density of the tests of the law on bordered boards."""
    torus_highest: Share
    """Highest density of the tests of the law on a torus, which has fewer terms."""
    smallest: Annotated[int, whole(3, _MAX_SIDE)]
    """Smallest side of the regression and of the fits at one density; smaller boards take part in
    the test of the law without a fitted number."""
    fixed: Shares
    """Densities, among those played, at which -ln W is fitted against the side."""
    games: ManyGames
    """Games for each number of mines."""
    most_cells: CellGames
    """Maximum of games times cells for each number of mines."""
    conditional: Conditional
    """What is played conditionally on these boards."""

    @field_validator("fixed")
    @classmethod
    def _played(cls, fixed: tuple[float, ...], info: ValidationInfo) -> tuple[float, ...]:
        densities = info.data.get("densities", fixed)
        if not set(fixed) <= set(densities):
            raise ValueError(f"must be among densities={list(densities)}")
        return fixed

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The boards with their start rules."""
        return self.boards.entries()

    def highest_of(self, topology: str) -> float:
        """Return the highest density of the tests of the law."""
        return self.torus_highest if topology == "torus8" else self.highest

    def games_of(self, board: Board) -> int:
        """Return the games for each number of mines on a board."""
        return _whole(min(self.games, self.most_cells / board.cells))

    def mines(self, board: Board) -> list[int]:
        """Return the numbers of mines nearest to the densities, rising."""
        return sorted({max(1, round(rho * board.cells)) for rho in self.densities})


class Curves(Keys):
    """Squares for which the whole curve is played, for the published critical density P."""

    small: Annotated[tuple[Annotated[int, whole(3, 10)], ...], AfterValidator(_rising)] = ()
    """Sides, among the published ones, that are played with every number of mines."""
    large: Annotated[tuple[Annotated[int, whole(11, _MAX_SIDE)], ...], AfterValidator(_rising)]
    """Sides that are played at multiples of the density 1 / steps."""
    steps: Annotated[int, whole(20, 100_000)]
    """Number of steps of the density of a large square."""
    games: ManyGames
    """Games for each number of mines."""

    def mines(self, side: int) -> list[int]:
        """Return the numbers of mines on side x side, rising."""
        cells = side * side
        if side in self.small:
            return list(range(1, cells))
        return sorted({round(i * cells / self.steps) for i in range(1, self.steps)})


class Settings(Keys):
    """The sweep for rho50, the boards at low densities, and the squares with whole curves."""

    study: Annotated[str, exactly("asymptotics")]
    """The study that these settings are of."""
    name: Name = "asymptotics"
    """Names the study's folders."""
    seed: Annotated[
        int, whole(0, MAX_SEED - max(PILOT_SEED, DENSITY_SEED, CURVE_SEED, CONDITIONAL_SEED))
    ]
    """Seed of every board and of every random choice of the player."""
    boards: Boards
    """Boards whose rho50 is measured, by start rule and family. A new side plays only that side."""
    pilot_games: Annotated[int, whole(20, MAX_GAMES)]
    """Games for each number of mines that a pilot tries."""
    precision: Precision
    """The wanted error of rho50. A smaller error plays only the games that it lacks."""
    low_density: LowDensity
    """Boards at low densities."""
    curves: Curves
    """Squares for which the whole curve is played."""
    listing: Curves
    """Squares for which the paper's program plays the whole curve."""
    replicates: Replicates
    """Replicates of each bootstrap."""

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The boards of the sweep for rho50 with their start rules."""
        return self.boards.entries()

    def parts(self) -> dict[str, tuple[Entry, ...]]:
        """Return the entries of the sweep for rho50 by job."""
        return _parts(self.entries)

    def density_parts(self) -> dict[str, tuple[Entry, ...]]:
        """Return the entries of the low densities by job."""
        return _parts(self.low_density.entries)

    def curve_parts(self) -> dict[str, tuple[int, ...]]:
        """Return the sides of whole curves by job."""
        return _curve_parts(self.curves)

    def listing_parts(self) -> dict[str, tuple[int, ...]]:
        """Return the sides of whole curves of the paper's program by job."""
        return _curve_parts(self.listing)


load_settings = partial(read_settings, Settings, what="settings")
"""Return the settings in a YAML file or a mapping; InputError for a key or value not allowed."""


def _parts(entries: Sequence[Entry]) -> dict[str, tuple[Entry, ...]]:
    """Return the entries by job: small boards of a family and start rule share one."""
    parts: dict[str, tuple[Entry, ...]] = {}
    for entry in entries:
        small = entry.board.cells <= SMALL_CELLS
        part = f"{entry.family}.{entry.rule}" if small else entry.name
        parts[part] = (*parts.get(part, ()), entry)
    return parts


def _curve_parts(plan: Curves) -> dict[str, tuple[int, ...]]:
    """Return the sides by job: the small ones share one."""
    small = {"small": plan.small} if plan.small else {}
    return small | {f"q{side}": (side,) for side in plan.large}


def _whole(games: float) -> int:
    """Return the games rounded up to a multiple of 100."""
    return _GAMES * max(1, -int(-games // _GAMES))
