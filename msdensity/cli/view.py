"""`msdensity view`: play and look at games in a browser."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from msdensity.cli.parser import whole_number
from msdensity.errors import InputError, integer

PORT = 8765


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the sub-command."""
    parser.epilog = (
        "Example: msdensity view --ledgers data/paper/ledgers. Needs the packages of"
        ' pip install "msdensity[view]". Ctrl-C ends it.'
    )
    parser.add_argument(
        "--port", type=whole_number, default=PORT, help="0: any free one (default: %(default)s)"
    )
    parser.add_argument(
        "--ledgers",
        metavar="FOLDER",
        help="folder whose ledgers the page may list and read (default: none)",
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="print the address; open no browser"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C; return the exit status."""
    port = integer("port", arguments.port, 0, 65535)
    folder = None if arguments.ledgers is None else Path(arguments.ledgers)
    if folder is not None and not folder.is_dir():
        raise InputError(f"ledgers={arguments.ledgers} must be a folder")
    try:
        # By name: nothing imports the room of the viewer.
        serve = import_module("msdensity.viewer.serve").serve
    except ModuleNotFoundError as error:
        raise InputError(
            f"view needs the package {error.name}: pip install 'msdensity[view]'"
        ) from None
    return int(serve(port, folder, browser=not arguments.no_browser))
