"""`msdensity table`: the win rates of the games in ledgers."""

from __future__ import annotations

import argparse
import json

from msdensity.cli.output import add_json, print_json
from msdensity.cli.parser import whole_number
from msdensity.kernel.version import KERNEL_VERSION

GAMES = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the sub-command."""
    parser.epilog = (
        "Prints CSV with the columns of data/NAME/win_rates/, explained in data/README.md, and "
        "plays nothing. Each row has the games from game 0 on. Versions of the kernel are never "
        "mixed. Example: msdensity table data/paper/ledger --kernel-version 2 > old.csv"
    )
    parser.add_argument(
        "data", nargs="?", default="data", help="a folder of ledgers, or a ledger (default: data)"
    )
    parser.add_argument(
        "--kernel-version",
        type=whole_number,
        default=KERNEL_VERSION,
        metavar="N",
        help="version of the kernel that played the games (default: this one, %(default)s)",
    )
    parser.add_argument(
        "--games",
        type=whole_number,
        default=GAMES,
        help="games that every number of mines must have (default: %(default)s)",
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command; return its exit status."""
    from msdensity.files.tables import as_written
    from msdensity.runs.win_rates import stored_win_rates
    from msdensity.stats.columns import WIN_RATE_COLUMNS

    table = stored_win_rates(arguments.data, arguments.games, arguments.kernel_version)
    table = as_written(table, WIN_RATE_COLUMNS, "win-rate table")
    if arguments.json:
        print_json({"rows": json.loads(table.to_json(orient="records", double_precision=15))})
    else:
        print(table.to_csv(index=False, lineterminator="\n"), end="")
    return 0
