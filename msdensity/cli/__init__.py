"""The command `msdensity`: one file for each sub-command, none loaded before it is needed."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from msdensity.cli.arguments import add_arguments
from msdensity.errors import InputError

BAD_INPUT, INTERRUPTED = 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line (None: the process's own); return its exit status.

    0 done; 2 bad input, with one line on standard error; 130 stopped by Ctrl-C.
    """
    parser = argparse.ArgumentParser(
        prog="msdensity",
        description="How dense can a Minesweeper board be before it stops being winnable?",
        epilog="A board is rows x columns, such as 16x30, with its topology if it is not square8: "
        "8x9-torus8, 4x4x4-cubic26. `msdensity COMMAND --help` explains a command.",
    )
    add_arguments(parser)
    arguments, rest = parser.parse_known_args(argv)
    if rest and arguments.command != "bench":  # which reads its own
        parser.error(f"unknown arguments: {' '.join(rest)}")
    try:
        if arguments.command == "bench":
            return import_module("msdensity.cli.bench").main(rest) or 0
        return import_module(f"msdensity.cli.{arguments.command}").run(arguments)
    except InputError as error:
        print(f"msdensity {arguments.command}: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print(f"msdensity {arguments.command}: stopped", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader, such as `head`, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
