"""`msdensity analyse`: the safety of every unknown cell of a position."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from msdensity.cli.output import add_json, print_json
from msdensity.cli.parser import number_of_mines
from msdensity.cli.setup import add_topology
from msdensity.errors import InputError, shown
from msdensity.files.text import read_text

if TYPE_CHECKING:
    from msdensity.games.analysis import Analysis


IMPOSSIBLE = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the sub-command."""
    parser.epilog = "Example: printf '.2F\\n...\\n' | msdensity analyse --mines 2"
    parser.add_argument(
        "file",
        nargs="?",
        default="-",
        help="a text file with one line for each row: . unknown, digits (a, b, ... for 10, 11, "
        "...), F flag; spaces between cells are ignored; - (default) reads standard input",
    )
    parser.add_argument(
        "--mines",
        type=number_of_mines,
        metavar="M",
        help="total number of mines, including flags (default: unknown)",
    )
    add_topology(parser, "square8", "default: square8")
    parser.add_argument(
        "--shape",
        metavar="AxBxC",
        help="sides of a board with layers; the file lists the rows of one layer after another",
    )
    parser.add_argument(
        "--ignore-flags", action="store_true", help="treat flagged cells as unknown"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command; return its exit status (1 for an impossible position)."""
    from msdensity.games.analysis import analyse

    grid = read_grid(arguments.file)
    shape = None
    if arguments.shape is not None:
        sides = arguments.shape.split("x")
        if not all(side.isdecimal() and len(side) <= 20 for side in sides):
            raise InputError(f"shape={shown(arguments.shape)} must be sides such as 3x4x5")
        shape = tuple(map(int, sides))
    result = analyse(
        grid, arguments.mines, arguments.topology, not arguments.ignore_flags, shape=shape
    )
    limit = sys.get_int_max_str_digits()
    try:
        sys.set_int_max_str_digits(
            0
        )  # the configurations of a large board have any number of digits
        _print(result, arguments.json)
    finally:
        sys.set_int_max_str_digits(limit)
    return 0 if result.consistent else IMPOSSIBLE


def _print(result: Analysis, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "consistent": result.consistent,
                "reason": result.reason,
                "exact": result.exact,
                "mines_range": result.mines_range,
                # as text: few readers of JSON keep integers of this size
                "configurations": result.configurations
                if result.configurations is None
                else str(result.configurations),
                "safety": nested(result.safety),
                "safe": result.safe,
                "mined": result.mined,
            }
        )
        return
    print(result)


def read_grid(file: str) -> list[str]:
    """Return the rows of a text file (- for standard input); InputError if it cannot be read."""
    text = read_text(file, f"file={file!r}", stdin=file == "-")
    return [line for line in map(str.strip, text.splitlines()) if line]


def nested(safety: np.ndarray) -> Any:
    """Return the safeties as nested lists, None for NaN, which JSON does not have."""
    values = safety.astype(object)
    values[np.isnan(safety)] = None
    return values.tolist()
