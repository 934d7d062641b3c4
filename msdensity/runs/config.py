"""A configuration file -> one frozen value, or one error that says what is wrong with it."""

from __future__ import annotations

import difflib
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import jsonschema
import yaml

from msdensity.errors import InputError, printable, shown
from msdensity.files.text import NAME_RULE, check_name, check_plain, read_yaml
from msdensity.games.boards import Board, Rules, most_mines
from msdensity.games.tasks import Task
from msdensity.kernel.limits import MOST_NEIGHBOURS, check_board, check_memory
from msdensity.players.registry import label, resolve
from msdensity.runs.jobs import BACKENDS, TASK_BYTES, games_per_job

STUDIES = ("first_click_study", "inference_study")

STUDY_FILES = {
    "reproduction": "workflow/config/reproduction.yaml",
    "players": "workflow/config/players.yaml",
    "asymptotics": "workflow/config/asymptotics.yaml",
}
"""The settings of each study whose target has its name, unless `studies` names another file."""

RESERVED = ("asymptotics", "players", "published", "readme", "reproduction")
"""Names of folders that are there already, or that other targets write."""

MOST_BOARDS = 10_000
"""That one configuration may stand for; each is a job."""

MOST_JOBS = 100_000
"""Of a board and player."""


@dataclass(frozen=True)
class Study:
    """Boards with some numbers of mines each, rising, and the games to play of each."""

    games: int
    mines: tuple[tuple[Board, tuple[int, ...]], ...]


