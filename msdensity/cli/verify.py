"""`msdensity verify`: recorded games played again."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from msdensity.cli.output import print_json
from msdensity.games.boards import Board
from msdensity.runs.verify import verify

DIFFERS = 1


def run(arguments: argparse.Namespace) -> int:
    """Run the sub-command; return its exit status."""
    for path in arguments.board:
        Board.from_neighbours(path)  # known by its hash from now on
    found = verify(arguments.data, arguments.rows, arguments.seed)
    if arguments.json:
        print_json(asdict(found))
    else:
        print(found.report())
    return 0 if found.right else DIFFERS
