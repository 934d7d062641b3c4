"""What the reproduction plays: sweeps of the published boards, quoted boards, and an ablation."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msdensity.errors import InputError, integer, shown
from msdensity.files.text import check_name, read_yaml
from msdensity.games.boards import Board
from msdensity.kernel.limits import MOST_GAMES, check_board
from msdensity.runs.config import Config, load_config

STRIPS = "strips"

NAME = "reproduction"
"""Of the study's folders, unless its file has the key `name`."""


@dataclass(frozen=True)
class Study:
    """The sweep of the published boards, that of longer 1 x q boards, and games of the rest.

    quoted_games: of each board whose win rate the paper quotes; ablation_boards, ablation_games:
    where each fault of the listing is priced in P, and games for each number of mines;
    spot_games: games on the board of the quoted win rate for its price there; name: of its folders.
    """

    sweep: Config
    strips: Config
    quoted_games: int
    ablation_boards: tuple[Board, ...]
    ablation_games: int
    spot_games: int
    name: str = NAME

    def parts(self) -> dict[str, tuple[str, ...]]:
        """Return the boards of each part, the share of one job: by larger side, and the strips."""
        parts: dict[str, tuple[str, ...]] = {}
        for board in self.sweep.boards:
            part = f"q{max(board.shape)}"
            parts[part] = (*parts.get(part, ()), board.name)
        return parts | {STRIPS: self.strips.board_names}

    def config(self, part: str) -> Config:
        """Return the configuration that a part belongs to."""
        return self.strips if part == STRIPS else self.sweep


def load_study(path: str | os.PathLike[str]) -> Study:
    """Return the study in a YAML file; `sweep` and `strips` are as in workflow/config/paper.yaml.

    Raises InputError for an unknown key or a value out of range.
    """
    values = read_yaml(path, f"study {os.fspath(path)}")
    if isinstance(values, dict):
        values = {"name": NAME} | values
    values = _keys(path, values, "", ("sweep", "strips", "quoted", "ablation", "name"))
    quoted = _keys(path, values["quoted"], "quoted: ", ("games",))
    ablation = _keys(path, values["ablation"], "ablation: ", ("boards", "games", "spot_games"))
    for key in ("sweep", "strips"):
        if not isinstance(values[key], dict):  # load_config would take text for a path
            raise InputError(f"{path}: {key}={shown(values[key])} must be keys and values")
    sweep, strips = (load_config(values[key], reserved=()) for key in ("sweep", "strips"))
    if set(sweep.labels) != set(strips.labels):
        raise InputError(f"{path}: strips must have the players of sweep: {list(sweep.labels)}")
    if not isinstance(ablation["boards"], list) or not ablation["boards"]:
        raise InputError(f"ablation.boards={shown(ablation['boards'])} must be a list of boards")
    boards = tuple(map(Board.parse, ablation["boards"]))
    for board in boards:
        check_board(board.shape, board.topology)
    return Study(
        sweep,
        strips,
        integer("quoted.games", quoted["games"], 1, MOST_GAMES),
        boards,
        integer("ablation.games", ablation["games"], 1, MOST_GAMES),
        integer("ablation.spot_games", ablation["spot_games"], 1, MOST_GAMES),
        check_name(values["name"]),
    )


def _keys(path: Any, values: Any, where: str, keys: tuple[str, ...]) -> Mapping[str, Any]:
    found = set(values) if isinstance(values, dict) else set()
    if found != set(keys):
        raise InputError(
            f"{path}: {where}keys must be {', '.join(keys)}, not {shown(sorted(map(str, found)))}"
        )
    return values
