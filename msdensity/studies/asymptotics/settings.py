"""What the study of large boards plays: boards, start rules, precision, and its jobs."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from msdensity.errors import InputError, integer, shown
from msdensity.files.text import check_name, read_yaml
from msdensity.games.boards import Board, Rules
from msdensity.games.tasks import Task
from msdensity.kernel.limits import MOST_GAMES, check_board

RULES = {"corner": Rules("corner", "safe"), "zero": Rules("centre", "zero")}
"""Start rules by the names that the law gives them."""

FAMILIES = ("squares", "doubles", "strips", "torus")
"""q x q, q x 2q, p x q with p up to 3, and q x q with opposite edges joined."""

PLAYER = "weighted"

NAME = "asymptotics"
"""Of the study's folders, unless its file has the key `name`."""

PILOT_SEED, DENSITY_SEED, CURVE_SEED = 1, 2, 3
"""Added to the seed, so that no two parts of the study share a game."""

SMALL_CELLS = 2500
"""Boards of up to so many cells share a job; a larger one is a job of its own."""

_GAMES_MULTIPLE = 100

_MOST_STEPS, _MOST_REPLICATES, _LONGEST = 100_000, 10**6, 10_000

_KEYS = (
    *("seed", "boards", "pilot_games", "precision", "low_density", "curves", "replicates"),
    "name",
)


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

    def task(self, mines: int, seed: int) -> Task:
        """Return the task of this entry with a number of mines."""
        return Task(self.board, mines, PLAYER, {}, RULES[self.rule], seed)


@dataclass(frozen=True)
class Precision:
    """How well rho50 is to be known, and where to stop short of it.

    relative_error: wanted standard error of rho50 as a share of it, in (0, 1); most_games: for each
    number of mines; most_cells: games times cells, over all numbers of mines of a board.
    """

    relative_error: float
    most_games: int
    most_cells: float

    def games(self, unit_error: float, points: int, cells: int, gain: float) -> int:
        """Return the games for each of `points` numbers of mines.

        unit_error: relative error of rho50 from one game for each number of mines, above 0; gain:
        variance ratio of the control variate, above 0.
        """
        wanted = (unit_error / self.relative_error) ** 2 / gain
        return _whole(min(wanted, self.most_games, self.most_cells / (points * cells)))


@dataclass(frozen=True)
class LowDensity:
    """Boards at low densities, where the law is to hold.

    densities: played, rising, in (0, 1); highest: of the regression; smallest: its least side;
    fixed: densities of which -ln W is set against the side; games: for each number of mines;
    most_cells: games times cells for each number of mines.
    """

    entries: tuple[Entry, ...]
    densities: tuple[float, ...]
    highest: float
    smallest: int
    fixed: tuple[float, ...]
    games: int
    most_cells: float

    def games_of(self, board: Board) -> int:
        """Return the games for each number of mines on a board."""
        return _whole(min(self.games, self.most_cells / board.cells))

    def mines(self, board: Board) -> list[int]:
        """Return the numbers of mines nearest to the densities, rising."""
        return sorted({max(1, round(rho * board.cells)) for rho in self.densities})


@dataclass(frozen=True)
class Curves:
    """Squares whose whole curve is played, for the published critical density P.

    small: sides played at every m; large: sides played at multiples of 1 / steps; games: for each
    number of mines.
    """

    small: tuple[int, ...]
    large: tuple[int, ...]
    steps: int
    games: int

    def mines(self, side: int) -> list[int]:
        """Return the numbers of mines on side x side, rising."""
        cells = side * side
        if side in self.small:
            return list(range(1, cells))
        return sorted({round(i * cells / self.steps) for i in range(1, self.steps)})


@dataclass(frozen=True)
class Study:
    """The study: entries of the sweep for rho50, low densities, whole curves; see the fields.

    pilot_games: for each number of mines that a pilot tries; replicates: of each bootstrap;
    name: of its folders.
    """

    seed: int
    entries: tuple[Entry, ...]
    pilot_games: int
    precision: Precision
    low_density: LowDensity
    curves: Curves
    replicates: int
    name: str = NAME

    def parts(self) -> dict[str, tuple[Entry, ...]]:
        """Return the entries of the sweep for rho50 by job."""
        return _parts(self.entries)

    def density_parts(self) -> dict[str, tuple[Entry, ...]]:
        """Return the entries of the low densities by job."""
        return _parts(self.low_density.entries)

    def curve_parts(self) -> dict[str, tuple[int, ...]]:
        """Return the sides of whole curves by job."""
        parts = {f"q{side}": (side,) for side in self.curves.large}
        return {"small": self.curves.small} | parts


def load_study(path: str | os.PathLike[str]) -> Study:
    """Return the study in a YAML file; InputError for an unknown key or a value out of range."""
    return study_from(read_yaml(path, f"study {os.fspath(path)}"), os.fspath(path))


