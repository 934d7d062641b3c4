"""What the study of first clicks plays: boards with numbers of mines, games, and replays."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, NamedTuple

from pydantic import ValidationInfo, field_validator

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.tasks import MAX_SEED, Task
from msdensity.kernel.limits import MAX_GAMES
from msdensity.runs.config import Study
from msdensity.runs.settings import Keys, Name, exactly, read_settings, whole

STARTS = ("safe", "zero")
"""What the first click is promised."""

PLAYER, OPTIONS = "weighted", {"ties": "random"}
"""With ties at random, the player treats all cells that symmetry exchanges alike."""

SLOPE_SEED, LAYOUT_SEED = 1, 2
"""Added to the seed, so that no two parts of the study share a game."""

MAX_REPLAYS = 1000

MAX_KEPT = 1_000_000
"""Games of one first cell, and layouts: the end of each is kept."""

PROTECTED = 9
"""Most cells that the zero start keeps free of mines."""


class Map(NamedTuple):
    """A board with mines and what the first click is promised; every cell is a first click."""

    board: Board
    mines: int
    start: str

    @property
    def name(self) -> str:
        """The name that files use, such as 9x9.10.safe."""
        return f"{self.board.name}.{self.mines}.{self.start}"

    @property
    def step(self) -> int:
        """Mines less and more, about 1 % of the cells, with which the slope is measured."""
        return max(1, round(self.board.cells / 100))

    def task(self, first_click: str, seed: int, more: int = 0) -> Task:
        """Return the task of a first click, with some more mines."""
        rules = Rules(first_click, self.start)
        return Task(self.board, self.mines + more, PLAYER, OPTIONS, rules, seed)


class Settings(Keys):
    """The maps of first clicks, and the layouts that are replayed."""

    study: Annotated[str, exactly("clicks")]
    """The study that these settings are of."""
    name: Name = "clicks"
    """Names the study's folders."""
    seed: Annotated[int, whole(0, MAX_SEED - LAYOUT_SEED - MAX_REPLAYS)]
    """Seed of every board and of every random choice of the player."""
    maps: Study
    """Boards and numbers of mines of which every cell is a first click, with the safe and the zero
    start, and the games for each first cell."""
    slope_games: Annotated[int, whole(100, MAX_GAMES)]
    """Games from the corner with a few mines less, and as many with a few more, for each map: how
    fast the win rate falls."""
    layouts: Study
    """Boards and numbers of mines whose layouts are replayed; `games` is the number of layouts."""
    replays: Annotated[int, whole(2, MAX_REPLAYS)]
    """Games on each layout, with other random choices of the player."""

    @field_validator("maps", "layouts")
    @classmethod
    def _small_enough(cls, value: Study, info: ValidationInfo) -> Study:
        if value.games > MAX_KEPT:
            raise InputError(f"{info.field_name}.games={value.games} must be at most {MAX_KEPT:,}")
        if info.field_name == "layouts" and value.games < 2:
            raise InputError(f"layouts.games={value.games} must be at least 2, to have a variance")
        if info.field_name == "maps":
            for each in _maps(value):
                # Room for the protected cells, and for the slope on both sides.
                low, high = each.step + 1, each.board.cells - PROTECTED - each.step
                if low > high:
                    raise InputError(
                        f"maps: board {each.board.name} is too small for a zero start with other"
                        " numbers of mines"
                    )
                if not low <= each.mines <= high:
                    raise InputError(
                        f"maps.mines={each.mines} of {each.board.name} must be in {low}..{high}"
                    )
        return value

    def parts(self) -> dict[str, Map]:
        """Return the maps by their names, each a job."""
        return {each.name: each for each in _maps(self.maps)}


def _maps(study: Study) -> Iterator[Map]:
    for board, mines in study.mines:
        yield from (Map(board, m, start) for m in mines for start in STARTS)


load_settings = partial(read_settings, Settings, what="settings")
"""Return the settings in a YAML file or a mapping; InputError for a key or value not allowed."""
