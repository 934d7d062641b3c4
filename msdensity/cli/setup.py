"""The board, player and rules: the arguments that the commands which play games share."""

from __future__ import annotations

import argparse

from msdensity.cli.output import add_json
from msdensity.cli.parser import whole_number
from msdensity.errors import InputError, integer, shown
from msdensity.games.boards import LEVELS, Board, Rules, tidy
from msdensity.games.tasks import Setup
from msdensity.kernel.names import FIRST_CLICKS, TOPOLOGIES
from msdensity.players.registry import PLAYERS

_DIGITS = 20


def add_topology(parser: argparse.ArgumentParser, default: str | None, note: str) -> None:
    """Add --topology; `note` says what its default is."""
    parser.add_argument(
        "--topology",
        metavar="NAME",
        default=default,
        help=f"which cells are neighbours: {', '.join(TOPOLOGIES)} ({note})",
    )


BOARD_HELP = (
    f"rows x columns, such as 16x30; {', '.join(LEVELS)}; "
    "or a file of neighbours, such as ring.json"
)


def add_setup(parser: argparse.ArgumentParser, *, plays: bool = True) -> None:
    """Add the arguments that `read_setup` reads, --threads and --json.

    plays: whether there are games with a seed, on threads; else it adds neither of these.

    The board may also be a word of its own, which `main` makes the value of --board: argparse
    finds such a word only before the first option.
    """
    parser.usage = f"{parser.prog} PxQ [options]"
    parser.add_argument("--board", metavar="PxQ", help=f"the same as PxQ alone: {BOARD_HELP}")
    parser.add_argument(
        "--player",
        default="weighted",
        metavar="NAME",
        help=f"{', '.join(PLAYERS)}, or module:function of your own (default: %(default)s;"
        " see `msdensity players`)",
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an option of the player, such as ties=random; may be repeated",
    )
    add_topology(parser, None, "default: the one in the name of the board, else square8")
    parser.add_argument(
        "--first-click",
        default="corner",
        metavar="WHERE",
        help=f"{', '.join(FIRST_CLICKS)}, cell:INDEX or ROW,COLUMN, counted from 0"
        " (default: %(default)s)",
    )
    parser.add_argument(
        "--start",
        default="safe",
        metavar="RULE",
        help="safe (the first click is no mine), zero (nor is any neighbour), unprotected, or"
        " first_zero (the first cell that shows 0 on an unprotected board, by rows) or"
        " first_zero_by_columns (default: %(default)s)",
    )
    if not plays:
        parser.set_defaults(seed=0)
        return add_json(parser)
    parser.add_argument(
        "--seed", type=whole_number, default=0, help="decides all games (default: %(default)s)"
    )
    parser.add_argument(
        "--threads", type=whole_number, default=1, help="threads that play (default: %(default)s)"
    )
    add_json(parser)


def read_setup(arguments: argparse.Namespace) -> Setup:
    """Return the board, player, rules and seed of the arguments; InputError if they are wrong."""
    if arguments.board is None:
        raise InputError(f"board must be given: {BOARD_HELP}")
    name, topology = tidy(arguments.board), arguments.topology
    if topology in TOPOLOGIES and "-" not in name and not name.endswith(".json"):
        name = f"{name}-{topology}"
    board = Board.parse(name)
    if topology not in (None, board.topology):
        if topology in TOPOLOGIES:
            raise InputError(f"topology={topology!r} must be left out for board {board.name}")
        board = Board(board.shape, topology)  # says which names there are
    options: dict[str, str] = {}
    for text in arguments.option:
        key, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"option={text!r} must be KEY=VALUE")
        if key in options:
            raise InputError(f"option={text!r} must be given once: {key} is set already")
        options[key] = value
    rules = Rules(_first_click(arguments.first_click, board), arguments.start)
    return Setup(board, arguments.player, options, rules, arguments.seed)


def _first_click(text: str, board: Board) -> str:
    """Return the first click as `Rules` names it; ROW,COLUMN becomes a cell by index."""
    if "," not in text:
        return text
    coordinates = [each.strip() for each in text.strip("() ").split(",")]
    ok = all(each.isdecimal() and len(each) <= _DIGITS for each in coordinates)
    if len(coordinates) != len(board.shape) or not ok:
        example = ",".join("0" for _ in board.shape)
        raise InputError(
            f"first_click={shown(text)} must be {len(board.shape)} numbers, from 0 on, such as"
            f" {example}"
        )
    index = 0
    for each, side in zip(coordinates, board.shape, strict=True):
        index = index * side + integer(f"first_click={text!r}: coordinate", int(each), 0, side - 1)
    return f"cell:{index}"


def level_mines(arguments: argparse.Namespace) -> int:
    """Return --mines, by default those of the level that the board is; InputError without both."""
    if arguments.mines is not None:
        return int(arguments.mines)
    level = LEVELS.get(arguments.board.strip().lower())
    if level is None:
        raise InputError(f"mines must be given for board {arguments.board}")
    return level[1]