def study_from(values: Any, name: str = "study") -> Study:
    """Return the study that these values describe; InputError as `load_study`."""
    if isinstance(values, dict):
        values = {"name": NAME} | values
    values = _keys(name, values, _KEYS)
    precision = _keys(
        f"{name}: precision", values["precision"], ("relative_error", "most_games", "most_cells")
    )
    low = _keys(
        f"{name}: low_density",
        values["low_density"],
        ("boards", "densities", "highest", "smallest", "fixed", "games", "most_cells"),
    )
    curves = _keys(f"{name}: curves", values["curves"], ("small", "large", "steps", "games"))
    densities = _densities("low_density.densities", low["densities"])
    fixed = _densities("low_density.fixed", low["fixed"])
    for density in fixed:
        if density not in densities:
            raise InputError(
                f"low_density.fixed={density} must be one of low_density.densities={densities}"
            )
    small = _sides("curves.small", curves["small"], 3)
    large = _sides("curves.large", curves["large"], 11)
    if small and small[-1] > 10:
        raise InputError(f"curves.small={small[-1]} must be in 3..10, the published sides")
    return Study(
        seed=integer("seed", values["seed"], 0, 2**62),
        entries=_entries("boards", values["boards"]),
        pilot_games=integer("pilot_games", values["pilot_games"], 20, MOST_GAMES),
        precision=Precision(
            _real("precision.relative_error", precision["relative_error"], 0, 1),
            _games("precision.most_games", precision["most_games"]),
            _real("precision.most_cells", precision["most_cells"], 0, 1e15),
        ),
        low_density=LowDensity(
            _entries("low_density.boards", low["boards"]),
            densities,
            _real("low_density.highest", low["highest"], 0, 1),
            integer("low_density.smallest", low["smallest"], 3, _LONGEST),
            fixed,
            _games("low_density.games", low["games"]),
            _real("low_density.most_cells", low["most_cells"], 0, 1e15),
        ),
        curves=Curves(
            small,
            large,
            integer("curves.steps", curves["steps"], 20, _MOST_STEPS),
            _games("curves.games", curves["games"]),
        ),
        replicates=integer("replicates", values["replicates"], 2, _MOST_REPLICATES),
        name=check_name(values["name"]),
    )


def _parts(entries: Sequence[Entry]) -> dict[str, tuple[Entry, ...]]:
    """Return the entries by job: small boards of a family and start rule share one."""
    parts: dict[str, tuple[Entry, ...]] = {}
    for entry in entries:
        small = entry.board.cells <= SMALL_CELLS
        part = f"{entry.family}.{entry.rule}" if small else entry.name
        parts[part] = (*parts.get(part, ()), entry)
    return parts


def _entries(field: str, values: Any) -> tuple[Entry, ...]:
    """Return the entries of start rule -> family -> sides, in the order of RULES and FAMILIES."""
    found: list[Entry] = []
    for rule, families in _some(field, values, RULES).items():
        where = f"{field}.{rule}"
        for family, sides in _some(where, families, FAMILIES).items():
            found += _family(f"{where}.{family}", family, rule, sides)
    if not found:
        raise InputError(f"{field} must hold at least one board")
    for entry in found:
        check_board(entry.board.shape, entry.board.topology)
    return tuple(found)


def _family(field: str, family: str, rule: str, sides: Any) -> Iterable[Entry]:
    if family == "strips":
        if rule != "corner":
            raise InputError(f"{field} must be under corner: a strip has no interior for {rule}")
        return [
            Entry(Board((p, q)), rule)
            for p, lengths in _some(field, sides, (1, 2, 3)).items()
            for q in _sides(f"{field}.{p}", lengths, 4)
        ]
    if family == "torus":
        if rule != "zero":
            raise InputError(f"{field} must be under zero: a torus has no corner")
        return [Entry(Board((q, q), "torus8"), rule) for q in _sides(field, sides, 5)]
    times = 2 if family == "doubles" else 1
    return [Entry(Board((q, times * q)), rule) for q in _sides(field, sides, 4)]


def _keys(where: str, values: Any, keys: Sequence[str]) -> Mapping[str, Any]:
    found = set(values) if isinstance(values, dict) else set()
    if found != set(keys):
        raise InputError(
            f"{where}: keys must be {', '.join(keys)}, not {shown(sorted(map(str, found)))}"
        )
    return values


def _some(where: str, values: Any, keys: Iterable[Any]) -> dict[Any, Any]:
    """Return those of the keys that there are, in the order of `keys`."""
    known = list(keys)
    found = list(values) if isinstance(values, dict) else [values]
    for key in found:
        if not isinstance(values, dict) or key not in known:
            raise InputError(
                f"{where}: key {shown(key)} must be one of {', '.join(map(str, known))}"
            )
    return {key: values[key] for key in known if key in found}


def _sides(field: str, values: Any, least: int) -> tuple[int, ...]:
    if not isinstance(values, list):
        raise InputError(f"{field}={shown(values)} must be a list of sides")
    return tuple(sorted({integer(field, side, least, _LONGEST) for side in values}))


def _densities(field: str, values: Any) -> tuple[float, ...]:
    if not isinstance(values, list) or not values:
        raise InputError(f"{field}={shown(values)} must be a list of densities, not empty")
    return tuple(sorted({_real(field, value, 0, 1) for value in values}))


def _real(field: str, value: Any, low: float, high: float) -> float:
    try:
        number = float(value)  # YAML takes 5e9 for text
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if isinstance(value, bool) or not low < number < high:
        raise InputError(f"{field}={shown(value)} must be a number between {low:g} and {high:g}")
    return number


def _games(field: str, value: Any) -> int:
    return integer(field, value, _GAMES_MULTIPLE, MOST_GAMES)


def _whole(games: float) -> int:
    """Return the games rounded up to a multiple of 100."""
    return _GAMES_MULTIPLE * max(1, -int(-games // _GAMES_MULTIPLE))