@dataclass(frozen=True)
class Config:
    """What to play, checked: boards canonical, sorted, each once; players with all options.

    games, batch: at least 1; bootstrap: at least 0; seed: 0..2^63 - 1; studies: the path of the
    settings of every study of STUDY_FILES.
    """

    name: str
    seed: int
    games: int
    boards: tuple[Board, ...]
    players: tuple[tuple[str, Mapping[str, str]], ...]
    rules: Rules
    batch: int = 1000
    games_per_job: int | None = None
    backend: str = "threading"
    bootstrap: int = 200
    first_click_study: Study | None = None
    inference_study: Study | None = None
    studies: Mapping[str, str] = field(default_factory=lambda: dict(STUDY_FILES))

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

        Under the zero start m ends where the protected cells leave no room for more. Raises
        InputError if the configuration does not name them.
        """
        board, name, options = self._find(board, player)
        return [
            Task(board, mines, name, options, self.rules, self.seed)
            for mines in range(1, most_mines(board, self.rules) + 1)
        ]

    def first_games(self, board: Board | str, player: str) -> range:
        """Return the first game of each job that plays a board; one job, of game 0, if it is small.

        The jobs of a board do not depend on `games`, but in their number. InputError as by `tasks`.
        """
        found, name, _ = self._find(board, player)
        return range(0, self.games, self.games_per_job or games_per_job(found, name))

    def _find(
        self, board: Board | str, player: str | tuple[str, Mapping[str, str]]
    ) -> tuple[Board, str, Mapping[str, str]]:
        if isinstance(board, str):
            board = Board.parse(board)
        if board not in self.boards:
            raise InputError(f"board={board.name} must be one of {', '.join(self.board_names)}")
        by_label = dict(zip(self.labels, self.players, strict=True))
        key = player if isinstance(player, str) else label(*player)
        if key not in by_label:
            raise InputError(f"player={key} must be one of {', '.join(by_label)}")
        return board, *by_label[key]


def load_config(
    source: str | os.PathLike[str] | Mapping[str, Any], *, reserved: Collection[str] = RESERVED
) -> Config:
    """Return the configuration in a YAML file, or in the mapping read from one.

    Keys left out take the default of config.schema.yaml, which describes them all; the name is
    none of `reserved` (empty for a study, whose own the folder is). Raises InputError for an
    unknown key or a value that is not allowed, before anything is played.
    """
    if isinstance(source, Mapping):
        values = dict(source)
        check_plain(values, "config")
    else:
        values = _read(source)
    _check_schema(values)
    for key, rule in _schema()["properties"].items():
        if "default" in rule:
            values.setdefault(key, rule["default"])
    check_name(values["name"])  # "$" of a JSON schema's pattern lets a line end pass
    if values["name"].lower() in reserved:
        raise InputError(
            f"name={values['name']!r} must be none of {', '.join(reserved)}, whose folders hold"
            " other results"
        )
    rules = Rules(values["first_click"], values["start"])
    config = Config(
        name=values["name"],
        # JSON counts 1000.0 as a whole number.
        seed=int(values["seed"]),
        games=int(values["games"]),
        boards=_boards(values["boards"], rules),
        players=_players(values["players"]),
        rules=rules,
        batch=int(values["batch"]),
        games_per_job=int(values["games_per_job"]) if "games_per_job" in values else None,
        backend=_backend(values["backend"]),
        bootstrap=int(values["bootstrap"]),
        **{name: _study(name, values[name]) for name in STUDIES if name in values},
        studies=STUDY_FILES | values["studies"],
    )
    # A first cell beyond the end of the smallest board must not wait for that board's turn.
    for board in config.boards:
        Task(board, 1, *config.players[0], rules, config.seed)
        _check_size(board, config)
        # Only small boards can lack such a cell, or have no room; the others would take long.
        if rules.first_click.startswith("random_") and min(board.shape) < 3:
            from msdensity.kernel.topology import first_cells

            first_cells(board.shape, rules.first_click)  # refuses a board without such a cell
        if board.cells <= MOST_NEIGHBOURS + 1 and most_mines(board, rules) < 1:
            raise InputError(
                f"boards: {board.name} must have room for a mine outside the cells that"
                f" start={rules.start} with first_click={rules.first_click} protects"
            )
    return config


def check_folders(config: Config, names: Mapping[str, str]) -> None:
    """Raise InputError where a study's folder is that of the configuration or of another study.

    names: the name that each study gives its folders, by study (STUDY_FILES).
    """
    for study, name in names.items():
        if name == study:
            continue  # no other may have it
        taken = [folder for folder in RESERVED if folder != study]
        taken += [config.name, *(names[other] for other in names if other != study)]
        # Folders that differ in case alone are one on some disks.
        if name.lower() in map(str.lower, taken):
            raise InputError(
                f"studies.{study}: name={name!r} in {config.studies[study]} must be none of"
                f" {', '.join(sorted(set(taken)))}, whose folders hold other results"
            )


def _read(path: str | os.PathLike[str]) -> dict[str, Any]:
    if not isinstance(path, str | os.PathLike):  # open() takes a number for a file that is open
        raise InputError(f"config={shown(path)} must be a path or keys and values")
    what = printable(f"config {os.fspath(path)}")
    values = read_yaml(path, what)
    if not isinstance(values, dict):
        raise InputError(f"{what} must hold keys and values, as paper.yaml does")
    return values


def _check_size(board: Board, config: Config) -> None:
    """Raise InputError where a board, or the number of its jobs, is too large."""
    check_board(board.shape, board.topology)
    names = [name for name, _ in config.players]
    sizes = [config.games_per_job or games_per_job(board, name) for name in names]
    check_memory(f"boards: {board.name} with all its numbers of mines", board.cells * TASK_BYTES)
    if config.games > MOST_JOBS * min(sizes):
        raise InputError(
            f"games={config.games} of board {board.name}, {min(sizes)} a job, must be at most"
            f" {MOST_JOBS:,} jobs"
        )


@cache
def _schema() -> dict[str, Any]:
    # The schema is part of the package, so that a wheel has it too; the copy that Snakemake
    # expects among the workflow's schemas is a link to this one.
    text = files("msdensity").joinpath("config.schema.yaml").read_text(encoding="utf-8")
    schema: dict[str, Any] = yaml.safe_load(text)
    return schema


def _check_schema(values: Mapping[str, Any]) -> None:
    errors = jsonschema.Draft202012Validator(_schema()).iter_errors(values)
    # A misspelt key comes first: it often is the reason for the others.
    first = min(errors, key=lambda error: error.validator != "additionalProperties", default=None)
    if first is not None:
        raise InputError(_explain(first))


def _explain(error: jsonschema.ValidationError) -> str:
    """Say in one line which field has which value and what is allowed there."""
    field = ""
    for step in error.absolute_path:
        field += f"[{step}]" if isinstance(step, int) else f".{step}" if field else str(step)
    limits = error.schema
    assert isinstance(limits, Mapping)
    match error.validator:
        case "additionalProperties":
            known = list(limits["properties"])
            key = next(str(key) for key in error.instance if key not in known)
            close = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"the keys are {', '.join(known)}"
            return f"unknown key {key!r}{' in ' if field else ''}{field}: {hint}"
        case "required":
            key = next(key for key in error.validator_value if key not in error.instance)
            return f"{field or 'config'} must have the key {key!r}"
        case "minimum" | "maximum":
            allowed = f"in {limits['minimum']}..{limits['maximum']}"
        case "minProperties":
            allowed = "boards, each with a list of numbers of mines"
        case "minItems" | "maxItems":
            allowed = "a list of 2 numbers" if "maxItems" in limits else "a list that is not empty"
        case "pattern" | "maxLength":
            allowed = NAME_RULE
        case "type" if error.validator_value == ["string", "boolean"]:
            allowed = "on or off"
        case "type" if isinstance(error.validator_value, list):
            allowed = "rows x columns, such as 4x5, or {p: [1, 10], q: [1, 10]}"
        case _:
            words = {"integer": "a whole number", "array": "a list", "object": "keys and values"}
            allowed = words.get(str(error.validator_value), "text")
    return f"{field}={shown(error.instance)} must be {allowed}"


def _backend(value: str) -> str:
    if value not in BACKENDS:
        raise InputError(f"backend={value!r} must be one of {', '.join(BACKENDS)}")
    return value


def _boards(entries: list[Any], rules: Rules) -> tuple[Board, ...]:
    found = set()
    count = 0
    for position, entry in enumerate(entries):
        field = f"boards[{position}]={shown(entry)}"
        before = count
        for board in _expand(entry, field):
            count += 1
            if count > MOST_BOARDS:
                raise InputError(f"{field}: boards must stand for at most {MOST_BOARDS:,} boards")
            if rules.first_cell is not None and board != board.canonical():
                # Turning the board over would move the first click to another cell.
                raise InputError(f"{field} must have p <= q with first_click={rules.first_click}")
            found.add(board.canonical())
        if count == before:
            raise InputError(f"{field} must hold a board with p <= q and at least 2 cells")
    return tuple(sorted(found, key=lambda board: (board.shape, board.topology)))


def _expand(entry: Any, field: str) -> Iterator[Board]:
    if isinstance(entry, Mapping):
        ranges = {}
        for side in ("p", "q"):
            first, last = map(int, entry[side])
            if first > last:
                raise InputError(f"{field} must have its {side} in rising order")
            ranges[side] = range(first, last + 1)
        for p in ranges["p"]:
            for q in range(max(p, ranges["q"].start), ranges["q"].stop):
                if (p, q) != (1, 1):
                    yield Board((p, q))
        return
    try:
        board = Board.parse(entry)
    except InputError as error:
        raise InputError(f"{field}: {error}") from None
    if board.cells < 2:
        raise InputError(f"{field} must have at least 2 cells to hold a mine")
    yield board


def _study(name: str, entry: Mapping[str, Any]) -> Study:
    chosen: dict[Board, set[int]] = {}
    for text, mines in entry["mines"].items():
        field = f"{name}.mines: {shown(text)}"
        try:
            board = Board.parse(text)
        except InputError as error:
            raise InputError(f"{field}: {error}") from None
        # The first cells compared are a corner, an edge and an inner cell, with 3, 5 and 8
        # neighbours; and the text's inference is written for such boards.
        if board.topology != "square8" or min(board.shape) < 3:
            raise InputError(f"{field} must be a board of at least 3x3 cells, topology square8")
        check_board(board.shape, board.topology)
        for m in mines:
            Task(board, int(m))
        # 3x4 and 4x3 are one board.
        chosen.setdefault(board.canonical(), set()).update(int(m) for m in mines)
    found = sorted(chosen.items(), key=lambda item: item[0].shape)
    return Study(int(entry["games"]), tuple((board, tuple(sorted(m))) for board, m in found))


def _players(entries: list[Mapping[str, str | bool]]) -> tuple[tuple[str, Mapping[str, str]], ...]:
    found = {}
    for position, entry in enumerate(entries):
        # YAML reads on and off without quotes as true and false.
        options = {
            key: value if isinstance(value, str) else "on" if value else "off"
            for key, value in entry.items()
        }
        player = options.pop("player")
        try:
            chosen = resolve(player, options)
        except InputError as error:
            raise InputError(f"players[{position}]: {error}") from None
        found[label(player, options)] = (player, chosen)
    return tuple(found.values())
