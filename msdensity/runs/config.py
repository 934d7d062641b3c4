"""A configuration file -> one frozen value, or one error that says what is wrong with it."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    Field,
    StrictStr,
    TypeAdapter,
    ValidationInfo,
    field_validator,
    model_validator,
)

from msdensity.errors import InputError, shown
from msdensity.files.text import read_yaml
from msdensity.games.boards import MAX_CELLS, Board, Rules, most_mines, named_board, require_room
from msdensity.games.tasks import Task
from msdensity.kernel.limits import check_board, check_memory
from msdensity.kernel.names import FIRST_ZEROS
from msdensity.players.registry import label
from msdensity.runs.jobs import TASK_BYTES, games_per_job
from msdensity.runs.settings import (
    Allowed,
    BoardName,
    FirstClick,
    Games,
    Keys,
    Name,
    Seed,
    Start,
    check_keys,
    exactly,
    read_player,
    read_settings,
    whole,
)
from msdensity.stats.models import MODELS, load_model

STUDIES = {
    "reproduction": "reproduction",
    "players": "published_players",
    "asymptotics": "asymptotics",
    "densities": "densities",
    "clicks": "clicks",
    "patterns": "patterns",
    "percolation": "percolation",
    "topologies": "topologies",
    "definitions": "definitions",
    "difficulty": "difficulty",
    "perfect": "perfect",
}
"""The studies with settings of their own, each with the name that its folder in msdensity/studies
and its rules in workflow/rules have. A study's name is the value of the key `study` in its settings
and the target that makes its page; workflow/config/{study}.yaml holds its settings."""

PAPER = "paper"
"""The study whose settings are the configuration."""

RESERVED = (*sorted(STUDIES), "published", "readme")
"""Names of folders that exist already, or that other targets write."""

MAX_BOARDS = 10_000
"""Boards of one configuration; each is a job."""

MAX_JOBS = 100_000
"""Jobs of one board and player."""


_MINES = TypeAdapter(
    dict[BoardName, Annotated[tuple[Annotated[int, whole(1, MAX_CELLS)], ...], Field(min_length=1)]]
)


def _mines(value: Any) -> tuple[tuple[Board, tuple[int, ...]], ...]:
    """Return the boards, sorted, each once, with rising numbers of mines."""
    by_board: dict[Board, set[int]] = {}
    for board, mines in _MINES.validate_python(value).items():
        # The study compares a corner, an edge and an inner cell, with 3, 5 and 8 neighbours, and
        # the text's inference is written for such boards.
        if board.topology != "square8" or min(board.shape) < 3:
            raise InputError(
                f"{board.name} must be a board of at least 3x3 cells, topology square8"
            )
        # 3x4 and 4x3 are one board.
        known = by_board.setdefault(board.canonical(), set())
        known.update(Task(board, m).mines for m in mines)
    if not by_board:
        raise ValueError
    ranked = sorted(by_board.items(), key=lambda item: item[0].shape)
    return tuple((board, tuple(sorted(mines))) for board, mines in ranked)


class Study(Keys):
    """Boards, each with some numbers of mines, and the games to play for each."""

    games: Annotated[int, whole(1, 10**9)]
    """Games for each board and number of mines, and for each first cell."""
    mines: Annotated[
        tuple[tuple[Board, tuple[int, ...]], ...],
        Allowed("boards, each with a list of numbers of mines", _mines),
    ]
    """For each board, such as 8x8, a list of numbers of mines."""


def _rising(ends: tuple[int, ...]) -> tuple[int, ...]:
    if ends[0] > ends[1]:
        raise ValueError("must be in rising order")
    return ends


Range = Annotated[
    tuple[Annotated[int, whole(1, 1000)], ...],
    Field(min_length=2, max_length=2),
    AfterValidator(_rising),
]


class BoardRange(Keys):
    """All boards p <= q of a range, except 1x1, which holds no mine."""

    p: Range
    """First and last number of rows."""
    q: Range
    """First and last number of columns."""

    def boards(self) -> Iterator[Board]:
        """Yield the boards, by p and q."""
        for p in range(self.p[0], self.p[1] + 1):
            for q in range(max(p, self.q[0], 2), self.q[1] + 1):
                yield Board((p, q))


def _boards(entry: Any) -> Iterable[Board]:
    if isinstance(entry, Mapping):
        board_range = BoardRange.model_validate(entry)
        if next(board_range.boards(), None) is None:
            raise InputError(f"{shown(entry)} must hold a board with p <= q and at least 2 cells")
        return board_range.boards()
    board = named_board(entry)
    if board.cells < 2:
        raise InputError(f"{shown(entry)} must have at least 2 cells to hold a mine")
    return [board]


BoardsEntry = Annotated[
    Board, Allowed("rows x columns, such as 4x5, or {p: [1, 10], q: [1, 10]}", _boards)
]
PlayersEntry = Annotated[
    tuple[str, Mapping[str, str]],
    Allowed("keys and values, such as {player: weighted, ties: random}", read_player),
]


STUDY_FILES = {study: f"workflow/config/{study}.yaml" for study in STUDIES}
"""The settings of each study, unless `studies` names another file."""

_PATHS = TypeAdapter(dict[str, StrictStr])


def _study_files(value: Any) -> dict[str, str]:
    """Return the path of each study's settings, the usual one where none is given."""
    paths = _PATHS.validate_python(value)
    check_keys(paths, STUDIES)
    return STUDY_FILES | paths


