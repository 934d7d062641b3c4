"""`msdensity verify`: recorded games played again."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from msdensity.cli.output import add_json, print_json
from msdensity.cli.parser import whole_number

DIFFERS = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the sub-command."""
    parser.epilog = (
        "Every ledger below DATA is read and its checksums tested. Exit status 1 if a row does "
        "not come out the same."
    )
    parser.add_argument(
        "data", nargs="?", default="data", help="a folder with ledgers, or one (default: data)"
    )
    parser.add_argument(
        "--rows", type=whole_number, default=20, help="how many (default: %(default)s)"
    )
    parser.add_argument(
        "--seed", type=whole_number, help="of the sample (default: another sample every time)"
    )
    parser.add_argument(
        "--board",
        action="append",
        default=[],
        metavar="FILE.json",
        help="neighbour file of a custom board used in the ledgers; repeatable",
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command; return its exit status."""
    from msdensity.games.boards import Board
    from msdensity.runs.verify import verify

    for path in arguments.board:
        Board.from_neighbours(path)  # known by its hash from now on
    found = verify(arguments.data, arguments.rows, arguments.seed)
    if arguments.json:
        print_json(asdict(found))
    else:
        print(found.report())
    return 0 if found.ok else DIFFERS
