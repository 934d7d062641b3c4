"""What the study of difficulty plays: boards, starts, mine densities, and wanted win rates."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from msdensity.errors import InputError
from msdensity.games.boards import LEVELS, Board, Rules, most_mines
from msdensity.games.difficulty import BY_RULES
from msdensity.games.tasks import MAX_SEED
from msdensity.players.registry import PLAYERS
from msdensity.runs.settings import (
    Allowed,
    BoardName,
    FirstClick,
    Games,
    Keys,
    Name,
    Start,
    exactly,
    one_of,
    read_settings,
    real,
    rising,
    whole,
)
from msdensity.stats.rho50.curve import RATES, check_rate

CLASS_SEED, SPOT_SEED = 0, 1
"""Added to the seed, so that the counts and the sweet spots share no board."""

GUESSERS = tuple(name for name, player in PLAYERS.items() if player.guesses)


def _once(values: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(set(values)) < len(values):
        raise InputError("must not hold a value twice")
    return values


WinRate = Annotated[float, Allowed(f"a number in {RATES[0]}..{RATES[1]}", check_rate)]


class Settings(Keys):
    """The boards whose games are counted by what they take, and the sweet spots."""

    study: Annotated[str, exactly("difficulty")]
    """The study that these settings are of."""
    name: Name = "difficulty"
    """Names the study's folders."""
    seed: Annotated[int, whole(0, MAX_SEED - max(CLASS_SEED, SPOT_SEED))]
    """Seed of every board and of every random choice of a player."""
    starts: Annotated[dict[FirstClick, Start], Field(min_length=1)]
    """For each first click what it promises; the page speaks of the first one most."""
    games: Annotated[dict[BoardName, Games], Field(min_length=1)]
    """For each board the games with each number of mines."""
    densities: Annotated[
        tuple[Annotated[float, real(0, 1)], ...], Field(min_length=1), AfterValidator(rising)
    ]
    """Mine densities; a board gets the nearest numbers of mines."""
    level_games: Games
    """Games of a level (beginner, intermediate, expert) with its mines, if its board is there."""
    spot_boards: Annotated[tuple[BoardName, ...], Field(min_length=1), AfterValidator(_once)]
    """Boards whose sweet spots are found."""
    win_rates: Annotated[tuple[WinRate, ...], Field(min_length=1), AfterValidator(rising)]
    """Wanted win rates of the sweet spots."""
    rules: Annotated[
        tuple[Annotated[str, one_of(BY_RULES)], ...],
        Field(min_length=1),
        AfterValidator(_once),
    ]
    """Sets of rules that solve boards without a guess; count: with the number of mines too."""
    players: Annotated[
        tuple[Annotated[str, one_of(GUESSERS)], ...],
        Field(min_length=1),
        AfterValidator(_once),
    ]
    """Players that may guess."""
    error: Annotated[float, real(0, 1)]
    """Wanted standard error of the density of each sweet spot."""

    def start_rules(self) -> list[Rules]:
        """Return the starts, in their order."""
        return [Rules(first_click, start) for first_click, start in self.starts.items()]

    def boards(self) -> dict[str, Board]:
        """Return the boards whose games are counted by name, in their order; each has a job."""
        return {board.name: board for board in self.games}

    def boards_of_spots(self) -> dict[str, Board]:
        """Return the boards whose sweet spots are found by name; each has a job."""
        return {board.name: board for board in self.spot_boards}

    def mines(self, board: Board, rules: Rules) -> dict[int, int]:
        """Return the numbers of mines that are played on a board, rising, and the games of each."""
        most = most_mines(board, rules)
        wanted = {min(max(round(rho * board.cells), 1), most) for rho in self.densities}
        games = dict.fromkeys(wanted, self.games[board])
        games |= {m: self.level_games for name, m in LEVELS.values() if name == board.name}
        return dict(sorted(games.items()))


load_settings = partial(read_settings, Settings, what="settings")
"""Return the settings in a YAML file or a mapping; InputError for a key or value not allowed."""