def _model(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError
    load_model(value)
    return value


ModelName = Annotated[str, Allowed(f"one of {', '.join(MODELS)} or package.module:name", _model)]


def _once(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


_BACKEND = (
    "threading, or left out: for more than one machine use an executor of Snakemake, as"
    " docs/how-to/cluster.md says"
)


def _backend(value: Any) -> str:
    if value != "threading":
        raise ValueError
    warnings.warn("the key backend has no effect: leave it out", FutureWarning, stacklevel=2)
    return "threading"


def _which_mines(value: Any) -> str:
    if value not in ("all", "near_half"):
        raise ValueError
    return str(value)


class Config(Keys):
    """What to play, and how many games: each board once, sorted."""

    study: Annotated[str, exactly(PAPER)] = PAPER
    """The study that these settings are of."""
    name: Name
    """Names the folders data/{name} and figures/{name}. There is no default, and published, readme
    and the names of the other studies are not allowed, so that two configurations never share a
    folder by mistake."""
    seed: Seed = 0
    """Seed of every board and of every random choice of a player."""
    games: Games = 1000
    """Games for each board, player and number of mines. A total: raising it plays only the
    difference; lowering it plays nothing, and tables keep using all games."""
    first_click: FirstClick = "corner"
    """Where the game starts."""
    start: Start = "safe"
    """What the first click is promised: safe (it is no mine), zero (nor is any neighbour),
    unprotected (nothing), or first_zero: it is the first cell that shows 0 on a board that is dealt
    unprotected, scanned by rows; first_zero_by_columns scans by columns. These two leave
    first_click at corner: a board without a 0 starts there, unprotected."""
    boards: Annotated[tuple[BoardsEntry, ...], Field(min_length=1)] = Field(
        default=[{"p": [1, 10], "q": [1, 10]}], validate_default=True
    )
    """The boards, each with every number of mines 0 < m < pq. A board and its transpose are one
    board. Each entry is rows x columns (4x5-torus8 for another topology; data/README.md lists
    them), or a file of neighbours, such as ring.json, or a range: the first and last p and q, for
    all p <= q in it except 1x1, which holds no mine. By default all p <= q <= 10, as in the
    paper."""
    mines: Annotated[str, Allowed("one of all, near_half", _which_mines)] = "all"
    """Numbers of mines to play: all, or near_half, those with about .02 < W < .98 in a pilot, which
    makes large boards several times cheaper. The density at which half the games are won and the
    steep part of a curve need no others; the critical density P is then fitted to these alone."""
    players: Annotated[tuple[PlayersEntry, ...], Field(min_length=1)] = Field(
        default=[{"player": "weighted"}], validate_default=True
    )
    """The players, all on the same boards: each with its options, which are listed below."""
    batch: Annotated[int, whole(1, 10**9)] = 1000
    """Games between two checkpoints of one board and number of mines. No result depends on it."""
    games_per_job: Games | None = None
    """Games for every number of mines in one job; a board with more games is split into several
    jobs. By default as many as keep one core busy for about an hour. No result depends on it."""
    bootstrap: Annotated[int, whole(0, 10**6)] = 200
    """Replicates of the parametric bootstrap behind the spread of each fit; 0 for none."""
    exact_cells: Annotated[int, whole(0, 36)] = 20
    """The most cells of a board whose win rates are also counted exactly, over all layouts, if the
    player's moves follow from what it sees or its draws can be counted; 0 for none. Tables, fits
    and figures then use the exact ones. Each cell more doubles the layouts: a board of 20
    cells takes seconds, one of 25 up to minutes."""
    models: Annotated[tuple[ModelName, ...], Field(min_length=1), AfterValidator(_once)] = (
        "logistic",
    )
    """The models fitted to every win-rate curve. Tables and figures use the first; models.csv
    compares all, and the figure of win rates draws them. Your own model is package.module:name,
    searched from the folder in which Snakemake runs (docs/how-to/fit-model.md)."""
    first_click_study: Study | None = None
    """Win rates by the place of the first cell, and how often it shows 0 (paper, section 5). By
    default nothing is played. The player is weighted with ordered ties."""
    inference_study: Study | None = None
    """Certain cells that the inference of the paper's text misses (target `inference`). By default
    nothing is played."""
    studies: Annotated[
        Mapping[str, str],
        Allowed(f"a path for some of {', '.join(STUDIES)}", _study_files),
    ] = Field(default={}, validate_default=True)
    """The settings of the other studies: a path for each, from the folder in which Snakemake runs;
    by default workflow/config/{study}.yaml. The key `name` in these settings, by default the name
    of the study, names the study's folders."""
    backend: Annotated[str, Allowed(_BACKEND, _backend)] = "threading"
    """Has no effect: leave it out."""

    @property
    def rules(self) -> Rules:
        """How each game starts."""
        return Rules(self.first_click, self.start)

    @field_validator("boards")
    @classmethod
    def _each_board_once(cls, entries: Any, info: ValidationInfo) -> tuple[Board, ...]:
        boards = list(islice(chain.from_iterable(entries), MAX_BOARDS + 1))
        if len(boards) > MAX_BOARDS:
            raise ValueError(f"must stand for at most {MAX_BOARDS:,} boards")
        first_click = info.data.get("first_click", "corner")
        start = info.data.get("start", "safe")
        # Turning a board over would move such a first click to another cell.
        fixed = f"first_click={first_click}" if Rules(first_click).first_cell is not None else ""
        fixed = f"start={start}" if start in FIRST_ZEROS else fixed
        for board in boards:
            if fixed and board != board.canonical():
                raise InputError(f"{board.name} must have p <= q with {fixed}")
        once = {board.canonical() for board in boards}
        return tuple(sorted(once, key=lambda board: (board.shape, board.topology)))

    @field_validator("players")
    @classmethod
    def _each_player_once(cls, players: Any) -> tuple[tuple[str, Mapping[str, str]], ...]:
        return tuple({label(*player): player for player in players}.values())

    @model_validator(mode="after")
    def _boards_can_be_played(self) -> Config:
        for board in self.boards:
            # A first cell that a small board does not have must be an error before anything plays.
            Task(board, 1, *self.players[0], self.rules, self.seed)
            check_board(board.shape, board.topology)
            what = f"boards: {board.name} with all its numbers of mines"
            check_memory(what, board.cells * TASK_BYTES)
            size = self.games_per_job or min(games_per_job(board, name) for name, _ in self.players)
            if self.games > MAX_JOBS * size:
                raise InputError(
                    f"games={self.games} of board {board.name}, {size} in a job, must be at most"
                    f" {MAX_JOBS:,} jobs"
                )
            # Checked for small boards only, because only they can lack such a cell or have no room.
            if self.first_click.startswith("random_") and min(board.shape) < 3:
                from msdensity.kernel.topology import first_cells

                first_cells(board.shape, self.first_click)  # refuses a board without such a cell
            require_room(board, self.rules)
        return self

    @property
    def board_names(self) -> tuple[str, ...]:
        """The boards by the names that file names use."""
        return tuple(board.name for board in self.boards)

    @property
    def labels(self) -> tuple[str, ...]:
        """The players by the labels that file names use."""
        return tuple(label(name, options) for name, options in self.players)

    def tasks(self, board: Board | str, player: str | tuple[str, Mapping[str, str]]) -> list[Task]:
        """Return the tasks of a board and a player (or their names), one for each 0 < m < pq.

        With start zero the protected cells limit m. Raises InputError if the configuration does not
        name the board or the player.
        """
        board, name, options = self._find(board, player)
        return [
            Task(board, mines, name, options, self.rules, self.seed)
            for mines in range(1, most_mines(board, self.rules) + 1)
        ]

    def tasks_to_play(
        self, board: Board | str, player: str | tuple[str, Mapping[str, str]]
    ) -> list[Task]:
        """Return those of `tasks` that the key `mines` selects; near_half plays its pilot."""
        tasks = self.tasks(board, player)
        if self.mines == "all":
            return tasks
        from msdensity.runs.near_half import near_half

        return near_half(tasks)

    def first_games(self, board: Board | str, player: str) -> range:
        """Return the first game of each job that plays a board; one job, of game 0, if it is small.

        `games` decides only how many jobs a board has. Raises InputError as `tasks` does.
        """
        known, name, _ = self._find(board, player)
        return range(0, self.games, self.games_per_job or games_per_job(known, name))

    def _find(
        self, board: Board | str, player: str | tuple[str, Mapping[str, str]]
    ) -> tuple[Board, str, Mapping[str, str]]:
        known = named_board(board)
        if known not in self.boards:
            raise InputError(f"board={known.name} must be one of {', '.join(self.board_names)}")
        by_label = dict(zip(self.labels, self.players, strict=True))
        key = player if isinstance(player, str) else label(*player)
        if key not in by_label:
            raise InputError(f"player={key} must be one of {', '.join(by_label)}")
        return known, *by_label[key]


def load_config(source: str | os.PathLike[str] | Mapping[str, Any]) -> Config:
    """Return the configuration in a YAML file, or in the mapping read from one.

    Keys left out take their default; docs/reference/config.md describes them all. Raises InputError
    for an unknown key or a value that is not allowed, before anything is played.
    """
    config = read_settings(Config, source, "config")
    if config.name.lower() in RESERVED:
        raise InputError(
            f"name={config.name!r} must be none of {', '.join(RESERVED)}, whose folders hold"
            " other results"
        )
    return config


def study_of(values: Mapping[str, Any]) -> str:
    """Return the study that settings are of: PAPER or one of STUDIES; else InputError."""
    study: Any = values.get("study", PAPER)
    if study not in (PAPER, *STUDIES):
        raise InputError(f"study={shown(study)} must be one of {', '.join((PAPER, *STUDIES))}")
    return str(study)


def check_file(path: str | os.PathLike[str]) -> None:
    """Raise InputError for a YAML file with a key given twice or a number of another base.

    Snakemake reads the file itself and keeps the last of two keys. JSON is left to it.
    """
    if not os.fspath(path).endswith(".json"):
        read_yaml(path, os.fspath(path))


def check_folders(config: Config, names: Mapping[str, str]) -> None:
    """Raise InputError where a study's folder is that of the configuration or of another study.

    names: the name that each study gives its folders, by study (STUDY_FILES).
    """
    for study, name in names.items():
        if name == study:
            continue  # a reserved name, which nothing else can have
        taken = [folder for folder in RESERVED if folder != study]
        taken += [config.name, *(names[other] for other in names if other != study)]
        # Folders that differ in case alone are one on some disks.
        if name.lower() in map(str.lower, taken):
            raise InputError(
                f"studies.{study}: name={name!r} in {config.studies[study]} must be none of"
                f" {', '.join(sorted(set(taken)))}, whose folders hold other results"
            )
