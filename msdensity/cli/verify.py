"""`msdensity verify`: replay recorded games and compare."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from msdensity.cli.output import add_json, print_json, terminal
from msdensity.cli.parser import whole_number
from msdensity.errors import InputError

DIFFERS = 1


ROWS = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the sub-command."""
    parser.epilog = (
        "Reads every ledger in the folder, tests its checksums, and compares every table of counts "
        "with the ledgers and every result with its record. Exit status 1 if something differs. "
        "Runs the code of own players that ledgers name (module:function), if it is in the working "
        "folder or installed: verify what somebody else sent you in an empty folder."
    )
    parser.add_argument(
        "data", nargs="?", default="data", help="a folder of ledgers, or a ledger (default: data)"
    )
    parser.add_argument("--rows", type=whole_number, help=f"rows to replay (default: {ROWS})")
    parser.add_argument("--all", action="store_true", help="replay all rows: as long as the run")
    parser.add_argument(
        "--records",
        default="provenance",
        metavar="FOLDER",
        help="folder of the records (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", type=whole_number, help="seed of the sample (default: a new sample every time)"
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
        Board.from_neighbours(path)  # from now on its hash is a known topology
    for name in ("rows", "seed"):
        if arguments.all and (value := getattr(arguments, name)) is not None:
            raise InputError(f"{name}={value} must be left out: --all replays every row")
    sample = ROWS if arguments.rows is None else arguments.rows
    rows = None if arguments.all else sample
    how = {"records": arguments.records, "log": terminal()}
    result = verify(arguments.data, rows, arguments.seed, **how)
    if arguments.json:
        print_json(asdict(result))
    else:
        print(result.report())
    return 0 if result.ok else DIFFERS
