"""`msdensity density`: how dense a board can be, from the shipped table or from games."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from msdensity.cli.output import print_json, terminal
from msdensity.cli.setup import add_setup, read_setup
from msdensity.errors import InputError
from msdensity.kernel.limits import check_threads


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the sub-command."""
    parser.epilog = (
        "Example: msdensity density expert. Without --error the answer is a row of the table that "
        "the package ships, or an estimate between its boards."
    )
    parser.add_argument(
        "--error",
        type=float,
        help="measure now, with about this standard error, such as 1e-3; needed for another player "
        "or start",
    )
    parser.add_argument(
        "--folder",
        help="with --error: keep the games here, so that the same command goes on after Ctrl-C, "
        "and plays only the difference for a smaller error (default: they are not kept)",
    )
    add_setup(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the densities of a board."""
    from msdensity.studies.densities.known import density

    if arguments.folder is not None and arguments.error is None:
        raise InputError(f"folder={arguments.folder} must be left out, or come with --error")
    setup = read_setup(arguments)
    check_threads(arguments.threads, setup.board.shape, setup.board.topology)
    found = density(
        setup.board,
        arguments.error,
        player=(setup.player, setup.options),
        rules=setup.rules,
        seed=setup.seed,
        threads=arguments.threads,
        log=terminal(),
        folder=arguments.folder,
    )
    if arguments.json:
        print_json(asdict(found) | {"board": found.board.name})
    else:
        print(found.report())
    return 0
