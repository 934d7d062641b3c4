"""What the study of perfect play counts and plays: boards, players, first clicks, the ladder."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    model_validator,
)

from msdensity.errors import InputError
from msdensity.games.boards import Board, Rules
from msdensity.games.exact import why_not_exact
from msdensity.games.tasks import MAX_SEED, Task
from msdensity.players.registry import label
from msdensity.runs.settings import (
    Allowed,
    BoardName,
    Games,
    Keys,
    Name,
    exactly,
    read_player,
    read_settings,
    whole,
)

RULES = Rules("corner", "safe")
"""Where every game starts: as in paper 001."""

SMALL, LATTICES = "small", "lattices"
"""The parts of the boards that share a job; each other board is a part by its name."""

SMALL_CELLS = 18
"""Boards with at most so many cells take seconds."""

MAX_CELLS = 25
"""Of a board: all its layouts are played."""

OPTIMAL_CELLS = 20
"""Most cells of a board on which the player `optimal` searches (players/optimal.py)."""

MAPS = {"mines": 12, "quantile": 0.97}
"""The maps of first clicks: their most mines, and the quantile at which their colours end."""

Entry = Annotated[
    tuple[str, Mapping[str, str]],
    Allowed("keys and values, such as {player: weighted, ties: random}", read_player),
]


def _each_once(values: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(set(values)) < len(values):
        raise InputError("must not hold a value twice")
    return values


def _few_cells(boards: tuple[Board, ...]) -> tuple[Board, ...]:
    for board in boards:
        if not 2 <= board.cells <= MAX_CELLS:
            raise InputError(f"{board.name} must have 2..{MAX_CELLS} cells")
    return _each_once(boards)


def _each_player_once(players: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple({label(*player): player for player in players}.values())


Mines = Annotated[int, whole(1, MAX_CELLS - 1)]
Boards = Annotated[tuple[BoardName, ...], AfterValidator(_few_cells)]
Players = Annotated[tuple[Entry, ...], Field(min_length=1), AfterValidator(_each_player_once)]


class Settings(Keys):
    """The boards, players and first clicks whose win rates are counted exactly, and the ladder."""

    study: Annotated[str, exactly("perfect")]
    """The study that these settings are of."""
    name: Name = "perfect"
    """Names the study's folders."""
    seed: Annotated[int, whole(0, MAX_SEED)]
    """Seed of the games of players whose win rates are not counted."""
    cells: Annotated[int, whole(2, 20)]
    """All boards p x q, p <= q, of 2 up to so many cells, with every number of mines."""
    boards: Boards = ()
    """Further boards, with every number of mines."""
    known: dict[BoardName, Annotated[tuple[Mines, ...], Field(min_length=1)]] = Field({})
    """For some of these boards numbers of mines whose search takes long: their values are those of
    the table that the package ships. `snakemake known_values` searches them."""
    lattices: Boards = ()
    """Boards of other topologies, or files of neighbours, with every number of mines."""
    players: Players
    """Players whose win rates are counted on all of these boards."""
    click_cells: Annotated[int, whole(2, 20)]
    """Every first click is searched on boards p x q of 2 up to so many cells."""
    click_boards: Boards = ()
    """Further boards p x q on which it is."""
    ladder_boards: Annotated[Boards, Field(min_length=1)]
    """Boards of the ladder, of those above."""
    ladder_players: Players
    """Further players of the ladder."""
    exact_layouts: Annotated[int, whole(1, 6_000_000)]
    """Their win rate is counted with up to so many layouts, else they play games."""
    games: Games
    """Games for each board and number of mines of a player that is not counted."""

    _files: dict[str, str] = PrivateAttr({})
    """Names of boards of `lattices`, and those of their files."""

    @model_validator(mode="wrap")
    @classmethod
    def _with_files(cls, values: Any, handler: ModelWrapValidatorHandler[Settings]) -> Settings:
        made = handler(values)
        texts = [str(text) for text in values.get("lattices", ())]
        pairs = zip(texts, made.lattices, strict=True)
        made._files = {b.name: Path(text).stem for text, b in pairs if text.endswith(".json")}
        return made

    @model_validator(mode="after")
    def _can_be_counted(self) -> Settings:
        names = self.all_boards()
        for name, options in self.players:
            for board in names.values():
                if why := why_not_exact(Task(board, 1, name, options, RULES)):
                    raise InputError(f"players: {why}")
        for board in self.click_boards:
            if board != board.canonical() or board.topology != "square8":
                raise InputError(f"click_boards: {board.name} must be p x q with p <= q")
        for board in self.ladder_boards:
            if board.cells < 3:
                raise InputError(f"ladder_boards: {board.name} must have at least 3 cells")
            if board.name not in names:
                raise InputError(f"ladder_boards: {board.name} must be one of {', '.join(names)}")
        return self

    def all_boards(self) -> dict[str, Board]:
        """Return the boards p x q by name, those with few cells first, and then the lattices."""
        own = [*rectangles(self.cells), *self.boards]
        ranked = sorted(own, key=lambda board: (board.cells, board.shape))
        return {board.name: board for board in (*ranked, *self.lattices)}

    def file_names(self) -> dict[str, str]:
        """Return by the name of a board of `lattices` that of the file of neighbours it is from."""
        return dict(self._files)

    def known_parts(self) -> dict[str, tuple[Board, int]]:
        """Return the boards and mines of `known` by the job that searches them."""
        return {f"{b.name}.{m}": (b, m) for b, mines in self.known.items() for m in mines}

    def parts(self) -> dict[str, list[Board]]:
        """Return the boards by the job that counts them."""
        lattices = set(self.lattices)
        parts: dict[str, list[Board]] = {}
        for name, board in self.all_boards().items():
            small = SMALL if board.cells <= SMALL_CELLS else name
            parts.setdefault(LATTICES if board in lattices else small, []).append(board)
        return parts

    def click_parts(self) -> dict[str, list[Board]]:
        """Return the boards whose first clicks are searched by the job that does it."""
        parts: dict[str, list[Board]] = {}
        for board in dict.fromkeys((*rectangles(self.click_cells), *self.click_boards)):
            parts.setdefault(SMALL if board.cells <= SMALL_CELLS else board.name, []).append(board)
        return parts

    def ladder(self) -> dict[str, Board]:
        """Return the boards of the ladder by name; each has a job."""
        return {board.name: board for board in self.ladder_boards}

    def counted(self) -> dict[str, tuple[str, Mapping[str, str]]]:
        """Return by label the players that are counted on all boards."""
        return {label(*player): player for player in self.players}

    def others(self) -> dict[str, tuple[str, Mapping[str, str]]]:
        """Return by label the other players of the ladder."""
        own = {label(*player): player for player in self.ladder_players}
        return {name: player for name, player in own.items() if name not in self.counted()}

    def tasks(self, board: Board, player: tuple[str, Mapping[str, str]]) -> list[Task]:
        """Return the tasks of a board and player, one for each number of mines."""
        name, options = player
        mines = range(1, board.cells)
        return [Task(board, m, name, options, RULES, self.seed) for m in mines]


def rectangles(cells: int) -> list[Board]:
    """Return the boards p x q, p <= q, of 2 up to so many cells."""
    sides = range(1, cells + 1)
    return [Board((p, q)) for p in sides for q in range(p, cells + 1) if 2 <= p * q <= cells]


load_settings = partial(read_settings, Settings, what="settings")
"""Return the settings in a YAML file or a mapping; InputError for a key or value not allowed."""
